import CEL
import Testing
import Values

@Test func `smoke`() throws {
    let environment = CELEnvironment()
    let program = try CELProgram.compile("1 + 2 == 3 && 'a' in ['a']", in: environment, expecting: .bool)
    #expect(program.test(CELActivation([:] as [String: Value], in: environment)) == .success(true))
}

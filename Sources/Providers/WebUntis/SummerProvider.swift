import BotCore

/// A source in the weeks between two school years, when the server stumbles over its own missing year: that is no fault, and nothing is
/// known to have changed.
struct SummerProvider: Provider {
    let inner: any Provider

    func fetch(_ request: FetchRequest) async throws(PluginError) -> Snapshot {
        do {
            return try await inner.fetch(request)
        } catch  where ServerComplaint.isWithoutSchoolYear(error) {
            return Snapshot(records: nil, memo: request.memo)
        }
    }

    func interpret(_ difference: Difference, in context: InterpretationContext) -> [Occurrence] {
        inner.interpret(difference, in: context)
    }
}

// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// A room of the house, and the rooms it may import.
func room(_ name: String, _ imports: [String] = [], path: String? = nil) -> Target {
    .target(
        name: name,
        dependencies: imports.map { .init(stringLiteral: $0) },
        path: path,
        exclude: [],
        swiftSettings: strict
    )
}

func tests(_ name: String, _ imports: [String]) -> Target {
    .testTarget(name: name + "Tests", dependencies: imports.map { .init(stringLiteral: $0) }, swiftSettings: strict)
}

let package = Package(
    name: "pokyh-bot",
    targets: [
        room("Values"),
        room("BotCore", ["Values"]),
    ]
)

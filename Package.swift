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
func room(_ name: String, _ imports: [String] = [], path: String? = nil, exclude: [String] = []) -> Target {
    .target(
        name: name,
        dependencies: imports.map { .init(stringLiteral: $0) },
        path: path,
        exclude: exclude,
        swiftSettings: strict
    )
}

/// The module map before one C library of the system's packages.
func wall(_ name: String, _ pkgConfig: String, apt package: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([package])])
}

/// The tests of a room.
func tests(_ name: String, _ imports: [String], exclude: [String] = []) -> Target {
    .testTarget(
        name: name + "Tests",
        dependencies: imports.map { .init(stringLiteral: $0) },
        exclude: exclude,
        swiftSettings: strict
    )
}

let package = Package(
    name: "pokyh-bot",
    targets: [
        room("Values"),
        wall("CYAML", "yaml-0.1", apt: "libyaml-dev"),
        room("StrictYAML", ["Values", "CYAML"]),
        tests("StrictYAML", ["Values", "StrictYAML"], exclude: ["Golden"]),
        wall("CCrypto", "libcrypto", apt: "libssl-dev"),
        room("Digests", ["Values", "CCrypto"]),
        room("BotCore", ["Values"]),
        room("BotConfig", ["Values", "BotCore"]),
        wall("CCMark", "libcmark-gfm", apt: "libcmark-gfm-dev"),
        room("Markup", ["Values", "CCMark"], exclude: ["README.md"]),
        tests("Markup", ["Values", "Markup"]),
        room("StdoutSink", ["Values", "BotCore", "Digests", "Markup"], path: "Sources/Sinks/Stdout"),
        room("EmailSink", ["Values", "BotCore", "Digests", "Markup"], path: "Sources/Sinks/Email"),
        room("WebhookSink", ["Values", "BotCore", "Digests", "Markup"], path: "Sources/Sinks/Webhook"),
        tests("Sink", ["Values", "BotCore", "StdoutSink", "EmailSink", "WebhookSink"]),
        tests("Values", ["Values"]),
        tests("Digests", ["Values", "Digests"]),
    ]
)

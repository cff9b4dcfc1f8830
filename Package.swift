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

/// The module map before one C library of the system's packages.
func wall(_ name: String, _ pkgConfig: String, apt package: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([package])])
}

/// The tests of a room.
func tests(_ name: String, _ imports: [String]) -> Target {
    .testTarget(name: name + "Tests", dependencies: imports.map { .init(stringLiteral: $0) }, swiftSettings: strict)
}

let package = Package(
    name: "pokyh-bot",
    targets: [
        room("Values"),
        wall("CCrypto", "libcrypto", apt: "libssl-dev"),
        room("Digests", ["Values", "CCrypto"]),
        room("BotCore", ["Values"]),
        room("BotConfig", ["Values", "BotCore"]),
        tests("Values", ["Values"]),
        tests("Digests", ["Values", "Digests"]),
    ]
)

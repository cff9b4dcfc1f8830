// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
    // Each function in a section of its own, so that the linker can put them in order.
    .unsafeFlags(["-Xfrontend", "-function-sections"], .when(configuration: .release)),
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
func wall(_ name: String, _ pkgConfig: String, apt packages: String...) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt(packages)])
}

/// A provider: what a place to poll may import.
func provider(_ name: String) -> Target {
    room(
        name + "Provider",
        ["Values", "BotCore", "BotConfig", "HTMLText", "Digests"],
        path: "Sources/Providers/" + name
    )
}

/// A sink: what a place to send to may import.
func sink(_ name: String) -> Target {
    room(name + "Sink", ["Values", "BotCore", "Markup", "Digests"], path: "Sources/Sinks/" + name)
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

let walls: [Target] = [
    wall("CCMark", "libcmark-gfm", apt: "libcmark-gfm-dev", "libcmark-gfm-extensions-dev"),
    wall("CCrypto", "libcrypto", apt: "libssl-dev"),
    wall("CCurl", "libcurl", apt: "libcurl4-openssl-dev"),
    wall("CGumbo", "gumbo", apt: "libgumbo-dev"),
    wall("CMicroHTTPD", "libmicrohttpd", apt: "libmicrohttpd-dev"),
    wall("CSQLite", "sqlite3", apt: "libsqlite3-dev"),
    wall("CYAML", "yaml-0.1", apt: "libyaml-dev"),
    // libre2 speaks C++; a few functions in C stand before it.
    .target(name: "CRE2", linkerSettings: [.linkedLibrary("re2")]),
]

let languages: [Target] = [
    room("Values"),
    room("CEL", ["Values", "CRE2"], exclude: ["README.md"]),
    room("Liquid", ["Values"], exclude: ["README.md"]),
    room("Markup", ["Values", "CCMark"], exclude: ["README.md"]),
    room("StrictYAML", ["Values", "CYAML"]),
    room("HTMLText", ["CGumbo"]),
    room("Digests", ["Values", "CCrypto"]),
]

let providers = ["WebUntis", "Pokyh", "HTTPJSON"].map(provider)
let sinks = ["Stdout", "Email", "Webhook", "Matrix", "Telegram"].map(sink)

let house: [Target] = [
    room("BotCore", ["Values"]),
    room("BotConfig", ["Values", "BotCore"]),
    room(
        "BotRules",
        ["Values", "BotCore", "CEL", "Liquid", "StrictYAML", "Markup", "Digests"],
        exclude: ["README.md"]
    ),
    room("BotEngine", ["Values", "BotCore", "Digests"]),
    room("BotState", ["Values", "BotCore", "CSQLite"]),
    room("BotTransport", ["Values", "BotCore", "CCurl"]),
    room("BotPlugins", ["BotCore"] + (providers + sinks).map(\.name)),
    room("SchoolSimulator", ["Values", "BotCore", "Digests", "CMicroHTTPD"]),
    room("BotTestKit", ["Values", "BotCore", "BotEngine"]),
]

/// How the release program is linked. Relocations are packed: 80,000 of them as a bitmap instead of 2 MiB that every start reads, which glibc
/// 2.36 and later understand. What a run calls lies together (`scripts/order-symbols`), and nothing is exported that nobody looks up:
/// the pages that lay between were a tenth of the memory.
let arranged: [LinkerSetting] = [
    .unsafeFlags(
        [
            "-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs",
            "-Xlinker", "--symbol-ordering-file=\(Context.packageDirectory)/Sources/startup.order",
            "-Xlinker", "--no-warn-symbol-ordering", "-Xlinker", "--no-export-dynamic",
        ],
        .when(configuration: .release)
    )
]

let programs: [Target] = [
    .executableTarget(
        name: "pokyh-bot",
        dependencies: [
            "Values", "BotCore", "BotConfig", "BotEngine", "BotPlugins", "BotRules", "BotState", "BotTransport",
            "Digests", "SchoolSimulator", "StrictYAML", "WebUntisProvider",
        ],
        resources: [.embedInCode("rules")],
        swiftSettings: strict,
        linkerSettings: arranged
    ),
    room("CELSuite", ["Values", "CEL"]),
    .target(name: "CBench"),
    .executableTarget(
        name: "bot-bench",
        dependencies: ["Values", "BotCore", "BotRules", "CEL", "CELSuite", "CBench", "Liquid"],
        swiftSettings: strict
    ),
]

let suites: [Target] = [
    tests("Values", ["Values"]),
    tests("Digests", ["Values", "Digests"]),
    tests("CEL", ["Values", "CEL", "CELSuite"], exclude: ["Golden"]),
    tests("Liquid", ["Values", "Liquid"]),
    tests("Markup", ["Values", "Markup"], exclude: ["Golden"]),
    tests("StrictYAML", ["Values", "StrictYAML"], exclude: ["Golden"]),
    tests("HTMLText", ["HTMLText"]),
    tests("SchoolSimulator", ["Values", "Digests", "SchoolSimulator"]),
    tests(
        "BotRules",
        [
            "Values", "BotCore", "BotEngine", "BotRules", "Liquid", "Markup", "PokyhProvider", "WebUntisProvider",
        ],
        exclude: ["Golden"]
    ),
    tests("BotEngine", ["Values", "BotCore", "BotEngine", "BotState", "BotTestKit"]),
    tests("BotState", ["Values", "BotCore", "CSQLite", "BotState", "BotTestKit"]),
    tests("BotTransport", ["Values", "BotCore", "CCurl", "BotTransport"]),
    tests("WebUntisProvider", ["Values", "BotCore", "BotTestKit", "Digests", "WebUntisProvider"]),
    tests("PokyhProvider", ["Values", "BotCore", "BotTestKit", "PokyhProvider"]),
    tests("HTTPJSONProvider", ["Values", "BotCore", "BotEngine", "BotTestKit", "HTTPJSONProvider"]),
    tests("MatrixSink", ["Values", "BotCore", "BotTestKit", "BotTransport", "Digests", "MatrixSink"]),
    tests("TelegramSink", ["Values", "BotCore", "BotTestKit", "BotTransport", "TelegramSink"]),
    tests("Sink", ["Values", "BotCore", "BotTestKit", "StdoutSink", "EmailSink", "WebhookSink"]),
]

let pipeline: [Target] = [
    .testTarget(
        name: "PipelineTests",
        dependencies: [
            "Values", "BotCore", "BotEngine", "BotState", "BotPlugins", "BotRules", "BotTestKit", "BotTransport",
            "SchoolSimulator", "pokyh-bot",
        ],
        swiftSettings: strict
    )
]

let package = Package(
    name: "pokyh-bot",
    products: [
        .executable(name: "pokyh-bot", targets: ["pokyh-bot"]),
        .executable(name: "bot-bench", targets: ["bot-bench"]),
    ],
    targets: walls + languages + providers + sinks + house + programs + suites + pipeline
)

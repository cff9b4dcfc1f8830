import Foundation

/// Data that others made (public suites), beside the repository and never in it.
enum SharedData {
    /// The bytes of a file below `POKYH_SHARED`, else below `../shared` beside the package; nil where it is absent.
    static func bytes(_ path: String) -> [UInt8]? {
        (try? Data(contentsOf: folder.appending(path: path))).map(Array.init)
    }

    static let folder: URL =
        if let path = ProcessInfo.processInfo.environment["POKYH_SHARED"] {
            URL(filePath: path)
        } else {
            packageRoot.deletingLastPathComponent().appending(path: "shared")
        }

    /// The folder of `Package.swift`, three levels above this file.
    static let packageRoot = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
}

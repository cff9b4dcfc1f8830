import BotCore
import Glibc

/// Why a file could not be read, in words for people.
struct FileProblem: Error {
    var path: String
    var reason: String
}

/// Reading files and folders of the admin's.
enum FileAccess {
    /// The bytes of a file, at most `limit` of them and one more, so that the reader can tell that it is too large.
    static func read(_ path: String, limit: Int = 1 << 20) throws(FileProblem) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let isLeadingNowhere = errno == ENOENT && isLink(path)
            throw FileProblem(path: path, reason: isLeadingNowhere ? "it is a link to nothing" : errorText())
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileProblem(path: path, reason: errorText()) }
        guard status.st_mode & S_IFMT != S_IFDIR else { throw FileProblem(path: path, reason: "it is a folder") }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= limit {
            let count = Glibc.read(descriptor, &chunk, min(chunk.count, limit + 1 - bytes.count))
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw FileProblem(path: path, reason: errorText()) }
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        return bytes
    }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// Whether anybody but the owner can read a file.
    static func isReadableByOthers(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & 0o077 != 0
    }

    /// The YAML files below a path, sorted by name; a file is itself. Hidden files and folders, and links to folders, are passed over.
    ///
    /// What is there and cannot be read is among them with the reason: it must not keep the rest from being read.
    /// - Throws: where there is nothing under the path itself.
    static func yamlFiles(below path: String) throws(FileProblem) -> [(path: String, problem: FileProblem?)] {
        guard isFolder(path) else {
            guard exists(path) || isLink(path) else {
                throw FileProblem(path: path, reason: "there is no such file or folder")
            }
            return [(path, nil)]
        }
        return filesInFolder(path)
    }

    private static func filesInFolder(_ path: String) -> [(path: String, problem: FileProblem?)] {
        let entries: [String]
        do throws(FileProblem) {
            entries = try names(in: path)
        } catch {
            return [(path, error)]
        }
        var files: [(path: String, problem: FileProblem?)] = []
        for name in entries where !name.hasPrefix(".") {
            let full = path + (path.hasSuffix("/") ? "" : "/") + name
            if isFolder(full) {
                // Links to folders may lead round in circles.
                if !isLink(full) { files += filesInFolder(full) }
            } else if name.hasSuffix(".yaml") || name.hasSuffix(".yml") {
                // Reading a pipe or a device may never end.
                let isFile = isRegular(full) || isLink(full) && !exists(full)
                files.append((full, isFile ? nil : FileProblem(path: full, reason: "it is no file")))
            }
        }
        return files
    }

    private static func isRegular(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// What a folder holds, sorted; the folder itself and its parent left out.
    static func names(in path: String) throws(FileProblem) -> [String] {
        guard let folder = opendir(path) else { throw FileProblem(path: path, reason: errorText()) }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// A path as seen from a folder, without slashes at its end; absolute ones stay.
    static func resolve(_ path: String, from folder: String) -> String {
        let isBare = folder.isEmpty || folder == "."
        if path.hasPrefix("/") || isBare { return withoutLastSlashes(path) }
        // `./state` is read more easily as `state` once a folder stands before it.
        let rest = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
        return withoutLastSlashes((folder == "/" ? "" : folder) + "/" + rest)
    }

    /// `rules/` is `rules`, so that what is in it begins with it and one slash; the root stays.
    private static func withoutLastSlashes(_ path: String) -> String {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return path
    }

    /// A path from the root of the file system, without `.`, `..` and slashes too many; links stay, since they are how versions are exchanged.
    static func whole(_ path: String) -> String {
        var start = ""
        if !path.hasPrefix("/"), let current = getcwd(nil, 0) {
            start = String(cString: current) + "/"
            free(current)
        }
        var parts: [Substring] = []
        for part in (start + path).split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }

    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    static func errorText() -> String { String(cString: strerror(errno)) }
}

extension FileAccess {
    /// Writes a new file that its owner alone can read.
    static func write(_ bytes: [UInt8], to path: String) throws(FileProblem) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileProblem(path: path, reason: errorText()) }
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw FileProblem(path: path, reason: errorText()) }
            rest = rest.dropFirst(count)
        }
    }

    /// Takes a folder away with all that is in it; links are taken away, not followed.
    static func removeFolder(_ path: String) {
        for name in (try? names(in: path)) ?? [] {
            let entry = path + "/" + name
            var status = stat()
            if lstat(entry, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
                removeFolder(entry)
            } else {
                unlink(entry)
            }
        }
        rmdir(path)
    }
}

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The file system of the operating system.
///
/// It repeats interrupted calls and continues short ones. Remaining errors contain the operation,
/// the path and the `errno`.
package struct RealFileSystem: FileSystem {
    let calls: SystemCalls

    /// Uses the operating system's calls; tests pass calls that misbehave.
    package init(calls: SystemCalls = .live) {
        self.calls = calls
    }

    package func open(_ path: String, _ mode: FileMode) throws(DaybookError) -> any File {
        let opening: SystemCalls.Opening =
            switch mode {
            case .read: .read
            case .readWrite: .readWrite
            case .create: .create
            case .replace: .replace
            }
        let descriptor = try openDescriptor(path, opening)
        let file = RealFile(descriptor: descriptor, path: path, calls: calls)
        // A directory can be opened for reading, but every read of it fails. This check fails
        // early.
        do { _ = try file.size() } catch {
            file.close()
            throw .operatingSystem(
                errno: Int32(error.details["errno"] ?? "") ?? EIO, operation: "open", path: path)
        }
        return file
    }

    package func list(_ directory: String) throws(DaybookError) -> [String] {
        var names: [String] = []
        try perform("list", directory) {
            names.removeAll()
            return calls.listDirectory(directory) { names.append($0) }
        }
        return names.filter { $0 != "." && $0 != ".." }.sorted()
    }

    package func kind(of path: String) throws(DaybookError) -> FileKind? {
        do {
            return SystemCalls.kind(ofMode: try perform("look at", path) { calls.mode(path) })
        } catch {
            // The path does not exist if one of its directories is a file.
            let isMissing = error.code == .fileNotFound || error.details["errno"] == "\(ENOTDIR)"
            if isMissing { return nil }
            throw error
        }
    }

    package func createDirectory(_ path: String) throws(DaybookError) {
        if let kind = try kind(of: path) {
            if kind == .directory { return }
            throw .operatingSystem(errno: EEXIST, operation: "create the directory", path: path)
        }
        let parent = DirectoryPath.parent(of: path)
        if try kind(of: parent) == nil { try createDirectory(parent) }
        do {
            try perform("create the directory", path) { calls.makeDirectory(path) }
        } catch {
            // Another process created it first, which is fine if it is a directory.
            guard error.code == .fileExists, try kind(of: path) == .directory else { throw error }
        }
        try syncDirectory(parent)
    }

    package func rename(_ path: String, to newPath: String) throws(DaybookError) {
        try DirectoryPath.check(newPath)
        try perform("rename", path) { calls.renameFile(path, newPath) }
    }

    package func link(_ path: String, to newPath: String) throws(DaybookError) -> Bool {
        try DirectoryPath.check(newPath)
        do {
            try perform("link", path) { calls.linkFile(path, newPath) }
            return true
        } catch {
            let refusals = [EXDEV, EPERM, EMLINK, EOPNOTSUPP, ENOTSUP, ENOSYS]
            if refusals.contains(where: { error.details["errno"] == "\($0)" }) { return false }
            throw error
        }
    }

    package func remove(_ path: String) throws(DaybookError) {
        try perform("remove", path) { calls.removeFile(path) }
    }

    package func removeDirectory(_ path: String) throws(DaybookError) {
        try perform("remove the directory", path) { calls.removeDirectory(path) }
    }

    package func resolve(_ path: String) throws(DaybookError) -> String {
        var resolved = ""
        do {
            try perform("resolve", path) { calls.resolve(path) { resolved = $0 } }
            return resolved
        } catch {
            let isMissing = error.code == .fileNotFound || error.details["errno"] == "\(ENOTDIR)"
            guard isMissing, !path.isEmpty else { throw error }
        }
        let parent = DirectoryPath.parent(of: path)
        guard parent != path else { return DirectoryPath.simplified(path) }
        return DirectoryPath.simplified(try resolve(parent) + "/" + DirectoryPath.name(of: path))
    }

    package func syncDirectory(_ path: String) throws(DaybookError) {
        let descriptor = try openDescriptor(path, .directory)
        defer { _ = calls.closeFile(descriptor) }
        try perform("sync the directory", path) { calls.syncNames(descriptor) }
    }

    package func lock(_ path: String, note: String) throws(DaybookError) -> any FileLock {
        while true {
            let descriptor = try openDescriptor(path, .lock)
            let file = RealFile(descriptor: descriptor, path: path, calls: calls)
            guard try takeLock(of: file, descriptor, path) else { continue }
            // The lock is held from here on, even if the file contains the note of a dead process.
            let lock = RealFileLock(file: file)
            do { try FileLockNote.write(note, to: file) } catch {
                lock.release()
                throw error
            }
            return lock
        }
    }

    /// Locks an open file. Closes it and returns false if the path no longer names it: the previous
    /// holder removed it, and other processes lock a new file.
    private func takeLock(
        of file: RealFile, _ descriptor: Int32, _ path: String
    ) throws(DaybookError) -> Bool {
        do throws(DaybookError) {
            try perform("lock", path) { calls.lockFile(descriptor) }
            if try perform("look at", path, { calls.isNamed(descriptor, path) }) == 1 {
                return true
            }
            file.close()
            return false
        } catch {
            defer { file.close() }
            guard error.details["errno"] == "\(EWOULDBLOCK)" else { throw error }
            throw FileLockNote.locked(path, holder: FileLockNote.read(file))
        }
    }

    private func openDescriptor(
        _ path: String, _ opening: SystemCalls.Opening
    ) throws(DaybookError) -> Int32 {
        Int32(try perform("open", path) { calls.openFile(path, opening) })
    }

    /// Makes one call on a path and repeats it while signals interrupt it.
    @discardableResult
    private func perform(
        _ operation: String, _ path: String, _ call: () -> Int
    ) throws(DaybookError) -> Int {
        try DirectoryPath.check(path)
        return try SystemCalls.repeating(operation, path, call)
    }
}

extension SystemCalls {
    /// Repeats a call while signals interrupt it and throws any other error.
    static func repeating(
        _ operation: String, _ path: String, _ call: () -> Int
    ) throws(DaybookError) -> Int {
        while true {
            let answer = call()
            if answer >= 0 { return answer }
            let number = Int32(-answer)
            if number != EINTR {
                throw .operatingSystem(errno: number, operation: operation, path: path)
            }
        }
    }
}

/// All access to files. No other code of the package calls the operating system for a file.
///
/// ``RealFileSystem`` and ``MemoryFileSystem`` implement the protocol here; DaybookTesting adds a
/// file system that injects faults. Paths are plain strings; `directory + "/" + name`. Every
/// failure is a ``DaybookError`` whose details name the operation, the path and the `errno`.
package protocol FileSystem: Sendable {
    /// Opens a file.
    func open(_ path: String, _ mode: FileMode) throws(DaybookError) -> any File

    /// The sorted names in a directory, without `.` and `..`.
    func list(_ directory: String) throws(DaybookError) -> [String]

    /// The kind of the file at a path; nil if the path does not exist.
    func kind(of path: String) throws(DaybookError) -> FileKind?

    /// Creates a directory and its missing parents. An existing directory is no error. New
    /// directories are durable on return, because only this call knows which ones are new.
    func createDirectory(_ path: String) throws(DaybookError)

    /// Atomically renames a file, replacing an existing one. Durable only after
    /// ``syncDirectory(_:)``.
    func rename(_ path: String, to newPath: String) throws(DaybookError)

    /// Creates a hard link; `newPath` must not exist. Durable only after ``syncDirectory(_:)``.
    ///
    /// Returns false if the file system cannot link these paths: it has no hard links, the paths
    /// are on different volumes, the file has too many links, or it belongs to another user.
    func link(_ path: String, to newPath: String) throws(DaybookError) -> Bool

    /// Unlinks a file. Durable only after ``syncDirectory(_:)``.
    func remove(_ path: String) throws(DaybookError)

    /// Removes an empty directory; any other directory is an error. Durable only after
    /// ``syncDirectory(_:)`` of its parent.
    func removeDirectory(_ path: String) throws(DaybookError)

    /// The canonical path: absolute if there is a working directory, without links, `.` and `..`.
    /// Components that do not exist are kept as they are.
    func resolve(_ path: String) throws(DaybookError) -> String

    /// Makes the names in a directory durable.
    func syncDirectory(_ path: String) throws(DaybookError)

    /// Takes the exclusive lock of a file until the returned object is released, and writes `note`
    /// into the file for people. Uses `flock`; `fcntl` locks vanish when any descriptor of the file
    /// is closed. If the lock is taken, throws `.locked` with the holder's note in
    /// `details["holder"]`.
    func lock(_ path: String, note: String) throws(DaybookError) -> any FileLock
}

/// How a file is opened.
package enum FileMode: Sendable {
    /// Opens an existing file for reading.
    case read
    /// Opens an existing file for reading and writing.
    case readWrite
    /// Creates a file for reading and writing; an existing file is an error.
    case create
    /// Creates a file, or empties the existing one, for reading and writing.
    case replace
}

/// The kind of a file.
package enum FileKind: Sendable { case file, directory, other }

/// An open file. Reads and writes take an offset, so threads can share a file.
package protocol File: AnyObject, Sendable {
    /// Reads up to `count` bytes from `offset`; fewer only at the end of the file.
    func read(_ count: Int, at offset: Int) throws(DaybookError) -> [UInt8]

    /// Writes all bytes. Short writes are continued and interrupted ones repeated.
    func write(_ bytes: Span<UInt8>, at offset: Int) throws(DaybookError)

    /// The size in bytes.
    func size() throws(DaybookError) -> Int

    /// Truncates or extends the file; new bytes are zeros.
    func resize(to size: Int) throws(DaybookError)

    /// Allocates the blocks up to `size` and extends the file to at least that size.
    func preallocate(to size: Int) throws(DaybookError)

    /// Makes data and size durable (`fdatasync`, `F_FULLFSYNC`). After a failure, all writes since
    /// the last success are in doubt, and a later success does not cover them.
    func sync() throws(DaybookError)

    /// Closes the descriptor. Later calls throw `.closed`; closing twice is allowed.
    func close()
}

/// A lock, held until it is released or the process ends.
package protocol FileLock: AnyObject, Sendable {
    func release()
}

extension FileSystem {
    /// The directories that ``createDirectory(_:)`` would create for this path, innermost first.
    package func missingDirectories(of path: String) throws(DaybookError) -> [String] {
        var missing: [String] = []
        var path = path
        while try kind(of: path) == nil {
            missing.append(path)
            let parent = DirectoryPath.parent(of: path)
            if parent == path { break }
            path = parent
        }
        return missing
    }

    /// Reads a small file.
    package func readAll(_ path: String) throws(DaybookError) -> [UInt8] {
        let file = try open(path, .read)
        defer { file.close() }
        return try file.read(try file.size(), at: 0)
    }

    /// Replaces a file so that a crash leaves either the old or the new content: writes a temporary
    /// file, syncs it, renames it and syncs the directory.
    package func replaceAtomically(
        _ bytes: [UInt8], named name: String, in directory: String
    ) throws(DaybookError) {
        try put(try write(bytes, beside: name, in: directory), inPlaceOf: name, in: directory)
        try syncDirectory(directory)
    }

    /// Renames a temporary file over another file. Removes the temporary file on failure.
    package func put(
        _ temporary: String, inPlaceOf name: String, in directory: String
    ) throws(DaybookError) {
        do throws(DaybookError) {
            try rename(temporary, to: directory + "/" + name)
        } catch {
            try? remove(temporary)
            throw error
        }
    }

    /// Writes and syncs a temporary file next to `name` and returns its path. Removes it on
    /// failure.
    package func write(
        _ bytes: [UInt8], beside name: String, in directory: String
    ) throws(DaybookError) -> String {
        let temporary = directory + "/" + name + ".tmp"
        let file = try open(temporary, .replace)
        defer { file.close() }
        do throws(DaybookError) {
            try file.write(bytes.span, at: 0)
            try file.sync()
            return temporary
        } catch {
            try? remove(temporary)
            throw error
        }
    }
}

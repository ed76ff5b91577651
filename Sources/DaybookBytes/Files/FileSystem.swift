/// All access to files. No other code of the package calls the operating system for a file.
///
/// ``RealFileSystem`` and ``MemoryFileSystem`` implement the protocol here; DaybookTesting adds a
/// file system that injects faults. Paths are plain strings; `directory + "/" + name`. Every
/// failure is a ``DaybookError`` whose details name the operation, the path and the `errno`.
package protocol FileSystem: Sendable {
    /// Opens a file.
    func open(_ path: String, _ mode: FileMode) throws(DaybookError) -> any File

    /// The names in a directory, sorted, without `.` and `..`.
    func list(_ directory: String) throws(DaybookError) -> [String]

    /// Whether something is there, and what.
    func kind(of path: String) throws(DaybookError) -> FileKind?

    /// Makes a directory, with the missing ones above it; one that is there is fine. Each new one
    /// is durable on return, for only this call knows which there are.
    func createDirectory(_ path: String) throws(DaybookError)

    /// Moves a file over another, atomically. Durable only after ``syncDirectory(_:)``.
    func rename(_ path: String, to newPath: String) throws(DaybookError)

    /// Gives a file a second name, which must be free; the file goes with its last one. Durable
    /// only after ``syncDirectory(_:)``.
    ///
    /// False where the file system has no such names, or none for these two: they stand on
    /// different volumes, the file has as many as it can, or it is somebody else's.
    func link(_ path: String, to newPath: String) throws(DaybookError) -> Bool

    /// Unlinks a file. Durable only after ``syncDirectory(_:)``.
    func remove(_ path: String) throws(DaybookError)

    /// Removes a directory that is empty; any other is an error. Durable only after
    /// ``syncDirectory(_:)`` of the one above.
    func removeDirectory(_ path: String) throws(DaybookError)

    /// The one path of what `path` names: absolute where there is a working directory, without
    /// links, `.` and `..`. What is not there yet keeps the name it has.
    func resolve(_ path: String) throws(DaybookError) -> String

    /// Makes the names in a directory durable.
    func syncDirectory(_ path: String) throws(DaybookError)

    /// Takes the exclusive lock of a file for the life of the returned object (`flock`, never
    /// `fcntl`: those locks vanish when any descriptor of the file is closed), and leaves `note`
    /// in it for people. Throws `.locked`, with the holder's note in `details["holder"]`, when it
    /// is taken.
    func lock(_ path: String, note: String) throws(DaybookError) -> any FileLock
}

/// How a file is opened.
package enum FileMode: Sendable {
    /// Read an existing file.
    case read
    /// Read and write an existing file.
    case readWrite
    /// Make a file that must not be there yet, for reading and writing.
    case create
    /// Make the file or empty the one that is there, for reading and writing.
    case replace
}

/// What a path names.
package enum FileKind: Sendable { case file, directory, other }

/// An open file. Reads and writes name their offset, so one file serves many threads.
package protocol File: AnyObject, Sendable {
    /// Up to `count` bytes from `offset`: fewer only at the end of the file.
    func read(_ count: Int, at offset: Int) throws(DaybookError) -> [UInt8]

    /// Writes all bytes; a short write is continued, an interrupted one repeated.
    func write(_ bytes: Span<UInt8>, at offset: Int) throws(DaybookError)

    /// The size in bytes.
    func size() throws(DaybookError) -> Int

    /// Cuts or grows the file; new bytes read as zeros.
    func resize(to size: Int) throws(DaybookError)

    /// Makes sure that the blocks up to `size` are there and the file is at least that large.
    func preallocate(to size: Int) throws(DaybookError)

    /// Makes data and size durable (`fdatasync`, `F_FULLFSYNC`). After a failure nothing may be
    /// assumed of any write since the last success, and a second call proves nothing.
    func sync() throws(DaybookError)

    /// Closes the descriptor; further calls throw `.closed`. Closing twice is fine.
    func close()
}

/// A lock, held until it is released or the process ends.
package protocol FileLock: AnyObject, Sendable {
    func release()
}

extension FileSystem {
    /// The directories that ``createDirectory(_:)`` would make for this path, the innermost first.
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

    /// A whole small file.
    package func readAll(_ path: String) throws(DaybookError) -> [UInt8] {
        let file = try open(path, .read)
        defer { file.close() }
        return try file.read(try file.size(), at: 0)
    }

    /// Replaces a file so that a crash leaves the old content or the new one, never a mixture:
    /// write beside, sync, rename, sync the directory.
    package func replaceAtomically(
        _ bytes: [UInt8], named name: String, in directory: String
    ) throws(DaybookError) {
        try put(try write(bytes, beside: name, in: directory), inPlaceOf: name, in: directory)
        try syncDirectory(directory)
    }

    /// Renames a file that was written beside another over that one. Where that fails it is
    /// removed.
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

    /// Writes and syncs the file that is to take the place of `name`; returns its path. Where that
    /// fails nothing is left of it.
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

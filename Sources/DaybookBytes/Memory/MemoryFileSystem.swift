internal import Synchronization

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// Files in memory, which behave like those of a disk, errors included.
///
/// Stores without a directory use it. With `recording` it keeps a journal of all operations, from
/// which DaybookTesting derives every state that a power failure may leave.
package final class MemoryFileSystem: FileSystem {
    struct State: Sendable {
        var volume: MemoryVolume
        var locked: Set<Int> = []
        /// Nil without recording.
        var journal: MemoryJournal?

        /// Applies an operation to the volume and records it in the journal, if there is one.
        mutating func perform(_ operation: MemoryOperation) {
            journal?.operations.append(operation)
            volume.apply(operation)
        }
    }

    let state: Mutex<State>

    /// Creates an empty volume. With `recording`, every operation is kept with its bytes.
    package convenience init(recording: Bool = false) {
        self.init(volume: MemoryVolume(), recording: recording)
    }

    /// Creates a volume with these files, by path, and their parent directories. All of them are
    /// durable.
    package convenience init(contents: [String: [UInt8]], recording: Bool = false) {
        self.init(volume: MemoryVolume(contents: contents), recording: recording)
    }

    /// Makes a file system with the files of a volume. No file is locked.
    package convenience init(volume: MemoryVolume, recording: Bool) {
        self.init(volume: volume, journal: recording ? MemoryJournal(base: volume) : nil)
    }

    init(volume: MemoryVolume, journal: MemoryJournal?) {
        state = Mutex(State(volume: volume, journal: journal))
    }

    /// Copies of all files by path. Paths are as they were opened, without needless slashes and
    /// dots.
    package var contents: [String: [UInt8]] { state.withLock { $0.volume }.contents }

    package func open(_ path: String, _ mode: FileMode) throws(DaybookError) -> any File {
        let node = try state.withLock { (state) throws(DaybookError) in
            let place = try state.volume.place(path, "open")
            let node = try state.file(at: place, mode, path)
            state.volume.nodes[node].openCount += 1
            return node
        }
        return MemoryFile(self, node: node, path: path, isWritable: mode != .read)
    }

    package func list(_ directory: String) throws(DaybookError) -> [String] {
        try state.withLock { (state) throws(DaybookError) in
            let node = try state.volume.directory(directory, "list")
            return (state.volume.nodes[node].entries ?? [:]).keys.sorted()
        }
    }

    package func kind(of path: String) throws(DaybookError) -> FileKind? {
        do {
            return try state.withLock { (state) throws(DaybookError) in
                guard let node = try state.volume.place(path, "look at").node else { return nil }
                return state.volume.nodes[node].entries == nil ? .file : .directory
            }
        } catch {
            if error.code == .fileNotFound || error.details["errno"] == "\(ENOTDIR)" { return nil }
            throw error
        }
    }

    package func createDirectory(_ path: String) throws(DaybookError) {
        let operation = "create the directory"
        if let kind = try kind(of: path) {
            if kind == .directory { return }
            throw .operatingSystem(errno: EEXIST, operation: operation, path: path)
        }
        let parent = DirectoryPath.parent(of: path)
        if try kind(of: parent) == nil { try createDirectory(parent) }
        try state.withLock { (state) throws(DaybookError) in
            let place = try state.volume.place(path, operation)
            // Another thread may have created it first.
            guard let name = place.name, place.node == nil else { return }
            let node = state.volume.nodes.count
            state.perform(.createDirectory(directory: node, name))
        }
        try syncDirectory(parent)
    }

    package func rename(_ path: String, to newPath: String) throws(DaybookError) {
        try state.withLock { (state) throws(DaybookError) in
            let from = try state.volume.place(path, "rename")
            let to = try state.volume.place(newPath, "rename")
            func failure(_ errno: Int32) -> DaybookError {
                .operatingSystem(errno: errno, operation: "rename", path: path)
            }
            guard let node = from.node else { throw failure(ENOENT) }
            guard let oldName = from.name, let newName = to.name, !to.ancestors.contains(node)
            else {
                throw failure(EINVAL)
            }
            if let replaced = to.node {
                if replaced == node { return }
                let isDirectory = state.volume.nodes[node].entries != nil
                switch (isDirectory, state.volume.nodes[replaced].entries) {
                case (false, .some): throw failure(EISDIR)
                case (true, nil): throw failure(ENOTDIR)
                case (true, let entries?) where !entries.isEmpty: throw failure(ENOTEMPTY)
                default: break
                }
            }
            state.perform(.rename(node: node, from: oldName, to: newName))
        }
    }

    package func link(_ path: String, to newPath: String) throws(DaybookError) -> Bool {
        try state.withLock { (state) throws(DaybookError) in
            let from = try state.volume.place(path, "link")
            let to = try state.volume.place(newPath, "link")
            func failure(_ errno: Int32) -> DaybookError {
                .operatingSystem(errno: errno, operation: "link", path: path)
            }
            guard let node = from.node else { throw failure(ENOENT) }
            if to.node != nil { throw failure(EEXIST) }
            // Directories cannot be linked, which is a refusal and not a failure.
            guard let name = to.name, state.volume.nodes[node].entries == nil else { return false }
            state.perform(.link(node: node, name))
            return true
        }
    }

    package func remove(_ path: String) throws(DaybookError) {
        try state.withLock { (state) throws(DaybookError) in
            let place = try state.volume.place(path, "remove")
            guard let node = place.node else {
                throw .operatingSystem(errno: ENOENT, operation: "remove", path: path)
            }
            guard let name = place.name, state.volume.nodes[node].entries == nil else {
                throw .operatingSystem(errno: EISDIR, operation: "remove", path: path)
            }
            state.perform(.remove(node: node, name))
        }
    }

    package func resolve(_ path: String) throws(DaybookError) -> String {
        DirectoryPath.simplified(path)
    }

    package func removeDirectory(_ path: String) throws(DaybookError) {
        let operation = "remove the directory"
        try state.withLock { (state) throws(DaybookError) in
            let place = try state.volume.place(path, operation)
            let node = try state.volume.directory(path, operation)
            guard let name = place.name, state.volume.nodes[node].entries?.isEmpty == true else {
                throw .operatingSystem(errno: ENOTEMPTY, operation: operation, path: path)
            }
            state.perform(.remove(node: node, name))
        }
    }

    package func syncDirectory(_ path: String) throws(DaybookError) {
        try state.withLock { (state) throws(DaybookError) in
            let node = try state.volume.directory(path, "sync the directory")
            state.perform(.syncDirectory(node))
        }
    }
}

extension MemoryFileSystem.State {
    /// The file at a place, created or emptied as the mode requires.
    fileprivate mutating func file(
        at place: MemoryVolume.Place, _ mode: FileMode, _ path: String
    ) throws(DaybookError) -> Int {
        func failure(_ errno: Int32) -> DaybookError {
            .operatingSystem(errno: errno, operation: "open", path: path)
        }
        guard let node = place.node else {
            guard mode == .create || mode == .replace, let name = place.name else {
                throw failure(ENOENT)
            }
            let node = volume.nodes.count
            perform(.create(file: node, name))
            return node
        }
        if mode == .create { throw failure(EEXIST) }
        if volume.nodes[node].entries != nil { throw failure(EISDIR) }
        if mode == .replace { perform(.resize(file: node, size: 0)) }
        return node
    }
}

internal import Synchronization

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// An open file of a ``MemoryFileSystem``. It keeps the bytes after the name is removed.
final class MemoryFile: File {
    private let fileSystem: MemoryFileSystem
    private let node: Int
    private let path: String
    private let isWritable: Bool
    private let isClosed = Atomic<Bool>(false)

    init(_ fileSystem: MemoryFileSystem, node: Int, path: String, isWritable: Bool) {
        self.fileSystem = fileSystem
        self.node = node
        self.path = path
        self.isWritable = isWritable
    }

    deinit { close() }

    func read(_ count: Int, at offset: Int) throws(DaybookError) -> [UInt8] {
        guard count >= 0, offset >= 0, !offset.addingReportingOverflow(count).overflow else {
            throw .outsideOfFile("read", path)
        }
        let piece = try perform("read") { $0.volume.nodes[node].content.piece(count, at: offset) }
        return piece.bytes
    }

    func write(_ bytes: Span<UInt8>, at offset: Int) throws(DaybookError) {
        try checkWritable("write")
        let (end, overflow) = offset.addingReportingOverflow(bytes.count)
        guard offset >= 0, !overflow else { throw .outsideOfFile("write", path) }
        try checkSize(end, "write")
        try perform("write") { state in
            // Does not use perform(): only a journal needs a copy of the bytes.
            if state.journal != nil, bytes.count > 0 {
                state.journal?.operations.append(
                    .write(file: node, offset: offset, bytes: bytes.array))
            }
            state.volume.nodes[node].content.write(bytes, at: offset)
        }
    }

    func size() throws(DaybookError) -> Int {
        try perform("size") { $0.volume.nodes[node].content.size }
    }

    func resize(to size: Int) throws(DaybookError) {
        try checkWritable("resize")
        guard size >= 0 else { throw .outsideOfFile("resize", path) }
        try checkSize(size, "resize")
        try perform("resize") { $0.perform(.resize(file: node, size: size)) }
    }

    func preallocate(to size: Int) throws(DaybookError) {
        try checkWritable("preallocate")
        guard size >= 0 else { throw .outsideOfFile("preallocate", path) }
        try checkSize(size, "preallocate")
        try perform("preallocate") { $0.perform(.preallocate(file: node, size: size)) }
    }

    func sync() throws(DaybookError) {
        try perform("sync") { $0.perform(.sync(file: node)) }
    }

    /// Records a failed sync: no later sync makes the writes since the last success durable.
    func failSync() {
        try? perform("sync") { $0.perform(.failedSync(file: node)) }
    }

    func close() {
        guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        fileSystem.state.withLock { $0.volume.release(node) }
    }

    private func perform<Result: Sendable>(
        _ operation: String, _ body: (inout MemoryFileSystem.State) -> Result
    ) throws(DaybookError) -> Result {
        try fileSystem.state.withLock { (state) throws(DaybookError) in
            // Runs within the lock, because close() frees the bytes of a file without a name.
            try checkOpen(operation)
            return body(&state)
        }
    }

    private func checkOpen(_ operation: String) throws(DaybookError) {
        if isClosed.load(ordering: .acquiring) { throw .fileClosed(operation, path) }
    }

    private func checkWritable(_ operation: String) throws(DaybookError) {
        if !isWritable { throw .operatingSystem(errno: EBADF, operation: operation, path: path) }
    }

    private func checkSize(_ size: Int, _ operation: String) throws(DaybookError) {
        if size > MemoryContent.sizeMax {
            throw .operatingSystem(errno: EFBIG, operation: operation, path: path)
        }
    }
}

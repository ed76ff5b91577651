internal import Synchronization

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// A file on disk.
final class RealFile: File {
    // The maximum length of one call: some kernels reject longer calls instead of shortening them.
    private static let callLengthMax = 1 << 30
    // Above this length, a read checks the size of the file before it allocates memory.
    private static let uncheckedLengthMax = 1 << 20
    private static let closedMark: UInt64 = 1 << 63

    private let descriptor: Int32
    private let path: String
    private let calls: SystemCalls
    /// The number of running calls, plus a flag for a closed file. The last user closes the
    /// descriptor, so no call uses a descriptor number that the system has reused.
    private let users = Atomic<UInt64>(0)

    init(descriptor: Int32, path: String, calls: SystemCalls) {
        self.descriptor = descriptor
        self.path = path
        self.calls = calls
    }

    deinit { close() }

    func read(_ count: Int, at offset: Int) throws(DaybookError) -> [UInt8] {
        try enter("read")
        defer { leave() }
        guard count >= 0, offset >= 0, !offset.addingReportingOverflow(count).overflow else {
            throw .outsideOfFile("read", path)
        }
        var length = count
        if length > Self.uncheckedLengthMax {
            length = min(
                length, max(0, try perform("read") { calls.fileSize(descriptor) } - offset))
        }
        var failure: DaybookError?
        // SAFETY: the buffer has room for `length` bytes, and fill() writes at most that many.
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: length) { target, filled in
            do throws(DaybookError) {
                filled = try unsafe fill(UnsafeMutableRawBufferPointer(target), length, offset)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    func write(_ bytes: Span<UInt8>, at offset: Int) throws(DaybookError) {
        try enter("write")
        defer { leave() }
        guard offset >= 0, !offset.addingReportingOverflow(bytes.count).overflow else {
            throw .outsideOfFile("write", path)
        }
        // SAFETY: `written` and `end` are at most `source.count`.
        try unsafe bytes.withUnsafeBytes { (source) throws(DaybookError) in
            var written = 0
            while written < source.count {
                let end = min(source.count, written + Self.callLengthMax)
                let piece = unsafe UnsafeRawBufferPointer(rebasing: source[written..<end])
                let count = try perform("write") {
                    unsafe calls.writeBytes(descriptor, piece, offset + written)
                }
                // A write without progress and without an error would loop forever.
                if count == 0 { throw .operatingSystem(errno: EIO, operation: "write", path: path) }
                written += count
            }
        }
    }

    func size() throws(DaybookError) -> Int {
        try enter("size")
        defer { leave() }
        return try perform("measure") { calls.fileSize(descriptor) }
    }

    func resize(to size: Int) throws(DaybookError) {
        try enter("resize")
        defer { leave() }
        guard size >= 0 else { throw .outsideOfFile("resize", path) }
        try perform("resize") { calls.setFileSize(descriptor, size) }
    }

    func preallocate(to size: Int) throws(DaybookError) {
        try enter("preallocate")
        defer { leave() }
        guard size >= 0 else { throw .outsideOfFile("preallocate", path) }
        if size == 0 { return }
        do {
            try perform("preallocate") { calls.allocate(descriptor, size) }
        } catch {
            let unsupported = ["\(EOPNOTSUPP)", "\(ENOTSUP)", "\(ENOSYS)", "\(EINVAL)"]
            guard unsupported.contains(error.details["errno"] ?? "") else { throw error }
            // This file system cannot preallocate blocks, but it can extend the file.
            guard try perform("preallocate", { calls.fileSize(descriptor) }) < size else { return }
            try perform("preallocate") { calls.setFileSize(descriptor, size) }
        }
    }

    func sync() throws(DaybookError) {
        try enter("sync")
        defer { leave() }
        try perform("sync") { calls.syncFile(descriptor) }
    }

    /// Releases the lock of this file, also for child processes that inherited the descriptor.
    func unlock() {
        guard (try? enter("unlock")) != nil else { return }
        defer { leave() }
        _ = calls.unlockFile(descriptor)
    }

    func close() {
        let before = users.bitwiseOr(Self.closedMark, ordering: .acquiringAndReleasing).oldValue
        if before == 0 { _ = calls.closeFile(descriptor) }
    }

    private func fill(
        _ target: UnsafeMutableRawBufferPointer, _ length: Int, _ offset: Int
    ) throws(DaybookError) -> Int {
        var filled = 0
        while filled < length {
            // SAFETY: `filled` is at most `length`, which is at most the size of the buffer.
            let end = min(length, filled + Self.callLengthMax)
            let piece = unsafe UnsafeMutableRawBufferPointer(rebasing: target[filled..<end])
            let count = try perform("read") {
                unsafe calls.readBytes(descriptor, piece, offset + filled)
            }
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    @discardableResult
    private func perform(_ operation: String, _ call: () -> Int) throws(DaybookError) -> Int {
        try SystemCalls.repeating(operation, path, call)
    }

    /// Counts a call, unless the file is closed. After closing, the count only decreases.
    private func enter(_ operation: String) throws(DaybookError) {
        var seen = users.load(ordering: .relaxed)
        while true {
            if seen & Self.closedMark != 0 { throw .fileClosed(operation, path) }
            let (exchanged, original) = users.weakCompareExchange(
                expected: seen, desired: seen + 1, ordering: .acquiringAndReleasing)
            if exchanged { return }
            seen = original
        }
    }

    private func leave() {
        let left = users.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue
        if left == Self.closedMark { _ = calls.closeFile(descriptor) }
    }
}

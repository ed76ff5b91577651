package import DaybookBytes
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A file system that fails a chosen call in a chosen way, and passes all other calls on.
///
/// A campaign fails call 1, then call 2, and so on until ``hasFailed`` stays false.
package final class FaultFileSystem: FileSystem {
    /// The way in which a call fails.
    package enum Fault: Sendable {
        /// The call does nothing and fails with this error number.
        case errno(Int32)
        /// A write stores its first half, then the volume is full. Other calls do nothing and fail
        /// with `EIO`.
        case shortWrite
    }

    /// Whether the disk recovers.
    package enum Persistence: Sendable {
        /// One call fails.
        case once
        /// That call and all later calls fail, except closing and releasing.
        case forever
    }

    /// The calls that can fail.
    package enum Operation: CaseIterable, Sendable {
        case open, list, kind, createDirectory, rename, link, remove, syncDirectory, lock
        case read, write, size, resize, preallocate, sync
    }

    private struct State {
        var callCount = 0
        var hasFailed = false
    }

    private let base: any FileSystem
    private let failingCall: Int
    private let fault: Fault
    private let persistence: Persistence
    private let counting: Set<Operation>
    private let state = Mutex(State())

    /// - Parameters:
    ///   - failingCall: the number of the counted call that fails, from 1; 0 only counts.
    ///   - counting: the operations that are counted. The first failing call is one of them.
    package init(
        _ base: any FileSystem, failingCall: Int, fault: Fault, persistence: Persistence,
        counting: Set<Operation> = Set(Operation.allCases)
    ) {
        self.base = base
        self.failingCall = failingCall
        self.fault = fault
        self.persistence = persistence
        self.counting = counting
    }

    /// The number of counted calls, failed calls included.
    package var callCount: Int { state.withLock { $0.callCount } }
    /// Whether any call has failed.
    package var hasFailed: Bool { state.withLock { $0.hasFailed } }

    package func open(_ path: String, _ mode: FileMode) throws(DaybookError) -> any File {
        try pass(.open, path)
        return FaultFile(try base.open(path, mode), path: path, fileSystem: self)
    }

    package func list(_ directory: String) throws(DaybookError) -> [String] {
        try pass(.list, directory)
        return try base.list(directory)
    }

    package func kind(of path: String) throws(DaybookError) -> FileKind? {
        try pass(.kind, path)
        return try base.kind(of: path)
    }

    package func createDirectory(_ path: String) throws(DaybookError) {
        try pass(.createDirectory, path)
        try base.createDirectory(path)
    }

    package func rename(_ path: String, to newPath: String) throws(DaybookError) {
        try pass(.rename, path)
        try base.rename(path, to: newPath)
    }

    package func link(_ path: String, to newPath: String) throws(DaybookError) -> Bool {
        try pass(.link, path)
        return try base.link(path, to: newPath)
    }

    package func remove(_ path: String) throws(DaybookError) {
        try pass(.remove, path)
        try base.remove(path)
    }

    package func removeDirectory(_ path: String) throws(DaybookError) {
        try pass(.remove, path)
        try base.removeDirectory(path)
    }

    package func resolve(_ path: String) throws(DaybookError) -> String { try base.resolve(path) }

    package func syncDirectory(_ path: String) throws(DaybookError) {
        try pass(.syncDirectory, path)
        try base.syncDirectory(path)
    }

    package func lock(_ path: String, note: String) throws(DaybookError) -> any FileLock {
        try pass(.lock, path)
        return try base.lock(path, note: note)
    }

    /// Counts a call; throws if the call must fail.
    fileprivate func pass(_ operation: Operation, _ path: String) throws(DaybookError) {
        if let failure = failure(of: operation) {
            throw .operatingSystem(errno: failure.errno, operation: "\(operation)", path: path)
        }
    }

    /// Counts a call; returns the failure of a call that must fail.
    fileprivate func failure(of operation: Operation) -> Failure? {
        let (isChosen, fails) = state.withLock { state in
            if counting.contains(operation) { state.callCount += 1 }
            let isChosen = counting.contains(operation) && state.callCount == failingCall
            let fails = isChosen || (persistence == .forever && state.hasFailed)
            if fails { state.hasFailed = true }
            return (isChosen, fails)
        }
        guard fails else { return nil }
        return switch fault {
        case .errno(let number): Failure(errno: number, isShort: false)
        case .shortWrite:
            Failure(errno: operation == .write ? ENOSPC : EIO, isShort: isChosen)
        }
    }

    fileprivate struct Failure {
        let errno: Int32
        /// Whether half of a write is stored; false after an earlier failure.
        let isShort: Bool
    }
}

/// An open file of a ``FaultFileSystem``.
private final class FaultFile: File {
    private let base: any File
    private let path: String
    private let fileSystem: FaultFileSystem

    init(_ base: any File, path: String, fileSystem: FaultFileSystem) {
        self.base = base
        self.path = path
        self.fileSystem = fileSystem
    }

    func read(_ count: Int, at offset: Int) throws(DaybookError) -> [UInt8] {
        try fileSystem.pass(.read, path)
        return try base.read(count, at: offset)
    }

    func write(_ bytes: Span<UInt8>, at offset: Int) throws(DaybookError) {
        if let failure = fileSystem.failure(of: .write) {
            let landing = failure.isShort ? bytes.count / 2 : 0
            if landing > 0 { try base.write(bytes.extracting(0..<landing), at: offset) }
            throw .operatingSystem(errno: failure.errno, operation: "write", path: path)
        }
        try base.write(bytes, at: offset)
    }

    func size() throws(DaybookError) -> Int {
        try fileSystem.pass(.size, path)
        return try base.size()
    }

    func resize(to size: Int) throws(DaybookError) {
        try fileSystem.pass(.resize, path)
        try base.resize(to: size)
    }

    func preallocate(to size: Int) throws(DaybookError) {
        try fileSystem.pass(.preallocate, path)
        try base.preallocate(to: size)
    }

    func sync() throws(DaybookError) {
        do throws(DaybookError) { try fileSystem.pass(.sync, path) } catch {
            // Data that a failed sync did not cover may never reach the disk, whatever a later
            // sync returns. Crash images of a file in memory must include that case.
            MemoryFileSystem.recordFailedSync(of: base)
            throw error
        }
        try base.sync()
    }

    func close() { base.close() }
}

import DaybookBytes
import Synchronization

/// A file in memory that counts reads and can be damaged.
final class CountingFile: File {
    private let state: Mutex<[UInt8]>
    private let readCounter = Atomic<Int>(0)
    private let readByteCounter = Atomic<Int>(0)

    init(_ bytes: [UInt8] = []) { state = Mutex(bytes) }

    var bytes: [UInt8] { state.withLock { $0 } }
    var readCount: Int { readCounter.load(ordering: .relaxed) }
    var readByteCount: Int { readByteCounter.load(ordering: .relaxed) }

    func damage(at offset: Int, _ change: (inout UInt8) -> Void) {
        state.withLock { change(&$0[offset]) }
    }

    func read(_ count: Int, at offset: Int) throws(DaybookError) -> [UInt8] {
        readCounter.add(1, ordering: .relaxed)
        readByteCounter.add(count, ordering: .relaxed)
        return state.withLock { bytes in
            guard offset < bytes.count else { return [] }
            return Array(bytes[offset..<min(offset + count, bytes.count)])
        }
    }

    func write(_ bytes: Span<UInt8>, at offset: Int) throws(DaybookError) {
        let new = bytes.array
        state.withLock { old in
            if old.count < offset + new.count {
                old.append(contentsOf: repeatElement(0, count: offset + new.count - old.count))
            }
            old.replaceSubrange(offset..<(offset + new.count), with: new)
        }
    }

    func size() throws(DaybookError) -> Int { state.withLock { $0.count } }

    func resize(to size: Int) throws(DaybookError) {
        state.withLock { bytes in
            if size < bytes.count {
                bytes.removeLast(bytes.count - size)
            } else {
                bytes.append(contentsOf: repeatElement(0, count: size - bytes.count))
            }
        }
    }

    func preallocate(to size: Int) throws(DaybookError) {
        if try self.size() < size { try resize(to: size) }
    }

    func sync() throws(DaybookError) {}
    func close() {}
}

import DaybookArchive
import Synchronization

/// A storage in memory, for archives with many objects.
final class MemoryStorage: ObjectStorage {
    private let objects = Mutex<[String: [UInt8]]>([:])

    let name = "memory"

    /// The keys in order.
    var keys: [String] { objects.withLock { $0.keys.sorted() } }

    func read(_ key: String, _ range: Range<Int>?) async throws -> [UInt8]? {
        objects.withLock { objects in
            guard let bytes = objects[key] else { return nil }
            return range.map { Array(bytes[$0.clamped(to: 0..<bytes.count)]) } ?? bytes
        }
    }

    func create(_ key: String, _ bytes: [UInt8]) async throws -> Bool {
        objects.withLock { objects in
            guard objects[key] == nil else { return false }
            objects[key] = bytes
            return true
        }
    }

    func create(_ key: String, fromFile path: String) async throws -> Bool { false }

    func list(prefix: String, after key: String?, countMax: Int) async throws -> [ObjectEntry] {
        objects.withLock { objects in
            objects.filter { $0.key.hasPrefix(prefix) && $0.key > (key ?? "") }
                .map { ObjectEntry(key: $0.key, sizeBytes: $0.value.count) }
                .sorted { $0.key < $1.key }.prefix(countMax).map { $0 }
        }
    }

    func remove(_ key: String) async throws {
        objects.withLock { _ = $0.removeValue(forKey: key) }
    }
}

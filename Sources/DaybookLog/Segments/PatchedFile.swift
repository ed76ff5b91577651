import DaybookBytes
import Synchronization

/// A file some of whose bytes are read from a copy. Changes go to the file.
final class PatchedFile: File {
    private let base: any File
    private let patch: Mutex<Patch>

    private struct Patch {
        var offset: Int
        var bytes: [UInt8]

        var end: Int { offset + bytes.count }
    }

    init(_ base: any File, _ copy: Manifest.TailCopy) {
        self.base = base
        patch = Mutex(Patch(offset: copy.offset, bytes: copy.bytes))
    }

    /// Reads bytes from `end` on from the file.
    func clip(to end: Int) {
        patch.withLock { patch in
            patch.bytes = Array(patch.bytes.prefix(max(0, end - patch.offset)))
        }
    }

    func read(_ count: Int, at offset: Int) throws(DaybookError) -> [UInt8] {
        var bytes = try base.read(count, at: offset)
        let patch = patch.withLock { $0 }
        let (start, end) = (max(offset, patch.offset), min(offset + count, patch.end))
        guard start < end else { return bytes }
        // A power failure may have shortened the file.
        let missing = end - offset - bytes.count
        if missing > 0 { bytes += [UInt8](repeating: 0, count: missing) }
        bytes.replaceSubrange(
            (start - offset)..<(end - offset),
            with: patch.bytes[(start - patch.offset)..<(end - patch.offset)])
        return bytes
    }

    func size() throws(DaybookError) -> Int {
        let end = patch.withLock { $0.bytes.isEmpty ? 0 : $0.end }
        return max(try base.size(), end)
    }

    func write(_ bytes: Span<UInt8>, at offset: Int) throws(DaybookError) {
        try base.write(bytes, at: offset)
    }

    func resize(to size: Int) throws(DaybookError) { try base.resize(to: size) }

    func preallocate(to size: Int) throws(DaybookError) { try base.preallocate(to: size) }

    func sync() throws(DaybookError) { try base.sync() }

    func close() { base.close() }
}

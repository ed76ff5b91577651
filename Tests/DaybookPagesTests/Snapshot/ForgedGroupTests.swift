import DaybookBytes
import Testing

@testable import DaybookPages

/// Groups, directories and trailers with valid checksums and forged numbers.
struct ForgedGroupTests {
    /// Decodes one page.
    private func decode(_ bytes: [UInt8]) throws {
        let space = PageSpace()
        space.begin(sequence: 1)
        try space.put(1, 1, WordValue(first: 1, second: 1))
        _ = space.end()
        let page = space.table.knownPage(15)
        try GroupDecoder.decode(bytes.span, storedMask: 1, liveMask: 1) { _ in page }
    }

    /// A page of byte strings with two keys without a common prefix.
    private func page(level: UInt8, _ keys: [(bytes: [UInt8], isLong: Bool)], shared: Int = 0)
        -> [UInt8]
    {
        var writer = ByteWriter()
        writer.uint8(PageKind.bytes.rawValue)
        writer.uint8(level)
        writer.varint(UInt64(keys.count))
        writer.varint(0)
        if level > 0 { writer.varint(1) }
        for (index, key) in keys.enumerated() {
            let shared = index == 0 ? 0 : shared
            writer.varint(UInt64(shared))
            writer.varint(UInt64(key.bytes.count - shared) << 1 | (key.isLong ? 1 : 0))
        }
        for (index, key) in keys.enumerated() {
            writer.append(key.bytes.span.extracting((index == 0 ? 0 : shared)...))
        }
        for key in keys where key.isLong {
            writer.varint(9)
            writer.varint(2_000)
        }
        for _ in keys { writer.zigzag(1) }
        return writer.bytes
    }

    private func bytes(_ letter: UInt8, _ count: Int) -> [UInt8] {
        [UInt8](repeating: letter, count: count)
    }

    /// Such a key would overflow the buffer when it moves to the parent page.
    @Test func `a key that is too long for its page is rejected`() throws {
        for level in [0, 1] as [UInt8] {
            try decode(page(level: level, [(bytes(1, 900), false), (bytes(2, 960), false)]))
            for length in [961, 3_000] {
                let error = #expect(throws: DaybookError.self) {
                    try decode(
                        page(level: level, [(bytes(1, 900), false), (bytes(2, length), false)]))
                }
                #expect(error?.code == .corruption)
            }
        }
    }

    @Test func `a short key must be above the previous key, even a long one`() throws {
        let head = bytes(7, BytePage.suffixLengthOfLongKeys)
        try decode(page(level: 0, [(head, false), (head, true)], shared: head.count))
        try decode(page(level: 0, [(head, true), (head, true)], shared: head.count))
        for isLong in [false, true] {
            let error = #expect(throws: DaybookError.self) {
                try decode(page(level: 0, [(head, isLong), (head, false)], shared: head.count))
            }
            #expect(error?.code == .corruption)
        }
    }

    @Test func `a group above the maximum length is rejected before it is read`() throws {
        for (length, isGood) in [
            (SnapshotFormat.groupStoredLengthMax, true),
            (SnapshotFormat.groupStoredLengthMax + 1, false), (1 << 40, false),
        ] {
            var directory = SnapshotDirectory()
            directory.entries = [
                SnapshotDirectory.Entry(
                    group: 1, liveMask: 1, storedMask: 1, offset: 64, storedLength: length,
                    rawLength: 100, checksum: 0)
            ]
            let bytes = directory.encode()
            let code = Result { try SnapshotDirectory(bytes.span, to: 64 + length) }
            switch code {
            case .success: #expect(isGood)
            case .failure(let error):
                #expect(!isGood && (error as? DaybookError)?.code == .corruption)
            }
        }
    }

    /// A sparse file may be longer than all memory.
    @Test func `metadata above the maximum length is rejected before it is read`() throws {
        typealias Trailer = SnapshotFormat.Trailer
        let file = CountingFile()
        _ = try PageSpace().capture().write(to: file, metadata: [1, 2, 3])
        let whole = file.bytes
        let hole = 1 << 40
        var trailer = ByteWriter()
        trailer.append(whole.span.extracting((whole.count - Trailer.length)...))
        let length: UInt64 = trailer.span.loadLittleEndian(at: Trailer.metadataLength) ?? 0
        let offset: UInt64 = trailer.span.loadLittleEndian(at: Trailer.directoryOffset) ?? 0
        trailer.patch(uint64: length + UInt64(hole), at: Trailer.metadataLength)
        trailer.patch(uint64: offset + UInt64(hole), at: Trailer.directoryOffset)
        let checksum = XXH64.hash(trailer.span.extracting(0..<Trailer.checksum))
        trailer.patch(uint64: checksum, at: Trailer.checksum)
        let hollow = HollowFile(
            front: Array(whole.dropLast(Trailer.length)), hole: hole, back: trailer.bytes)
        let error = #expect(throws: DaybookError.self) { try PageSpace.open(snapshot: hollow) }
        #expect(error?.details["snapshot"] == "trailer")
        let tooMuch = [UInt8](repeating: 0, count: SnapshotFormat.metadataLengthMax + 1)
        let refusal = #expect(throws: DaybookError.self) {
            try PageSpace().capture().write(to: CountingFile(), metadata: tooMuch)
        }
        #expect(refusal?.code == .invalidArgument)
    }

    /// A read-only file with zeros in the middle.
    private final class HollowFile: File {
        private let front: [UInt8]
        private let hole: Int
        private let back: [UInt8]

        init(front: [UInt8], hole: Int, back: [UInt8]) {
            self.front = front
            self.hole = hole
            self.back = back
        }

        func size() throws(DaybookError) -> Int { front.count + hole + back.count }

        func read(_ count: Int, at offset: Int) throws(DaybookError) -> [UInt8] {
            guard count <= 1 << 20 else {
                throw DaybookError(.inputOutput, "There is no memory for \(count) bytes.")
            }
            return (offset..<min(offset + count, try size())).map { place in
                if place < front.count { return front[place] }
                return place < front.count + hole ? 0 : back[place - front.count - hole]
            }
        }

        func write(_ bytes: Span<UInt8>, at offset: Int) throws(DaybookError) {}
        func resize(to size: Int) throws(DaybookError) {}
        func preallocate(to size: Int) throws(DaybookError) {}
        func sync() throws(DaybookError) {}
        func close() {}
    }
}

import DaybookBytes
@testable import DaybookLog
import DaybookTesting
import DaybookTestSupport
import Testing

/// Segments of small frames that share a dictionary.
@Suite struct SegmentDictionaryTests {
    /// A log whose only sealed segment was built from texts.
    private struct Built {
        let log: Log
        let fileSystem: MemoryFileSystem
        let entry: SegmentEntry
        let locations: [Location]

        init(
            _ payloads: [[UInt8]], sampleBytes: Int = 1 << 20,
            _ change: (inout LogOptions) -> Void = { _ in }
        ) throws {
            let fileSystem = MemoryFileSystem()
            var fixture = try LogFixture(fileSystem) { options in
                options.frameCacheBudgetBytes = 0
                change(&options)
            }
            try fixture.append(count: payloads.count)
            let log = fixture.log
            try log.sealActiveSegment()
            let number = try log.takeSegmentNumbers(1).lowerBound
            var builder = try SegmentBuilder(
                log, number: number, firstSequence: 1, level: 3, sampleBytes: sampleBytes)
            var locations: [Location] = []
            for (index, payload) in payloads.enumerated() {
                var writer = ByteWriter(capacity: payload.count)
                writer.append(payload.span)
                let sequence = UInt64(index + 1)
                let frame = FramePayload(
                    bytes: writer, recordCount: 1, firstSequence: sequence, lastSequence: sequence,
                    endsTransaction: true)
                locations += try builder.append(frame, timeMicroseconds: 7)
            }
            let done = try builder.finish()
            log.admit(done.segment)
            try log.replace(
                log.manifest.sealed.map(\.number), with: [done.entry], historyFloor: 0)
            self.log = log
            self.fileSystem = fileSystem
            entry = done.entry
            self.locations = locations + done.locations
        }

        var path: String { LogFixture.path + "/" + entry.fileName.text }

        /// The header of the first frame.
        func firstHeader() throws -> FrameHeader {
            let segment = try #require(log.segment(entry.number))
            return try segment.checkedFrame(at: LogFormat.SegmentHeader.length).header
        }

        func change(_ change: (inout [UInt8]) -> Void) throws {
            var bytes = try #require(fileSystem.contents[path])
            change(&bytes)
            let file = try fileSystem.open(path, .readWrite)
            try file.resize(to: 0)
            try file.write(bytes.span, at: 0)
        }
    }

    /// Payloads that have much in common, and little within one.
    private static func payloads(_ count: Int = 400) -> [[UInt8]] {
        let words = (0..<60).map { "word-\($0 &* 7919 &* 104_729)-\($0 &* 31_337)" }
        var generator = SeededGenerator(seed: 5)
        return (0..<count).map { number in
            let text = (0..<8).map { _ in words.randomElement(using: &generator) ?? "" }
            return Array((text.joined(separator: " ") + " \(number)").utf8)
        }
    }

    @Test func `a compacted segment begins with the dictionary of its frames`() throws {
        let payloads = Self.payloads()
        let built = try Built(payloads)
        let header = try built.firstHeader()
        #expect(header.kind == FrameKind.dictionary)
        #expect(header.recordCount == 0 && header.dictionary == 0)
        #expect(header.rawLength <= LogFormat.Dictionary.lengthMax)
        #expect(built.entry.length < (try Built(payloads, sampleBytes: 0)).entry.length * 3 / 4)
        #expect(built.entry.rawBytes == payloads.reduce(0) { $0 + $1.count })
        #expect(built.locations.count == payloads.count)
        for (payload, location) in zip(payloads, built.locations) {
            #expect(try built.log.frame(at: location).bytes == payload)
        }
        try built.log.verify(built.entry)
    }

    @Test func `a scan from any sequence reads frames that need the dictionary`() throws {
        let payloads = Self.payloads()
        let built = try Built(payloads)
        for sequence in [UInt64(1), 2, 199, 400] {
            var scanner = try built.log.scan(fromSequence: sequence)
            var found: [[UInt8]] = []
            while let frame = try scanner.next() {
                if frame.header.lastSequence >= sequence { found.append(frame.payload) }
            }
            #expect(found == Array(payloads[Int(sequence - 1)...]))
        }
        try built.log.close()
        let again = try LogFixture(built.fileSystem)
        #expect(try again.texts() == payloads.map { LogFixture.text($0) })
    }

    @Test func `payloads that gain nothing get no dictionary`() throws {
        var generator = SeededGenerator(seed: 6)
        let noise = (0..<200).map { _ in
            (0..<300).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
        }
        for payloads in [noise, Self.payloads(3), []] {
            guard !payloads.isEmpty else { continue }
            let built = try Built(payloads)
            let header = try built.firstHeader()
            #expect(header.kind == FrameKind.records && header.dictionary == 0)
            for (payload, location) in zip(payloads, built.locations) {
                #expect(try built.log.frame(at: location).bytes == payload)
            }
        }
    }

    @Test func `payloads after the sample use its dictionary, and large ones do not`() throws {
        var payloads = Self.payloads()
        let large = Array(payloads.joined().prefix(PayloadCodec.dictionaryPayloadLengthMax + 1))
        payloads.append(large)
        let built = try Built(payloads, sampleBytes: 20_000)
        let segment = try #require(built.log.segment(built.entry.number))
        let ids = try built.locations.map { location in
            try segment.checkedFrame(at: location.frameOffset).header.dictionary
        }
        #expect(ids == Array(repeating: 1, count: 400) + [0])
        #expect(try built.log.frame(at: built.locations[400]).bytes == large)
    }

    @Test func `a damaged dictionary is corruption with segment and offset`() throws {
        let built = try Built(Self.payloads())
        let header = try built.firstHeader()
        let start = LogFormat.SegmentHeader.length
        for offset in [start, start + 20, start + 64, start + 64 + header.storedLength - 1] {
            try built.change { $0[offset] ^= 4 }
            for location in [built.locations[0], built.locations[399]] {
                let error = expectError(.corruption) { _ = try built.log.frame(at: location) }
                #expect(error?.details["segment"] == String(built.entry.number))
                #expect(error?.details["offset"] == String(start))
            }
            let error = expectError(.corruption) {
                var scanner = try built.log.scan(from: nil)
                while try scanner.next() != nil {}
            }
            #expect(error?.details["offset"] == String(start))
            try built.change { $0[offset] ^= 4 }
        }
        #expect(try built.log.frame(at: built.locations[0]).bytes == Self.payloads()[0])
    }

    @Test func `a repair reads the blocks with the copy of a damaged dictionary`() throws {
        let payloads = Self.payloads()
        let built = try Built(payloads)
        let header = try built.firstHeader()
        let first = LogFormat.SegmentHeader.length + LogFormat.FrameHeader.length + 30
        let copy = built.entry.sealOffset - header.frameLength + LogFormat.FrameHeader.length + 30
        /// Returns the payloads, and for each gap whether it contained records.
        func salvaged() throws -> (payloads: [[UInt8]], gaps: [Bool]) {
            let salvage = try LogSalvage(LogFixture.path, built.fileSystem)
            let segment = try #require(
                salvage.segments.first { $0.number == built.entry.number })
            var scanner = SalvageScanner(segment, built.log.codec)
            var found: (payloads: [[UInt8]], gaps: [Bool]) = ([], [])
            while let part = try scanner.next() {
                switch part {
                case .frame(let frame): found.payloads.append(frame.payload)
                case .gap(let gap): found.gaps.append(gap.hasRecords)
                }
            }
            return found
        }
        #expect(try salvaged() == (payloads, []))
        try built.change { $0[copy] ^= 4 }
        #expect(try salvaged() == (payloads, [false]))
        // A damaged header of the frame.
        try built.change { $0[LogFormat.SegmentHeader.length + 20] ^= 4 }
        #expect(try salvaged().payloads.isEmpty)
        try built.change { $0[copy] ^= 4 }
        #expect(try salvaged() == (payloads, [false]))
        try built.change { bytes in
            bytes[LogFormat.SegmentHeader.length + 20] ^= 4
            bytes[copy] ^= 4
            bytes[first] ^= 4
        }
        let lost = try salvaged()
        #expect(lost.payloads.isEmpty && lost.gaps.contains(true))
        try built.change { $0[copy] ^= 4 }
        #expect(try salvaged() == (payloads, [false]))
    }

    @Test func `without a manifest, a compacted segment replaces the segments that it contains`()
        throws
    {
        let built = try Built(Self.payloads())
        #expect(try built.firstHeader().kind == FrameKind.dictionary)
        let files = built.fileSystem.contents.filter { path, _ in
            !path.contains("/manifest-") && !path.hasSuffix("/CURRENT")
        }
        // The compacted segment, the one that it replaces, and the active one.
        #expect(files.keys.filter { $0.contains("/segment-") }.count == 3)
        let salvage = try LogSalvage(LogFixture.path, MemoryFileSystem(contents: files))
        let numbers = [built.entry.number, built.log.manifest.activeNumber]
        #expect(salvage.segments.map(\.number) == numbers)
    }

    @Test func `a file that ends in its dictionary is corruption`() throws {
        let built = try Built(Self.payloads())
        try built.change { $0.removeLast($0.count - LogFormat.SegmentHeader.length - 200) }
        expectError(.corruption) { _ = try built.log.frame(at: built.locations[0]) }
        expectError(.corruption) {
            var scanner = try built.log.scan(from: nil)
            while try scanner.next() != nil {}
        }
    }

    @Test func `threads share the dictionary, and closing the file releases it`() throws {
        let payloads = Self.payloads()
        let built = try Built(payloads)
        let segment = try #require(built.log.segment(built.entry.number))
        try onThreads(4) { number in
            for index in stride(from: number, to: payloads.count, by: 3) {
                guard try built.log.frame(at: built.locations[index]).bytes == payloads[index]
                else { throw WrongPayload() }
            }
        }
        #expect(segment.slot.withLock { $0.dictionary } != nil)
        // The first call only notices that the file was used.
        _ = segment.closeUnlessUsed()
        #expect(segment.closeUnlessUsed())
        #expect(segment.slot.withLock { $0.dictionary } == nil)
        #expect(try built.log.frame(at: built.locations[9]).bytes == payloads[9])
    }
}

private struct WrongPayload: Error {}

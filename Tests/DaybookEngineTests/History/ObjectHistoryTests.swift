import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
import DaybookTesting
import DaybookTestSupport
import Testing

/// The versions of one object in the log.
@Suite struct ObjectHistoryTests {
    private let fileSystem = MemoryFileSystem()

    private func versions(
        _ notes: NoteStore, _ id: UInt64
    ) throws -> (versions: [ObjectVersion], end: ObjectHistory.End?) {
        var history = try notes.engine.history(of: notes.entity, id: id)
        var found: [ObjectVersion] = []
        while let version = try history.next() { found.append(version) }
        return (found, history.end)
    }

    private func texts(_ notes: NoteStore, _ versions: [ObjectVersion]) throws -> [String?] {
        try versions.map { version in try version.row.map { try notes.text(of: $0) } }
    }

    @Test func `the versions of an object are returned newest first, with author and time`() throws
    {
        let notes = try NoteStore(fileSystem)
        try notes.put("one")
        try notes.put("other")
        try notes.engine.write(metadata: ["author": "Ada"]) { transaction in
            try notes.put("two", id: 1, in: transaction)
        }
        try notes.remove(1)
        try notes.put("three", id: 1)
        let (found, end) = try versions(notes, 1)
        #expect(try texts(notes, found) == ["three", nil, "two", "one"])
        #expect(found.map(\.sequence) == [6, 5, 4, 2])
        #expect(found.map(\.previous) == [5, 4, 2, 0])
        #expect(found.map { $0.metadata["author"] } == [nil, nil, "Ada", nil])
        #expect(
            zip(found, found.dropFirst()).allSatisfy {
                $0.timeMicroseconds >= $1.timeMicroseconds && $1.timeMicroseconds > 0
            })
        #expect(end == .beginning)
        try notes.closeProven()
    }

    @Test func `adjacent versions are read together, and retain no frames`() throws {
        let disk = CountingDisk(fileSystem)
        let notes = try NoteStore(disk)
        let text = String(repeating: "text ", count: 30)
        try notes.put("0 " + text)
        for number in 1..<1_000 { try notes.put("\(number) " + text, id: 1) }
        let length = notes.engine.log.lengthBytes
        disk.readByteCount.store(0, ordering: .relaxed)
        let (found, end) = try versions(notes, 1)
        #expect(try texts(notes, found) == (0..<1_000).reversed().map { "\($0) " + text })
        #expect(end == .beginning)
        #expect(disk.readByteCount.load(ordering: .relaxed) < 4 * length)
        #expect(found.allSatisfy { ($0.row?.range.lowerBound ?? 0) == 0 })
        try notes.closeProven()
    }

    /// Expects the versions of an object of two large transactions, found by small reads.
    private func checkBulk(_ notes: NoteStore, _ disk: CountingDisk, _ count: Int) throws {
        for id in [1, UInt64(count / 3), UInt64(count)] {
            let bytes = try disk.readBytes {
                let (found, end) = try versions(notes, id)
                #expect(try texts(notes, found).map { $0?.prefix { $0 != " " } } == ["two", "one"])
                #expect(found.map { $0.metadata["author"] } == ["Ada", "Bo"])
                #expect(found.allSatisfy { $0.timeMicroseconds > 0 })
                #expect(end == .beginning)
            }
            #expect(bytes < notes.engine.log.lengthBytes / 10)
            let row = try disk.readBytes {
                let row = try #require(
                    try notes.engine.row(notes.entity, id, at: notes.engine.visibleSequence - 1))
                #expect(try notes.text(of: row).hasPrefix("one"))
            }
            #expect(row < notes.engine.log.lengthBytes / 10)
        }
    }

    @Test func `the history of an object of a large transaction is read without reading that`()
        throws
    {
        let disk = CountingDisk(fileSystem)
        func open() throws -> NoteStore {
            try NoteStore(disk) { options in
                options.framePayloadBytes = 8 << 10
                options.blockPayloadBytes = 8 << 10
                options.log.frameCacheBudgetBytes = 0
            }
        }
        var notes = try open()
        let count = 8_000
        var generator = SeededGenerator(seed: 1)
        // Does not become small by compression.
        let texts = (0..<count).map { _ in
            (0..<30).map { _ in String(generator.next(), radix: 36) }.joined()
        }
        for (word, author) in [("one", "Bo"), ("two", "Ada")] {
            try notes.engine.write(metadata: ["author": author]) { transaction in
                for (place, text) in texts.enumerated() {
                    let id = word == "one" ? 0 : UInt64(place) + 1
                    try notes.put("\(word) " + text, id: id, in: transaction)
                }
            }
        }
        try checkBulk(notes, disk, count)
        try notes.closeProven()
        notes = try open()
        // The first search builds the directory of the active segment.
        _ = try versions(notes, 1)
        try checkBulk(notes, disk, count)
        _ = try notes.engine.compact(.all, sealsActive: true)
        try checkBulk(notes, disk, count)
        try notes.closeProven()
    }

    @Test func `the objects of a large transaction share one read of its commit record`() throws {
        let disk = CountingDisk(fileSystem)
        let notes = try NoteStore(disk) { options in
            options.framePayloadBytes = 16 << 10
            options.log.frameCacheBudgetBytes = 0
        }
        let text = String(repeating: "text ", count: 20)
        for author in ["Bo", "Ada"] {
            try notes.engine.write(metadata: ["author": author]) { transaction in
                for id in 1...2_000 as ClosedRange<UInt64> {
                    try notes.put(text, id: author == "Bo" ? 0 : id, in: transaction)
                }
            }
        }
        func read(_ id: UInt64) throws -> Int {
            try disk.readBytes {
                let (found, _) = try versions(notes, id)
                #expect(found.map { $0.metadata["author"] } == ["Ada", "Bo"])
            }
        }
        let first = try read(200)
        for id in [700, 1_200] as [UInt64] {
            // Two frames, and the headers of four or five others.
            #expect(try read(id) < 48 << 10)
            #expect(try read(id) < first - (16 << 10))
        }
        try notes.closeProven()
    }

    @Test func `an object of a large transaction whose frames are cached costs a few headers`()
        throws
    {
        let disk = CountingDisk(fileSystem)
        let notes = try NoteStore(disk) { $0.framePayloadBytes = 16 << 10 }
        let text = String(repeating: "text ", count: 20)
        for isFirst in [true, false] {
            try notes.engine.write { transaction in
                for id in 1...2_000 as ClosedRange<UInt64> {
                    try notes.put(text, id: isFirst ? 0 : id, in: transaction)
                }
            }
        }
        for id in [3, 700, 1_900] as [UInt64] {
            let bytes = try disk.readBytes {
                let found = try versions(notes, id).versions
                #expect(found.count == 2)
            }
            #expect(bytes <= 16 << 10)
        }
        try notes.closeProven()
    }

    @Test func `the kept commit records are bounded`() {
        let cache = CommitRecordCache()
        let text = String(repeating: "x", count: 4_000)
        for sequence in 1...2_000 as ClosedRange<UInt64> {
            let metadata = sequence > 1_500 ? ["text": text] : [:]
            cache.keep(
                CommitRecord(
                    sequence: sequence, timeMicroseconds: Int64(sequence), metadata: metadata))
            #expect(cache[sequence]?.timeMicroseconds == Int64(sequence))
            #expect(cache[sequence]?.metadata == metadata)
        }
        let kept = (1...2_000 as ClosedRange<UInt64>).filter { cache[$0] != nil }
        #expect(kept.count > 100 && kept.count <= 262)
        #expect(kept == Array((2_001 - UInt64(kept.count))...2_000))
        cache.removeAll()
        #expect(cache[2_000] == nil)
    }

    @Test func `the history of an object that never existed is empty`() throws {
        let notes = try NoteStore(fileSystem)
        try notes.put("one")
        let (found, end) = try versions(notes, 9)
        #expect(found.isEmpty)
        #expect(end == .beginning)
        try notes.closeProven()
    }

    @Test func `a history reports where a compaction truncated it`() throws {
        let notes = try NoteStore(fileSystem)
        for number in 1...3 { try notes.put("\(number)") }
        try notes.put("1b", id: 1)
        try notes.remove(2)
        _ = try notes.engine.compact(.latest)
        try notes.put("1c", id: 1)
        let first = try versions(notes, 1)
        #expect(try texts(notes, first.versions) == ["1c", "1b"])
        #expect(first.end == .compacted)
        let second = try versions(notes, 2)
        #expect(second.versions.isEmpty)
        #expect(second.end == .compacted)
        let third = try versions(notes, 3)
        #expect(try texts(notes, third.versions) == ["3"])
        #expect(third.end == .beginning)
        let lookup = VersionLookup(notes.engine)
        let error = expectError(.historyTruncated) {
            _ = try lookup.row(notes.entity, 1, at: 2)
        }
        #expect(error?.details["historyFloor"] == String(notes.engine.historyFloor))
        try notes.closeProven()
    }

    @Test func `a version that is missing in the log is corruption`() throws {
        let notes = try NoteStore(fileSystem)
        try notes.put("one")
        let lookup = VersionLookup(notes.engine)
        expectError(.corruption) { _ = try lookup.row(notes.entity, 1, at: 1) }
        expectError(.corruption) { _ = try lookup.row(notes.entity, 1, at: 90) }
        expectError(.corruption) { _ = try lookup.row(notes.entity, 2, at: 2) }
        #expect(try lookup.row(notes.entity, 1, at: 2) != nil)
        try notes.closeProven()
    }

    @Test(arguments: Seeds.first(6 * Seeds.rounds))
    func `every version of every object is found in every form of the log`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let segment = [1, 4, 64].randomElement(using: &generator).map { $0 << 10 } ?? 1024
        let frame = [128, 2048].randomElement(using: &generator) ?? 128
        let notes = try NoteStore(fileSystem) { options in
            options.log.segmentSizeBytes = segment
            options.framePayloadBytes = frame
            options.blockPayloadBytes = frame
        }
        var model: [UInt64: [String?]] = [:]
        for round in 0..<60 {
            try notes.engine.write { transaction in
                // Some transactions span several frames.
                var changed: Set<UInt64> = []
                for number in 0..<Int.random(in: 1...12, using: &generator) {
                    let known = model.keys.sorted().randomElement(using: &generator)
                    let text = "text \(round) \(number)"
                    if let known, !changed.contains(known), Bool.random(using: &generator) {
                        changed.insert(known)
                        if (model[known]?.first ?? nil) != nil, Bool.random(using: &generator) {
                            _ = try transaction.changes.remove(notes.entity, known)
                            model[known]?.insert(nil, at: 0)
                        } else {
                            try notes.put(text, id: known, in: transaction)
                            model[known]?.insert(text, at: 0)
                        }
                    } else {
                        let id = try notes.put(text, in: transaction)
                        changed.insert(id)
                        model[id] = [text]
                    }
                }
            }
            if round % 20 == 10 { _ = try notes.engine.compact(.all, sealsActive: true) }
        }
        for (id, texts) in model {
            var history = try notes.engine.history(of: notes.entity, id: id)
            var found: [String?] = []
            while let version = try history.next() {
                found.append(try version.row.map { try notes.text(of: $0) })
            }
            #expect(found == texts, "seed \(seed), object \(id)")
            #expect(history.end == .beginning)
        }
        try notes.closeProven()
    }
}

import DaybookBytes
import DaybookRecords
import Testing

@Suite struct RecordTests {
    @Test func `records are read back in order, each at the offset it was given`() throws {
        var writer = RecordWriter()
        let row: [UInt8] = [9, 8, 7]
        let empty: [UInt8] = []
        let offsets = [
            writer.put(entity: 1, id: 2, previous: 3, layout: 4, row: row.span),
            writer.remove(entity: IndexTree.entityMax, id: .max - 1, previous: .max),
            writer.link(relation: 1, source: 300, target: 70_000),
            writer.unlink(
                relation: IndexTree.entityMax, source: .max - 1, target: .max - 1),
            writer.schema(RowTests.texts(2)),
            writer.commit(CommitRecord(sequence: 5, timeMicroseconds: -6)),
            writer.compacted(CompactedRecord(policy: .latest, historyFloor: 7)),
            writer.put(
                entity: IndexTree.entityMax, id: .max - 1, previous: .max, layout: .max,
                row: empty.span),
            writer.event(entity: 5, id: .max - 1, layout: 6, row: row.span),
        ]
        let payload = writer.span
        var reader = RecordReader(payload)
        var records: [Record] = []
        while let record = try reader.next() { records.append(record) }
        #expect(records.map(\.offset) == offsets)
        #expect(
            records.map(\.kind) == [
                .put, .remove, .link, .unlink, .schema, .commit, .compacted, .put, .event,
            ])
        for record in records { #expect(try Record.at(record.offset, in: payload) == record) }
        #expect(zip(records, records.dropFirst()).allSatisfy { $0.end == $1.offset })
        #expect(records.last?.end == payload.count)

        #expect(records[0].entity == 1 && records[0].id == 2)
        #expect(records[0].previous == 3 && records[0].layout == 4)
        #expect(payload.extracting(records[0].row).array == row)
        #expect(records[1].entity == IndexTree.entityMax && records[1].id == .max - 1)
        #expect(records[1].previous == .max)
        #expect(records[2].relation == 1 && records[2].source == 300 && records[2].target == 70_000)
        #expect(records[3].relation == IndexTree.entityMax)
        #expect(records[3].source == .max - 1 && records[3].target == .max - 1)
        let schema = try EntityLayout(decoding: payload.extracting(records[4].body))
        #expect(schema == RowTests.texts(2))
        let commit = try CommitRecord(decoding: payload.extracting(records[5].body))
        #expect(commit == CommitRecord(sequence: 5, timeMicroseconds: -6))
        let compacted = try CompactedRecord(decoding: payload.extracting(records[6].body))
        #expect(compacted == CompactedRecord(policy: .latest, historyFloor: 7))
        #expect(records[7].row.isEmpty && records[7].layout == .max)
        #expect(records[8].entity == 5 && records[8].id == .max - 1 && records[8].layout == 6)
        #expect(records[8].previous == 0 && payload.extracting(records[8].row).array == row)
    }

    @Test func `the bytes on disk never change`() {
        var writer = RecordWriter()
        let row: [UInt8] = [0xAA, 0xBB]
        writer.put(entity: 1, id: 300, previous: 7, layout: 2, row: row.span)
        writer.remove(entity: 1, id: 300, previous: 8)
        writer.link(relation: 3, source: 4, target: 5)
        writer.unlink(relation: 3, source: 4, target: 5)
        writer.schema(
            EntityLayout(
                layoutID: 1, entityID: 2, entityName: "E", version: 3,
                fields: [Field(propertyID: 4, name: "f", type: .bool, isOptional: true)],
                attributes: ["k": "v"]))
        writer.commit(CommitRecord(sequence: 9, timeMicroseconds: 200, metadata: ["a": "b"]))
        writer.compacted(
            CompactedRecord(
                policy: .since, historyFloor: 6, nextIds: [1: 8], removedEntities: [2]))
        writer.event(entity: 4, id: 300, layout: 5, row: row.span)
        let golden: [[UInt8]] = [
            [8, 1, 1, 0xAC, 2, 7, 2, 0xAA, 0xBB], [5, 2, 1, 0xAC, 2, 8], [4, 3, 3, 4, 5],
            [4, 4, 3, 4, 5],
            [20, 5, 1, 2, 3, 1, 1, 69, 1, 1, 107, 1, 118, 1, 4, 1, 102, 1, 1, 0, 0],
            [9, 6, 9, 0xC8, 1, 1, 1, 97, 1, 98], [8, 7, 1, 6, 1, 1, 8, 1, 2],
            [7, 8, 4, 0xAC, 2, 5, 0xAA, 0xBB],
        ]
        #expect(writer.span.array == Array(golden.joined()))
    }

    @Test func `a reader can begin in the middle`() throws {
        var writer = RecordWriter()
        writer.remove(entity: 1, id: 1, previous: 1)
        let second = writer.remove(entity: 1, id: 2, previous: 1)
        var reader = RecordReader(writer.span, from: second)
        #expect(try reader.next()?.id == 2)
        #expect(try reader.next() == nil)
        #expect(try reader.next() == nil)
    }

    @Test func `an unknown kind is skipped if skippable, else it is a newer format`() throws {
        var writer = RecordWriter()
        writer.remove(entity: 1, id: 1, previous: 1)
        var bytes = writer.span.array + [3, 0x80, 1, 2] + [1, 0xFF] + writer.span.array
        var reader = RecordReader(bytes.span)
        #expect(try reader.next()?.offset == 0)
        #expect(try reader.next()?.offset == writer.count + 6)
        #expect(try reader.next() == nil)
        #expect(code { _ = try Record.at(writer.count, in: bytes.span) } == .corruption)

        for kind in [UInt8(0), 12, 0x7F] {
            bytes[writer.count + 1] = kind
            #expect(code { _ = try Record.at(writer.count, in: bytes.span) } == .formatTooNew)
            var again = RecordReader(bytes.span, from: writer.count)
            do {
                _ = try again.next()
                Issue.record("kind \(kind) was read")
            } catch {
                #expect(error.code == .formatTooNew)
                #expect(again.offset == writer.count)
            }
        }
    }

    @Test func `an offset outside the payload is corruption`() throws {
        var writer = RecordWriter()
        writer.remove(entity: 1, id: 1, previous: 1)
        for offset in [-1, writer.count, writer.count + 1, .max, .min] {
            #expect(code { _ = try Record.at(offset, in: writer.span) } == .corruption)
        }
        for offset in [-1, writer.count + 1, .max, .min] {
            var reader = RecordReader(writer.span, from: offset)
            #expect(throws: DaybookError.self) { try reader.next() }
        }
    }

    @Test func `objects and relations without a number are corruption`() {
        let bodies: [[UInt8]] = [
            [1, 0, 1, 1, 1], [1, 1, 0, 1, 1], [1, 1, 1, 1, 0], [2, 0, 1, 1], [2, 1, 0, 1],
            [3, 0, 1, 1], [3, 1, 0, 1], [4, 1, 1, 0], [2, 0x80, 0x80, 0x80, 0x80, 0x10, 1, 1],
            [2, 1, 1, 1, 1], [3, 1, 1, 1, 1], [2, 1, 1], [1], [3, 1],
        ]
        for body in bodies {
            let payload = [UInt8(body.count)] + body
            #expect(code { _ = try Record.at(0, in: payload.span) } == .corruption, "\(body)")
        }
        #expect(code { _ = try Record.at(0, in: [0].span) } == .corruption)
    }

    @Test func `numbers above the range of index trees are corruption`() {
        let end: UInt64 = UInt64(IndexTree.entityMax) + 1
        // Entities whose tree ids would be those of relations, and the first entity beyond the
        // range of tree ids; then ids without a valid next id.
        let records: [[UInt64]] = [
            [2, end, 1, 1], [1, end, 1, 1, 1], [3, end, 1, 1], [4, end, 1, 1],
            [2, 0xF000_0000, 1, 1], [3, 0x7000_0000, 1, 1], [4, 0x7000_0000, 1, 1],
            [2, 1, .max, 1], [1, 1, .max, 1, 1], [3, 1, .max, 1], [3, 1, 1, .max],
        ]
        for record in records {
            var body = ByteWriter()
            for number in record { body.varint(number) }
            let payload = [UInt8(body.count)] + body.bytes
            #expect(code { _ = try Record.at(0, in: payload.span) } == .corruption, "\(record)")
        }
        for entity in [end, 0xF000_0000] {
            for lists in [[1, entity, 5, 0], [0, 1, entity]] {
                var body = ByteWriter()
                body.uint8(CompactedRecord.Policy.all.rawValue)
                for number in [1] + lists { body.varint(number) }
                #expect(code { _ = try CompactedRecord(decoding: body.span) } == .corruption)
            }
        }
        for sequence in [RecordFormat.sequenceMax + 1, .max] {
            var body = ByteWriter()
            CommitRecord(sequence: sequence, timeMicroseconds: 1).encode(to: &body)
            #expect(code { _ = try CommitRecord(decoding: body.span) } == .corruption)
        }
    }

    @Test func `a number with unnecessary bytes is corruption`() {
        let records: [[UInt8]] = [
            [5, 2, 0x81, 0, 1, 1], [5, 2, 1, 0x81, 0, 1], [5, 3, 1, 0x81, 0, 1],
            [6, 1, 1, 1, 0x80, 0, 1], [6, 1, 1, 1, 0, 0x81, 0], [0x84, 0, 2, 1, 1, 1],
        ]
        for record in records {
            #expect(code { _ = try Record.at(0, in: record.span) } == .corruption, "\(record)")
        }
    }

    @Test func `damaged records give a typed error or records, never a trap`() throws {
        var numbers = SeededNumbers()
        var writer = RecordWriter()
        let row = [UInt8](repeating: 5, count: 12)
        writer.put(entity: 1, id: 500, previous: 70_000, layout: 2, row: row.span)
        writer.link(relation: 1, source: 500, target: 1)
        writer.schema(RowTests.everyType(isOptional: true))
        writer.commit(CommitRecord(sequence: 9, timeMicroseconds: 1, metadata: ["author": "ada"]))
        writer.compacted(
            CompactedRecord(
                policy: .since, historyFloor: 3, nextIds: [1: 5, 2: 6], removedEntities: [3]))
        writer.remove(entity: 1, id: 500, previous: 70_000)
        let whole = writer.span.array
        for place in whole.indices {
            for _ in 0..<20 {
                var damaged = whole
                damaged[place] = .random(in: 0...255, using: &numbers)
                do {
                    try Self.readEverything(damaged.span)
                } catch {
                    #expect(
                        [.corruption, .formatTooNew].contains(error.code), "seed \(numbers.seed)")
                }
            }
            let cut = whole.span.extracting(0..<place)
            #expect([nil, .corruption].contains(code { try Self.readEverything(cut) }))
        }
    }

    private static func readEverything(_ payload: Span<UInt8>) throws(DaybookError) {
        var reader = RecordReader(payload)
        while let record = try reader.next() {
            let body = payload.extracting(record.body)
            switch record.kind {
            case .schema: _ = try EntityLayout(decoding: body)
            case .commit: _ = try CommitRecord(decoding: body)
            case .compacted: _ = try CompactedRecord(decoding: body)
            case .erased: _ = try ErasedRecord(decoding: body)
            case .put, .remove, .event, .link, .unlink: _ = payload.extracting(record.row)
            case .listInsert, .listRemove: _ = payload.extracting(record.position)
            }
        }
    }

    @Test func `metadata is written in the order of its keys`() throws {
        var metadata: [String: String] = [:]
        for index in 0..<50 { metadata["key\(index)"] = "value \(index) é" }
        let commit = CommitRecord(
            sequence: RecordFormat.sequenceMax, timeMicroseconds: .min, metadata: metadata)
        var first = ByteWriter()
        commit.encode(to: &first)
        var second = ByteWriter()
        var reversed: [String: String] = [:]
        for (key, value) in metadata.sorted(by: { $0 > $1 }) { reversed[key] = value }
        var again = commit
        again.metadata = reversed
        again.encode(to: &second)
        #expect(first.bytes == second.bytes)
        #expect(try CommitRecord(decoding: first.span) == commit)
    }

    @Test func `unsorted or duplicate keys are corruption`() {
        for keys in [["b", "a"], ["a", "a"]] {
            var writer = ByteWriter()
            writer.varint(1)
            writer.varint(1)
            writer.varint(2)
            for key in keys {
                writer.text(key)
                writer.text("value")
            }
            #expect(code { _ = try CommitRecord(decoding: writer.span) } == .corruption)
        }
    }

    @Test func `a compacted record ignores fields of later releases`() throws {
        let record = CompactedRecord(
            policy: .since, historyFloor: 1 << 40, nextIds: [1: 1, 7: .max, 3: 9],
            removedEntities: [2, 9])
        var writer = ByteWriter()
        record.encode(to: &writer)
        #expect(try CompactedRecord(decoding: writer.span) == record)
        #expect(try CompactedRecord(decoding: (writer.bytes + [1, 2, 3]).span) == record)
        var newer = writer.bytes
        newer[0] = 4
        #expect(code { _ = try CompactedRecord(decoding: newer.span) } == .formatTooNew)
    }

    @Test func `a record can be copied to another payload`() throws {
        var source = RecordWriter()
        source.remove(entity: 1, id: 1, previous: 1)
        source.put(entity: 1, id: 2, previous: 0, layout: 1, row: [1, 2, 3].span)
        var reader = RecordReader(source.span)
        _ = try reader.next()
        let record = try #require(try reader.next())
        var target = RecordWriter()
        target.remove(entity: 4, id: 4, previous: 4)
        let offset = target.copy(record, of: source.span)
        let copied = try Record.at(offset, in: target.span)
        #expect(copied.id == 2)
        #expect(target.span.extracting(copied.row).array == [1, 2, 3])
    }
}

import DaybookBytes
import DaybookRecords
import Testing

/// Records of lists, and layouts with relations.
@Suite struct ListRecordTests {
    @Test func `the bytes on disk never change`() {
        var writer = RecordWriter()
        let position: [UInt8] = [0x80, 0, 0, 0, 0, 1]
        let between: [UInt8] = [0x80, 0, 0, 0, 0, 1, 0x80]
        writer.listInsert(relation: 3, source: 4, target: 300, position: position.span)
        writer.listRemove(relation: 3, source: 4, target: 300, position: between.span)
        let golden: [[UInt8]] = [
            [11, 9, 3, 4, 0xAC, 2, 0x80, 0, 0, 0, 0, 1],
            [12, 10, 3, 4, 0xAC, 2, 0x80, 0, 0, 0, 0, 1, 0x80],
        ]
        #expect(writer.span.array == Array(golden.joined()))
    }

    @Test func `the bytes of a layout with relations never change`() throws {
        func field(_ number: UInt32, _ name: String, _ type: FieldType) -> Field {
            Field(
                propertyID: number, name: name,
                shape: ValueShape(type, isOptional: true, entityName: "T"),
                relation: FieldRelation(relationID: number + 4, targetEntityID: 200))
        }
        let layout = EntityLayout(
            layoutID: 1, entityID: 2, entityName: "E", version: 3,
            fields: [
                field(1, "a", .toOne), field(2, "b", .toMany), field(3, "c", .objects),
                field(4, "d", .keyedObjects),
            ])
        var writer = ByteWriter()
        layout.encode(to: &writer)
        #expect(
            writer.bytes == [
                1, 2, 3, 1, 1, 69, 0, 4,
                1, 1, 97, 23, 1, 1, 84, 0, 5, 0xC8, 1,
                2, 1, 98, 24, 1, 1, 84, 0, 6, 0xC8, 1,
                3, 1, 99, 25, 1, 1, 84, 0, 7, 0xC8, 1,
                4, 1, 100, 26, 1, 1, 84, 0, 8, 0xC8, 1,
                0,
            ])
        #expect(try EntityLayout(decoding: writer.span) == layout)
        // Relation and entity of the first field: zero, and above the range of trees.
        for place in [17, 18] {
            var damaged = writer.bytes
            damaged[place] = 0
            #expect(code { _ = try EntityLayout(decoding: damaged.span) } != nil, "\(place)")
        }
        let tooHigh = writer.bytes[..<17] + [0x80, 0x80, 0x80, 0x80, 1] + writer.bytes[18...]
        #expect(code { _ = try EntityLayout(decoding: Array(tooHigh).span) } == .corruption)
    }

    @Test func `transposed links and lists of the first release stay readable`() throws {
        let stored: [UInt8] = [
            1, 18, 54, 9, 0, 4, 3, 6, 3, 9, 6, 19, 4, 3, 3, 10, 3, 19, 1, 0, 2, 0, 4, 9, 2, 0, 0, 0,
            18, 0, 2, 0, 6, 9, 2, 0, 0, 0, 0, 2, 0, 4, 9, 4, 0, 1, 0, 18, 0, 2, 0, 6, 9, 4, 0, 0, 0,
            0, 2, 132, 134, 136, 138, 140, 142, 134, 138, 142, 68, 78, 228, 68, 14,
        ]
        var writer = RecordWriter()
        for (number, position) in ListPosition.between([0x80], [0x90], count: 6).enumerated() {
            let id = UInt64(number + 1)
            writer.link(relation: 2, source: id, target: 9)
            writer.listInsert(relation: 1, source: 3, target: id, position: position.span)
            if number.isMultiple(of: 2) { continue }
            writer.unlink(relation: 2, source: id - 1, target: 9)
            writer.listRemove(relation: 1, source: 3, target: id, position: position.span)
        }
        let payload = writer.span.array
        let transposition = RowTransposition(Schema())
        let forward = transposition.forward(payload.span)
        let now = try #require(forward)
        for bytes in [stored, now] {
            #expect(
                try transposition.inverse(bytes.span, rawLength: payload.count) == payload)
        }
    }

    @Test func `random list records round-trip`() throws {
        var numbers = SeededNumbers()
        for _ in 0..<200 {
            var writer = RecordWriter()
            var entries: [(isInsert: Bool, entry: ListEntry)] = []
            for _ in 0..<20 {
                let isInsert = Bool.random(using: &numbers)
                var position = (0..<Int.random(in: 0...254, using: &numbers)).map { _ in
                    UInt8.random(in: 0...255, using: &numbers)
                }
                position.append(.random(in: 1...255, using: &numbers))
                let entry = ListEntry(
                    relation: .random(in: 1...IndexTree.entityMax, using: &numbers),
                    source: numbers.next() >> UInt64.random(in: 1...63, using: &numbers) | 1,
                    target: numbers.next() >> UInt64.random(in: 1...63, using: &numbers) | 1,
                    position: position)
                entries.append((isInsert, entry))
                if isInsert {
                    writer.listInsert(
                        relation: entry.relation, source: entry.source, target: entry.target,
                        position: position.span)
                } else {
                    writer.listRemove(
                        relation: entry.relation, source: entry.source, target: entry.target,
                        position: position.span)
                }
            }
            var reader = RecordReader(writer.span)
            for (isInsert, entry) in entries {
                let record = try #require(try reader.next())
                #expect(record.kind == (isInsert ? .listInsert : .listRemove))
                #expect(ListEntry(record, in: writer.span) == entry, "seed \(numbers.seed)")
            }
            #expect(try reader.next() == nil)
        }
    }

    @Test func `an invalid list position is corruption`() {
        let long = [UInt8](repeating: 1, count: RecordFormat.positionLengthBytesMax + 1)
        for position in [[], [0], [128, 0], long] {
            for kind in [UInt8(9), 10] {
                var payload = ByteWriter()
                let body = [kind, 1, 2, 3] + position
                payload.varint(UInt64(body.count))
                let bytes = payload.bytes + body
                #expect(
                    code { _ = try Record.at(0, in: bytes.span) } == .corruption, "\(position)")
            }
        }
        // The maximum length.
        let body = [9, 1, 2, 3] + long.dropLast()
        var payload = ByteWriter()
        payload.varint(UInt64(body.count))
        let bytes = payload.bytes + body
        #expect(code { _ = try Record.at(0, in: bytes.span) } == nil)
    }

    @Test func `lists without a relation, a source or a target are corruption`() {
        for kind in [UInt8(9), 10] {
            for rest: [UInt8] in [
                [], [1], [1, 2], [1, 2, 3], [0, 2, 3, 1], [1, 0, 3, 1], [1, 2, 0, 1],
                [1, 0x82, 0, 3, 1], [0x80, 0x80, 0x80, 0x80, 1, 2, 3, 1],
            ] {
                let bytes = [UInt8(rest.count + 1), kind] + rest
                #expect(code { _ = try Record.at(0, in: bytes.span) } == .corruption, "\(rest)")
            }
        }
    }

    @Test func `damaged records give a typed error or records, never a trap`() throws {
        var numbers = SeededNumbers()
        var writer = RecordWriter()
        for count in 1...12 {
            let position = ListPosition.between(nil, nil, count: count).last ?? []
            writer.listInsert(
                relation: 7, source: UInt64(count) << 20, target: 1, position: position.span)
            writer.listRemove(
                relation: 7, source: UInt64(count), target: 1 << 60, position: position.span)
        }
        let whole = writer.span.array
        for place in whole.indices {
            for _ in 0..<40 {
                var damaged = whole
                damaged[place] = .random(in: 0...255, using: &numbers)
                let found = code {
                    var reader = RecordReader(damaged.span)
                    while let record = try reader.next() {
                        #expect(record.position.upperBound <= damaged.count)
                        _ = ListEntry(record, in: damaged.span)
                    }
                }
                #expect(
                    [nil, .corruption, .formatTooNew].contains(found), "seed \(numbers.seed)")
            }
        }
    }
}

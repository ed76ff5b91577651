import DaybookBytes
import Testing

@testable import DaybookRecords

@Suite struct PackedPayloadTests {
    /// A table trained from the texts of a payload; nil if it would save nothing.
    private static func table(
        _ transposition: RowTransposition, _ payload: [UInt8]
    ) -> TokenTable? {
        let texts = transposition.texts(of: payload.span)
        return TokenTraining.table(texts: texts.bytes, lengths: texts.lengths)
    }

    /// Packs a payload and compares the payload and each record that are decoded from it.
    private func expectExact(
        _ payload: [UInt8], _ transposition: RowTransposition, _ tokens: TokenTable?,
        _ comment: Comment
    ) throws {
        let encoder = tokens.map { TokenEncoder($0) }
        let packed = transposition.pack(payload.span, encoder)
        let stored = try #require(packed, comment)
        let records = RowTransposition(Schema()).unpack(
            stored, rawLength: payload.count, tokens: tokens)
        #expect(try records.payload() == payload, comment)
        var offset = 0
        while offset < payload.count {
            var body = offset
            let end = try Record.recordEnd(in: payload.span, &body)
            #expect(try records.record(at: offset) == Array(payload[offset..<end]), comment)
            offset = end
        }
    }

    @Test func `random mixed payloads and their records are restored without a schema`() throws {
        for _ in 0..<60 {
            var random = try RandomPayload()
            let comment: Comment = "seed \(random.numbers.seed)"
            let transposition = RowTransposition(random.schema)
            let table = Self.table(transposition, try random.payload(recordCount: 200))
            for count in [4, 5, 40, 120] {
                let payload = try random.payload(recordCount: count)
                guard payload.count <= PackedFormat.payloadLengthMax else { continue }
                try expectExact(payload, transposition, nil, comment)
                try expectExact(payload, transposition, table, comment)
            }
        }
    }

    /// Items with a text that has repeated words.
    private static func items(_ ids: Range<UInt64>) throws -> [UInt8] {
        var writer = RecordWriter()
        var encoder = RowEncoder(RowLayout(item))
        for id in ids {
            encoder.begin()
            encoder.set(double: Double(id * 7 % 1_000) / 4, at: 0)
            try encoder.set(text: "article of the category \(id % 5), number \(id)", at: 1)
            encoder.finish()
            writer.put(entity: 1, id: id, previous: 0, layout: 1, row: encoder.row)
        }
        writer.commit(CommitRecord(sequence: 3, timeMicroseconds: 4_000))
        return writer.span.array
    }

    private static let item = EntityLayout(
        layoutID: 1, entityID: 1, entityName: "Item", version: 1,
        fields: [
            Field(propertyID: 1, name: "price", type: .double),
            Field(propertyID: 2, name: "text", type: .string, isOptional: true),
        ])

    private static func itemTransposition() throws -> RowTransposition {
        var schema = Schema()
        try schema.add(item)
        return RowTransposition(schema)
    }

    @Test func `texts become codes of the table, and the payload a third as long`() throws {
        let transposition = try Self.itemTransposition()
        let payload = try Self.items(1..<101)
        let table = try #require(Self.table(transposition, try Self.items(1..<900)))
        let plain = transposition.pack(payload.span, nil)
        let coded = transposition.pack(payload.span, TokenEncoder(table))
        #expect(try #require(plain).count < payload.count * 3 / 4)
        #expect(try #require(coded).count < payload.count / 3)
        try expectExact(payload, transposition, table, "items")
    }

    @Test func `coded texts without their table are corruption`() throws {
        let transposition = try Self.itemTransposition()
        let payload = try Self.items(1..<101)
        let table = try #require(Self.table(transposition, try Self.items(1..<900)))
        let packed = transposition.pack(payload.span, TokenEncoder(table))
        let records = transposition.unpack(
            try #require(packed), rawLength: payload.count, tokens: nil)
        #expect(code { _ = try records.payload() } == .corruption)
        #expect(code { _ = try records.record(at: 0) } == .corruption)
    }

    @Test func `an offset at which no record starts is corruption`() throws {
        let transposition = try Self.itemTransposition()
        let payload = try Self.items(1..<21)
        let packed = transposition.pack(payload.span, nil)
        let records = transposition.unpack(
            try #require(packed), rawLength: payload.count, tokens: nil)
        var starts: Set<Int> = []
        var offset = 0
        while offset < payload.count {
            starts.insert(offset)
            var body = offset
            offset = try Record.recordEnd(in: payload.span, &body)
        }
        for offset in -3...(payload.count + 3) where !starts.contains(offset) {
            #expect(code { _ = try records.record(at: offset) } == .corruption)
        }
    }

    @Test func `payloads that are short, long or no records are not packed`() throws {
        let transposition = RowTransposition(Schema())
        var writer = RecordWriter()
        for id in 1...UInt64(4) {
            writer.remove(entity: 1, id: id, previous: 0)
            let packed = transposition.pack(writer.span, nil)
            #expect((packed == nil) == (id < 4))
        }
        let damaged = writer.span.array + [200]
        let packed = transposition.pack(damaged.span, nil)
        #expect(packed == nil)
        let items = try Self.itemTransposition()
        let long = try Self.items(1..<1_200)
        let packedItems = items.pack(long.span, nil)
        #expect(packedItems == nil)
        let texts = items.texts(of: long.span)
        #expect(texts.lengths.isEmpty)
    }

    @Test func `every kind of number is restored`() throws {
        var numbers = SeededNumbers()
        let entity = EntityLayout(
            layoutID: 1, entityID: 1, entityName: "Numbers", version: 1,
            fields: [
                Field(propertyID: 1, name: "double", type: .double),
                Field(propertyID: 2, name: "float", type: .float),
                Field(propertyID: 3, name: "int64", type: .int64),
                Field(propertyID: 4, name: "uint64", type: .uint64),
                Field(propertyID: 5, name: "int16", type: .int16),
                Field(propertyID: 6, name: "bool", type: .bool),
            ])
        var schema = Schema()
        try schema.add(entity)
        let exceptions: [Double] = [1, 0, -0.0, .nan, .infinity, 1e15, 1.0 / 3]
        for (digits, exception) in (0...8).flatMap({ digits in exceptions.map { (digits, $0) } }) {
            let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
            var writer = RecordWriter()
            var encoder = RowEncoder(RowLayout(entity))
            for id in 1...UInt64(90) {
                let whole = Double(Int64.random(in: -50_000...50_000, using: &numbers))
                let value = id == 77 && exception != 1 ? exception : whole / scale
                encoder.begin()
                encoder.set(double: value, at: 0)
                encoder.set(float: Float(value), at: 1)
                encoder.set(int64: id == 7 ? .min : id == 9 ? .max : Int64(id), at: 2)
                encoder.set(uint64: digits % 2 == 0 ? numbers.next() : .max - id, at: 3)
                encoder.set(int16: Int16(truncatingIfNeeded: id) * 3 - 100, at: 4)
                encoder.set(bool: id % 3 == 0, at: 5)
                encoder.finish()
                writer.put(
                    entity: 1, id: .max - id, previous: id << 50, layout: 1, row: encoder.row)
            }
            try expectExact(
                writer.span.array, RowTransposition(schema), nil, "seed \(numbers.seed)")
        }
    }

    @Test func `wide rows, links, lists and commits with metadata are restored`() throws {
        let entity = RowTests.texts(3)
        var schema = Schema()
        try schema.add(RowTests.everyType(isOptional: true))
        try schema.add(entity)
        var writer = RecordWriter()
        var encoder = RowEncoder(RowLayout(entity))
        for id in 1...UInt64(12) {
            encoder.begin()
            try encoder.set(text: "a", at: 0)
            let count = id == 7 ? 4_000 : 3
            try encoder.set(text: String(repeating: "long text ", count: count), at: 1)
            encoder.finish()
            writer.put(entity: 2, id: id, previous: 0, layout: 2, row: encoder.row)
            writer.link(relation: 3, source: id, target: 900)
            writer.remove(entity: 1, id: id, previous: 5)
            writer.commit(CommitRecord(sequence: id, timeMicroseconds: Int64(id)))
        }
        // A row of 40,000 bytes of text has end offsets of two bytes; one of 80,000 is too long.
        try expectExact(writer.span.array, RowTransposition(schema), nil, "mixed records")
    }

    @Test func `damage gives a typed error or bytes of that length, never a trap`() throws {
        for _ in 0..<10 {
            var random = try RandomPayload()
            let comment: Comment = "seed \(random.numbers.seed)"
            let transposition = RowTransposition(random.schema)
            let table = Self.table(transposition, try random.payload(recordCount: 200))
            let payload = try random.payload(recordCount: 40)
            let encoder = table.map { TokenEncoder($0) }
            let packed = transposition.pack(payload.span, encoder)
            let stored = try #require(packed)
            func expectTyped(_ bytes: [UInt8], _ rawLength: Int) {
                let code = code {
                    let records = transposition.unpack(
                        bytes, rawLength: rawLength, tokens: table)
                    let payload = try records.payload()
                    let record = try records.record(at: 0)
                    #expect(payload.count == rawLength, comment)
                    #expect(record.count <= rawLength, comment)
                }
                #expect([nil, .corruption, .formatTooNew].contains(code), comment)
            }
            for place in stored.indices {
                var damaged = stored
                damaged[place] = .random(in: 0...255, using: &random.numbers)
                expectTyped(damaged, payload.count)
            }
            for length in stride(from: 0, to: stored.count, by: 7) {
                expectTyped(Array(stored[..<length]), payload.count)
            }
            for rawLength in [-1, 0, payload.count - 1, payload.count + 1, .max] {
                #expect(
                    code {
                        let records = transposition.unpack(
                            stored, rawLength: rawLength, tokens: table)
                        _ = try records.payload()
                    } == .corruption, comment)
            }
        }
    }

    @Test func `random bytes are never a payload and never trap`() {
        var numbers = SeededNumbers()
        for _ in 0..<20_000 {
            var bytes: [UInt8] = [1]
            for _ in 0..<Int.random(in: 0...60, using: &numbers) {
                let isSmall = Bool.random(using: &numbers)
                bytes.append(.random(in: 0...(isSmall ? 20 : 255), using: &numbers))
            }
            let rawLength = Int.random(in: 0...500, using: &numbers)
            let code = code {
                let payload = try PackedPayload(bytes, rawLength: rawLength, tokens: nil).payload()
                #expect(payload.count == rawLength)
            }
            #expect([nil, .corruption, .formatTooNew].contains(code), "seed \(numbers.seed)")
        }
    }

    @Test func `a payload of a newer release is formatTooNew`() {
        #expect(
            code { _ = try PackedPayload([2, 1, 1, 1], rawLength: 10, tokens: nil).payload() }
                == .formatTooNew)
    }
}

import DaybookBytes
import Testing

@testable import DaybookRecords

@Suite struct RowTranspositionTests {
    private func expectExact(
        _ payload: [UInt8], _ transposition: RowTransposition, _ comment: Comment
    ) throws {
        let forward = transposition.forward(payload.span)
        let stored = try #require(forward, comment)
        let inverse = RowTransposition(Schema())
        #expect(
            try inverse.inverse(stored.span, rawLength: payload.count) == payload, comment)
    }

    @Test func `random mixed payloads are restored byte for byte without a schema`() throws {
        for _ in 0..<120 {
            var random = try RandomPayload()
            let seed = random.numbers.seed
            let transposition = RowTransposition(random.schema)
            for count in [4, 5, 40, 300] {
                try expectExact(random.payload(recordCount: count), transposition, "seed \(seed)")
            }
        }
    }

    @Test func `a payload that the first release transposed stays readable`() throws {
        let stored: [UInt8] = [
            1, 15, 60, 35, 0, 3, 1, 5, 12, 0, 1, 1, 8, 1, 6, 5, 18, 2, 5, 3, 1, 0, 2, 0, 2, 9, 2,
            0, 0, 0, 0, 0, 2, 0, 0, 12, 9, 2, 0, 0, 9, 208, 15, 0, 0, 0, 0, 2, 0, 2, 9, 1, 0,
            136, 14, 9, 2, 0, 0, 0, 0, 41, 6, 3, 3, 116, 101, 120, 116, 32, 49, 116, 101, 120,
            116, 32, 50, 116, 101, 120, 116, 32, 51, 116, 101, 120, 116, 32, 52, 116, 101, 120,
            116, 32, 53, 0, 0, 0, 0, 0, 36, 73, 146, 36, 128, 104,
        ]
        var writer = RecordWriter()
        for id in 1...UInt64(5) { try Self.appendGolden(id, to: &writer) }
        let transposition = RowTransposition(Schema())
        #expect(
            try transposition.inverse(stored.span, rawLength: writer.count) == writer.span.array)
    }

    /// A row, a commit and a remove: bits, a constant, differences, decimals and strings.
    private static func appendGolden(_ id: UInt64, to writer: inout RecordWriter) throws {
        var encoder = RowEncoder(RowLayout(golden))
        encoder.set(double: Double(id * id) / 10, at: 0)
        try encoder.set(text: "text \(id)", at: 1)
        encoder.finish()
        writer.put(entity: 1, id: id, previous: 0, layout: 1, row: encoder.row)
        writer.commit(CommitRecord(sequence: id, timeMicroseconds: Int64(id) * 1_000))
        writer.remove(entity: 1, id: 900 - id, previous: id)
    }

    private static let golden = EntityLayout(
        layoutID: 1, entityID: 1, entityName: "Golden", version: 1,
        fields: [
            Field(propertyID: 1, name: "price", type: .double),
            Field(propertyID: 2, name: "text", type: .string, isOptional: true),
        ])

    @Test func `rows of unknown layouts and invalid rows keep their bytes`() throws {
        var random = try RandomPayload()
        let payload = try random.payload(recordCount: 200)
        let seed = random.numbers.seed
        try expectExact(payload, RowTransposition(Schema()), "seed \(seed)")
        let other = try RandomPayload()
        try expectExact(
            payload, RowTransposition(other.schema), "seeds \(seed) \(other.numbers.seed)")
    }

    @Test func `damaged payloads that are readable are restored unchanged`() throws {
        var random = try RandomPayload()
        let transposition = RowTransposition(random.schema)
        var acceptedCount = 0
        for _ in 0..<1_500 {
            var payload = try random.payload(recordCount: 12)
            payload[Int.random(in: 0..<payload.count, using: &random.numbers)] =
                .random(in: 0...255, using: &random.numbers)
            guard let stored = transposition.forward(payload.span) else { continue }
            acceptedCount += 1
            #expect(
                try transposition.inverse(stored.span, rawLength: payload.count) == payload,
                "seed \(random.numbers.seed)")
        }
        #expect(acceptedCount > 300)
    }

    @Test func `records that are short, unknown or damaged after their kind are restored`() throws {
        let records: [[UInt8]] = [
            [4, 4, 1, 1, 1], [4, 6, 0x81, 0, 1], [4, 6, 1, 0x81, 0], [1, 6], [2, 6, 0x81],
            [3, 0x90, 1, 2], [1, 0xFF],
        ]
        let payload = Array(records.joined())
        try expectExact(payload, RowTransposition(Schema()), "short records")
        for spelling: [UInt8] in [[0x84, 0, 2, 1, 1, 1], [5, 2, 0x81, 0, 1, 1]] {
            let stored = RowTransposition(Schema()).forward((payload + spelling).span)
            #expect(stored == nil)
        }
    }

    /// A frame of a hundred bytes must not allocate gigabytes before it proves to be damaged.
    @Test func `more records than a payload can contain are rejected at once`() throws {
        let count = TranspositionFormat.recordCountMax
        for (count, what) in [(count, "runs past the end"), (count + 1, "\(count + 1) records")] {
            let stored = transposed(recordCount: count, ByteWriter())
            let error = #expect(throws: DaybookError.self) {
                try RowTransposition(Schema()).inverse(stored.span, rawLength: .init(Int32.max))
            }
            #expect(error?.message.contains(what) == true, "\(String(describing: error))")
        }
        let start = TranspositionFormat.recordStartMax
        // The second-to-last record starts just before the limit, and just after it.
        for (length, isGood) in [(start / 5 + 2, true), (start / 5 + 3, false)] {
            var writer = RecordWriter()
            for _ in 0..<length { writer.remove(entity: 1, id: 1, previous: 1) }
            let isRearranged = RowTransposition(Schema()).forward(writer.span) != nil
            #expect(isRearranged == isGood)
        }
    }

    @Test func `records that start beyond the limit of a payload are rejected`() {
        // Four rows of sixty thousand texts each; two of them may be the last.
        var heads = ByteWriter()
        heads.varint(1)
        heads.uint8(1)
        heads.varint(4)
        heads.uint8(4 | TranspositionFormat.shapeHasRow)
        heads.uint8(0)
        heads.varint(0)
        heads.varint(0)
        heads.varint(60_000)
        let stored = transposed(recordCount: 4, heads)
        let error = #expect(throws: DaybookError.self) {
            try RowTransposition(Schema()).inverse(stored.span, rawLength: 1 << 30)
        }
        #expect(error?.message.contains("4 records") == true, "\(String(describing: error))")
    }

    /// A payload that has heads alone.
    private func transposed(recordCount: Int, _ heads: ByteWriter) -> [UInt8] {
        var writer = ByteWriter()
        writer.uint8(TranspositionFormat.current)
        writer.varint(UInt64(recordCount))
        writer.varint(UInt64(heads.count))
        writer.varint(0)
        writer.varint(0)
        writer.append(heads.span)
        return writer.bytes
    }

    @Test func `a payload without records or with too few is not transposed`() throws {
        let transposition = RowTransposition(Schema())
        let empty: [UInt8] = []
        let noRecords: [UInt8] = [4, 7, 1, 1]
        for payload in [empty, noRecords] {
            let stored = transposition.forward(payload.span)
            #expect(stored == nil)
        }
        var writer = RecordWriter()
        for id in 1...UInt64(4) {
            writer.remove(entity: 1, id: id, previous: 0)
            let stored = transposition.forward(writer.span)
            #expect((stored == nil) == (id < 4))
        }
        let records = writer.span.array
        for payload in [records + [0], records + [3, 9, 1, 1], records + [200]] {
            let stored = transposition.forward(payload.span)
            #expect(stored == nil)
        }
    }

    @Test func `wide and narrow rows of one layout are transposed together`() throws {
        let entity = RowTests.texts(3)
        var schema = Schema()
        try schema.add(RowTests.everyType(isOptional: true))
        try schema.add(entity)
        var writer = RecordWriter()
        var encoder = RowEncoder(RowLayout(entity))
        for id in 1...UInt64(20) {
            encoder.begin()
            try encoder.set(text: "a", at: 0)
            // All records except the last must start in the first 128 KiB.
            let count = id == 17 || id == 20 ? 14_000 : 3
            try encoder.set(text: String(repeating: "long ", count: count), at: 1)
            encoder.finish()
            writer.put(entity: 2, id: id, previous: 0, layout: 2, row: encoder.row)
        }
        try expectExact(writer.span.array, RowTransposition(schema), "wide rows")
    }

    @Test func `every kind of number is restored from its shortest encoding`() throws {
        var numbers = SeededNumbers()
        let entity = EntityLayout(
            layoutID: 1, entityID: 1, entityName: "Numbers", version: 1,
            fields: [
                Field(propertyID: 1, name: "double", type: .double),
                Field(propertyID: 2, name: "float", type: .float),
                Field(propertyID: 3, name: "int64", type: .int64),
                Field(propertyID: 4, name: "uint64", type: .uint64),
                Field(propertyID: 5, name: "int16", type: .int16),
            ])
        var schema = Schema()
        try schema.add(entity)
        let special: [Double] = [
            0, -0.0, .nan, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
            9_007_199_254_740_991, 9_007_199_254_740_994, 1e15, -1e15, 0.1, 1.0 / 3,
        ]
        for digits in 0...8 {
            let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
            for exception in special + [1] {
                var writer = RecordWriter()
                var encoder = RowEncoder(RowLayout(entity))
                for id in 1...UInt64(200) {
                    let whole = Double(Int64.random(in: -50_000...50_000, using: &numbers))
                    let isException = id == 77 && exception != 1
                    encoder.begin()
                    encoder.set(double: isException ? exception : whole / scale, at: 0)
                    encoder.set(float: Float(isException ? exception : whole / scale), at: 1)
                    encoder.set(int64: id == 7 ? .min : id == 9 ? .max : Int64(id), at: 2)
                    encoder.set(uint64: digits % 2 == 0 ? numbers.next() : .max - id, at: 3)
                    encoder.set(int16: Int16(truncatingIfNeeded: id) - 100, at: 4)
                    encoder.finish()
                    writer.put(
                        entity: 1, id: .max - id, previous: id << 50, layout: 1, row: encoder.row)
                }
                try expectExact(
                    writer.span.array, RowTransposition(schema), "seed \(numbers.seed)")
            }
        }
    }

    @Test func `damage gives a typed error or a payload of that length, never a trap`() throws {
        for _ in 0..<12 {
            var random = try RandomPayload()
            let transposition = RowTransposition(random.schema)
            let payload = try random.payload(recordCount: 60)
            let forward = transposition.forward(payload.span)
            let stored = try #require(forward)
            for place in stored.indices {
                var damaged = stored
                damaged[place] = .random(in: 0...255, using: &random.numbers)
                do {
                    let bytes = try transposition.inverse(damaged.span, rawLength: payload.count)
                    #expect(bytes.count == payload.count)
                } catch {
                    #expect(
                        [.corruption, .formatTooNew].contains(error.code),
                        "seed \(random.numbers.seed)")
                }
            }
            for length in stride(from: 0, to: stored.count, by: 7) {
                let cut = stored.span.extracting(0..<length)
                #expect(
                    code { _ = try transposition.inverse(cut, rawLength: payload.count) }
                        == .corruption)
            }
            for rawLength in [-1, 0, payload.count - 1, payload.count + 1, .max] {
                #expect(
                    code { _ = try transposition.inverse(stored.span, rawLength: rawLength) }
                        == .corruption)
            }
        }
    }

    @Test func `random bytes are never a payload and never trap`() {
        var numbers = SeededNumbers()
        let transposition = RowTransposition(Schema())
        for _ in 0..<20_000 {
            var bytes: [UInt8] = [1]
            for _ in 0..<Int.random(in: 0...60, using: &numbers) {
                let isSmall = Bool.random(using: &numbers)
                bytes.append(.random(in: 0...(isSmall ? 20 : 255), using: &numbers))
            }
            let rawLength = Int.random(in: 0...500, using: &numbers)
            do {
                let payload = try transposition.inverse(bytes.span, rawLength: rawLength)
                #expect(payload.count == rawLength)
            } catch {
                #expect([.corruption, .formatTooNew].contains(error.code), "seed \(numbers.seed)")
            }
        }
    }
}

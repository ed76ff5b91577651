import DaybookBytes
import DaybookRecords
import DaybookTesting
import Testing

/// The bytes of keys sort like the values, for every indexable type. A failure names its seed.
@Suite struct IndexKeyTests {
    /// Values with their order, and a way to store them in a row.
    private struct Case {
        var type: FieldType
        /// Compares the values at two indexes. The result is negative, zero or positive.
        var compare: (Int, Int) -> Int
        var set: (inout RowEncoder, Int) throws -> Void
        var count: Int
    }

    private static func order<Value: Comparable>(_ values: [Value]) -> (Int, Int) -> Int {
        { values[$0] < values[$1] ? -1 : values[$0] == values[$1] ? 0 : 1 }
    }

    private static func layout(_ types: [FieldType]) -> RowLayout {
        RowLayout(
            EntityLayout(
                layoutID: 1, entityID: 1, entityName: "E", version: 1,
                fields: types.enumerated().map { place, type in
                    Field(
                        propertyID: UInt32(place + 1), name: "p\(place)", type: type,
                        isOptional: true)
                }))
    }

    private static func key(
        _ layout: RowLayout, _ columns: [Int], _ set: (inout RowEncoder) throws -> Void
    ) throws -> [UInt8] {
        var encoder = RowEncoder(layout)
        try set(&encoder)
        encoder.finish()
        return try IndexKey(columns, of: encoder.row, layout).bytes
    }

    private static func check(_ test: Case) throws {
        let layout = layout([test.type])
        let keys = try (0..<test.count).map { place in
            try key(layout, [0]) { try test.set(&$0, place) }
        }
        let null = try key(layout, [0]) { _ in }
        for one in keys.indices {
            #expect(null.lexicographicallyPrecedes(keys[one]))
            for other in keys.indices {
                let order =
                    keys[one] == keys[other]
                    ? 0 : keys[one].lexicographicallyPrecedes(keys[other]) ? -1 : 1
                #expect(
                    order == test.compare(one, other),
                    "\(test.type.name): \(one) and \(other), \(keys[one]) and \(keys[other])")
                if order != 0 { #expect(!keys[one].starts(with: keys[other])) }
            }
        }
    }

    private static func numbers<Value: FixedWidthInteger>(
        _ type: Value.Type, _ generator: inout SeededGenerator
    ) -> [Value] {
        [.min, .max, 0, 1, .max - 1, .min + 1, Value(truncatingIfNeeded: -1)]
            + (0..<20).map { _ in Value(truncatingIfNeeded: generator.next()) }
    }

    @Test(arguments: 1...4)
    func `keys of integers and dates sort like the values`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        func run<Value: FixedWidthInteger>(
            _ type: FieldType, _: Value.Type, _ set: @escaping (inout RowEncoder, Value) -> Void
        ) throws {
            let values = Self.numbers(Value.self, &generator)
            try Self.check(
                Case(
                    type: type, compare: Self.order(values), set: { set(&$0, values[$1]) },
                    count: values.count))
        }
        try run(.int8, Int8.self) { $0.set(int8: $1, at: 0) }
        try run(.int16, Int16.self) { $0.set(int16: $1, at: 0) }
        try run(.int32, Int32.self) { $0.set(int32: $1, at: 0) }
        try run(.int64, Int64.self) { $0.set(int64: $1, at: 0) }
        try run(.uint8, UInt8.self) { $0.set(uint8: $1, at: 0) }
        try run(.uint16, UInt16.self) { $0.set(uint16: $1, at: 0) }
        try run(.uint32, UInt32.self) { $0.set(uint32: $1, at: 0) }
        try run(.uint64, UInt64.self) { $0.set(uint64: $1, at: 0) }
        try run(.date, Int64.self) { $0.set(date: $1, at: 0) }
        try run(.dateNano, Int64.self) { $0.set(dateNano: $1, at: 0) }
        try Self.check(
            Case(type: .bool, compare: -, set: { $0.set(bool: $1 > 0, at: 0) }, count: 2))
    }

    @Test(arguments: 1...4)
    func `keys of floating-point numbers sort like the values, with NaN last`(
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        let doubles =
            [0, -0.0, 1, -1, .infinity, -.infinity, .leastNonzeroMagnitude, .pi]
            + [-.leastNonzeroMagnitude, .greatestFiniteMagnitude, .nan, -.nan, .signalingNaN]
            + (0..<20).map { _ in Double(bitPattern: generator.next()) }
        func compare(_ one: Double, _ other: Double) -> Int {
            if one.isNaN || other.isNaN { return (one.isNaN ? 1 : 0) - (other.isNaN ? 1 : 0) }
            return one < other ? -1 : one == other ? 0 : 1
        }
        try Self.check(
            Case(
                type: .double, compare: { compare(doubles[$0], doubles[$1]) },
                set: { $0.set(double: doubles[$1], at: 0) }, count: doubles.count))
        let floats = doubles.map { Float($0) }
        try Self.check(
            Case(
                type: .float, compare: { compare(Double(floats[$0]), Double(floats[$1])) },
                set: { $0.set(float: floats[$1], at: 0) }, count: floats.count))
    }

    @Test(arguments: 1...4)
    func `keys of texts, bytes and UUIDs sort by their bytes`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let texts =
            ["", "a", "a\0", "a\0\0", "a\0b", "a\u{1}", "ab", "\0", "é", "z", "𝄞", "\u{FFFD}"]
            + (0..<20).map { _ in
                String(
                    String.UnicodeScalarView(
                        (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                            UnicodeScalar(UInt8.random(in: 0...2, using: &generator))
                        }))
            }
        func compare(_ one: [UInt8], _ other: [UInt8]) -> Int {
            one == other ? 0 : one.lexicographicallyPrecedes(other) ? -1 : 1
        }
        let bytes = texts.map { Array($0.utf8) }
        for type in [FieldType.string, .bytes] {
            try Self.check(
                Case(
                    type: type, compare: { compare(bytes[$0], bytes[$1]) },
                    set: { encoder, place in
                        let value = bytes[place]
                        try encoder.set(bytes: value.span, at: 0)
                    }, count: bytes.count))
        }
        let identifiers = (0..<20).map { _ in
            (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
        }
        try Self.check(
            Case(
                type: .uuid, compare: { compare(identifiers[$0], identifiers[$1]) },
                set: { encoder, place in
                    let value = identifiers[place]
                    try encoder.set(bytes: value.span, at: 0)
                },
                count: identifiers.count))
    }

    @Test func `a required value that was never set has the key of zero`() throws {
        let layout = RowLayout(
            EntityLayout(
                layoutID: 1, entityID: 1, entityName: "E", version: 1,
                fields: [
                    Field(propertyID: 1, name: "a", type: .decimal, isOptional: false),
                    Field(propertyID: 2, name: "b", type: .int32, isOptional: false),
                ]))
        let zero = try Self.key(layout, [0, 1]) {
            try $0.set(text: "0.00", at: 0)
            $0.set(int32: 0, at: 1)
        }
        #expect(try Self.key(layout, [0, 1]) { _ in } == zero)
    }

    @Test func `keys of decimals sort by value, whatever their spelling`() throws {
        // All texts in a line are the same value.
        let lines = [
            ["-1e30"], ["-12345.6789"], ["-100", "-1e2", "-100.00"], ["-99.9"], ["-1.5"], ["-1"],
            ["-0.5", "-.5", "-5e-1"], ["-0.05"], ["-0.001"], ["-1e-40"],
            ["0", "-0", "0.000", "0e9"], ["1e-40"], ["0.001"], ["0.0011"], ["0.05"],
            ["0.5", "00.50"], ["0.51"], ["1", "1.0", "+1"], ["1.5"], ["9"], ["10", "1E1"], ["99.9"],
            ["100", "1e+2"], ["12345.6789"], ["1e30"], ["NaN"], ["x"],
        ]
        let values = lines.enumerated().flatMap { place, texts in texts.map { (place, $0) } }
        try Self.check(
            Case(
                type: .decimal, compare: { (values[$0].0 - values[$1].0).signum() },
                set: { try $0.set(text: values[$1].1, at: 0) }, count: values.count))
    }

    @Test(arguments: 1...4)
    func `several properties are compared one after another`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let layout = Self.layout([.string, .int16, .string])
        typealias Row = (String?, Int16?, String?)
        let texts = [nil, "", "a", "a\0", "a\0a", "aa", "b"]
        let rows: [Row] = (0..<60).map { _ in
            (
                texts.randomElement(using: &generator) ?? nil,
                [nil, .min, -1, 0, 1, .max].randomElement(using: &generator) ?? nil,
                texts.randomElement(using: &generator) ?? nil
            )
        }
        func rank(_ text: String?) -> [UInt8] { text.map { [1] + Array($0.utf8) } ?? [0] }
        func precedes(_ one: Row, _ other: Row) -> Bool {
            if one.0 != other.0 { return rank(one.0).lexicographicallyPrecedes(rank(other.0)) }
            let numbers = (one.1.map { Int($0) } ?? .min, other.1.map { Int($0) } ?? .min)
            if numbers.0 != numbers.1 { return numbers.0 < numbers.1 }
            return rank(one.2).lexicographicallyPrecedes(rank(other.2))
        }
        let keys = try rows.map { row in
            try Self.key(layout, [0, 1, 2]) { encoder in
                if let text = row.0 { try encoder.set(text: text, at: 0) }
                if let number = row.1 { encoder.set(int16: number, at: 1) }
                if let text = row.2 { try encoder.set(text: text, at: 2) }
            }
        }
        for (one, left) in zip(rows, keys) {
            for (other, right) in zip(rows, keys) {
                #expect(left.lexicographicallyPrecedes(right) == precedes(one, other))
                #expect((left == right) == (one == other))
            }
        }
    }

    @Test func `an index over a type without an order is rejected`() throws {
        for type in [FieldType.list, .set, .map, .embedded] {
            let layout = EntityLayout(
                layoutID: 1, entityID: 1, entityName: "E", version: 1,
                fields: [Field(propertyID: 7, name: "tags", type: type)],
                indexes: [
                    LayoutIndex(
                        indexID: 1, kind: .value, isUnique: false, isPrimaryKey: false,
                        propertyIDs: [7])
                ])
            do {
                _ = try IndexPlan(layout)
                Issue.record("an index over a \(type.name) was taken")
            } catch {
                #expect(error.code == .schemaMismatch)
                #expect(error.details["entity"] == "E" && error.details["property"] == "tags")
            }
        }
    }
}

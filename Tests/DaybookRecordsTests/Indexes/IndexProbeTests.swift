import DaybookBytes
import DaybookRecords
import DaybookTesting
import DaybookTestSupport
import Testing

/// Probes are encoded like index keys. A failure names its seed.
@Suite struct IndexProbeTests {
    private static let types = FieldType.allCases.filter(\.isIndexable)

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

    /// A value in the encoding of rows; few distinct ones, so that some are equal.
    private static func value(
        _ type: FieldType, _ generator: inout SeededGenerator
    ) -> [UInt8]? {
        if Int.random(in: 0..<5, using: &generator) == 0 { return nil }
        func bytes(_ number: UInt64) -> [UInt8] {
            (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        switch type {
        case .double:
            let some = [0, -0.0, .nan, -.nan, .signalingNaN, .infinity, -1.5, 2]
            return bytes((some.randomElement(using: &generator) ?? 0).bitPattern)
        case .float:
            let some: [Float] = [0, -0.0, .nan, -.nan, .signalingNaN, -.infinity, 1.5]
            let bits = (some.randomElement(using: &generator) ?? 0).bitPattern
            return Array(bytes(UInt64(bits)).prefix(4))
        case .decimal:
            return ["0", "-0", "1.0", "1", "1e0", "-12.5", "1e30", "x", ""]
                .randomElement(using: &generator).map { Array($0.utf8) }
        case .bool: return [UInt8.random(in: 0...1, using: &generator)]
        default:
            let length = type.fixedWidthBytes ?? (type == .uuid ? 16 : 0)
            guard length == 0 else {
                let edges: [UInt8] = [0, 1, 0x7F, 0x80, 0xFF]
                let edge = edges.randomElement(using: &generator) ?? 0
                return (0..<length).map { _ in
                    Bool.random(using: &generator) ? edge : .random(in: 0...255, using: &generator)
                }
            }
            return (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                UInt8.random(in: 0...2, using: &generator)
            }
        }
    }

    private static func key(
        _ values: [[UInt8]?], _ layout: RowLayout
    ) throws -> IndexKey {
        var encoder = RowEncoder(layout)
        for (place, value) in values.enumerated() {
            if let value { try encoder.set(value: value.span, at: place) }
        }
        encoder.finish()
        return try IndexKey(Array(values.indices), of: encoder.row, layout)
    }

    private static func probe(_ values: ArraySlice<[UInt8]?>, _ types: [FieldType]) -> IndexProbe {
        var probe = IndexProbe()
        for (value, type) in zip(values, types) {
            if let value { probe.append(value.span, type) } else { probe.appendNull() }
        }
        return probe
    }

    @Test(arguments: Seeds.first(40))
    func `a probe of all values is the key, and a shorter one is a prefix of matching keys`(
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        let types = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
            Self.types.randomElement(using: &generator) ?? .bool
        }
        let layout = Self.layout(types)
        let rows = (0..<40).map { _ in types.map { Self.value($0, &generator) } }
        let keys = try rows.map { try Self.key($0, layout) }
        for (row, key) in zip(rows, keys) {
            let whole = Self.probe(row[...], types)
            #expect(whole.bytes == key.bytes, "seed \(seed): \(types), \(row)")
            #expect(whole.hash == key.hash && whole.isWhole)
            let length = Int.random(in: 0...types.count, using: &generator)
            let probe = Self.probe(row.prefix(length), types)
            let end = IndexProbe.end(of: probe.bytes)
            for (other, otherKey) in zip(rows, keys) {
                let isFound = otherKey.bytes.starts(with: probe.bytes)
                let agrees = Self.probe(other.prefix(length), types) == probe
                #expect(isFound == agrees, "seed \(seed): \(types), \(row) and \(other)")
                // Exactly the keys with the prefix are between the probe and its end.
                let isBetween =
                    !otherKey.bytes.lexicographicallyPrecedes(probe.bytes)
                    && end.map { otherKey.bytes.lexicographicallyPrecedes($0) } ?? true
                #expect(isBetween == isFound)
            }
        }
    }

    @Test(arguments: Seeds.first(10))
    func `a prefix probe matches exactly the texts with that prefix`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let layout = Self.layout([.int8, .string])
        let texts = (0..<80).map { _ in
            (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                UInt8.random(in: 0...2, using: &generator)
            }
        }
        for prefix in texts.prefix(20) {
            var probe = IndexProbe()
            probe.append([7].span, .int8)
            probe.append(prefix: prefix.span)
            for text in texts {
                let key = try Self.key([[7], text], layout).bytes
                #expect(key.starts(with: probe.bytes) == text.starts(with: prefix))
            }
            #expect(try !Self.key([[7], nil], layout).bytes.starts(with: probe.bytes))
        }
    }

    @Test func `the end of a probe is the first key after its matches`() {
        #expect(IndexProbe.end(of: [1, 2]) == [1, 3])
        #expect(IndexProbe.end(of: [1, 0xFF, 0xFF]) == [2])
        #expect(IndexProbe.end(of: [0xFF, 0xFF]) == nil)
        #expect(IndexProbe.end(of: []) == nil)
    }

    @Test func `missing bytes of a value read as zero`() {
        for type in Self.types where type.fixedWidthBytes != nil {
            var short = IndexProbe()
            short.append([UInt8]().span, type)
            var zero = IndexProbe()
            zero.append([UInt8](repeating: 0, count: 16).span, type)
            #expect(short == zero, "\(type.name)")
        }
    }

    @Test func `a probe above the maximum key length is truncated`() {
        let text = [UInt8](repeating: 0x61, count: IndexKey.lengthMax)
        var probe = IndexProbe()
        probe.append(text.span, .string)
        #expect(!probe.isWhole)
        #expect(probe.bytes == [1] + text.dropLast())
        var short = IndexProbe()
        short.append(text.span.extracting(droppingLast: 3), .string)
        #expect(short.isWhole)
        #expect(short.bytes.count == IndexKey.lengthMax)
    }
}

import DaybookBytes

/// A 16-byte identifier of a store. Every file contains it, so a foreign file is detected.
package struct StoreIdentity: Hashable, Sendable {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Creates a random identity. (The system generator is not passed as a value: a value without
    /// bytes has no address, which breaks the thread sanitizer.)
    package static func random() -> StoreIdentity {
        StoreIdentity(random: .random(in: 0 ... .max), .random(in: 0 ... .max))
    }

    /// Creates an identity in the form of a random (version 4) UUID.
    package static func random(using generator: inout some RandomNumberGenerator) -> StoreIdentity {
        StoreIdentity(random: generator.next(), generator.next())
    }

    private init(random high: UInt64, _ low: UInt64) {
        self.init(high: high & ~0xF000 | 0x4000, low: low & ~(0xC000 << 48) | (0x8000 << 48))
    }

    init(reading reader: inout ByteReader) throws(DaybookError) {
        high = try reader.uint64()
        low = try reader.uint64()
    }

    func write(to writer: inout ByteWriter) {
        writer.uint64(high)
        writer.uint64(low)
    }

    /// The seed of a segment's header checks.
    func seed(segment: UInt64) -> UInt64 { high ^ low ^ segment }
}

extension StoreIdentity: LosslessStringConvertible {
    package var description: String {
        let digits = Array(Self.hex(high) + Self.hex(low))
        let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
        return groups.map { String(digits[$0]) }.joined(separator: "-")
    }

    /// Parses the output of ``description``; nil for any other text.
    package init?(_ text: String) {
        let digits = text.filter { $0 != "-" }
        guard digits.utf8.count == 32, let high = UInt64(digits.prefix(16), radix: 16),
            let low = UInt64(digits.suffix(16), radix: 16)
        else { return nil }
        self.init(high: high, low: low)
        guard description == text else { return nil }
    }

    private static func hex(_ word: UInt64) -> String {
        let digits = String(word, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

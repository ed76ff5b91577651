/// Reads the fields of an object of an archive. A missing byte is damage.
struct ArchiveBytesReader {
    private let bytes: ArraySlice<UInt8>
    private var index: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        index = bytes.startIndex
    }

    /// Whether all bytes were read.
    var isAtEnd: Bool { index == bytes.endIndex }

    /// Reads a number in little-endian order; nil at the end of the bytes.
    mutating func number<Number: FixedWidthInteger>(_: Number.Type = Number.self) -> Number? {
        guard let field = take(Number.bitWidth / 8) else { return nil }
        return field.reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }

    /// Reads bytes; nil if there are fewer.
    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= bytes.endIndex - index else { return nil }
        defer { index += count }
        return bytes[index..<index + count]
    }
}

extension [UInt8] {
    /// Appends a number in little-endian order.
    mutating func append(number: some FixedWidthInteger) {
        for shift in stride(from: 0, to: number.bitWidth, by: 8) {
            append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }
}

import NIOCore

/// The bytes of a frame. All numbers are little-endian.
///
/// | length | content |
/// |---|---|
/// | 4 | `DBRF` |
/// | 2 | version, 1 |
/// | 1 | kind: 1 claim, 2 transactions, 3 alive |
/// | 1 | 0 |
/// | 36 | identity of the store, as text |
/// | 8 | term |
/// | 8 | writer |
/// | 32 | SHA-256 of the frame before |
/// | 8 | last sequence before the transactions |
/// | 8 | last sequence of the transactions |
/// | 8 | time in microseconds since 1970 |
/// | 4 | number of the part, from 0 |
/// | 4 | number of parts |
/// | rest | part of the encoded transactions |
extension ReplicationFrame {
    private static let magic: UInt32 = 0x4652_4244
    private static let version: UInt16 = 1
    private static let storeLength = 36
    /// The length of a frame without its payload.
    static let headerLength = 124

    /// The bytes of the message.
    func encoded() -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.reserveCapacity(Self.headerLength + payload.readableBytes)
        buffer.writeInteger(Self.magic, endianness: .little)
        buffer.writeInteger(Self.version, endianness: .little)
        buffer.writeInteger(kind.rawValue)
        buffer.writeInteger(UInt8(0))
        buffer.writeString(store)
        buffer.writeInteger(term, endianness: .little)
        buffer.writeInteger(writer, endianness: .little)
        buffer.writeBytes(predecessor.bytes)
        buffer.writeInteger(afterSequence, endianness: .little)
        buffer.writeInteger(lastSequence, endianness: .little)
        buffer.writeInteger(timeMicroseconds, endianness: .little)
        buffer.writeInteger(part, endianness: .little)
        buffer.writeInteger(partCount, endianness: .little)
        buffer.writeImmutableBuffer(payload)
        return buffer
    }

    /// Decodes a message. Nil if it is no frame of this format; such a message is foreign.
    init?(decoding message: ByteBuffer) {
        var buffer = message
        guard buffer.readInteger(endianness: .little, as: UInt32.self) == Self.magic,
            buffer.readInteger(endianness: .little, as: UInt16.self) == Self.version,
            let kind = buffer.readInteger(as: UInt8.self).flatMap(Kind.init),
            buffer.readInteger(as: UInt8.self) == 0,
            let store = buffer.readString(length: Self.storeLength),
            store.utf8.count == Self.storeLength,
            let term = buffer.readInteger(endianness: .little, as: UInt64.self),
            let writer = buffer.readInteger(endianness: .little, as: UInt64.self),
            let predecessor = buffer.readBytes(length: FrameHash.length),
            let afterSequence = buffer.readInteger(endianness: .little, as: UInt64.self),
            let lastSequence = buffer.readInteger(endianness: .little, as: UInt64.self),
            let time = buffer.readInteger(endianness: .little, as: UInt64.self),
            let part = buffer.readInteger(endianness: .little, as: UInt32.self),
            let partCount = buffer.readInteger(endianness: .little, as: UInt32.self)
        else { return nil }
        self.init(
            kind: kind, store: store, term: term, writer: writer,
            predecessor: FrameHash(bytes: predecessor), afterSequence: afterSequence,
            lastSequence: lastSequence, timeMicroseconds: time, part: part, partCount: partCount,
            payload: buffer)
        guard isConsistent else { return nil }
    }

    /// Whether the fields of the frame can belong together.
    private var isConsistent: Bool {
        switch kind {
        case .claim, .alive:
            return afterSequence == lastSequence && part == 0 && partCount == 1
                && payload.readableBytes == 0
        case .transactions:
            return afterSequence < lastSequence && part < partCount && payload.readableBytes > 0
        }
    }
}

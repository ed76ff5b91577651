/// The limits of one read.
enum ReadLimits {
    /// The maximum count of messages.
    static let messageCountMax = 100_000
    /// The maximum length of the messages.
    static let sizeBytesMax = 1 << 30

    /// Throws `.invalidArgument` for a count or a length outside its range.
    static func check(count: Int, sizeBytes: Int) throws(NATSError) {
        guard (1...messageCountMax).contains(count), (1...sizeBytesMax).contains(sizeBytes) else {
            throw NATSError(
                .invalidArgument,
                "A read of \(count) messages and \(sizeBytes) bytes is not possible. Use up to"
                    + " \(messageCountMax) messages and \(sizeBytesMax) bytes.")
        }
    }

    /// Adds a message to the length of an answer. Throws `.malformedInput` if it has more than the
    /// server may send.
    static func add(
        _ message: NATSInboundMessage, to sizeBytes: inout Int, sizeBytesMax: Int
    ) throws(NATSError) {
        sizeBytes += message.lengthBytes
        guard sizeBytes <= sizeBytesMax else {
            throw .malformed("The server sent more bytes than a read asked for.")
        }
    }

    /// The limit of a buffer for the answer. The server counts neither its own headers nor the
    /// last message.
    static func bufferSizeBytesMax(count: Int, sizeBytes: Int) -> Int {
        sizeBytes + count * 1024 + WireLimits.payloadBytesMax + WireLimits.headersBytesMax
    }
}

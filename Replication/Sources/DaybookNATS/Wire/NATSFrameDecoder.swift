internal import Foundation
internal import NIOCore

/// Decodes the bytes of a server into frames.
///
/// Payloads are slices of the receive buffer. A length above its limit, and any bytes that are not
/// a frame, throw `.malformedInput`; the connection must then be closed, because the start of the
/// next frame is unknown.
struct NATSFrameDecoder: ByteToMessageDecoder {
    typealias InboundOut = NATSFrame

    /// A control line whose payload did not arrive completely.
    private struct PartialMessage {
        var message: NATSInboundMessage
        var headersSizeBytes: Int
        var totalSizeBytes: Int
    }

    private var partial: PartialMessage?
    /// The count of readable bytes that have no line end, so that they are searched once.
    private var searchedByteCount = 0

    mutating func decode(
        context: ChannelHandlerContext, buffer: inout ByteBuffer
    ) throws -> DecodingState {
        guard let frame = try next(in: &buffer) else { return .needMoreData }
        context.fireChannelRead(wrapInboundOut(frame))
        return .continue
    }

    mutating func decodeLast(
        context: ChannelHandlerContext, buffer: inout ByteBuffer, seenEOF: Bool
    ) throws -> DecodingState {
        // A frame that the end of the connection cut is dropped with the connection.
        try decode(context: context, buffer: &buffer)
    }

    /// Returns the next frame, or nil if its bytes did not arrive completely.
    mutating func next(in buffer: inout ByteBuffer) throws(NATSError) -> NATSFrame? {
        if partial == nil {
            guard let line = try line(in: &buffer) else { return nil }
            if let frame = try frame(line, trailingByteCount: buffer.readableBytes) {
                return frame
            }
        }
        return try message(in: &buffer).map(NATSFrame.message)
    }

    /// Returns the bytes up to the next CRLF.
    private mutating func line(in buffer: inout ByteBuffer) throws(NATSError) -> [UInt8]? {
        let view = buffer.readableBytesView
        let unsearched = view.dropFirst(searchedByteCount)
        let limit =
            view.first == 0x49 || view.first == 0x69
            ? WireLimits.infoLineBytesMax : WireLimits.controlLineBytesMax
        let end = unsearched.firstIndex(of: 0x0A)
        let lineSizeBytes = end.map { $0 - view.startIndex } ?? view.count
        guard lineSizeBytes <= limit else {
            throw .malformed("The server sent a control line of more than \(limit) bytes.")
        }
        guard end != nil else {
            searchedByteCount = view.count
            return nil
        }
        searchedByteCount = 0
        guard let bytes = buffer.readBytes(length: lineSizeBytes + 1), bytes.count >= 2,
            bytes[bytes.count - 2] == 0x0D
        else { throw .malformed("The server sent a control line without CRLF at the end.") }
        return Array(bytes.dropLast(2))
    }

    /// Returns the frame of a line; nil if the line begins a message.
    private mutating func frame(
        _ bytes: [UInt8], trailingByteCount: Int
    ) throws(NATSError) -> NATSFrame? {
        let verb = bytes.prefix { $0 != 0x20 && $0 != 9 }
        let name = String(decoding: verb, as: UTF8.self).uppercased()
        let rest = Array(bytes.dropFirst(verb.count))
        switch name {
        case "MSG":
            try begin(ControlLine(rest), hasHeaders: false)
            return nil
        case "HMSG":
            try begin(ControlLine(rest), hasHeaders: true)
            return nil
        case "PING": return .ping
        case "PONG": return .pong
        case "+OK": return .ok
        case "-ERR":
            let text = String(decoding: rest, as: UTF8.self)
            return .error(text.trimmingCharacters(in: CharacterSet(charactersIn: " \t'")))
        case "INFO":
            return .info(
                try NATSServerInfo(parsing: rest), trailingByteCount: trailingByteCount)
        default:
            throw .malformed("The server sent the unknown verb \"\(name.prefix(20))\".")
        }
    }

    /// Reads the words of MSG `subject sid [reply] size` or HMSG `subject sid [reply] headers
    /// total`.
    private mutating func begin(_ line: ControlLine, hasHeaders: Bool) throws(NATSError) {
        let sizeCount = hasHeaders ? 2 : 1
        let count = line.words.count
        guard count == 2 + sizeCount || count == 3 + sizeCount,
            let id = line.id(1),
            let total = ControlLine.number(line.words[count - 1]),
            let headers = hasHeaders ? ControlLine.number(line.words[count - 2]) : 0
        else { throw .malformed("The server sent a message with a control line of another form.") }
        guard headers <= total, headers <= WireLimits.headersBytesMax,
            total - headers <= WireLimits.payloadBytesMax
        else {
            throw .malformed(
                "The server sent a message with \(headers) bytes of headers and \(total) bytes in"
                    + " all, but the limit is \(WireLimits.payloadBytesMax) bytes.")
        }
        let message = NATSInboundMessage(
            subscriptionId: id, subject: line.text(0),
            replyTo: count == 3 + sizeCount ? line.text(2) : nil, headers: NATSHeaders(),
            payload: ByteBuffer())
        partial = PartialMessage(
            message: message, headersSizeBytes: headers, totalSizeBytes: total)
    }

    /// Returns the message whose control line was read, or nil if bytes are missing.
    private mutating func message(
        in buffer: inout ByteBuffer
    ) throws(NATSError) -> NATSInboundMessage? {
        guard let begun = partial, buffer.readableBytes >= begun.totalSizeBytes + 2,
            let headers = buffer.readSlice(length: begun.headersSizeBytes),
            let payload = buffer.readSlice(length: begun.totalSizeBytes - begun.headersSizeBytes)
        else { return nil }
        guard buffer.readBytes(length: 2) == [0x0D, 0x0A] else {
            throw .malformed("The server sent a payload without CRLF after its last byte.")
        }
        partial = nil
        var message = begun.message
        message.payload = payload
        if begun.headersSizeBytes > 0 { message.headers = try NATSHeaders(parsing: headers) }
        return message
    }
}

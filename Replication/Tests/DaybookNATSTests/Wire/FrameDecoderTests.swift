import NIOCore
import NIOEmbedded
import Testing

@testable import DaybookNATS

@Suite struct FrameDecoderTests {
    /// One frame of each kind, and a second message without headers and reply.
    static let stream = """
        INFO {"server_id":"S","version":"2.12.8","max_payload":1048576,"headers":true,"new":[1]}\r
        +OK\r
        PING\r
        MSG foo.bar 9 reply.to 5\r
        hello\r
        HMSG foo 10 23 28\r
        NATS/1.0\r
        Name: one\r
        \r
        world\r
        MSG a 7 0\r
        \r
        -ERR 'Unknown Protocol Operation'\r
        PONG\r

        """

    @Test func `each kind of frame is decoded`() throws {
        let frames = try Self.decode([Self.stream])
        #expect(frames.count == 8)
        guard case .info(let info, let trailing) = frames[0] else {
            Issue.record("The first frame is not INFO.")
            return
        }
        #expect(info.id == "S" && info.name == "S" && info.version == "2.12.8")
        #expect(info.payloadSizeBytesMax == 1_048_576 && info.supportsHeaders)
        let firstLine = try #require(Self.stream.utf8.firstIndex(of: 0x0A))
        let rest = Self.stream.utf8.distance(from: firstLine, to: Self.stream.utf8.endIndex) - 1
        #expect(trailing == rest)
        var headers = NATSHeaders()
        try headers.append("Name", "one")
        #expect(
            Array(frames[1...]) == [
                .ok, .ping,
                .message(
                    NATSInboundMessage(
                        subscriptionId: 9, subject: "foo.bar", replyTo: "reply.to",
                        headers: NATSHeaders(), payload: ByteBuffer(string: "hello"))),
                .message(
                    NATSInboundMessage(
                        subscriptionId: 10, subject: "foo", replyTo: nil, headers: headers,
                        payload: ByteBuffer(string: "world"))),
                .message(
                    NATSInboundMessage(
                        subscriptionId: 7, subject: "a", replyTo: nil, headers: NATSHeaders(),
                        payload: ByteBuffer())),
                .error("Unknown Protocol Operation"), .pong,
            ])
    }

    @Test func `two parts give the same frames, wherever the stream is split`() throws {
        let whole = try Self.decode([Self.stream]).map(Self.withoutTrailing)
        let bytes = Array(Self.stream.utf8)
        for split in 0...bytes.count {
            let parts = [bytes[..<split], bytes[split...]].map {
                String(decoding: $0, as: UTF8.self)
            }
            #expect(try Self.decode(parts).map(Self.withoutTrailing) == whole, "split at \(split)")
        }
    }

    @Test func `single bytes give the same frames`() throws {
        let whole = try Self.decode([Self.stream]).map(Self.withoutTrailing)
        let parts = Self.stream.utf8.map { String(decoding: [$0], as: UTF8.self) }
        #expect(try Self.decode(parts).map(Self.withoutTrailing) == whole)
    }

    @Test func `a truncated stream gives the whole frames only`() throws {
        let whole = try Self.decode([Self.stream]).map(Self.withoutTrailing)
        let bytes = Array(Self.stream.utf8)
        for count in 0..<bytes.count {
            let part = String(decoding: bytes[..<count], as: UTF8.self)
            let frames = try Self.decode([part]).map(Self.withoutTrailing)
            #expect(frames.count < whole.count)
            #expect(frames == Array(whole[..<frames.count]))
        }
    }

    @Test(arguments: [
        "GARBAGE\r\n", "\r\n", "HTTP/1.1 400 Bad Request\r\n", "PING\n", "\u{0}\u{1}\u{2}\n",
        "MSG\r\n", "MSG a\r\n", "MSG a 1\r\n", "MSG a 1 r x 5\r\n", "MSG a 1 -1\r\n",
        "MSG a 1 +1\r\n", "MSG a -1 1\r\n", "MSG a x 1\r\n", "MSG a 1 1x\r\n",
        "MSG a 1 99999999999999999999999\r\n", "MSG a 1 9223372036854775807\r\n",
        "MSG a 99999999999999999999999 1\r\n", "MSG a 1 999999999\r\n", "MSG a 1 67108865\r\n",
        "HMSG a 1 5\r\n", "HMSG a 1 6 5\r\n", "HMSG a 1 -1 5\r\n", "HMSG a 1 200000 200001\r\n",
        "HMSG a 1 999999999999999999999 999999999999999999999\r\n", "MSG a 1 2\r\nabc\r\n",
        "MSG a 1 2\r\nab\nc", "HMSG a 1 12 12\r\nNATS/2.0\r\n\r\n\r\n",
        "HMSG a 1 10 10\r\nNATS/1.0\r\n\r\n", "HMSG a 1 16 16\r\nNATS/1.0\r\nAB\r\n\r\n\r\n",
        "HMSG a 1 17 17\r\nNATS/1.0\r\n:AB\r\n\r\n\r\n",
        "HMSG a 1 16 16\r\nNATS/1.0 abc\r\n\r\n\r\n",
        "HMSG a 1 2 2\r\n\r\n\r\n", "INFO\r\n", "INFO {\r\n", "INFO []\r\n",
        "INFO {\"max_payload\":\"x\"}\r\n", "INFO {\"max_payload\":99999999999999999999}\r\n",
    ])
    func `malformed input is a typed error`(text: String) {
        let error = #expect(throws: NATSError.self) { try Self.decode([text]) }
        #expect(error?.code == .malformedInput)
        #expect(error?.message.isEmpty == false)
    }

    @Test func `a line without an end is refused at the limit`() throws {
        let limit = WireLimits.controlLineBytesMax
        #expect(try Self.decode([String(repeating: "M", count: limit)]) == [])
        #expect(throws: NATSError.self) {
            try Self.decode([String(repeating: "M", count: limit + 1)])
        }
        let info = WireLimits.infoLineBytesMax
        #expect(try Self.decode(["I" + String(repeating: "x", count: info - 1)]) == [])
        #expect(throws: NATSError.self) {
            try Self.decode(["I" + String(repeating: "x", count: info)])
        }
    }

    @Test func `a subscription may have each number`() throws {
        let frames = try Self.decode(["MSG a \(UInt64.max) 1\r\nx\r\n"])
        guard case .message(let message)? = frames.first else {
            Issue.record("There is no message.")
            return
        }
        #expect(message.subscriptionId == .max)
        for id in ["18446744073709551616", "+1", "-1", "1a"] {
            #expect(throws: NATSError.self) { try Self.decode(["MSG a \(id) 1\r\nx\r\n"]) }
        }
    }

    @Test func `a stored message may be larger than the server permits now`() throws {
        let payload = String(repeating: "x", count: 2_000_000)
        let frames = try Self.decode([
            "INFO {\"max_payload\":1000}\r\n", "MSG a 1 2000000\r\n\(payload)\r\n",
        ])
        #expect(frames.count == 2)
    }

    @Test func `a payload may be as long as the server permits`() throws {
        let info = "INFO {\"max_payload\":2000000}\r\n"
        let payload = String(repeating: "x", count: 2_000_000)
        let frames = try Self.decode([info, "MSG a 1 2000000\r\n\(payload)\r\n"])
        #expect(frames.count == 2)
        // No server makes the client accept more than its own limit.
        let huge = "INFO {\"max_payload\":999999999}\r\n"
        #expect(throws: NATSError.self) { try Self.decode([huge, "MSG a 1 67108865\r\n"]) }
        #expect(try Self.decode([huge, "MSG a 1 67108864\r\n"]).count == 1)
        // A negative limit does not count.
        #expect(try Self.decode(["INFO {\"max_payload\":-5}\r\n", "MSG a 1 9\r\n"]).count == 1)
    }

    @Test func `random damage of a stream never traps`() throws {
        var generator = SystemRandomNumberGenerator()
        var failureCount = 0
        for _ in 0..<3000 {
            var bytes = Array(Self.stream.utf8)
            var changes: [(Int, UInt8)] = []
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                let value = UInt8.random(in: 0...255, using: &generator)
                bytes[place] = value
                changes.append((place, value))
            }
            var decoder = NATSFrameDecoder()
            var buffer = ByteBuffer(bytes: bytes)
            do throws(NATSError) {
                while try decoder.next(in: &buffer) != nil {}
            } catch {
                failureCount += 1
                #expect(error.code == .malformedInput, "changes \(changes)")
            }
        }
        #expect(failureCount > 0)
    }

    @Test func `an error closes the decoder in a channel`() throws {
        let channel = EmbeddedChannel(handler: ByteToMessageHandler(NATSFrameDecoder()))
        try channel.writeInbound(ByteBuffer(string: "PING\r\nMSG a 1 3\r\nab"))
        #expect(try channel.readInbound(as: NATSFrame.self) == .ping)
        #expect(try channel.readInbound(as: NATSFrame.self) == nil)
        try channel.writeInbound(ByteBuffer(string: "c\r\n"))
        #expect(try channel.readInbound(as: NATSFrame.self) != nil)
        #expect(throws: NATSError.self) {
            try channel.writeInbound(ByteBuffer(string: "NONSENSE\r\n"))
        }
        _ = try? channel.finish()
    }

    /// The frames of a stream that arrives in parts.
    static func decode(_ parts: [String]) throws(NATSError) -> [NATSFrame] {
        var decoder = NATSFrameDecoder()
        var buffer = ByteBuffer()
        var frames: [NATSFrame] = []
        for part in parts {
            buffer.writeString(part)
            while let frame = try decoder.next(in: &buffer) { frames.append(frame) }
        }
        return frames
    }

    /// The frame without the count that depends on the parts.
    private static func withoutTrailing(_ frame: NATSFrame) -> NATSFrame {
        if case .info(let info, _) = frame { return .info(info, trailingByteCount: 0) }
        return frame
    }
}

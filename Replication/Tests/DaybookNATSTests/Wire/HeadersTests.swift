import NIOCore
import Testing

@testable import DaybookNATS

@Suite struct HeadersTests {
    @Test func `fields keep their order and case`() throws {
        var headers = NATSHeaders()
        try headers.append("Zeta", "1")
        try headers.append("alpha", "2")
        try headers.append("Zeta", "3")
        #expect(headers.all.map(\.name) == ["Zeta", "alpha", "Zeta"])
        #expect(headers["zETA"] == "1")
        #expect(headers.values(of: "ZETA") == ["1", "3"])
        #expect(headers["beta"] == nil && headers.values(of: "beta") == [])
        try headers.set("ZETA", "4")
        #expect(headers.all.map(\.name) == ["alpha", "ZETA"])
        headers.remove("Alpha")
        #expect(headers.count == 1 && !headers.isEmpty)
        #expect(headers.description == "ZETA: 4")
    }

    @Test(arguments: ["", "a b", "a:b", "a\r", "a\nb", "ä", "a\u{0}", "a\tb"])
    func `a name that breaks the protocol is refused`(name: String) {
        var headers = NATSHeaders()
        let error = #expect(throws: NATSError.self) { try headers.append(name, "value") }
        #expect(error?.code == .invalidHeader)
        #expect(headers.isEmpty)
    }

    @Test(arguments: ["a\r\nb", "a\r", "a\n", "\u{0}", " a", "a ", "\ta"])
    func `a value that breaks the protocol is refused`(value: String) throws {
        var headers = NATSHeaders()
        let error = #expect(throws: NATSError.self) { try headers.append("Name", value) }
        #expect(error?.code == .invalidHeader)
        #expect(throws: NATSError.self) { try headers.set("Name", value) }
        #expect(headers.isEmpty)
    }

    @Test func `written headers are parsed to the same headers`() throws {
        var headers = NATSHeaders()
        try headers.append("Nats-Msg-Id", "sha: 256, \"ü\" 日本")
        try headers.append("empty", "")
        try headers.append("Nats-Msg-Id", "two")
        var block = ByteBuffer()
        headers.write(to: &block)
        #expect(try NATSHeaders(parsing: block) == headers)
    }

    @Test func `a status line is parsed`() throws {
        let block = ByteBuffer(string: "NATS/1.0 404 No Messages\r\nNats-Pending:  5 \r\n\r\n")
        let headers = try NATSHeaders(parsing: block)
        #expect(headers.status == 404)
        #expect(headers.statusText == "No Messages")
        #expect(headers["Nats-Pending"] == "5")
        let short = try NATSHeaders(parsing: ByteBuffer(string: "NATS/1.0 503\r\n\r\n"))
        #expect(short.status == 503 && short.statusText == nil && short.count == 0)
    }

    @Test func `the last field of a name is removed`() throws {
        var headers = NATSHeaders()
        try headers.append("a", "1")
        try headers.append("A", "2")
        #expect(headers.removeLast("a") == "2")
        #expect(headers.removeLast("a") == "1")
        #expect(headers.removeLast("a") == nil)
    }

    @Test func `the header that stops streams is never sent`() throws {
        var headers = NATSHeaders()
        try headers.append("nats-expected-last-msg-id", "x")
        let error = #expect(throws: NATSError.self) {
            try NATSCommand.publishHead("a", replyTo: nil, headers: headers, payloadSizeBytes: 0)
        }
        #expect(error?.code == .invalidHeader)
    }

    @Test func `a message is written with its lengths`() throws {
        var headers = NATSHeaders()
        #expect(
            String(
                buffer: try NATSCommand.publishHead(
                    "a.b", replyTo: "r", headers: headers, payloadSizeBytes: 5))
                == "PUB a.b r 5\r\n")
        try headers.append("A", "b")
        #expect(
            String(
                buffer: try NATSCommand.publishHead(
                    "a.b", replyTo: nil, headers: headers, payloadSizeBytes: 5))
                == "HPUB a.b 18 23\r\nNATS/1.0\r\nA: b\r\n\r\n")
        try headers.append("B", String(repeating: "x", count: WireLimits.headersBytesMax))
        #expect(throws: NATSError.self) {
            try NATSCommand.publishHead("a", replyTo: nil, headers: headers, payloadSizeBytes: 0)
        }
    }
}

import ReplicationTestSupport
import Testing

@testable import DaybookNATS

@Suite struct AddressTests {
    @Test func `addresses are parsed`() throws {
        #expect(
            try NATSAddress("nats://a.example:4333") == NATSAddress(host: "a.example", port: 4333))
        #expect(try NATSAddress("a") == NATSAddress(host: "a"))
        #expect(try NATSAddress("a:1") == NATSAddress(host: "a", port: 1))
        #expect(try NATSAddress("NATS://a/") == NATSAddress(host: "a"))
        #expect(
            try NATSAddress("tls://10.0.0.1:65535")
                == NATSAddress(host: "10.0.0.1", port: 65535, requiresTLS: true))
        #expect(try NATSAddress("nats://[::1]:4222") == NATSAddress(host: "::1"))
        #expect(try NATSAddress("[fe80::1]") == NATSAddress(host: "fe80::1"))
    }

    @Test(arguments: ["nats://a:4222", "tls://b:1", "nats://[::1]:5"])
    func `a description is parsed to the same address`(url: String) throws {
        #expect(try NATSAddress(url).description == url)
    }

    @Test(arguments: [
        "", "nats://", "http://a", "://a", "a:", "a:0", "a:65536", "a:-1", "a:x", "a:99999999999",
        "[::1", "[::1]x", "[::1]:", "a b", "a/b", "nats://a:4222/path", "::1", "a\r\n", "ä",
    ])
    func `another text is not an address`(url: String) {
        let error = #expect(throws: NATSError.self) { try NATSAddress(url) }
        #expect(error?.code == .invalidArgument)
    }

    @Test func `a password in an address is refused and not repeated`() {
        let error = #expect(throws: NATSError.self) { try NATSAddress("nats://me:secret@a:4222") }
        #expect(error?.code == .invalidArgument)
        #expect(error.map { "\($0)".contains("secret") } == false)
    }

    @Test func `options outside their range are refused`() async throws {
        #expect(try NATSOptions(servers: ["a", "tls://b"]).servers.count == 2)
        #expect(throws: NATSError.self) { try NATSOptions(servers: ["a b"]) }
        var wrong = try NATSOptions(servers: ["a"])
        wrong.pingInterval = .zero
        var long = try NATSOptions(servers: ["a"])
        long.reconnectDelay = .seconds(1) ... .seconds(Int64.max)
        for options in [NATSOptions(servers: [NATSAddress]()), wrong, long] {
            let error = await #expect(throws: NATSError.self) {
                try await NATSConnection.connect(options)
            }
            #expect(error?.code == .invalidArgument)
        }
    }

    @Test(arguments: [("a", 0), ("a", -1), ("a", 65536), ("127.0.0.1", .max), ("", 4222)])
    func `an address outside its range is refused`(host: String, port: Int) async {
        let options = NATSOptions(servers: [NATSAddress(host: host, port: port)])
        let error = await failure { _ = try await NATSConnection.connect(options) }
        #expect(error?.code == .invalidArgument)
    }
}

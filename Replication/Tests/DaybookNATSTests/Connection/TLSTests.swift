import DaybookNATS
import Foundation
import NIOCore
import ReplicationTestSupport
import Testing

extension ServerTests {
    @Suite struct TLSTests {
        @Test func `a server with a certificate of a trusted authority is accepted`() async throws {
            try await Self.withCertificates { directory in
                try await TestServer.with(lines: [Self.tls(directory)]) { server in
                    for address in [server.url, "tls://localhost:\(server.port)"] {
                        var options = try NATSOptions(servers: [address])
                        options.tls.trustRoots = .file(path: directory.file("ca.pem"))
                        let connection = try await server.connect(options)
                        #expect(connection.serverInfo.requiresTLS)
                        let subscription = try await connection.subscribe(to: "a")
                        let payload = ByteBuffer(repeating: 5, count: 500_000)
                        try await connection.publish(payload, to: "a")
                        var messages = subscription.makeAsyncIterator()
                        #expect(try await messages.next()?.payload == payload)
                        await connection.close()
                    }
                }
            }
        }

        @Test func `an unknown authority and a wrong name are typed errors`() async throws {
            try await Self.withCertificates { directory in
                try await TestServer.with(lines: [Self.tls(directory)]) { server in
                    var options = try server.options()
                    let right = try String(
                        contentsOfFile: directory.file("ca.pem"), encoding: .utf8)
                    options.tls.trustRoots = .pem(right)
                    await (try server.connect(options)).close()
                    options.tls.trustRoots = .file(path: directory.file("other.pem"))
                    let unknown = await failure { _ = try await NATSConnection.connect(options) }
                    #expect(unknown?.code == .tlsFailed)
                    options.tls.trustRoots = .system
                    let system = await failure { _ = try await NATSConnection.connect(options) }
                    #expect(system?.code == .tlsFailed)
                    options.tls.trustRoots = .pem(right)
                    // The certificate has no such address.
                    options.servers = [NATSAddress(host: "127.0.0.2", port: server.port)]
                    let other = await failure { _ = try await NATSConnection.connect(options) }
                    #expect([.tlsFailed, .connectionFailed].contains(other?.code))
                    options.tls.trustRoots = .file(path: directory.file("missing.pem"))
                    options.servers = try server.options().servers
                    let missing = await failure { _ = try await NATSConnection.connect(options) }
                    #expect(missing?.code == .tlsFailed)
                }
            }
        }

        @Test func `a server that verifies clients needs a client certificate`() async throws {
            try await Self.withCertificates { directory in
                let lines = [Self.tls(directory, verifies: true)]
                try await TestServer.with(lines: lines) { server in
                    var options = try server.options()
                    options.tls.trustRoots = .file(path: directory.file("ca.pem"))
                    options.tls.clientCertificate = NATSTLS.ClientCertificate(
                        certificatePath: directory.file("client.pem"),
                        privateKeyPath: directory.file("client.key"))
                    let connection = try await server.connect(options)
                    try await connection.flush()
                    await connection.close()
                    options.tls.clientCertificate = nil
                    let error = await failure { _ = try await NATSConnection.connect(options) }
                    #expect([.tlsFailed, .connectionFailed].contains(error?.code))
                }
            }
        }

        @Test func `a server without TLS is refused if TLS is required`() async throws {
            try await TestServer.with { server in
                await (try server.connect()).close()
                let options = try NATSOptions(servers: ["tls://127.0.0.1:\(server.port)"])
                let error = await failure { _ = try await NATSConnection.connect(options) }
                #expect(error?.code == .tlsFailed)
            }
        }

        private static func tls(_ directory: TestDirectory, verifies: Bool = false) -> String {
            """
            tls { cert_file: "\(directory.file("server.pem"))"
              key_file: "\(directory.file("server.key"))"
              ca_file: "\(directory.file("ca.pem"))"
              verify: \(verifies) }
            """
        }

        /// Makes two authorities, and certificates of a server and a client with openssl.
        private static func withCertificates(
            _ body: (TestDirectory) async throws -> Void
        ) async throws {
            try await TestDirectory.with { directory in
                let path = "/usr/bin/openssl"
                for name in ["ca", "other"] {
                    try Program.run(
                        path,
                        [
                            "req", "-x509", "-newkey", "ec", "-pkeyopt",
                            "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
                            "/CN=\(name)", "-keyout", directory.file("\(name).key"), "-out",
                            directory.file("\(name).pem"),
                        ])
                }
                for name in ["server", "client"] {
                    let extensions = try directory.write(
                        "subjectAltName=DNS:localhost,IP:127.0.0.1\n", to: "\(name).ext")
                    try Program.run(
                        path,
                        [
                            "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                            "-nodes", "-subj", "/CN=\(name)", "-keyout",
                            directory.file("\(name).key"), "-out", directory.file("\(name).csr"),
                        ])
                    try Program.run(
                        path,
                        [
                            "x509", "-req", "-in", directory.file("\(name).csr"), "-CA",
                            directory.file("ca.pem"), "-CAkey", directory.file("ca.key"),
                            "-CAcreateserial", "-days", "2", "-extfile", extensions, "-out",
                            directory.file("\(name).pem"),
                        ])
                }
                try await body(directory)
            }
        }
    }
}

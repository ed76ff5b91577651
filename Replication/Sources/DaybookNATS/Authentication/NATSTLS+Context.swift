internal import NIOSSL

extension NATSTLS {
    /// Returns the context of all connections. Throws `.tlsFailed` for a file that cannot be read.
    /// Costs some milliseconds, because it parses certificates.
    func context() throws(NATSError) -> NIOSSLContext {
        do {
            var configuration = TLSConfiguration.makeClientConfiguration()
            switch trustRoots {
            case .system: configuration.trustRoots = .default
            case .file(let path):
                configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(path))
            case .pem(let text):
                configuration.trustRoots = .certificates(
                    try NIOSSLCertificate.fromPEMBytes(Array(text.utf8)))
            }
            if let clientCertificate {
                configuration.certificateChain = try NIOSSLCertificate.fromPEMFile(
                    clientCertificate.certificatePath
                ).map { .certificate($0) }
                configuration.privateKey = .privateKey(
                    try NIOSSLPrivateKey(file: clientCertificate.privateKeyPath, format: .pem))
            }
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw NATSError(
                .tlsFailed,
                "A certificate or key of the TLS options cannot be read. Check that the files exist"
                    + " and contain PEM.", cause: error)
        }
    }

    /// The error of a TLS handshake or stream.
    static func failure(_ address: NATSAddress, _ cause: any Error) -> NATSError {
        NATSError(
            .tlsFailed,
            "TLS with \(address) failed. Check the trust roots, the host name in the server's"
                + " certificate, and the client's certificate.", cause: cause)
    }
}

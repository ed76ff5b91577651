/// How a client uses TLS.
public struct NATSTLS: Sendable {
    /// The certificate authorities that may sign a server's certificate.
    public enum TrustRoots: Sendable {
        /// The authorities of the operating system.
        case system
        /// The authorities in a PEM file.
        case file(path: String)
        /// The authorities in PEM text.
        case pem(String)
    }

    /// A certificate that the client shows to the server.
    public struct ClientCertificate: Sendable {
        /// The path of a PEM file with the certificate, followed by its chain.
        public var certificatePath: String
        /// The path of a PEM file with the private key.
        public var privateKeyPath: String

        /// Creates a client certificate from two files.
        public init(certificatePath: String, privateKeyPath: String) {
            self.certificatePath = certificatePath
            self.privateKeyPath = privateKeyPath
        }
    }

    /// The authorities that the client trusts. The default is those of the system.
    public var trustRoots: TrustRoots = .system
    /// The client's certificate; nil, the default, for none.
    public var clientCertificate: ClientCertificate?
    /// Whether the client refuses a server without TLS, whatever the scheme of its address. The
    /// default is false: `tls://` requires TLS, and with `nats://` the server decides.
    public var isRequired = false

    /// Creates the default configuration.
    public init() {}
}

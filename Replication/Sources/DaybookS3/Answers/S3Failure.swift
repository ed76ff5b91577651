/// A failure that a service describes with a status and, in most cases, a document.
struct S3Failure: Sendable {
    /// The status.
    let status: Int
    /// The name of the failure, such as `NoSuchKey`; nil without a document.
    let code: String?
    /// The text for people; nil without a document. It may repeat parts of the request.
    let message: String?
    /// The region of the bucket, if the service names it.
    let region: String?

    /// Creates a failure from a body, which may be anything.
    init(status: Int, body: [UInt8], region: String?) {
        self.init(status: status, document: Self.document(body), region: region)
    }

    /// Returns the failure in the answer of a success; nil if it is none.
    init?(late body: [UInt8], status: Int) {
        guard let document = Self.document(body) else { return nil }
        self.init(status: status, document: document, region: nil)
    }

    /// Returns the document of a failure; nil for another body.
    private static func document(_ body: [UInt8]) -> XMLNode? {
        (try? XMLNode.parse(body)).flatMap { $0.name == "Error" ? $0 : nil }
    }

    private init(status: Int, document: XMLNode?, region: String?) {
        self.status = status
        code = document?.text(of: "Code").flatMap { Self.isName($0) ? $0 : nil }
        message = document?.text(of: "Message")
        self.region = (region ?? document?.text(of: "Region")).flatMap {
            Self.isName($0) ? $0 : nil
        }
    }

    /// Whether another attempt may succeed.
    var isTransient: Bool {
        if isOutOfSpace { return false }
        if isConflict { return true }
        switch code {
        case "SlowDown", "InternalError", "RequestTimeout", "OperationAborted",
            "ServiceUnavailable":
            return true
        default: return [408, 429, 500, 502, 503, 504].contains(status)
        }
    }

    /// Whether another write of the key was in progress.
    var isConflict: Bool { code == "ConditionalRequestConflict" }

    /// Whether the service does not know an upload in parts.
    var isLostUpload: Bool { code == "NoSuchUpload" }

    /// Whether the condition of a request does not hold, because the key has an object.
    var isRefusedCondition: Bool { status == 412 || code == "PreconditionFailed" }

    /// Whether the service has no space left.
    var isOutOfSpace: Bool {
        status == 507 || code == "QuotaExceeded" || code == "XMinioStorageFull"
    }

    /// Whether the bucket is in another region or at another address.
    var isRedirect: Bool {
        (300..<400).contains(status) || code == "PermanentRedirect"
            || code == "AuthorizationHeaderMalformed" && region != nil
    }

    /// Returns whether a text is short and consists of the characters of names.
    private static func isName(_ text: String) -> Bool {
        let isPlain = text.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x30...0x39).contains(byte) || [0x2D, 0x2E, 0x5F].contains(byte)
        }
        return isPlain && (1...64).contains(text.utf8.count)
    }
}

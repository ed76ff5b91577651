internal import Foundation
internal import NIOCore

/// One request, which may take several attempts.
struct S3Request: Sendable {
    /// The methods that the module uses.
    enum Method: String, Sendable {
        case get = "GET"
        case put = "PUT"
        case post = "POST"
        case delete = "DELETE"
    }

    /// The hash of no bytes.
    private static let emptyHash = Hexadecimal.hash(Data())

    /// The method.
    let method: Method
    /// The verb for messages, such as `read`.
    let action: String
    /// The whole key; nil for the bucket.
    let key: String?
    /// The parameters.
    var query: [QueryItem] = []
    /// The headers that are specific to the request.
    var headers: [HeaderField] = []
    /// The limit of the answer.
    var answerSizeBytesMax = 1 << 20
    /// The limit of an answer that is a part of an object; nil if none is expected.
    var partialAnswerSizeBytesMax: Int?
    /// Whether an answer with the status 200 may contain an error.
    var mayFailLate = false
    /// Whether a conflict with another write ends the request, and another attempt is useless.
    var endsWithConflict = false
    /// The payload.
    private(set) var body: ByteBuffer?
    /// The hash of the payload in hexadecimal digits.
    private(set) var payloadHash = emptyHash

    /// Creates a request without a payload.
    init(_ method: Method, _ action: String, key: String?) {
        self.method = method
        self.action = action
        self.key = key
    }

    /// Sets the payload. Costs a copy and a hash of it.
    mutating func setBody(_ bytes: some DataProtocol) {
        body = ByteBuffer(bytes: bytes)
        payloadHash = Hexadecimal.hash(bytes)
    }
}

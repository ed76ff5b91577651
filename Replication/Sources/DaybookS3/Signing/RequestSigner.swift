internal import Crypto
internal import Foundation

/// Signs requests with version 4 of Amazon's signatures.
struct RequestSigner: Sendable {
    private static let algorithm = "AWS4-HMAC-SHA256"

    /// The credentials.
    let credentials: S3Credentials
    /// The region of the bucket.
    let region: String
    /// The time of the request. Services refuse one that differs by 15 minutes from theirs.
    let time: SigningTime

    /// Returns all headers of a request, with the time, the hash of the payload, the session token
    /// and the authorization. All headers are signed, so `headers` must have `host`, and nothing
    /// that a proxy changes.
    ///
    /// `path` and `query` are encoded. Costs some hashes of short texts.
    func sign(
        method: String, path: String, query: String, headers: [HeaderField], payloadHash: String
    ) -> [HeaderField] {
        var signed = headers
        signed.append(HeaderField("x-amz-content-sha256", payloadHash))
        signed.append(HeaderField("x-amz-date", time.text))
        if let token = credentials.sessionToken {
            signed.append(HeaderField("x-amz-security-token", token))
        }
        signed.sort { $0.name < $1.name }
        let names = signed.map(\.name).joined(separator: ";")
        let lines = signed.map { "\($0.name):\($0.value)\n" }.joined()
        let canonical = "\(method)\n\(path)\n\(query)\n\(lines)\n\(names)\n\(payloadHash)"
        let scope = "\(time.day)/\(region)/s3/aws4_request"
        let text =
            "\(Self.algorithm)\n\(time.text)\n\(scope)\n\(Hexadecimal.hash(Data(canonical.utf8)))"
        let signature = Hexadecimal.text(Self.code(text, key))
        let authorization =
            "\(Self.algorithm) Credential=\(credentials.accessKey)/\(scope), "
            + "SignedHeaders=\(names), Signature=\(signature)"
        return signed + [HeaderField("authorization", authorization)]
    }

    /// The key for the day, the region and the service.
    private var key: SymmetricKey {
        var key = SymmetricKey(data: Data("AWS4\(credentials.secretKey)".utf8))
        for text in [time.day, region, "s3", "aws4_request"] {
            key = SymmetricKey(data: Self.code(text, key))
        }
        return key
    }

    /// Returns the authentication code of a text.
    private static func code(
        _ text: String, _ key: SymmetricKey
    ) -> HMAC<SHA256>.MAC {
        HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key)
    }
}

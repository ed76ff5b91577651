import Crypto
import Foundation
import Testing

@testable import DaybookNATS

@Suite struct NKeyTests {
    /// A seed of the bytes 0 to 31. The Python package nkeys made it, with its key and signature.
    static let seed = "SUAAAAICAMCAKBQHBAEQUCYMBUHA6EARCIJRIFIWC4MBSGQ3DQOR4H776Y"
    static let publicKey = "UAB2CB576PHBBPQ5ODORRZ2LYCMWPZGWGCN2KDK7DXOIMZASKUY3RLKK"

    @Test func `a seed gives the key of another implementation`() throws {
        #expect(try NKey(seed: Self.seed).publicKey == Self.publicKey)
    }

    @Test func `a signature is one of the key`() throws {
        let key = try NKey(seed: Self.seed)
        let text = try key.signature(of: "nonce-0123456789")
        #expect(text.count == 86)
        // The library's signatures are not deterministic, so the signature is verified.
        let bytes = try #require(Base32.decode(Self.publicKey))
        let verifier = try Curve25519.Signing.PublicKey(rawRepresentation: bytes[1..<33])
        #expect(
            verifier.isValidSignature(try Self.data(text), for: Data("nonce-0123456789".utf8)))
        #expect(!verifier.isValidSignature(try Self.data(text), for: Data("other".utf8)))
    }

    @Test func `the signature of another implementation is one of the key`() throws {
        let text =
            "qgU0JwqSAeySQ-jDQqSGQmvdvJasPD2g_Lo_M0UK4LDll9YfL-1OuurnjzdvyEbOf1wlY5H_Y_3t-7DJBn34AQ"
        let bytes = try #require(Base32.decode(try NKey(seed: Self.seed).publicKey))
        let verifier = try Curve25519.Signing.PublicKey(rawRepresentation: bytes[1..<33])
        #expect(
            verifier.isValidSignature(try Self.data(text), for: Data("nonce-0123456789".utf8)))
    }

    @Test(arguments: [
        "", "SU", "not a seed", publicKey,
        "SUAAAAICAMCAKBQHBAEQUCYMBUHA6EARCIJRIFIWC4MBSGQ3DQOR4H776Z",
        "SUAAAAICAMCAKBQHBAEQUCYMBUHA6EARCIJRIFIWC4MBSGQ3DQOR4H776",
        "suaaaaicamcakbqhbaequcymbuha6earcijrifiwc4mbsgq3dqor4h776y",
    ])
    func `another text is not a seed`(text: String) {
        let error = #expect(throws: NATSError.self) { try NKey(seed: text) }
        #expect(error?.code == .invalidArgument)
        #expect(text.count < 10 || error.map { "\($0)".contains(text) } == false)
    }

    @Test func `base32 has an inverse`() {
        for count in 0..<40 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255) }
            #expect(Base32.decode(Base32.encode(bytes)) == bytes)
        }
        #expect(Base32.decode("A1") == nil)
    }

    @Test func `descriptions do not contain secrets`() {
        let secrets: [NATSAuthentication] = [
            .token("hidden"), .userAndPassword(user: "me", password: "hidden"),
            .nkey(seed: "hidden"),
        ]
        for secret in secrets {
            #expect(!"\(secret) \(String(reflecting: secret))".contains("hidden"))
        }
    }

    private static func data(_ text: String) throws -> Data {
        let usual = text.replacingOccurrences(of: "-", with: "+")
            .replacingOccurrences(of: "_", with: "/")
        return try #require(Data(base64Encoded: usual + "=="))
    }
}

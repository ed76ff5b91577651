internal import Crypto
internal import Foundation

/// A user's Ed25519 key in the text form of NATS.
///
/// A seed is base32 without padding: two bytes with the kinds "seed" and "user", the 32 bytes of
/// the private key, and a CRC-16. A public key has one byte with the kind, 32 bytes, and a CRC-16.
struct NKey: Sendable {
    /// The kind "seed" in the first five bits.
    private static let seedKind: UInt8 = 18 << 3
    /// The kind "user" in the first five bits.
    private static let userKind: UInt8 = 20 << 3

    private let key: Curve25519.Signing.PrivateKey

    /// The public key, a text that begins with `U`.
    let publicKey: String

    /// Reads a seed. Throws `.invalidArgument` for another text; the message does not contain the
    /// seed.
    init(seed: String) throws(NATSError) {
        guard let bytes = Base32.decode(seed), bytes.count == 36,
            Self.checksum(bytes.prefix(34)) == UInt16(bytes[34]) | UInt16(bytes[35]) << 8
        else {
            throw Self.invalid("is not base32 with a valid checksum")
        }
        let kind = (bytes[0] & 0x07) << 5 | (bytes[1] & 0xF8) >> 3
        guard bytes[0] & 0xF8 == Self.seedKind, kind == Self.userKind else {
            throw Self.invalid("is not the seed of a user")
        }
        do {
            key = try Curve25519.Signing.PrivateKey(rawRepresentation: bytes[2..<34])
        } catch {
            throw Self.invalid("is not a key")
        }
        var encoded = [Self.userKind] + key.publicKey.rawRepresentation
        let sum = Self.checksum(encoded[...])
        encoded += [UInt8(truncatingIfNeeded: sum), UInt8(truncatingIfNeeded: sum >> 8)]
        publicKey = Base32.encode(encoded)
    }

    /// Returns the signature of a text in base64 for addresses, without padding. Throws
    /// `.authenticationFailed` if the library fails.
    func signature(of nonce: String) throws(NATSError) -> String {
        do {
            return try key.signature(for: Data(nonce.utf8)).base64EncodedString()
                .replacingOccurrences(of: "+", with: "-")
                .replacingOccurrences(of: "/", with: "_")
                .replacingOccurrences(of: "=", with: "")
        } catch {
            throw NATSError(
                .authenticationFailed, "The nkey could not sign the server's text. Try again.",
                cause: error)
        }
    }

    private static func invalid(_ problem: String) -> NATSError {
        NATSError(
            .invalidArgument,
            "The nkey seed \(problem). Use a text that begins with SU, as made by a tool for nkeys."
        )
    }

    /// CRC-16 with the polynomial 0x1021 and the initial value 0.
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt16 {
        var sum: UInt16 = 0
        for byte in bytes {
            sum ^= UInt16(byte) << 8
            for _ in 0..<8 { sum = sum & 0x8000 == 0 ? sum << 1 : sum << 1 ^ 0x1021 }
        }
        return sum
    }
}

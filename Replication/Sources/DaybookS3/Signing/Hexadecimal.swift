internal import Crypto
internal import Foundation

/// Hashes in the text form of signatures.
enum Hexadecimal {
    private static let digits = Array("0123456789abcdef".utf8)

    /// Returns two lowercase digits for each byte.
    static func text(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        for byte in bytes { text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the SHA-256 of bytes.
    static func hash(_ bytes: some DataProtocol) -> String { text(SHA256.hash(data: bytes)) }
}

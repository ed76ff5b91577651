import Crypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The SHA-256 of bytes in an archive.
struct ArchiveHash: Sendable, Hashable {
    /// The 32 bytes.
    let bytes: [UInt8]

    static let length = 32
    /// Zeros: the predecessor of the first segment.
    static let none = ArchiveHash(Array(repeating: 0, count: length))

    /// Creates a hash of ``length`` bytes.
    init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    /// Hashes bytes.
    init(of bytes: some DataProtocol) { self.init(SHA256.hash(data: bytes)) }

    /// 64 hexadecimal digits.
    var text: String {
        bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}

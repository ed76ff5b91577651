@testable import DaybookNATS

/// Encodes private keys as seeds of users, which the client never does.
enum SeedEncoder {
    static func encode(_ key: [UInt8]) -> String {
        // The kind "seed" has five bits, and the kind "user" eight.
        let seedKind: UInt8 = 18 << 3
        let userKind: UInt8 = 20 << 3
        let bytes = [seedKind | userKind >> 5, (userKind & 31) << 3] + key
        var sum: UInt16 = 0
        for byte in bytes {
            sum ^= UInt16(byte) << 8
            for _ in 0..<8 { sum = sum & 0x8000 == 0 ? sum << 1 : sum << 1 ^ 0x1021 }
        }
        return Base32.encode(bytes + [UInt8(sum & 0xFF), UInt8(sum >> 8)])
    }
}

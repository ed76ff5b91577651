internal import Daybook

/// The rules for the name of a bucket.
enum BucketName {
    /// Throws `.invalidArgument` for a name that Amazon S3 does not allow.
    static func check(_ name: String) throws(DaybookError) {
        let bytes = Array(name.utf8)
        guard (3...63).contains(bytes.count),
            bytes.allSatisfy({ isAlphanumeric($0) || $0 == 0x2D || $0 == 0x2E }),
            let first = bytes.first, let last = bytes.last, isAlphanumeric(first),
            isAlphanumeric(last), !name.contains(".."), !isAddress(name)
        else {
            throw DaybookError(
                .invalidArgument,
                "The bucket name \"\(name)\" is not valid. Use 3 to 63 lowercase letters, digits,"
                    + " hyphens and single dots, with a letter or digit at both ends, and no IP"
                    + " address.", details: ["bucket": name])
        }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
    }

    /// Returns whether a name has the form of an IPv4 address.
    private static func isAddress(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
    }
}

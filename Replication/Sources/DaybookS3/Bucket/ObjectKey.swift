internal import Daybook

/// The rules for keys.
enum ObjectKey {
    /// The limit of a whole key, with the prefix of the location.
    private static let sizeBytesMax = 1024

    /// Throws `.invalidArgument` for a key that servers or clients would change or refuse: an empty
    /// or long one, control characters, and the segments "", "." and "..".
    static func check(_ key: String) throws(DaybookError) {
        // Bytes, because a slash and a combining character after it are one character.
        let segments = key.utf8.split(separator: 0x2F, omittingEmptySubsequences: false)
        let isPlain = key.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        guard isPlain, key.utf8.count <= sizeBytesMax,
            segments.allSatisfy({ $0.count > 2 || !$0.allSatisfy { $0 == 0x2E } })
        else {
            throw DaybookError(
                .invalidArgument,
                "The key \"\(key.prefix(200))\" is not valid. Use 1 to \(sizeBytesMax) bytes"
                    + " without control characters, and parts between slashes that are not empty,"
                    + " \".\" or \"..\".",
                details: ["key": key])
        }
    }
}

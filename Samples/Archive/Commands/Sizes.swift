/// Prints sizes.
enum Sizes {
    /// Formats a number of bytes in MiB with one decimal, or in KiB below one MiB.
    static func text(_ bytes: Int) -> String {
        if bytes < 1 << 20 { return "\((bytes + 512) / 1024) KiB" }
        let tenths = (bytes * 10 + (1 << 19)) >> 20
        return "\(tenths / 10).\(tenths % 10) MiB"
    }
}

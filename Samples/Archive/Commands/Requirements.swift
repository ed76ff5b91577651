/// Parses a field such as `Depends`: a list of required packages, each with alternatives.
///
/// `libc6 (>= 2.34), debconf | debconf-2.0, perl:any` requires three packages. Versions and
/// architectures are ignored.
enum Requirements {
    /// Returns the names of the alternatives for each required package.
    static func read(_ text: String) -> [[String]] {
        text.utf8.split(separator: UInt8(ascii: ",")).map { names(in: $0, UInt8(ascii: "|")) }
    }

    /// Returns the names of a list such as `Provides`.
    static func names(_ text: String) -> [String] { names(in: text.utf8[...], UInt8(ascii: ",")) }

    private static func names(in text: Substring.UTF8View, _ separator: UInt8) -> [String] {
        text.split(separator: separator).compactMap { part in
            let name = part.drop(while: isBlank).prefix { byte in
                !isBlank(byte) && byte != UInt8(ascii: "(") && byte != UInt8(ascii: ":")
            }
            return name.isEmpty ? nil : String(Substring(name))
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\t")
    }
}

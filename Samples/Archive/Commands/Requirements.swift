/// What a field such as `Depends` asks for: a list of packages, each with alternatives to it.
///
/// `libc6 (>= 2.34), debconf | debconf-2.0, perl:any` asks for three. Versions and architectures
/// are left out: this is about which packages, not which of their versions.
enum Requirements {
    /// The names of the alternatives, for each package that is asked for.
    static func read(_ text: String) -> [[String]] {
        text.utf8.split(separator: UInt8(ascii: ",")).map { names(in: $0, UInt8(ascii: "|")) }
    }

    /// The names of a list, such as the one of `Provides`.
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

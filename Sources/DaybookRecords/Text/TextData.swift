/// Unicode data in readable form, the source of ``TextTables``.
///
/// Frozen: indexes contain texts and words that were folded with it. Later Unicode versions do not
/// change it. A scalar that Unicode 14 does not define is no letter, and has no lower-case form and
/// no diacritics.
enum TextData {
    /// Scalars with a common property.
    struct Run {
        var scalars: StrideThrough<UInt32>
        /// The number to add to each scalar, with overflow.
        var change: UInt32 = 0
    }

    /// Parses a list such as `41-5a:+20 b5 100-12e/2`. The lists are constants, so they are
    /// well-formed.
    static func runs(of text: String) -> [Run] {
        text.split(whereSeparator: { $0 == " " || $0.isNewline }).map { item in
            let parts = item.split(separator: ":")
            let steps = parts[0].split(separator: "/")
            let ends = steps[0].split(separator: "-").map(number)
            let scalars = stride(
                from: ends[0], through: ends[ends.count - 1], by: steps.count > 1 ? 2 : 1)
            guard parts.count > 1 else { return Run(scalars: scalars) }
            let change = number(parts[1].dropFirst())
            return Run(scalars: scalars, change: parts[1].first == "-" ? 0 &- change : change)
        }
    }

    static func number(_ hexadecimal: Substring) -> UInt32 { UInt32(hexadecimal, radix: 16) ?? 0 }
}

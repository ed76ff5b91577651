/// What is known of scalars, as people can read it: ``TextTables`` is made of it.
///
/// Frozen: indexes hold texts that were folded by it, and words. A later Unicode changes nothing
/// here, and a scalar that Unicode 14 did not have is no letter, has no small form and no marks.
enum TextData {
    /// Some scalars that have something in common.
    struct Run {
        var scalars: StrideThrough<UInt32>
        /// What is to be added, with overflow, to each.
        var change: UInt32 = 0
    }

    /// Reads a list such as `41-5a:+20 b5 100-12e/2`. It is one of ours, so it is well-formed.
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

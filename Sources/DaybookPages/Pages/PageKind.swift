/// The kind of a page's content. The numbers are part of the snapshot format: never renumber.
enum PageKind: UInt8 {
    /// The page is free.
    case free = 0
    /// A page of a map from words to two words.
    case words = 1
    /// A page of a set of pairs.
    case pairs = 2
    /// A page of a map from byte strings to words.
    case bytes = 3
    /// A part of a key that is too long for a cell.
    case overflow = 4

    /// The first two bytes of a page of this kind at `level`, as one number for a single
    /// comparison.
    @inline(__always)
    func tag(level: Int) -> UInt16 { UInt16(rawValue) | UInt16(truncatingIfNeeded: level) << 8 }
}

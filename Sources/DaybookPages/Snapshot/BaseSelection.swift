/// Decides of which older files a new snapshot continues to use groups. The groups of the others
/// are copied into the new file.
///
/// Each used file is at least twice as long as every newer one, so the number of files is
/// logarithmic, and each group is copied a logarithmic number of times. At least half of the groups
/// of each used file, by length, are in use.
struct BaseSelection {
    /// The maximum number of files that a snapshot uses besides its own.
    static let countMax = 16

    /// Whether the groups of each file stay where they are, by index.
    private(set) var isUsed: [Bool]

    /// - Parameters:
    ///   - lengths: the lengths of the files.
    ///   - liveLengths: the lengths of the groups in each file that the snapshot contains.
    ///   - newLength: the length of the new file without groups of these files.
    ///   - minimum: the minimum length of a used file. Copying a shorter one costs less than
    ///     another open file.
    init(lengths: [Int], liveLengths: [Int], newLength: Int, minimum: Int) {
        isUsed = lengths.indices.map { index in
            lengths[index] >= minimum && liveLengths[index] >= (lengths[index] + 1) / 2
        }
        var length = newLength
        for index in lengths.indices where !isUsed[index] { length += liveLengths[index] }
        // The shortest files first.
        var rest = lengths.indices.filter { isUsed[$0] }.sorted { lengths[$0] > lengths[$1] }
        while let shortest = rest.last,
            rest.count > Self.countMax || lengths[shortest] / 2 < length
        {
            isUsed[shortest] = false
            length += liveLengths[shortest]
            rest.removeLast()
        }
    }
}

/// The keys of the objects in an archive.
enum ArchiveKey {
    /// The description of the archive.
    static let description = "archive.json"
    /// The prefix of the segments of the log.
    static let segments = "log/"
    /// The prefix of the marks of purges.
    static let beginnings = "begin/"
    /// The prefix of the descriptions of the bases.
    static let bases = "bases/"
    /// The prefix of the files of the bases.
    static let files = "files/"

    /// The key of the segment that begins with a sequence.
    static func segment(_ firstSequence: UInt64) -> String { segments + digits(firstSequence) }

    /// The key of the description of a base.
    static func base(_ name: String) -> String { bases + name }

    /// The key of a file of a base.
    static func file(_ path: String, of base: String) -> String { files + base + "/" + path }

    /// The key of the mark that the log begins at a sequence.
    static func beginning(_ sequence: UInt64) -> String { beginnings + digits(sequence) }

    /// The sequence in a key with a prefix; nil for another key.
    static func sequence(in key: String, after prefix: String) -> UInt64? {
        guard key.hasPrefix(prefix) else { return nil }
        let text = key.dropFirst(prefix.count)
        guard text.utf8.count == digitCount else { return nil }
        return UInt64(text)
    }

    /// The first sequence of a segment; nil if the key is none of a segment.
    static func firstSequence(ofSegment key: String) -> UInt64? {
        sequence(in: key, after: segments)
    }

    /// A name of a new base at a sequence. Names ascend with the sequence, and then with the time
    /// of the base.
    static func baseName(_ sequence: UInt64, timeMicroseconds: UInt64) -> String {
        let number = String(UInt32.random(in: .min ... .max), radix: 16)
        return [
            digits(sequence), digits(timeMicroseconds),
            String(repeating: "0", count: 8 - number.count) + number,
        ].joined(separator: "-")
    }

    /// The sequence in the name of a base; nil if it is no such name.
    static func sequence(ofBase name: some StringProtocol) -> UInt64? {
        let parts = name.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].utf8.count == digitCount else { return nil }
        return UInt64(parts[0])
    }

    /// The time at which a base was added, in microseconds since 1970; nil for another name.
    static func time(ofBase name: some StringProtocol) -> UInt64? {
        guard sequence(ofBase: name) != nil else { return nil }
        return UInt64(name.split(separator: "-")[1])
    }

    private static let digitCount = 20

    /// All sequences have the same length, so that the order of the keys is that of the sequences.
    private static func digits(_ sequence: UInt64) -> String {
        let text = String(sequence)
        return String(repeating: "0", count: digitCount - text.utf8.count) + text
    }
}

/// What went wrong in the sample itself, in words for the person at the terminal.
struct ArchiveError: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}

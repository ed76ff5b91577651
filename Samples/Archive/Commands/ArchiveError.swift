/// An error of the sample itself, with a message for the user.
struct ArchiveError: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}

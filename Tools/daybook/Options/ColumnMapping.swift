/// A value of `--map`.
struct ColumnMapping: Equatable {
    var column: String
    var property: String

    /// Parses `column=property`; only the last '=' ends the column. Throws an ``ArgumentProblem``
    /// with the expected format.
    static func parse(argument text: String) throws -> ColumnMapping {
        guard let mark = text.lastIndex(of: "="), mark > text.startIndex else {
            throw ArgumentProblem("give a column and a property, as in e-mail=email")
        }
        return ColumnMapping(
            column: String(text[..<mark]), property: String(text[text.index(after: mark)...]))
    }
}

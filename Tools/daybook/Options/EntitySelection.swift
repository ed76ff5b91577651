/// The value of `--entity`: a name, optionally followed by a colon and an id.
struct EntitySelection: Equatable {
    var name: String
    var id: UInt64?

    /// Throws an ``ArgumentProblem`` with the expected format.
    static func parse(argument text: String) throws -> EntitySelection {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let id = parts.count == 2 ? UInt64(parts[1]) : nil
        guard let name = parts.first, !name.isEmpty, parts.count == 1 || id.map({ $0 > 0 }) == true
        else {
            throw ArgumentProblem("give an entity, as in Customer, or one object, as in Customer:7")
        }
        return EntitySelection(name: String(name), id: id)
    }
}

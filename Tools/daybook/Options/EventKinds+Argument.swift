import DaybookEngine

extension Set<EventKind> {
    /// Parses a list such as `put,remove`. Throws an ``ArgumentProblem`` with the expected format.
    static func parse(argument text: String) throws -> Set<EventKind> {
        var kinds: Set<EventKind> = []
        for name in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let kind = EventKind(rawValue: String(name)) else {
                throw ArgumentProblem(
                    "give a list of put, remove, event, link and unlink, as in put,remove")
            }
            kinds.insert(kind)
        }
        return kinds
    }
}

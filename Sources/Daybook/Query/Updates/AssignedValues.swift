import DaybookBytes
import DaybookQuery

/// The new values of properties in an update.
struct AssignedValues: Sendable {
    struct Assignment: Sendable {
        let path: PropertyPath
        var value: QueryExpression
        /// Whether nothing is set in an object without one of the embedded values of the path.
        var isConditional: Bool
    }

    /// In the order of the first assignments. Parts of a value follow the whole value.
    private(set) var all: [Assignment] = []

    mutating func set(_ path: PropertyPath, to value: QueryExpression, isConditional: Bool) {
        // The whole value replaces the assignments to its members.
        all.removeAll { path.contains($0.path) }
        if let known = all.firstIndex(where: { $0.path == path }) {
            all[known].value = value
        } else {
            all.append(Assignment(path: path, value: value, isConditional: isConditional))
        }
    }

    /// Returns the term of a property with the value that it has after the assignments. A term that
    /// cannot be calculated is invalid.
    ///
    /// - Parameter isForItself: Whether the property is set to the calculation with the term, as by
    ///   `+=`. Both are without effect in an object without the embedded value.
    func current(_ term: PropertyTerm, isForItself: Bool = false) -> PropertyTerm {
        guard case .property(let path) = term.expression, term.failure == nil else { return term }
        let own = all.first { $0.path == path }
        let whole = all.first { $0.path.contains(path) }
        if let set = own ?? whole, set.isConditional, !isForItself {
            return PropertyTerm(
                failing: unreadable(
                    path, "sets '\(set.path)' only in objects that have the value around it"))
        }
        if let own { return PropertyTerm(own.value) }
        if all.contains(where: { path.contains($0.path) }) {
            // Only a member of the value can be read.
            var parts = term
            parts.failure = unreadable(path, "sets a part of it")
            parts.assigned = self
            return parts
        }
        guard let whole else { return term }
        switch whole.value {
        case .property(let source):
            let member = PropertyPath(Array(path.steps.dropFirst(whole.path.steps.count)))
            return PropertyTerm(.property(source.appending(member)))
        case .value(.null): return PropertyTerm(.value(.null))
        default:
            return PropertyTerm(failing: unreadable(path, "sets '\(whole.path)' as a whole"))
        }
    }

    private func unreadable(_ path: PropertyPath, _ statement: String) -> DaybookError {
        DaybookError(
            .invalidArgument,
            "An update reads '\(path)' after a statement that \(statement). Read it in an earlier"
                + " statement.",
            details: ["property": "\(path)"])
    }
}

extension PropertyPath {
    /// Whether another path leads to a part of the value at this path.
    fileprivate func contains(_ other: PropertyPath) -> Bool {
        steps.count < other.steps.count && other.steps.starts(with: steps)
    }
}

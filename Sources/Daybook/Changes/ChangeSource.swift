import DaybookBytes
import DaybookEngine

/// The filter and the start of a sequence of changes.
struct ChangeSource: Sendable {
    /// The start of a sequence of changes.
    enum Start: Sendable {
        case after(ChangePosition)
        case state
    }

    let types: StoreTypes
    var start: Start
    var entities: [any Storable.Type]
    /// The Swift names of the properties.
    var properties: Result<Set<String>, DaybookError>
    var truncation = Changes.Truncation.fails

    /// Returns a reader at the start.
    func reader() throws -> ChangeReader {
        let engine = types.engine
        let filter = try filter()
        switch start {
        case .state:
            return try ChangeReader(engine, withStateInsteadOf: 0, matching: filter)
        case .after(let position):
            let sequence = try engine.sequence(at: position)
            do {
                return try ChangeReader(engine, after: sequence, matching: filter)
            } catch DaybookError.Code.historyTruncated where truncation == .givesState {
                return try stateReader(insteadOf: sequence)
            }
        }
    }

    /// Returns a reader that begins with the state, to replace a reader that has reached
    /// `sequence`.
    func stateReader(insteadOf sequence: UInt64) throws -> ChangeReader {
        try ChangeReader(types.engine, withStateInsteadOf: sequence, matching: filter())
    }

    private func filter() throws(DaybookError) -> EntityFilter? {
        let names = try properties.get()
        var bindings: [EntityBinding] = []
        for type in entities { bindings.append(try types.binding(of: type)) }
        if bindings.isEmpty {
            if names.isEmpty { return nil }
            throw DaybookError(
                .invalidArgument,
                "Properties without a type cannot be followed. Name the types that they belong to.")
        }
        var filter = EntityFilter(Set(bindings.map(\.entity)))
        guard !names.isEmpty else { return filter }
        var unknown = names
        for binding in bindings {
            var numbers: Set<UInt32> = []
            for (field, name) in zip(binding.layout.layout.fields, binding.declaredNames)
            where names.contains(name) {
                numbers.insert(field.propertyID)
                unknown.remove(name)
            }
            filter.properties[binding.entity] = numbers
        }
        if let name = unknown.min() {
            throw DaybookError(
                .invalidArgument,
                "None of \(bindings.map(\.name).joined(separator: ", ")) has a property '\(name)'.",
                details: ["property": name])
        }
        return filter
    }
}

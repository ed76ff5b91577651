package import DaybookBytes
package import DaybookIndex
import Synchronization

/// The schema in use, with the row layouts that were worked out from it. It only ever grows.
package final class SchemaTable: Sendable {
    private struct State {
        var schema: Schema
        var rowLayouts: [UInt32: RowLayout] = [:]

        mutating func rowLayout(_ id: UInt32) -> RowLayout? {
            if let known = rowLayouts[id] { return known }
            guard let layout = schema.layout(id) else { return nil }
            let made = RowLayout(layout)
            rowLayouts[id] = made
            return made
        }
    }

    private let state: Mutex<State>

    init(_ schema: Schema) { state = Mutex(State(schema: schema)) }

    /// The schema as it is now.
    package var schema: Schema { state.withLock { $0.schema } }

    /// The row layout of that number, or nil if no committed layout has it.
    func knownRowLayout(_ id: UInt32) -> RowLayout? {
        state.withLock { $0.rowLayout(id) }
    }

    /// The row layout of that number. Throws `.corruption` if the log never defined it.
    package func rowLayout(_ id: UInt32) throws(DaybookError) -> RowLayout {
        guard let found = knownRowLayout(id) else {
            throw DaybookError(
                .corruption, "A row names layout \(id), which the log does not define.",
                details: ["layout": String(id)])
        }
        return found
    }

    /// Takes over layouts that the log holds, all or none. Throws `.corruption` where they
    /// contradict each other or what is known.
    func add(_ layouts: [EntityLayout]) throws(DaybookError) {
        guard !layouts.isEmpty else { return }
        try state.withLock { state throws(DaybookError) in
            state.schema = try state.schema.adding(layouts)
        }
    }

    /// Throws `.corruption` where ``add(_:)`` would.
    func check(_ layouts: [EntityLayout]) throws(DaybookError) {
        guard !layouts.isEmpty else { return }
        _ = try schema.adding(layouts)
    }
}

extension Schema {
    fileprivate func adding(_ layouts: [EntityLayout]) throws(DaybookError) -> Schema {
        var schema = self
        for layout in layouts { try schema.add(layout) }
        return schema
    }
}

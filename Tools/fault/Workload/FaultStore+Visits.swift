import DaybookBytes
import DaybookEngine
import DaybookRecords
import DaybookTesting

// The events of the campaigns' stores.

extension FaultStore {
    static let visit = EntityDeclaration(
        name: "Visit", kind: .event, fields: [FieldDeclaration(name: "data", type: .bytes)])

    /// Appends an event within a transaction.
    func append(
        length: Int, seed: UInt64, in transaction: WriteTransaction
    ) throws -> (number: UInt64, event: ModelEvent) {
        guard let layout = layouts.last else { throw Violation("the entities are not registered") }
        let row = try ObjectKind.mark.row(RowLayout(layout), length: length, seed: seed)
        let number = try transaction.changes.append(
            layout.entityID, layout: layout.layoutID, row: row.span)
        return (number, ModelEvent(sequence: sequence + 1, row: row))
    }

    /// Reads all events that the log contains.
    func readVisits(into state: inout ModelState) throws {
        guard engine.schemas.schema.entity(named: Self.visit.name) != nil else { return }
        let filter = EventFilter(entity: Self.visit.name, kinds: [.event])
        var events: [UInt64: ModelEvent] = [:]
        try engine.forEachTransaction(matching: filter) { transaction throws(DaybookError) in
            for index in 0..<transaction.eventCount {
                let held = transaction[index].held
                events[transaction[index].id] = ModelEvent(
                    sequence: transaction.sequence,
                    row: held.payload.span.extracting(held.record.row).array)
            }
            return true
        }
        state.events = events
    }

    /// The last sequence whose events the next ``dropHistory()`` drops.
    var eventFloor: UInt64 {
        min(sequence, droppingPolicy.entities[Self.visit.name]?.floor ?? 0)
    }

    /// Throws a ``Violation`` if events remain that a compaction should have dropped.
    func requireNoVisits(until floor: UInt64) throws {
        var state = ModelState()
        try readVisits(into: &state)
        let left = state.events.filter { $0.value.sequence <= floor }.keys.sorted()
        guard left.isEmpty else {
            throw Violation("events up to \(floor) should be gone, but \(left) remain")
        }
    }
}

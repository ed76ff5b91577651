import DaybookBytes
import DaybookEngine
import DaybookRows

/// Adds the events of commits to a batch until it is full.
struct OutboxReading {
    private let entityNames: Set<String>
    private let schemas: SchemaTable
    private let sizeBytesMax: Int
    private(set) var writer: EventBatchWriter
    /// The place after the last event or commit that was read.
    var place: EventPosition
    /// The commit that contains the place, if some of its events are after it.
    private(set) var rest: HistoryTransaction?
    /// The forms of the entities found so far; nil for one that is not sent.
    private var forms: [UInt32: (name: String, form: EventForm)?] = [:]

    init(
        _ writer: EventBatchWriter, _ entityNames: Set<String>, _ schemas: SchemaTable,
        _ place: EventPosition, sizeBytesMax: Int
    ) {
        (self.writer, self.entityNames, self.schemas) = (writer, entityNames, schemas)
        (self.place, self.sizeBytesMax) = (place, sizeBytesMax)
    }

    var isFull: Bool { hasNoSpace || !writer.isEmpty && writer.sizeBytes >= sizeBytesMax }
    /// Whether the next event fits in another batch only.
    private var hasNoSpace = false

    /// Adds the events of a commit after the place, and moves the place. Throws `.corruption` and
    /// the errors of ``EventForm``.
    mutating func read(_ transaction: HistoryTransaction) throws(DaybookError) {
        rest = nil
        var done: UInt64 = transaction.sequence == place.sequence ? place.index : 0
        place = EventPosition(sequence: transaction.sequence, index: done)
        while done < transaction.eventCount {
            guard !isFull else {
                place.index = done
                rest = transaction
                return
            }
            let event = transaction[Int(done)]
            done += 1
            guard let (name, form) = try form(event) else { continue }
            guard try writer.add(event, done, name, form, of: transaction) else {
                (place.index, rest, hasNoSpace) = (done - 1, transaction, true)
                return
            }
        }
        place = .after(transaction.sequence)
    }

    private mutating func form(
        _ event: HistoryEvent
    ) throws(DaybookError) -> (name: String, form: EventForm)? {
        if let known = forms[event.entity] { return known }
        let name = try schemas.entityName(event.entity)
        let found = entityNames.contains(name) ? (name, try EventForm(name, schemas)) : nil
        forms[event.entity] = .some(found)
        return found
    }
}

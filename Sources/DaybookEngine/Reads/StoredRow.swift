import DaybookBytes
import DaybookRecords
import DaybookLog

/// An object's row, in the frame that holds it.
package struct StoredRow: Sendable {
    /// The payload of its frame, shared with the cache.
    private let payload: [UInt8]
    /// Where the row stands in the payload.
    package let range: Range<Int>
    /// The layout that it is read by.
    package let layout: UInt32
    package let id: UInt64
    /// The transaction that wrote it; 0 for a row of a transaction that is still running.
    package let sequence: UInt64

    /// The row that an index entry points to; anything else there is `.corruption`.
    @inline(__always)
    init(
        _ entry: ObjectEntry, entity: UInt32, id: UInt64, in log: Log
    ) throws(DaybookError) {
        let location = Location(rawValue: entry.location)
        try self.init(
            entry, entity: entity, id: id, location, try log.frame(at: location))
    }

    @inline(__always)
    init(
        _ entry: ObjectEntry, entity: UInt32, id: UInt64, _ location: Location,
        _ frame: InflatedFrame
    ) throws(DaybookError) {
        let payload = frame.bytes
        guard
            let place = try RowFinder(entity).find(
                id, at: location.recordOffset, in: payload.span)
        else { throw Self.misplaced(entity, id, location) }
        self.payload = payload
        range = place.start..<place.end
        layout = place.layout
        self.id = id
        sequence = entry.sequence
    }

    /// The row of a put or an event that was read from the log.
    init(_ held: LogRecord, _ sequence: UInt64) {
        payload = held.payload
        range = held.record.row
        layout = held.record.layout
        id = held.record.id
        self.sequence = sequence
    }

    /// Another record stands where the index says that an object does.
    @inline(never)
    static func misplaced(_ entity: UInt32, _ id: UInt64, _ location: Location) -> DaybookError {
        DaybookError(
            .corruption,
            "The index says that object \(id) of entity \(entity) stands in \(location), and it"
                + " does not. Run 'daybook verify' on the store.",
            details: ["id": String(id), "entity": String(entity)])
    }

    /// The row of a put that was read in its payload.
    init(_ put: Record, of sequence: UInt64, in payload: [UInt8]) {
        self.payload = payload
        range = put.row
        layout = put.layout
        id = put.id
        self.sequence = sequence
    }

    /// The row of a put that was read in its payload, which it does not hold.
    init(copying put: Record, of sequence: UInt64, in payload: [UInt8]) {
        self.payload = payload.span.extracting(put.row).array
        range = 0..<self.payload.count
        layout = put.layout
        id = put.id
        self.sequence = sequence
    }

    /// A row that is not in the log yet.
    init(pending row: [UInt8], layout: UInt32, id: UInt64) {
        payload = row
        range = 0..<row.count
        self.layout = layout
        self.id = id
        sequence = 0
    }

    /// The row's bytes, in place.
    package var bytes: Span<UInt8> {
        @_lifetime(borrow self) get { payload.span.extracting(range) }
    }
}

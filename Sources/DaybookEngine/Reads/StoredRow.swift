import DaybookBytes
import DaybookRecords
import DaybookLog

/// An object's row, in the payload of its frame.
package struct StoredRow: Sendable {
    /// The payload of the frame, shared with the cache, or the record alone.
    private let payload: [UInt8]
    /// The row's bytes in the payload.
    package let range: Range<Int>
    /// The layout of the row.
    package let layout: UInt32
    package let id: UInt64
    /// The transaction that wrote the row; 0 for a row of a running transaction.
    package let sequence: UInt64

    /// The row that an index entry points to. Throws `.corruption` if another record is there.
    @inline(__always)
    init(
        _ entry: ObjectEntry, entity: UInt32, id: UInt64, in log: Log
    ) throws(DaybookError) {
        let location = Location(rawValue: entry.location)
        let (payload, offset) = try log.record(at: location)
        try self.init(entry, entity: entity, id: id, location, payload, offset: offset)
    }

    /// The row that an index entry points to, in its frame. Throws `.corruption` if another record
    /// is there.
    init(
        _ entry: ObjectEntry, entity: UInt32, id: UInt64, _ location: Location,
        _ frame: CachedFrame
    ) throws(DaybookError) {
        let (payload, offset) = try frame.record(at: location.recordOffset)
        try self.init(entry, entity: entity, id: id, location, payload, offset: offset)
    }

    @inline(__always)
    init(
        _ entry: ObjectEntry, entity: UInt32, id: UInt64, _ location: Location,
        _ frame: InflatedFrame
    ) throws(DaybookError) {
        try self.init(
            entry, entity: entity, id: id, location, frame.bytes, offset: location.recordOffset)
    }

    /// The row of a record at an offset of a payload.
    @inline(__always)
    private init(
        _ entry: ObjectEntry, entity: UInt32, id: UInt64, _ location: Location,
        _ payload: [UInt8], offset: Int
    ) throws(DaybookError) {
        guard let place = try RowFinder(entity).find(id, at: offset, in: payload.span) else {
            throw Self.misplaced(entity, id, location)
        }
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

    /// The error for an index entry that does not point to a record of its object.
    @inline(never)
    static func misplaced(_ entity: UInt32, _ id: UInt64, _ location: Location) -> DaybookError {
        DaybookError(
            .corruption,
            "The index points to \(location) for object \(id) of entity \(entity), but that"
                + " location has no record of the object. Run 'daybook verify' on the store.",
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

    /// A copy of the row of a put, which does not retain the payload.
    init(copying put: Record, of sequence: UInt64, in payload: [UInt8]) {
        self.payload = payload.span.extracting(put.row).array
        range = 0..<self.payload.count
        layout = put.layout
        id = put.id
        self.sequence = sequence
    }

    /// A row that is not in the log yet.
    init(pending row: [UInt8], layout: UInt32, id: UInt64) {
        self.init(row, layout: layout, id: id, sequence: 0)
    }

    private init(_ row: [UInt8], layout: UInt32, id: UInt64, sequence: UInt64) {
        payload = row
        range = 0..<row.count
        self.layout = layout
        self.id = id
        self.sequence = sequence
    }

    /// A copy that does not retain the payload of the frame.
    var copied: StoredRow {
        StoredRow(bytes.array, layout: layout, id: id, sequence: sequence)
    }

    /// The row's bytes, in place.
    package var bytes: Span<UInt8> {
        @_lifetime(borrow self) get { payload.span.extracting(range) }
    }
}

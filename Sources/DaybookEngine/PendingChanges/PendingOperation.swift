import DaybookRecords

/// One change of a running transaction.
struct PendingOperation {
    enum Kind {
        case put, remove, event, link, unlink, listInsert, listRemove, schema, compacted

        /// Whether it changes a link rather than an object.
        var isLink: Bool {
            switch self {
            case .link, .unlink, .listInsert, .listRemove: true
            case .put, .remove, .event, .schema, .compacted: false
            }
        }
    }

    var kind: Kind
    /// The entity, or the relation of a link.
    var entity: UInt32
    /// The id, or the source of a link.
    var id: UInt64
    var target: UInt64 = 0
    var layout: UInt32 = 0
    /// Where the row, the encoded layout, or the position in a list stands in the transaction's
    /// bytes.
    var bytes: Range<Int> = 0..<0
    /// The earlier operation of this transaction on the same object, if any.
    var superseded: Int?
    /// Whether a later operation of this transaction took its place.
    var isDead = false
    /// The sequence of the version that it replaces, once known.
    var previous: UInt64 = 0
    /// Where its record went: payload and offset in it.
    var payload = 0
    var offset = 0
}

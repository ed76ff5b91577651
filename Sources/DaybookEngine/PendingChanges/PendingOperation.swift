import DaybookRecords

/// A change of a running transaction.
struct PendingOperation {
    enum Kind {
        case put, remove, event, link, unlink, listInsert, listRemove, schema, compacted, erased

        /// Whether the operation changes a link rather than an object.
        var isLink: Bool {
            switch self {
            case .link, .unlink, .listInsert, .listRemove: true
            case .put, .remove, .event, .schema, .compacted, .erased: false
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
    /// The range of the row, the encoded layout, or the position in a list in the transaction's
    /// bytes.
    var bytes: Range<Int> = 0..<0
    /// The earlier operation of this transaction on the same object, if any.
    var superseded: Int?
    /// Whether a later operation of this transaction replaces it.
    var isDead = false
    /// Whether a removal is part of an erasure, which writes a tombstone of a removed object, too.
    var isErasure = false
    /// The sequence of the version that the operation replaces, once known.
    var previous: UInt64 = 0
    /// The location of the operation's record: the payload and the offset in it.
    var payload = 0
    var offset = 0
}

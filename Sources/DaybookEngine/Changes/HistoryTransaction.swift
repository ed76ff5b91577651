package import DaybookBytes
import DaybookRecords

/// One transaction of the log, with the events in it that were asked for.
package struct HistoryTransaction: Sendable {
    package let sequence: UInt64
    /// When it was committed, in microseconds since 1970.
    package let timeMicroseconds: Int64
    /// What the program noted with it.
    package let metadata: [String: String]
    let records: [LogRecord]
    let schemas: SchemaTable

    /// Which transaction it is, and when it was committed.
    package var moment: TransactionMoment {
        TransactionMoment(sequence: sequence, timeMicroseconds: timeMicroseconds)
    }

    /// How many events there are.
    package var eventCount: Int { records.count }

    /// The event of that index, in the order of the log. Cost: O(1), nothing is copied.
    package subscript(index: Int) -> HistoryEvent {
        HistoryEvent(held: records[index], schemas: schemas)
    }
}

/// A transaction, and when it was committed in microseconds since 1970.
package struct TransactionMoment: Sendable, Equatable {
    package var sequence: UInt64
    package var timeMicroseconds: Int64
}

/// One change, as the log has it.
package struct HistoryEvent: Sendable {
    package let held: LogRecord
    package let schemas: SchemaTable

    package var kind: EventKind {
        // Only records that the filter accepted come here, and it accepts none without a kind.
        EventKind(held.record.kind) ?? .put
    }
    /// The object's entity; 0 for links.
    package var entity: UInt32 { held.record.entity }
    /// The object's id; 0 for links.
    package var id: UInt64 { held.record.id }
    /// The transaction that wrote the version before; 0 where there was none.
    package var previous: UInt64 { held.record.previous }
    /// The layout of the row of a put or event; 0 for others.
    package var layout: UInt32 { held.record.layout }
    /// The relation of a link or unlink, and what it leads from and to; 0 for others.
    package var relation: UInt32 { held.record.relation }
    package var source: UInt64 { held.record.source }
    package var target: UInt64 { held.record.target }
    /// Where in the list of the source the target stands, for a link or unlink in a list; nil for
    /// all others. See ``ListPosition``.
    package var position: [UInt8]? {
        held.record.position.isEmpty
            ? nil : held.payload.span.extracting(held.record.position).array
    }
    /// The bytes of the record in the log, before compression.
    package var lengthBytes: Int { held.record.end - held.record.offset }

    /// The entity's name; nil for links. Throws `.corruption` for an entity that the log never
    /// defined.
    package var entityName: String? {
        get throws(DaybookError) {
            entity == 0 ? nil : try schemas.entityName(entity)
        }
    }

    /// What people call the relation of a link or unlink, like `Order.customer`; nil for others.
    /// Throws `.corruption` for a relation that the log never defined.
    package var relationName: String? {
        get throws(DaybookError) {
            relation == 0 ? nil : try schemas.relationName(relation)
        }
    }
}

extension SchemaTable {
    /// The name of an entity. Throws `.corruption` if the log never defined it.
    package func entityName(_ entity: UInt32) throws(DaybookError) -> String {
        guard let name = schema.entity(entity)?.name else {
            throw DaybookError(
                .corruption, "A record names entity \(entity), which the log does not define.",
                details: ["entity": String(entity)])
        }
        return name
    }

    /// What people call a relation. Throws `.corruption` if the log never defined it.
    func relationName(_ relation: UInt32) throws(DaybookError) -> String {
        let schema = schema
        guard schema.relation(relation) != nil else {
            throw DaybookError(
                .corruption, "A record names relation \(relation), which the log does not define.",
                details: ["relation": String(relation)])
        }
        return schema.relationName(relation)
    }
}

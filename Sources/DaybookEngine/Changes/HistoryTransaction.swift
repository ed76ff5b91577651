package import DaybookBytes
import DaybookRecords

/// One transaction of the log, with its accepted events.
package struct HistoryTransaction: Sendable {
    package let sequence: UInt64
    /// The commit time in microseconds since 1970.
    package let timeMicroseconds: Int64
    /// The metadata that the program added to the transaction.
    package let metadata: [String: String]
    let records: [LogRecord]
    let schemas: SchemaTable

    /// The sequence and time of the transaction.
    package var moment: TransactionMoment {
        TransactionMoment(sequence: sequence, timeMicroseconds: timeMicroseconds)
    }

    /// The number of accepted events.
    package var eventCount: Int { records.count }

    /// The event at an index, in the order of the log. Cost: O(1), without copying.
    package subscript(index: Int) -> HistoryEvent {
        HistoryEvent(held: records[index], schemas: schemas)
    }
}

/// The sequence of a transaction, and its commit time in microseconds since 1970.
package struct TransactionMoment: Sendable, Equatable {
    package var sequence: UInt64
    package var timeMicroseconds: Int64
}

/// One change, as recorded in the log.
package struct HistoryEvent: Sendable {
    package let held: LogRecord
    package let schemas: SchemaTable

    package var kind: EventKind {
        // The filter accepts only records that have an event kind.
        EventKind(held.record.kind) ?? .put
    }
    /// The object's entity; 0 for links.
    package var entity: UInt32 { held.record.entity }
    /// The object's id; 0 for links.
    package var id: UInt64 { held.record.id }
    /// The transaction that wrote the preceding version; 0 if there is none.
    package var previous: UInt64 { held.record.previous }
    /// The layout of the row of a put or event; 0 for others.
    package var layout: UInt32 { held.record.layout }
    /// The relation of a link or unlink, followed by its source and target; 0 for others.
    package var relation: UInt32 { held.record.relation }
    package var source: UInt64 { held.record.source }
    package var target: UInt64 { held.record.target }
    /// The position of the target in the list of the source, for a link or unlink in a list; nil
    /// for others. See ``ListPosition``.
    package var position: [UInt8]? {
        held.record.position.isEmpty
            ? nil : held.payload.span.extracting(held.record.position).array
    }
    /// The size of the record in the log, in bytes before compression.
    package var lengthBytes: Int { held.record.end - held.record.offset }

    /// The entity's name; nil for links. Throws `.corruption` for an entity that the log never
    /// defined.
    package var entityName: String? {
        get throws(DaybookError) {
            entity == 0 ? nil : try schemas.entityName(entity)
        }
    }

    /// The qualified name of the relation of a link or unlink, like `Order.customer`; nil for
    /// others. Throws `.corruption` for a relation that the log never defined.
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

    /// The qualified name of a relation. Throws `.corruption` if the log never defined it.
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

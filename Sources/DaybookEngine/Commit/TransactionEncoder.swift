import DaybookBytes
import DaybookRecords
import DaybookLog

/// Encodes a transaction as the payloads of its frames. A record that replaces a version contains
/// that version's sequence.
struct TransactionEncoder {
    private let sequence: UInt64
    private let payloadBytes: Int
    private var writer: RecordWriter
    private var recordCount: UInt32 = 0
    private(set) var payloads: [FramePayload] = []
    /// The changes of the property indexes; nil if no entity has any.
    private(set) var keys: KeyChanges?

    init(sequence: UInt64, payloadBytes: Int) {
        self.sequence = sequence
        self.payloadBytes = min(payloadBytes, Location.recordOffsetMax)
        writer = RecordWriter(ByteWriter(capacity: 192))
    }

    /// Encodes the operations that are still valid, and stores the location of its record in each.
    mutating func encode(_ changes: inout PendingChanges) throws(DaybookError) {
        for index in changes.operations.indices where !changes.operations[index].isDead {
            var operation = changes.operations[index]
            let base = try base(of: operation, in: &changes)
            // The object was put and removed in the same transaction. Nothing is written, unless
            // the id is new: it stays assigned.
            if operation.kind == .remove, !operation.isErasure, base?.isRemoved ?? true,
                base != nil || !changes.isNewId(operation.entity, operation.id)
            {
                changes.operations[index].isDead = true
                continue
            }
            // The indexes have no keys of an object that was removed before its erasure.
            if changes.hasIndexes, !(operation.isErasure && base?.isRemoved ?? true) {
                try changes.collectKeys(of: operation, base: base, into: &keys)
            }
            if writer.count >= payloadBytes
                || writer.count > 0 && writer.count + operation.bytes.count > 2 * payloadBytes
            {
                close(endsTransaction: false)
            }
            operation.previous = base?.sequence ?? 0
            operation.payload = payloads.count
            operation.offset = writer.count
            changes.operations[index] = operation
            write(operation, changes.bytes)
            recordCount += 1
        }
        if changes.hasIndexes { changes.collectLateKeys(into: &keys) }
    }

    /// Ends the transaction and returns its payloads.
    mutating func finish(_ commit: CommitRecord) -> [FramePayload] {
        writer.commit(commit)
        recordCount += 1
        close(endsTransaction: true)
        return payloads
    }

    private func base(
        of operation: PendingOperation, in changes: inout PendingChanges
    ) throws(DaybookError) -> ObjectEntry? {
        guard operation.kind == .put || operation.kind == .remove else { return nil }
        return try changes.baseEntry(operation.entity, operation.id)
    }

    private mutating func write(_ operation: PendingOperation, _ bytes: ByteWriter) {
        switch operation.kind {
        case .put:
            writer.put(
                entity: operation.entity, id: operation.id, previous: operation.previous,
                layout: operation.layout,
                row: bytes.span.extracting(operation.bytes))
        case .remove:
            writer.remove(
                entity: operation.entity, id: operation.id, previous: operation.previous)
        case .event:
            writer.event(
                entity: operation.entity, id: operation.id, layout: operation.layout,
                row: bytes.span.extracting(operation.bytes))
        case .link:
            writer.link(
                relation: operation.entity, source: operation.id, target: operation.target)
        case .unlink:
            writer.unlink(
                relation: operation.entity, source: operation.id, target: operation.target)
        case .listInsert:
            writer.listInsert(
                relation: operation.entity, source: operation.id, target: operation.target,
                position: bytes.span.extracting(operation.bytes))
        case .listRemove:
            writer.listRemove(
                relation: operation.entity, source: operation.id, target: operation.target,
                position: bytes.span.extracting(operation.bytes))
        case .schema:
            writer.encoded(.schema, bytes.span.extracting(operation.bytes))
        case .compacted:
            writer.encoded(.compacted, bytes.span.extracting(operation.bytes))
        case .erased:
            writer.encoded(.erased, bytes.span.extracting(operation.bytes))
        }
    }

    private mutating func close(endsTransaction: Bool) {
        payloads.append(
            FramePayload(
                bytes: writer.payload, recordCount: recordCount, firstSequence: sequence,
                lastSequence: sequence, endsTransaction: endsTransaction,
                keys: KeyRange(writer.ids)))
        guard !endsTransaction else { return }
        writer = RecordWriter(ByteWriter(capacity: payloadBytes + payloadBytes / 4))
        recordCount = 0
    }
}

import DaybookBytes
import DaybookRecords
import DaybookLog

/// An encoded transaction in the commit path.
struct CommitBatch {
    var sequence: UInt64
    var timeMicroseconds: UInt64
    var operations: [PendingOperation]
    var payloads: [FramePayload]
    /// The transaction's rows and layouts.
    var bytes: ByteWriter
    /// The changes of the property indexes.
    var indexes: IndexUpdates

    /// The changes of the indexes; the records must have their locations.
    func changes(in frames: AppendedFrames) -> [IndexChange] {
        var changes: [IndexChange] = []
        changes.reserveCapacity(operations.count)
        for operation in operations where !operation.isDead {
            switch operation.kind {
            case .put:
                changes.append(
                    .put(
                        entity: operation.entity, id: operation.id,
                        location: location(operation, frames)))
            case .remove:
                changes.append(
                    .remove(
                        entity: operation.entity, id: operation.id,
                        location: location(operation, frames)))
            case .event:
                changes.append(.reserve(entity: operation.entity, nextId: operation.id + 1))
            case .link:
                changes.append(
                    .link(
                        relation: operation.entity, source: operation.id, target: operation.target))
            case .unlink:
                changes.append(
                    .unlink(
                        relation: operation.entity, source: operation.id, target: operation.target))
            case .listInsert: changes.append(.listInsert(entry(operation)))
            case .listRemove: changes.append(.listRemove(entry(operation)))
            case .erased: changes.append(.erasure(isFinished: false))
            case .schema, .compacted: break
            }
        }
        return changes
    }

    private func entry(_ operation: PendingOperation) -> ListEntry {
        ListEntry(
            relation: operation.entity, source: operation.id, target: operation.target,
            position: bytes.span.extracting(operation.bytes).array)
    }

    /// The layouts that the transaction adds to the schema.
    func layouts() throws(DaybookError) -> [EntityLayout] {
        var layouts: [EntityLayout] = []
        for operation in operations where operation.kind == .schema {
            layouts.append(try EntityLayout(decoding: bytes.span.extracting(operation.bytes)))
        }
        return layouts
    }

    private func location(_ operation: PendingOperation, _ frames: AppendedFrames) -> UInt64 {
        frames.location(frame: operation.payload, recordOffset: operation.offset).rawValue
    }
}

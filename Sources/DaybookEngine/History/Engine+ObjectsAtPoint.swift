package import DaybookBytes
import DaybookRecords
import DaybookLog
import DaybookPages

extension Engine {
    /// Calls `visit` with each object that exists at a point, or now, until it returns false. The
    /// order is by entity, in the order of their creation, then by id.
    ///
    /// Cost: for a point, the cost of ``pastView(at:keepsIndexes:by:_:)``; then a read of each
    /// object. Throws `.historyTruncated` for a point below ``historyFloor``, `.invalidArgument`
    /// for an unknown entity, `.interrupted` and `.corruption`.
    package func forEachObject(
        until point: HistoryPoint? = nil, entity name: String? = nil, id: UInt64? = nil,
        _ control: OperationControl = OperationControl(),
        _ visit: (StoredObject) throws(DaybookError) -> Bool
    ) throws(DaybookError) {
        try requireOpen()
        let only = try name.map { name throws(DaybookError) in try entityNumber(name) }
        let view = try view(until: point, keepsIndexes: false, control.stage(0, 0.5))
        let entities = schemas.schema.entities.filter { only == nil || $0.id == only }
        let control = control.stage(point == nil ? 0 : 0.5, 1)
        for (index, entity) in entities.enumerated() {
            control.progress(Double(index) / Double(entities.count))
            let goesOn = try forEach(
                of: entity, in: view, id: id,
                control.stage(
                    Double(index) / Double(entities.count),
                    Double(index + 1) / Double(entities.count)),
                visit)
            if !goesOn { return }
        }
    }

    /// Returns the version at a point, or the newest visible one. `keepsIndexes` is false if the
    /// caller does not use the indexes. See ``forEachObject(until:entity:id:_:_:)`` for cost and
    /// errors.
    package func view(
        until point: HistoryPoint?, keepsIndexes: Bool = true,
        _ control: OperationControl = OperationControl()
    ) throws(DaybookError) -> ReadView {
        try requireOpen()
        guard let point else { return ReadView(slot.pinVersion(), log) }
        let last = try last(atOrBefore: point, control.stage(0, 0))
        return try pastView(at: last, keepsIndexes: keepsIndexes, control)
    }

    private func forEach(
        of entity: Schema.Entity, in view: ReadView, id: UInt64?, _ control: OperationControl,
        _ visit: (StoredObject) throws(DaybookError) -> Bool
    ) throws(DaybookError) -> Bool {
        let objects = StoredObjects(of: entity.id, in: view, schemas)
        if let id {
            guard let row = try view.row(entity.id, id) else { return true }
            return try visit(objects.object(row))
        }
        let count = max(1, try view.count(entity.id))
        var scan = view.scan(entity.id)
        var done = 0
        while let row = try scan.next() {
            if done % 1024 == 0 {
                try control.check()
                control.progress(Double(done) / Double(count))
            }
            done += 1
            if try !visit(objects.object(row)) { return false }
        }
        return true
    }
}

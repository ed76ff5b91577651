package import DaybookBytes
package import DaybookLog

extension Engine {
    /// Builds a new store from a backup, with the history up to a point or all of it: see
    /// ``copy(into:until:_:)``. Any other store may be restored from in the same way.
    ///
    /// Cost and errors as there, those of ``requireReached(_:_:)``, and those of opening the
    /// backup: `.fileNotFound`, `.notAStore`, `.permissionDenied`, `.formatTooNew`, `.corruption`.
    package static func restore(
        from backup: String, to path: String, until point: HistoryPoint? = nil,
        _ fileSystem: any FileSystem, _ control: OperationControl = OperationControl()
    ) throws(DaybookError) -> RestoreReport {
        var options = EngineOptions()
        options.refreshIntervalMilliseconds = 0
        let engine = try open(backup, fileSystem, access: .read, options: options)
        do throws(DaybookError) {
            if let point { try engine.requireReached(point, control) }
            let report = try engine.copy(into: path, until: point, control)
            try engine.close()
            return report
        } catch {
            try? engine.close()
            throw error
        }
    }

    /// Throws `.invalidArgument` for a point before the first transaction, and for a transaction
    /// behind the last one: who restores wants something back, and all that was asked for.
    package func requireReached(
        _ point: HistoryPoint, _ control: OperationControl = OperationControl()
    ) throws(DaybookError) {
        let last = try last(atOrBefore: point, control.stage(0, 0))
        if case .sequence(let wanted) = point, wanted > last {
            throw DaybookError(
                .invalidArgument,
                "There is no transaction \(wanted) in \(log.directory): the last one is \(last)."
                    + " Name that or an earlier one.",
                details: ["sequence": String(wanted), "lastSequence": String(last)])
        }
        guard last > 0 else {
            throw DaybookError(
                .invalidArgument,
                "\(log.directory) has no transaction up to the moment that was named. Name a later"
                    + " one.",
                details: ["path": log.directory])
        }
    }

    /// Whether the first `sequence` transactions of a store are also the first of this one: it is
    /// that store, or was made from it, or from a backup of it, when it had at least so many.
    ///
    /// A restored store has an identity of its own, for it goes its own way from there: what the
    /// other one committed later is not here, and a place in one of the two histories must not be
    /// taken for a place in the other. What came before is the same in both.
    package func sharesHistory(of store: StoreIdentity, until sequence: UInt64) -> Bool {
        let manifest = log.manifest
        return store == manifest.store
            || manifest.ancestors.contains { $0.store == store && sequence <= $0.sequence }
    }
}

package import DaybookBytes
package import DaybookLog

extension Engine {
    /// Builds a new store from a backup, with the history up to a point or all of it: see
    /// ``copy(into:until:_:)``. The source may also be any other store.
    ///
    /// Throws the errors of that method, of ``requireReached(_:_:)``, and of opening the backup:
    /// `.fileNotFound`, `.notAStore`, `.permissionDenied`, `.formatTooNew`, `.corruption`. Cost:
    /// see ``copy(into:until:_:)``.
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
    /// after the last one: a restoration must not produce an empty store or less than the specified
    /// history.
    package func requireReached(
        _ point: HistoryPoint, _ control: OperationControl = OperationControl()
    ) throws(DaybookError) {
        let last = try last(atOrBefore: point, control.stage(0, 0))
        if case .sequence(let wanted) = point, wanted > last {
            throw DaybookError(
                .invalidArgument,
                "Transaction \(wanted) does not exist in \(log.directory): the last one is \(last)."
                    + " Use that or an earlier one.",
                details: ["sequence": String(wanted), "lastSequence": String(last)])
        }
        guard last > 0 else {
            throw DaybookError(
                .invalidArgument,
                "\(log.directory) has no transaction up to the specified time. Use a later time.",
                details: ["path": log.directory])
        }
    }

    /// Whether the first `sequence` transactions of a store are also the first ones of this store:
    /// it is that store, or was made from it or its backup when that contained at least as many
    /// transactions.
    ///
    /// A restored store has its own identity, because it continues independently: it does not
    /// contain later commits of the other store, and a position in one history is invalid in the
    /// other. The history before that point is the same in both.
    package func sharesHistory(of store: StoreIdentity, until sequence: UInt64) -> Bool {
        let manifest = log.manifest
        return store == manifest.store
            || manifest.ancestors.contains { $0.store == store && sequence <= $0.sequence }
    }
}

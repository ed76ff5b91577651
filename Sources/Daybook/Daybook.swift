// Daybook: the public interface: stores, boxes, entities, queries, relations and changes, generic
// over the user's types. The modules below it work with bytes, ids and positions, and must not
// depend on it. It must not access files except through the engine.
//
// Invariants:
// - Every error of the caller throws a `DaybookError` that names the object and the remedy. None of
//   them traps.
// - Code from the macro or the user converts objects to bytes and back: no reflection, no coding
//   keys.

// Public types of the lower modules, each defined once, in the lowest module that uses it. The
// re-export, unlike a type alias, also serves programs that import with `MemberImportVisibility`.
@_exported public import struct DaybookBytes.DaybookError
@_exported public import enum DaybookBytes.VectorMetric
@_exported public import struct DaybookEngine.BackupReport
@_exported public import enum DaybookEngine.ChangeKind
@_exported public import struct DaybookEngine.ChangePosition
@_exported public import struct DaybookEngine.CompactionReport
@_exported public import enum DaybookEngine.Durability
@_exported public import struct DaybookEngine.Erasure
@_exported public import struct DaybookEngine.ErasureReport
@_exported public import struct DaybookEngine.OpeningReport
@_exported public import enum DaybookEngine.PutMode
@_exported public import struct DaybookEngine.RestoreReport
@_exported public import struct DaybookEngine.SlowLimits
@_exported public import enum DaybookEngine.StoreEvent
@_exported public import struct DaybookEngine.StoreMeasurements
@_exported public import struct DaybookEngine.StoreObserver
@_exported public import enum DaybookEngine.UndoConflictReason
@_exported public import enum DaybookEngine.UndoPolicy
@_exported public import enum DaybookEngine.UniqueConflict
@_exported public import enum DaybookEngine.UpsertPolicy
@_exported public import struct DaybookEngine.WrittenBytes
@_exported public import struct DaybookMaintenance.LogContents
@_exported public import struct DaybookMaintenance.RepairReport
@_exported public import struct DaybookMaintenance.StoreStatistics
@_exported public import struct DaybookMaintenance.VerificationReport
@_exported public import struct DaybookQuery.ExplainedQuery
@_exported public import struct DaybookQuery.StringOptions
@_exported public import enum DaybookRecords.DeleteRule
@_exported public import struct DaybookRows.AnyRow
@_exported public import enum DaybookRows.ExchangeFormat
@_exported public import struct DaybookRows.ImportOptions
@_exported public import struct DaybookRows.ImportProblem
@_exported public import struct DaybookRows.ImportReport
@_exported public import enum DaybookRows.RowValue
@_exported public import struct DaybookRows.StoreSchema

/// Returns whether an error is a ``DaybookError`` with this code. Allows `catch
/// DaybookError.Code.notFound` instead of a `where` clause.
// Repeated here, because an import of Daybook does not show the operators of the modules below it.
public func ~= (code: DaybookError.Code, error: any Error) -> Bool {
    (error as? DaybookError)?.code == code
}

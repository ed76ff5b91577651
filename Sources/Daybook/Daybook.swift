// Daybook: what people type. Stores, boxes, entities; the only public module, and the only one that
// is generic over a user's types. Below it, all is bytes, ids and places.
//
// Invariants:
// - Whatever a caller does wrong is a `DaybookError` that names the thing and the remedy; nothing
//   here traps on it.
// - A type is turned into bytes, and bytes into a type, by code that the macro wrote or the user
//   did: no reflection, no coding keys.

// Public types of the lower modules, each defined once, in the lowest module that uses it. The
// re-export, unlike a type alias, also serves programs that import with `MemberImportVisibility`.
@_exported public import struct DaybookBytes.DaybookError
@_exported public import struct DaybookEngine.ChangePosition
@_exported public import enum DaybookEngine.PutMode
@_exported public import enum DaybookEngine.UniqueConflict
@_exported public import enum DaybookEngine.UpsertPolicy
@_exported public import struct DaybookQuery.ExplainedQuery
@_exported public import struct DaybookQuery.StringOptions
@_exported public import enum DaybookRecords.DeleteRule

/// Lets `catch DaybookError.Code.notFound` stand for a `where` clause: whether an error is a
/// ``DaybookError`` with this code.
// Here, too, because who imports Daybook sees no operator of the modules below it.
public func ~= (code: DaybookError.Code, error: any Error) -> Bool {
    (error as? DaybookError)?.code == code
}

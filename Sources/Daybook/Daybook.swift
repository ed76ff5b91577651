// Daybook: what people type. Stores, boxes, entities; the only public module, and the only one that
// is generic over a user's types. Below it, all is bytes, ids and places.
//
// Invariants:
// - Whatever a caller does wrong is a `DaybookError` that names the thing and the remedy; nothing
//   here traps on it.
// - A type is turned into bytes, and bytes into a type, by code that the macro wrote or the user
//   did: no reflection, no coding keys.

public import DaybookBytes

/// What every throwing call of the library throws: see ``DaybookBytes/DaybookError``.
public typealias DaybookError = DaybookBytes.DaybookError

/// Lets `catch DaybookError.Code.notFound` stand for a `where` clause: whether an error is a
/// ``DaybookError`` with this code.
// Here, too, because who imports Daybook sees no operator of the modules below it.
public func ~= (code: DaybookError.Code, error: any Error) -> Bool {
    (error as? DaybookError)?.code == code
}

// DaybookEvents: events of many stores in one. An outbox reads the events of a store in batches,
// and an inbox appends each of them once to a collecting store. It must not know how the batches
// are carried.
//
// Invariants:
// - A batch contains durable events only, in the order of their store's log.
// - An inbox saves the place of a store in the transaction that appends the events before it.
// - An event that the collecting store cannot represent is kept as a `RejectedEvent`.

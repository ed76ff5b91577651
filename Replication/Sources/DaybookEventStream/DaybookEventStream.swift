// DaybookEventStream: the events of many stores in a NATS stream, and their collection in one
// store. It must not know the content of a batch: DaybookEvents encodes and appends them.
//
// Invariants:
// - A shipper acknowledges events to its store only after the stream has stored them.
// - A shipper has one batch in flight. After a failure it reads the end of its subject first.
// - A collector saves its place after the events before it, and purges only durable events.

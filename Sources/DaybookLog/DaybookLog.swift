// DaybookLog: bytes in the order of time. Segments of checked frames, appended by one writer, read
// by many; the manifest that names them; recovery after a crash. It must not know what a payload
// means: a frame holds bytes, the sequences of the transactions in them, and whether the last of
// those transactions ends there.
//
// Invariants:
// - A byte that a sync covered is never rewritten; a sealed segment is never touched again.
// - Every frame's check is chained from the one before, from the segment's header on.
// - The manifest that CURRENT names is complete before CURRENT names it.
// - What recovery cuts off is copied to quarantine/ first, and only a tail that no later mark
//   claims to be durable may be cut; anything else is `.corruption`.

// DaybookLog stores bytes in time order: segments of checksummed frames with one writer and many
// readers, the manifest that names them, and recovery after a crash. It must not interpret
// payloads: a frame has bytes, the sequences of its transactions, and a flag for a transaction that
// ends with it.
//
// Invariants:
// - A byte that a sync covered never changes, and is written again only while the manifest has a
//   copy of it. Of a sealed segment, only a damaged header is written again; all bytes of a header
//   follow from the manifest.
// - Every frame's check is chained from the previous frame, starting with the segment's header.
// - The manifest that CURRENT names is complete before CURRENT names it. Both are stored twice.
// - Recovery truncates only a tail that no later mark claims to be durable, after copying it to
//   quarantine/. Any other damage is `.corruption`.

// DaybookReplication: stores whose log a NATS stream carries to other machines. One replica writes,
// any number follows. It must not know the content of a transaction, and needs no consensus of its
// own: the stream decides the order.
//
// Invariants:
// - Every frame names the hash of its predecessor; a reader applies only frames of that chain.
// - A writer has one frame, or one atomic batch, in flight.
// - A refused frame is unknown until a reader has seen the frame at its place.
// - A claim with a higher term ends the previous writer.

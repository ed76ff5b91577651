// ReplicationSupport: helpers of the modules of this package. It must not know stores or networks.
//
// Invariants:
// - A call that may block does not run on a thread of Swift's tasks.

// DaybookReplica: the interface between a store and a program that carries its log to other
// machines. It reads transactions from the log of a writer, adds them to the log of a follower, and
// holds back commits until they are carried. It must not know how they are carried.
//
// Invariants:
// - A follower contains the transactions of the writer, with the same sequences, and no others.
// - A commit that waits for shipping is visible only after `Replica.didShip(through:)`.
// - Removed transactions are in the directory `quarantine`.

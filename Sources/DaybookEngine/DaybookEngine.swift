// DaybookEngine: the only module that combines log and index. It contains commit, read views,
// recovery, snapshots, compaction and verification. It knows entities as numbers and objects as
// rows. It must not know a user's types.
//
// Invariants:
// - A commit is durable first, then visible, then subscribers are notified (`Engine+Commit.swift`
//   is in this order).
// - Replaying the whole log gives the current trees; every snapshot equals such a replay.
// - A reader pins one version and never waits; only writers hold the writer lock.
// - After a failed sync, nothing more is written.

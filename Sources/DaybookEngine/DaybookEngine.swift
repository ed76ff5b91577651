// DaybookEngine: the only place where log and index meet. Commit, read view, recovery, snapshot,
// compaction, verification. It knows entities as numbers and objects as rows; it must not know a
// user's type.
//
// Invariants:
// - A commit is durable, then visible, then told (`Engine+Commit.swift` reads in that order).
// - Replaying the log from zero gives the trees that are live; every snapshot equals such a replay.
// - A reader pins one version and waits for nobody; the writer lock is held by writers alone.
// - After a failed sync nothing is written any more.

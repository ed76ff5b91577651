// DaybookArchive: a copy of a store's log in an object storage, and stores that are restored from
// it. It must not depend on a stream, a server or a network; `DaybookS3` is the storage behind one.
//
// Invariants:
// - No object is ever changed. Only ``Archive/purge(before:)`` removes objects.
// - A segment begins after the last sequence of the one before, and contains its hash. Missing
//   history is a segment, too, so that the keys have no gap in which archivers could diverge.
// - An archive contains only durable commits, so the store never lacks a commit of its archive.
// - `Internals/ArchiveFormat.md` describes the objects.

// DaybookPages stores bytes in key order: copy-on-write pages, the trees made of them, versions
// that readers pin, and snapshots. It must not interpret keys or values: it knows no entities,
// records or log.
//
// Invariants:
// - A page that a published version can reach never changes; the writer changes a copy.
// - A group of pages leaves the memory only if a snapshot contains it, and is freed only when no
//   reader has entered before.
// - A page is freed only when no version that can reach it can be pinned any more.
// - Every page number in memory is within the table, and every length in a page stays within the
//   page. Both are checked once, when bytes are read from a file.
// - One writer at a time; readers never wait for the writer, nor the writer for readers.

// DaybookPages: bytes in the order of keys. Copy-on-write pages, the trees made of them, versions
// that readers pin, snapshots. It must not know what a key or a value means: no entity, record or
// log.
//
// Invariants:
// - A page that a published version can reach is never changed; a writer changes a copy.
// - A page returns to the free list only when no version that can reach it can be pinned any more.
// - Every page number in memory is one that the table has room for, and every length in a page
//   stays within the page: both are checked once, when bytes come from a file.
// - One writer at a time; readers never wait for it, nor it for them.

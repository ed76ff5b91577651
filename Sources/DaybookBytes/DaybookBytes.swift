// DaybookBytes: how bytes look. Spans, varints, checksums, compression, and the one door to the
// operating system. It must not know what the bytes mean: no record, no frame, no page.
//
// Invariants:
// - Every read is bounds-checked before memory is touched; a bad length is an error, not a trap.
// - Every operating-system call of the package goes through `FileSystem`.
// - `unsafe` may stand here and in DaybookPages, and nowhere else.

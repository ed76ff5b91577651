// DaybookBytes encodes bytes, computes checksums, compresses, and accesses the operating system. It
// must not interpret bytes: it knows no records, frames or pages.
//
// Invariants:
// - Every read is bounds-checked before memory is touched; a bad length is an error, not a trap.
// - Every operating-system call of the package is made through `FileSystem`.
// - `unsafe` occurs only in this module and in DaybookPages.

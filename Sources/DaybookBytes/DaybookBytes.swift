// DaybookBytes encodes bytes, computes checksums, compresses, and accesses the operating system. It
// must not interpret bytes: it knows no records, frames or pages.
//
// Invariants:
// - Every read is bounds-checked before memory is touched; a bad length is an error, not a trap.
// - Every operating-system call of the package is made through `FileSystem`.
// - `unsafe` occurs only in this module and in DaybookPages.

#if !_pointerBitWidth(_64)
#error("Daybook needs a 64-bit processor: on 32-bit processors, Int is too short.")
#endif

#if !BundledZstd && !os(macOS) && !os(Linux)
#error("This system has no libzstd. Enable the trait BundledZstd of the package daybook.")
#endif

// DaybookRecords: what the bytes mean. Records, rows and schemas; how they are rearranged to compress
// well and written as JSON; and the folding of records into page trees. It must not know where
// bytes are kept or when they were synced: no file, no clock, no lock, no segment.
//
// Invariants:
// - Everything here is a value: the same bytes always mean the same.
// - No input traps: what was read from bytes is checked, and wrong bytes are `.corruption`.
// - A number in `RecordFormat` is part of the file format: never changed, never reused.

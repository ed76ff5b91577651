// DaybookRecords interprets bytes: records, rows, schemas and index keys, their encoding as columns
// and as JSON, and the replay of records into page trees. It must not depend on where bytes are
// stored or when they are synced: it knows no files, clocks, locks or segments.
//
// Invariants:
// - All types are values: equal bytes always have the same meaning.
// - No input traps: bytes are validated, and invalid bytes are `.corruption`.
// - A number in `RecordFormat` is part of the file format: never changed, never reused.

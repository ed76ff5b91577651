// DaybookRows: a store without its types: the schema as a value, rows with values by name, the
// results of text queries, and their import and export as CSV and JSON lines. It must not know a
// user's type, and no module below it may know CSV.
//
// Invariants:
// - A value is checked against the schema before it is stored, and every misfit names the property.
// - A row has the names of the newest layout, whatever layout it was written with.
// - An import commits all of its records or none, and no input traps.

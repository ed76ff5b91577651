// DaybookQuery: conditions, their evaluation on rows, query planning, and the order, grouping and
// aggregates of results. Entities are numbers here, and properties are names and numbers. The
// module does not depend on user types, files or pages.
//
// Invariants:
// - A condition is true or false for each object, never unknown: nil equals only nil.
// - A plan never changes the result: index entries are candidates, and the whole condition is
//   evaluated unless the index determines it.
// - Names are resolved before the first row is read, so an unknown name costs no read.

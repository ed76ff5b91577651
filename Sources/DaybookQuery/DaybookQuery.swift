// DaybookQuery: what is asked. Conditions as values, what they mean for the bytes of a row, which
// index leads to the rows, and the order, groups and sums of what is found. It knows entities as
// numbers and properties as names and numbers; it must not know a user's type, a file or a page.
//
// Invariants:
// - A condition is true or false of every object, never unknown: nil equals nil and nothing else.
// - A plan never changes an answer: whatever an index offers is a candidate, which the whole
//   condition judges unless the index says it all.
// - Names are resolved before the first row is read, so a wrong one costs nothing.

// DaybookModel parses Swift declarations into entity models and generates the code for them. It
// knows Swift's syntax and the names that the Daybook module declares. It must not know how objects
// are stored: it knows no rows or files and imports no other module of Daybook.
//
// Invariants:
// - Three separate steps: syntax is parsed into an `EntityModel` of plain values without syntax,
//   and the model alone determines the code that `EntityCode` writes. Another spelling of entities
//   (comments, another library's attributes) changes only the reader, and generated files use the
//   same code as macro expansions.
// - A model exists only for a declaration without errors: no code is generated for a part of an
//   entity.
// - Without the package trait `Macros`, the module is empty, and swift-syntax is not built.

// DaybookModel: a Swift declaration read as an entity model, and the code written for it.
// It knows Swift's syntax and the names that the Daybook module declares. It must not know how an
// object is stored: no row, no file, no other module of Daybook is imported here.
//
// Invariants:
// - Three steps that never mix: syntax is read into an `EntityModel`, which holds plain values and
//   no syntax; the model alone decides the text that `EntityCode` writes. Whoever finds another
//   spelling of an entity (comments, another library's attributes) changes the reader only, and
//   whoever writes files instead of expansions uses the same text.
// - A model exists only for a declaration without an error in it: no code is ever written for half
//   an entity.
// - Without the package trait `Macros` the module is empty, and swift-syntax is not built.

// DaybookObjectBox: the names of ObjectBox for operations that Daybook names differently. A model
// changes `import ObjectBox` to `import DaybookObjectBox`, which also exports all of Daybook.
//
// It depends on Daybook alone, and must not add an operation: each declaration calls one of Daybook.
//
// Invariant:
// - A name that is declared here is not declared in Daybook with the same parameters: Daybook has
//   one spelling of each operation.

@_exported public import Daybook

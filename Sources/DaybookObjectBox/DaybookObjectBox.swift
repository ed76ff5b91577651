// DaybookObjectBox: ObjectBox's names of operations that Daybook names differently. A model changes
// `import ObjectBox` to `import DaybookObjectBox`, which also exports all of Daybook, and, as
// ObjectBox does, Foundation.
//
// The module depends on Daybook only. It must not add an operation: each declaration calls one of
// Daybook.
//
// Invariants:
// - A name that is declared here is not declared in Daybook with the same parameters: Daybook has
//   one spelling of each operation.

@_exported public import Daybook
@_exported public import Foundation

// DaybookRealm: the types with which a model file written for Realm declares its objects, and
// Realm's names of operations that Daybook names differently. A model changes `import RealmSwift`
// to `import DaybookRealm`, which also exports all of Daybook.
//
// The module depends on Daybook only. It must not read rows, relations or the engine except through
// the `package` declarations of Daybook.
//
// Invariants:
// - Each type is stored like the Daybook type that it replaces: a `List` of values as an array, a
//   `MutableSet` as a set, a `Map` as a dictionary.
// - Realm's names are declared only here: Daybook has no public `List`, `Map` or `Object`.

@_exported public import Daybook

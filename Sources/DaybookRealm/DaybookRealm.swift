// DaybookRealm: the types that a model file written for Realm declares its objects with. A model
// changes `import RealmSwift` to `import DaybookRealm`, which also exports all of Daybook.
//
// It depends on Daybook alone, and must not read rows, relations or the engine except through the
// `package` declarations of Daybook.
//
// Invariants:
// - Each type stores its values as the type of Daybook does that it replaces: a `List` of values as
//   an array, a `MutableSet` as a set, a `Map` as a dictionary.
// - A name of Realm is declared here or nowhere: Daybook has no public `List`, `Map` or `Object`.

@_exported public import Daybook

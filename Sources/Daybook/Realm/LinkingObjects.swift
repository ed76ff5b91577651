/// The objects that relate to one by a property of theirs: the inverse of a ``List`` of objects.
///
/// ```swift
/// class Dog: Object {
///     @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
/// }
/// ```
///
/// It is declared, and nothing of it is stored. This release does not find the objects: it gives
/// no access to any, rather than an empty collection that could be taken for the answer.
public struct LinkingObjects<Element: Object>: Sendable {
    /// The name of the property by which the other objects relate.
    public let originProperty: String

    /// Stands for the objects that relate by their property of that name.
    public init(originProperty: String) { self.originProperty = originProperty }
}

import Daybook

/// The links of a set of objects.
///
/// A set's element is not known to be an entity, so the set calls the relation through this class.
class SetRelation<Element> {
    /// The objects in the order of their ids, read if necessary.
    var objects: [Element] { [] }
    /// Describes the set by the ids that are in memory. Reads nothing.
    var idDescription: String { "" }

    func contains(_ object: Element) -> Bool { false }
    func insert(_ objects: [Element]) {}
    func remove(_ object: Element) {}
    func removeAll() {}
}

/// The links of a set of objects, as a relation to many objects.
final class ObjectSetRelation<Element: Object & Entity>: SetRelation<Element> {
    let links: ToMany<Element>

    init(_ links: ToMany<Element>) { self.links = links }

    override var objects: [Element] { Array(links) }
    override var idDescription: String {
        links.description.replacing("ToMany<", with: "MutableSet<", maxReplacements: 1)
    }

    override func contains(_ object: Element) -> Bool {
        links.contains { $0.isSameObject(as: object) }
    }
    override func insert(_ objects: [Element]) { links.append(contentsOf: objects) }
    override func remove(_ object: Element) { links.remove(object) }
    override func removeAll() { links.removeAll() }
}

import DaybookBytes
import DaybookEngine

extension LiveQuery {
    /// The objects affected by changes of related objects, found by following the links backwards
    /// from the touched objects. Nil if there are too many.
    ///
    /// For each change along a relation path of an object, consider the change nearest to the
    /// object: the links between both are unchanged. So the links of this version lead back to the
    /// object, and no older version is needed.
    func affected(
        by touches: CommitTouches, _ access: QueryAccess
    ) throws(DaybookError) -> Set<UInt64>? {
        // By the relation path that leads to the objects.
        var found: [QueryDependencies.Way: Set<UInt64>] = [:]
        for way in dependencies.ways.keys.sorted(by: { $0.count > $1.count }) {
            guard let relation = way.last, let number = relation.relationID else { continue }
            guard let touched = touches.ids(of: relation.target),
                var near = touches.ends(of: number, areTargets: relation.isBackward),
                touched.count <= judgedCountMax
            else { return nil }
            let links = LinkedRows(relation.reversed, access)
            for id in touched.union(found[way] ?? []) {
                try links.forEachId(from: id) { (id) throws(DaybookError) in
                    near.insert(id)
                    return near.count <= judgedCountMax
                }
                guard near.count <= judgedCountMax else { return nil }
            }
            found[Array(way.dropLast()), default: []].formUnion(near)
        }
        let own = found[[]] ?? []
        return own.count <= judgedCountMax ? own : nil
    }
}

extension QueryRelation {
    /// The same relation from its other end. Its target is meaningless.
    fileprivate var reversed: QueryRelation {
        var other = self
        (other.isBackward, other.isToOne) = (!isBackward, false)
        return other
    }
}

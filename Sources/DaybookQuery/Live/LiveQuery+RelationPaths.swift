import DaybookBytes
import DaybookEngine

extension LiveQuery {
    /// The objects that see something else than before along the ways of the query: found by going
    /// back over the links from what was touched. Nil where they are too many to be looked at.
    ///
    /// Of whatever has become another along a way of an object, take what is nearest to the object:
    /// the links up to there are as they were. So to go back over the links of this version finds
    /// the object, and no older version is needed.
    func affected(
        by touches: CommitTouches, _ access: QueryAccess
    ) throws(DaybookError) -> Set<UInt64>? {
        // By the way that leads to them.
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
    /// The same relation from its other end; its target is of no meaning.
    fileprivate var reversed: QueryRelation {
        var other = self
        (other.isBackward, other.isToOne) = (!isBackward, false)
        return other
    }
}

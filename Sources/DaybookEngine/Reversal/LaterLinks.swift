import DaybookIndex

/// What later commits did to links that matter, by all that it is asked for.
struct LaterLinks {
    typealias Link = ReversalHistory.LaterLink

    private(set) var all: [Link] = []
    private(set) var bySource: [ReversalHistory.Source: [Link]] = [:]
    /// By the objects at both ends.
    private(set) var byObject: [ReversalHistory.Object: [Link]] = [:]
    /// By the ends where whoever loses the last link is removed.
    private(set) var byOwned: [LinkEnd: [Link]] = [:]

    init(_ history: ReversalHistory, without cancelled: [ClosedRange<UInt64>]) {
        for later in history.laterLinks where !cancelled.contains(later.sequence) {
            let link = later.link
            guard let relation = history.engine.schemas.relation(link.relation) else { continue }
            all.append(later)
            bySource[.init(relation: link.relation, id: link.source), default: []].append(later)
            let source = ReversalHistory.Object(entity: relation.entityID, id: link.source)
            let target = ReversalHistory.Object(entity: relation.targetEntityID, id: link.target)
            for end in Set([source, target]) { byObject[end, default: []].append(later) }
            for end in history.ownedEnds(of: link, relation) {
                byOwned[end, default: []].append(later)
            }
        }
    }
}

package import DaybookBytes
package import DaybookEngine
package import DaybookRecords

extension RowForm {
    /// The relation with a name. Throws `.invalidArgument` if there is none.
    package func relation(_ name: String) throws(DaybookError) -> Schema.Relation {
        if let known = relations.first(where: { $0.name == name }) { return known.relation }
        let names = relations.map(\.name)
        throw DaybookError(
            .invalidArgument,
            "\(entityName) has no relation '\(name)'." + NearName.question(name, among: names)
                + (names.isEmpty ? "" : " It has: \(names.joined(separator: ", "))."),
            details: ["entity": entityName, "relation": name])
    }

    /// Gives an object exactly these targets, and writes only the links that change. A map of
    /// objects needs a key for each target.
    ///
    /// Throws `.notFound` for a target that does not exist, `.invalidArgument` for several targets
    /// of a to-one relation and for missing keys, and `.invalidValue` for a key that is too long.
    package func setTargets(
        of relation: Schema.Relation, from id: UInt64, to targets: [UInt64],
        keys: [String]? = nil, in transaction: WriteTransaction
    ) throws(DaybookError) {
        let number = relation.relationID
        switch relation.type {
        case .toOne:
            guard targets.count <= 1 else {
                throw DaybookError(
                    .invalidArgument,
                    "'\(relation.name)' of \(entityName) can have one target, and"
                        + " \(targets.count) are given.",
                    details: ["entity": entityName, "relation": relation.name])
            }
            try transaction.changes.setTarget(number, id, targets.first)
        case .objects:
            let list = try transaction.changes.list(number, id)
            if list.map(\.target) == targets { return }
            _ = try transaction.changes.setList(
                number, id, from: list.map(\.position),
                to: targets.map { ListPlacement(position: nil, target: $0) })
        case .keyedObjects:
            let old = try transaction.changes.list(number, id).map(\.position)
            try transaction.changes.setKeys(
                number, id, removing: old, placing: try keyed(targets, keys, relation))
        default:
            let end = LinkEnd(relation, isBackward: false, id: id)
            let wanted = Set(targets)
            for target in try transaction.changes.links(of: end) where !wanted.contains(target) {
                _ = try transaction.changes.unlink(number, id, target)
            }
            for target in wanted.sorted() { _ = try transaction.changes.link(number, id, target) }
        }
    }

    private func keyed(
        _ targets: [UInt64], _ keys: [String]?, _ relation: Schema.Relation
    ) throws(DaybookError) -> [ListElement] {
        guard targets.isEmpty || keys?.count == targets.count else {
            throw DaybookError(
                .invalidArgument,
                "'\(relation.name)' of \(entityName) is a map of objects. Give a key for each of"
                    + " its \(targets.count) objects.",
                details: ["entity": entityName, "relation": relation.name])
        }
        return try zip(keys ?? [], targets).map { key, target throws(DaybookError) in
            let position = try LinkKey.requirePosition(of: key, in: relation.name)
            return ListElement(position: position, target: target)
        }
    }
}

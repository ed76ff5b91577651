import DaybookEngine
import DaybookRecords

/// The relations of the campaigns' stores, one of each kind. The source of all is a note.
enum ObjectRelation: Int, CaseIterable, Sendable {
    /// A to-one relation to a mark, without a delete rule.
    case cover
    /// A to-one relation to a note, whose removal also removes the source.
    case chapter
    /// A to-many relation to marks, which are removed with the note.
    case owned
    /// A list of notes, with duplicates allowed.
    case sequels

    var name: String { "\(self)" }

    /// The kind of the targets.
    var target: ObjectKind {
        switch self {
        case .cover, .owned: .mark
        case .chapter, .sequels: .note
        }
    }

    var type: FieldType {
        switch self {
        case .cover, .chapter: .toOne
        case .owned: .toMany
        case .sequels: .objects
        }
    }

    var declaration: FieldDeclaration {
        var rules = RemovalRules()
        if self == .chapter { rules.onTargetRemoved = .cascade }
        if self == .owned { rules.onSourceRemoved = .cascade }
        return FieldDeclaration(
            name: name, shape: ValueShape(type, isOptional: true, entityName: target.name),
            rules: rules)
    }
}

extension FaultStore {
    /// Returns the number of a relation; nil if it is not in the schema.
    func number(_ relation: ObjectRelation) -> UInt32? {
        let schema = engine.schemas.schema
        guard let entity = schema.entity(named: ObjectKind.note.name) else { return nil }
        return schema.relations(from: entity.id).first { $0.name == relation.name }?.relationID
    }

    /// Returns the number of a relation. Throws if it is not registered.
    private func known(_ relation: ObjectRelation) throws -> UInt32 {
        guard let number = number(relation) else {
            throw Violation("the store does not know its relation \(relation)")
        }
        return number
    }

    func link(
        _ relation: ObjectRelation, _ source: UInt64, _ target: UInt64, isNew: Bool,
        in transaction: WriteTransaction
    ) throws {
        guard try transaction.changes.link(known(relation), source, target) == isNew else {
            throw Violation("\(relation) from \(source) to \(target) should be new: \(isNew)")
        }
    }

    func unlink(
        _ relation: ObjectRelation, _ source: UInt64, _ target: UInt64,
        in transaction: WriteTransaction
    ) throws {
        guard try transaction.changes.unlink(known(relation), source, target) else {
            throw Violation("\(relation) should lead from \(source) to \(target)")
        }
    }

    /// Replaces a list; `was` is the position of an element in the old list.
    func setList(
        _ relation: ObjectRelation, _ source: UInt64, _ wanted: [(target: UInt64, was: Int?)],
        in transaction: WriteTransaction
    ) throws {
        let number = try known(relation)
        let base = try transaction.changes.list(number, source)
        let placements = wanted.map { element in
            ListPlacement(
                position: element.was.map { base[$0].position }, target: element.target)
        }
        _ = try transaction.changes.setList(
            number, source, from: base.map(\.position), to: placements)
    }

    /// Returns the notes that link to an object by a relation.
    func sources(_ relation: ObjectRelation, of target: UInt64) throws -> [UInt64] {
        try engine.scope().links(
            of: LinkEnd(
                relation: known(relation), isBackward: true, id: target,
                isList: relation.type == .objects))
    }

    /// Returns the targets of a note in the store's current state.
    func targets(_ relation: ObjectRelation, of source: UInt64) throws -> [UInt64] {
        let number = try known(relation)
        if relation.type == .objects {
            return try engine.scope().list(number, source).map(\.target)
        }
        return try engine.scope().links(
            of: LinkEnd(relation: number, isBackward: false, id: source, isList: false))
    }

    /// Reads all links of the objects in `state` into it. Throws a ``Violation`` if the two
    /// directions of a relation contradict each other or a target does not exist.
    func readLinks(into state: inout ModelState) throws {
        for relation in ObjectRelation.allCases {
            guard let number = number(relation) else { continue }
            for source in state.ids(.note) {
                let end = LinkEnd(
                    relation: number, isBackward: false, id: source,
                    isList: relation.type == .objects)
                let targets =
                    end.isList
                    ? try engine.scope().list(number, source).map(\.target)
                    : try engine.scope().links(of: end)
                guard try engine.scope().linkCount(of: end) == targets.count else {
                    throw Violation("\(relation) of note \(source) counts other than \(targets)")
                }
                state.set(relation, source, targets)
            }
            let sources = state.sources(relation)
            for target in state.ids(relation.target) {
                let end = LinkEnd(
                    relation: number, isBackward: true, id: target,
                    isList: relation.type == .objects)
                let found = try engine.scope().links(of: end)
                let wanted = sources[target] ?? []
                guard found == wanted else {
                    throw Violation(
                        "\(relation) leads to \(target) from \(wanted), and back to \(found)")
                }
            }
            for target in sources.keys where state.objects[relation.target.rawValue][target] == nil
            {
                throw Violation("\(relation) leads to \(target), which does not exist")
            }
        }
    }
}

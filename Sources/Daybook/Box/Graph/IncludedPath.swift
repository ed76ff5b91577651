import DaybookBytes

/// A relation to load together with its host objects.
struct IncludedPath<Host: Entity>: Sendable {
    private let path: any PartialKeyPath<Host> & Sendable
    private let next: (any NextPaths)?

    init(_ path: any PartialKeyPath<Host> & Sendable) {
        self.path = path
        next = nil
    }

    init<Relation: ObjectRelation>(
        _ path: any KeyPath<Host, Relation> & Sendable, then next: [IncludedPath<Relation.Target>]
    ) {
        self.path = path
        self.next = PathsOf(paths: next)
    }

    func load(_ hosts: [Host]) throws {
        let values = hosts.map { $0[keyPath: path] }
        guard let first = values.first else { return }
        try load(try relation(first), values)
    }

    nonisolated(nonsending) func loadElsewhere(_ hosts: [Host]) async throws {
        let values = hosts.map { $0[keyPath: path] }
        guard let first = values.first else { return }
        try await loadElsewhere(try relation(first), values)
    }

    private func load<Relation: ObjectRelation>(_ first: Relation, _ values: [Any]) throws {
        let objects = try Relation.load(values.compactMap { $0 as? Relation })
        try next?.load(objects)
    }

    private nonisolated(nonsending) func loadElsewhere<Relation: ObjectRelation>(
        _ first: Relation, _ values: [Any]
    ) async throws {
        let objects = try await Relation.load(values.compactMap { $0 as? Relation })
        try await next?.loadElsewhere(objects)
    }

    private func relation(_ value: Any) throws(DaybookError) -> any ObjectRelation {
        if let relation = value as? any ObjectRelation { return relation }
        throw DaybookError(
            .invalidArgument,
            "'\(path)' is not a relation that can be included. Use a ToOne, a ToMany, a List of"
                + " objects or LinkingObjects.", details: ["path": "\(path)"])
    }
}

/// Paths of a type-erased host type.
private protocol NextPaths: Sendable {
    func load(_ objects: [any Entity]) throws
    nonisolated(nonsending) func loadElsewhere(_ objects: [any Entity]) async throws
}

private struct PathsOf<Host: Entity>: NextPaths {
    let paths: [IncludedPath<Host>]

    func load(_ objects: [any Entity]) throws {
        let hosts = objects.compactMap { $0 as? Host }
        for path in paths { try path.load(hosts) }
    }

    nonisolated(nonsending) func loadElsewhere(_ objects: [any Entity]) async throws {
        let hosts = objects.compactMap { $0 as? Host }
        for path in paths { try await path.loadElsewhere(hosts) }
    }
}

import DaybookBytes
import DaybookEngine
import DaybookIndex

/// What a ``Store`` is made of, opened: this may be done on another thread than the caller's.
struct OpenedStore: Sendable {
    let path: String
    let memory: MemoryStoreShare?
    let engine: Engine
    let types: StoreTypes

    /// Opens a store and brings its schema and the types together.
    init(path: String, _ entities: [any Storable.Type], _ options: StoreOptions) throws {
        self.path = path
        guard !path.isEmpty, !path.utf8.contains(0) else { throw Self.unusable(path) }
        // What can be refused without a look at the directory is refused before anything is made.
        let (all, descriptions) = try Self.descriptions(of: entities)
        let engineOptions = try options.engineOptions()
        let prefix = MemoryStoreShare.prefix
        memory =
            path.hasPrefix(prefix)
            ? MemoryStoreShare(name: String(path.dropFirst(prefix.count))) : nil
        let fileSystem: any FileSystem = memory?.fileSystem ?? RealFileSystem()
        engine = try Engine.open(
            memory == nil ? path : "/store", fileSystem,
            access: options.isReadOnly ? .read : .write, options: engineOptions)
        do {
            types = try Self.types(all, descriptions, engine, options)
        } catch {
            try? engine.close()
            throw error
        }
    }

    /// Brings the types and the store together.
    private static func types(
        _ all: [any Storable.Type], _ descriptions: [EntityDescription], _ engine: Engine,
        _ options: StoreOptions
    ) throws -> StoreTypes {
        let declarations = zip(all, descriptions).map { $1.declaration(kind: EntityKind(of: $0)) }
        func bound(_ layouts: [EntityLayout]) -> StoreTypes {
            var bindings: [ObjectIdentifier: EntityBinding] = [:]
            for (index, layout) in layouts.enumerated() {
                bindings[ObjectIdentifier(all[index])] = EntityBinding(
                    descriptions[index], layout, engine,
                    followed: options.isReadOnly
                        ? EntityBinding.Followed(declarations: declarations, index: index) : nil)
            }
            return StoreTypes(bindings)
        }
        let context = MigrationContext()
        var registration = Registration(declarations)
        registration.schemaVersion = options.schemaVersion
        registration.migrations = options.migrations.map { $0.made(context) }
        if let progress = options.progress {
            registration.progress = { entity, fraction in
                progress(OpeningProgress(.migrating(entity: entity), fraction: fraction))
            }
            engine.onIndexProgress { progress(OpeningProgress($0)) }
        }
        let layouts = try engine.register(registration) { context.types = bound($0) }
        return bound(layouts)
    }

    static func unusable(_ path: String) -> DaybookError {
        DaybookError(
            .invalidArgument,
            "'\(path)' does not name a directory. Give a file URL, a path, or 'memory:' and a"
                + " name.",
            details: ["path": path])
    }

    /// The types and what they declare, each checked by itself, followed by the embedded types
    /// that their properties have. Two types under one name would take turns at changing its
    /// schema.
    private static func descriptions(
        of entities: [any Storable.Type]
    ) throws(DaybookError) -> ([any Storable.Type], [EntityDescription]) {
        var owners: [String: any Storable.Type] = [:]
        var types: [any Storable.Type] = []
        var descriptions: [EntityDescription] = []
        var rest = entities[...]
        while let type = rest.popFirst() {
            if types.contains(where: { $0 == type }) { continue }
            let description = type.entityDescription
            if let owner = owners.updateValue(type, forKey: description.name) {
                throw DaybookError(
                    .schemaMismatch,
                    "\(owner) and \(type) both call themselves '\(description.name)'. Give one of"
                        + " them another name.",
                    details: ["entity": description.name])
            }
            try description.declaration(kind: EntityKind(of: type)).check()
            types.append(type)
            descriptions.append(description)
            rest += description.properties.flatMap(\.type.embeddedTypes)
        }
        return (types, descriptions)
    }
}

extension EntityKind {
    /// What the type is to the store.
    init(of type: any Storable.Type) {
        self = type is any Embedded.Type ? .embedded : type is any Event.Type ? .event : .object
    }
}

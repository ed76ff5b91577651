import DaybookBytes
import DaybookEngine
import DaybookIndex

/// What a ``Store`` is made of, opened: this may be done on another thread than the caller's.
struct OpenedStore: Sendable {
    let path: String
    let memory: MemoryStoreShare?
    let engine: Engine
    let bindings: [ObjectIdentifier: EntityBinding]

    /// Opens a store and brings its schema and the types together.
    init(path: String, _ entities: [any Entity.Type], _ options: StoreOptions) throws {
        self.path = path
        guard !path.isEmpty, !path.utf8.contains(0) else { throw Self.unusable(path) }
        // What can be refused without a look at the directory is refused before anything is made.
        let descriptions = try Self.descriptions(of: entities)
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
            let layouts = try engine.register(descriptions.map(\.declaration))
            var bindings: [ObjectIdentifier: EntityBinding] = [:]
            for (type, (description, layout)) in zip(entities, zip(descriptions, layouts)) {
                bindings[ObjectIdentifier(type)] = EntityBinding(description, layout, engine)
            }
            self.bindings = bindings
        } catch {
            try? engine.close()
            throw error
        }
    }

    static func unusable(_ path: String) -> DaybookError {
        DaybookError(
            .invalidArgument,
            "'\(path)' does not name a directory. Give a file URL, a path, or 'memory:' and a"
                + " name.",
            details: ["path": path])
    }

    /// What the types declare, each checked by itself; two types under one name would take turns at
    /// changing its schema.
    private static func descriptions(
        of entities: [any Entity.Type]
    ) throws(DaybookError) -> [EntityDescription] {
        var owners: [String: any Entity.Type] = [:]
        return try entities.map { type throws(DaybookError) in
            let description = type.entityDescription
            if let owner = owners.updateValue(type, forKey: description.name), owner != type {
                throw DaybookError(
                    .schemaMismatch,
                    "\(owner) and \(type) both call themselves '\(description.name)'. Give one of"
                        + " them another name.",
                    details: ["entity": description.name])
            }
            _ = try Schema().reconcile(description.declaration)
            return description
        }
    }
}

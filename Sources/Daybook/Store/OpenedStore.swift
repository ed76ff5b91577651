import DaybookBytes
import DaybookEngine
import DaybookRecords

/// The parts of an opened ``Store``. Can be created on another thread than the caller's.
struct OpenedStore: Sendable {
    let path: String
    let memory: MemoryStoreShare?
    let engine: Engine
    let types: StoreTypes
    let report: OpeningReport

    /// Opens a store and matches its schema with the types. `volume` is the file system of the
    /// path; nil for the machine's own file system.
    init(
        path: String, _ entities: [any Storable.Type], _ options: StoreOptions,
        on volume: (any FileSystem)? = nil
    ) throws {
        let start = options.observers.isEmpty ? nil : ContinuousClock.now
        guard !path.isEmpty, !path.utf8.contains(0) else { throw Self.unusable(path) }
        // Reject invalid arguments before the directory is accessed.
        let declared = try DeclaredTypes(entities)
        let engineOptions = try options.engineOptions()
        let context = MigrationContext()
        let registration = Self.registration(try declared.declarations(), options, context)
        try registration.check()
        try engineOptions.retention.check(registration.declarations)
        let prefix = MemoryStoreShare.prefix
        let memory =
            path.hasPrefix(prefix)
            ? MemoryStoreShare(name: String(path.dropFirst(prefix.count))) : nil
        let fileSystem: any FileSystem = memory?.fileSystem ?? volume ?? RealFileSystem()
        let engine = try Engine.open(
            memory == nil ? path : "/store", fileSystem,
            access: options.isReadOnly ? .read : .write, options: engineOptions)
        do {
            try self.init(engine, path, memory, declared, registration, context, options)
        } catch {
            try? engine.close()
            throw error
        }
        engine.events?.begin(.opened(report, duration: .since(start)))
    }

    /// Matches the schema of an open store with the types. An error leaves the store open.
    init(
        _ engine: Engine, path: String, _ entities: [any Storable.Type], _ options: StoreOptions
    ) throws {
        let declared = try DeclaredTypes(entities)
        let context = MigrationContext()
        let registration = Self.registration(try declared.declarations(), options, context)
        try registration.check()
        try self.init(engine, path, nil, declared, registration, context, options)
        engine.events?.begin(.opened(report, duration: .zero))
    }

    private init(
        _ engine: Engine, _ path: String, _ memory: MemoryStoreShare?, _ declared: DeclaredTypes,
        _ registration: Registration, _ context: MigrationContext, _ options: StoreOptions
    ) throws {
        self.path = path
        self.memory = memory
        self.engine = engine
        try engine.checkRetention(registration.declarations)
        if let progress = options.progress {
            engine.onIndexProgress { progress(OpeningProgress($0)) }
        }
        func bound(_ layouts: [EntityLayout]) throws(DaybookError) -> StoreTypes {
            try Self.types(declared, layouts, engine, registration)
        }
        // The registration throws the errors of the declarations.
        let renames = (try? engine.possibleRenames(registration)) ?? []
        let layouts = try engine.register(registration) { context.types = try bound($0) }
        types = try bound(layouts)
        var report = engine.openReport
        report.possibleRenames = renames.map(\.advice)
        self.report = report
        types.removeExpiredRegularly(options)
    }

    /// Returns the schema registration for the types and the options.
    private static func registration(
        _ declarations: [EntityDeclaration], _ options: StoreOptions, _ context: MigrationContext
    ) -> Registration {
        var registration = Registration(declarations)
        registration.schemaVersion = options.schemaVersion
        registration.migrations = options.migrations.map { $0.made(context) }
        if let progress = options.progress {
            registration.progress = { entity, fraction in
                progress(OpeningProgress(.migrating(entity: entity), fraction: fraction))
            }
        }
        return registration
    }

    /// Returns the bindings of the types to the store's layouts.
    private static func types(
        _ declared: DeclaredTypes, _ layouts: [EntityLayout], _ engine: Engine,
        _ registration: Registration
    ) throws(DaybookError) -> StoreTypes {
        var bindings: [ObjectIdentifier: EntityBinding] = [:]
        let followed = engine.isFollowing ? registration.declarations : nil
        for (index, layout) in layouts.enumerated() {
            bindings[ObjectIdentifier(declared.types[index])] = EntityBinding(
                declared.descriptions[index], layout, engine,
                relations: try declared.relations(of: index, layouts, engine, followed: followed),
                followed: followed.map {
                    EntityBinding.Followed(declarations: $0, index: index)
                })
        }
        return StoreTypes(bindings, engine)
    }

    static func unusable(_ path: String) -> DaybookError {
        DaybookError(
            .invalidArgument,
            "'\(path)' does not name a directory. Give a file URL, a path, or 'memory:' and a"
                + " name.",
            details: ["path": path])
    }
}

extension EntityKind {
    /// The kind of a type in the store.
    init(of type: any Storable.Type) {
        self = type is any Embedded.Type ? .embedded : type is any Event.Type ? .event : .object
    }
}

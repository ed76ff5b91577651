#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
import DaybookBytes
import DaybookEngine
import Synchronization

/// A directory of objects and their history, open.
///
/// One process writes; any number may read beside it (``StoreOptions/isReadOnly``). A store may be
/// used from any thread and task. Close it with ``close()``; one that is simply let go closes
/// itself.
public final class Store: Sendable {
    let engine: Engine
    private let memory: MemoryStoreShare?
    private let bindings: [ObjectIdentifier: EntityBinding]
    private let boxes = Mutex<[ObjectIdentifier: any AnyBox]>([:])
    /// Where the store is: a path, or `memory:` and a name.
    public let directoryPath: String

    /// Opens the store in a directory, making it where the directory is missing or empty.
    ///
    /// - Parameters:
    ///   - directory: a file URL.
    ///   - entities: the types whose objects the store keeps; types that are new to it, and
    ///     properties that were added or removed, are written to its schema in one transaction.
    ///   - options: how it behaves; see ``StoreOptions``.
    /// - Throws: `.locked` (naming the process), `.notAStore`, `.permissionDenied`, `.outOfSpace`,
    ///   `.formatTooNew`, `.corruption`, `.schemaMismatch`, `.invalidArgument`. What was in the
    ///   directory is then as it was.
    /// - Complexity: the newest snapshot's directory and the log written since; not the size of the
    ///   store.
    public convenience init(
        directory: URL, entities: any Entity.Type..., options: StoreOptions = StoreOptions()
    ) throws {
        guard directory.isFileURL else { throw Self.unusable(directory.absoluteString) }
        try self.init(path: directory.path, entities: entities, options: options)
    }

    /// Opens the store in the directory at a path, or, with the prefix `memory:`, a store without
    /// files that lives as long as it is open.
    ///
    /// Throws as ``init(directory:entities:options:)`` does.
    public convenience init(
        directoryPath: String, entities: any Entity.Type...,
        options: StoreOptions = StoreOptions()
    ) throws {
        try self.init(path: directoryPath, entities: entities, options: options)
    }

    /// Opens a store with entity types that are only known at run time.
    public init(
        path: String, entities: [any Entity.Type], options: StoreOptions = StoreOptions()
    ) throws {
        directoryPath = path
        let prefix = MemoryStoreShare.prefix
        memory =
            path.hasPrefix(prefix)
            ? MemoryStoreShare(name: String(path.dropFirst(prefix.count))) : nil
        guard !path.isEmpty, !path.utf8.contains(0) else { throw Self.unusable(path) }
        let descriptions = try Self.descriptions(of: entities)
        let fileSystem: any FileSystem = memory?.fileSystem ?? RealFileSystem()
        engine = try Engine.open(
            memory == nil ? path : "/store", fileSystem,
            access: options.isReadOnly ? .read : .write, options: try options.engineOptions())
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

    private static func unusable(_ path: String) -> DaybookError {
        DaybookError(
            .invalidArgument,
            "'\(path)' does not name a directory. Give a file URL, a path, or 'memory:' and a"
                + " name.",
            details: ["path": path])
    }

    /// What the types declare; two types under one name would take turns at changing its schema.
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
            return description
        }
    }

    deinit {
        // Boxes may outlive the store; they find it closed.
        try? engine.close()
    }

    /// The box of an entity's objects; the same one each time.
    ///
    /// Never fails: using the box of a type that the store was not opened with throws
    /// `.entityNotRegistered`.
    public func box<E: Entity>(for type: E.Type = E.self) -> Box<E> {
        let key = ObjectIdentifier(type)
        return boxes.withLock { boxes in
            if let known = boxes[key] as? Box<E> { return known }
            let made = Box<E>(engine, bindings[key])
            boxes[key] = made
            return made
        }
    }

    /// Makes every commit so far safe from a power cut; of use below ``Durability/always``.
    /// Throws `.durabilityUnknown` when the disk refuses, `.closed` after ``close()``.
    public func sync() throws { try engine.sync() }

    /// ``sync()`` without blocking the caller's thread.
    public func sync() async throws { try await engine.readElsewhere { try self.engine.sync() } }

    /// Ends the store: running transactions finish, all is synced, and the next opening finds a
    /// clean end.
    ///
    /// Closing twice is fine. Afterwards every use throws `.closed`; what a `memory:` store held is
    /// gone. If it throws `.durabilityUnknown`, commits since the last sync may be lost; the store
    /// is closed all the same. Inside a write transaction of this store it throws
    /// `.invalidArgument` and closes nothing.
    public func close() throws {
        try engine.close()
        memory?.giveBack()
    }

    /// In a read-only store: takes over what the writer has committed since, and returns whether
    /// there was anything. It happens by itself every ``StoreOptions/refreshInterval``.
    @discardableResult
    public func refresh() throws -> Bool { try engine.refresh() }

    /// The sequence of the newest commit that is visible: 1, 2, 3 ….
    public var sequence: UInt64 { get throws { try engine.visibleSequence } }
}

/// Lets boxes of different entities stand in one table.
protocol AnyBox: AnyObject, Sendable {}

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
package import DaybookEngine
import Synchronization

/// An open directory of objects and their history.
///
/// One process writes; any number of processes may read at the same time
/// (``StoreOptions/isReadOnly``). A store may be used from any thread and task. Close it with
/// ``close()``; a store that is deallocated closes itself.
public final class Store: Sendable {
    package let engine: Engine
    let memory: MemoryStoreShare?
    let types: StoreTypes
    private let boxes = Mutex<[ObjectIdentifier: any AnyBox]>([:])
    /// The location of the store: a path, or `memory:` and a name.
    public let directoryPath: String
    /// The findings and actions of the opening.
    public let openingReport: OpeningReport

    /// Opens the store in a directory. Creates the store if the directory is missing or empty.
    ///
    /// - Parameters:
    ///   - directory: a file URL.
    ///   - entities: the types of the stored objects. Types that are new to the store, and added or
    ///     removed properties, are written to its schema in one transaction.
    ///   - options: the behavior of the store; see ``StoreOptions``.
    /// - Throws: `.locked` with the process that holds the lock, `.notAStore`, `.permissionDenied`,
    ///   `.outOfSpace`, `.inputOutput`, `.formatTooNew`, `.corruption`, `.schemaMismatch`,
    ///   `.schemaTooNew`, `.migrationFailed`, `.uniqueViolation` for a new unique index,
    ///   `.invalidArgument`; in a read-only store also `.fileNotFound`. No object and no history is
    ///   lost or changed by an error. Invalid types and options are reported before any file is
    ///   touched. Types that contradict the store's schema are reported after the store was opened:
    ///   crash recovery is complete by then, and an empty directory has become a store.
    /// - Complexity: the newest snapshot's directory and the log after it; independent of the size
    ///   of the store.
    public convenience init(
        directory: URL, entities: any Storable.Type..., options: StoreOptions = StoreOptions()
    ) throws {
        self.init(try OpenedStore(path: Self.path(of: directory), entities, options))
    }

    /// Opens the store in the directory at a path. With the prefix `memory:` it opens a store
    /// without files, whose content exists while the store is open.
    ///
    /// Throws as ``init(directory:entities:options:)`` does.
    public convenience init(
        directoryPath: String, entities: any Storable.Type...,
        options: StoreOptions = StoreOptions()
    ) throws {
        self.init(try OpenedStore(path: directoryPath, entities, options))
    }

    /// Exists for its message: each type must be an entity or an event.
    @_disfavoredOverload
    @available(*, unavailable, message: "each type needs @Entity or the plugin DaybookGenerator")
    public convenience init(
        directoryPath: String, entities: Any.Type..., options: StoreOptions = StoreOptions()
    ) { preconditionFailure("unavailable") }

    /// Opens a store with entity types that are only known at run time. `path` is as in
    /// ``init(directoryPath:entities:options:)``.
    ///
    /// Throws as ``init(directory:entities:options:)`` does.
    public convenience init(
        path: String, entities: [any Storable.Type], options: StoreOptions = StoreOptions()
    ) throws {
        self.init(try OpenedStore(path: path, entities, options))
    }

    /// Creates a store on an open engine. An error leaves the engine open.
    package convenience init(
        _ engine: Engine, path: String, entities: [any Storable.Type], options: StoreOptions
    ) throws {
        self.init(try OpenedStore(engine, path: path, entities, options))
    }

    init(_ opened: OpenedStore) {
        directoryPath = opened.path
        memory = opened.memory
        engine = opened.engine
        types = opened.types
        openingReport = opened.report
        OpenStores.add(self)
    }

    static func path(of directory: URL) throws(DaybookError) -> String {
        guard directory.isFileURL else { throw OpenedStore.unusable(directory.absoluteString) }
        return directory.path
    }

    deinit {
        // Boxes may outlive the store; their operations throw `.closed`.
        try? engine.close()
        OpenStores.remove(self)
    }

    /// Returns the box for the objects of an entity; the same box each time.
    ///
    /// The call does not fail. If the store was not opened with the type, each use of the box
    /// throws `.entityNotRegistered`.
    public func box<E: Entity>(for type: E.Type = E.self) -> Box<E> {
        let key = ObjectIdentifier(type)
        return boxes.withLock { boxes in
            if let known = boxes[key] as? Box<E> { return known }
            let made = Box<E>(engine, types)
            boxes[key] = made
            return made
        }
    }

    /// Syncs all previous commits, so that they survive a power failure. Has an effect only with a
    /// durability below ``Durability/always``.
    ///
    /// - Throws: `.durabilityUnknown` if the sync fails, `.closed` after ``close()``.
    public func sync() throws { try engine.sync() }

    /// Closes the store. Waits for running transactions, syncs all commits, and marks a clean end
    /// for the next opening. Compresses the last segment first if it has at least 64 KiB and a
    /// noticeable part of the log, which takes about a second for 64 MiB; see
    /// ``StoreOptions/isMaintenanceAutomatic``.
    ///
    /// Observers of results, values and commits of the store receive all commits before the close,
    /// and then the end. An update that follows from several commits may be the last one.
    ///
    /// A second call has no effect. Afterwards every use throws `.closed`. The content of a
    /// `memory:` store is released with the last `Store` of that name.
    ///
    /// - Throws: `.durabilityUnknown` if commits since the last sync may be lost. `.outOfSpace`,
    ///   `.inputOutput` or `.permissionDenied` if the clean end could not be written: no commit is
    ///   lost, but the next opening reads more. In all these cases the store is closed.
    ///   `.invalidArgument` inside a write transaction of this store; only then the store stays
    ///   open.
    // Disfavored, because ObjectBox's form does not throw.
    @_disfavoredOverload
    public func close() throws {
        defer {
            if !engine.isOpen {
                memory?.giveBack()
                OpenStores.remove(self)
            }
        }
        _ = engine.waitForQueue()
        finishObservers()
        try engine.close()
    }

    /// Closes the store as `close()` does, and keeps an error in ``maintenanceError``.
    package func closeKeepingError() {
        do { try close() } catch {
            engine.keepMaintenanceFailure((error as? DaybookError) ?? Self.notClosed(error))
        }
    }

    private static func notClosed(_ error: any Error) -> DaybookError {
        DaybookError(.inputOutput, "The store was not closed cleanly: \(error). Open it again.")
    }

    /// Reports the commits so far to observers of results, values and commits. Results and values
    /// are read now, because a closed store reads nothing.
    private func finishObservers() {
        let all = [types.liveQueries, types.unsyncedQueries].compactMap { $0 }
        guard engine.isOpen, !engine.isWriting, all.contains(where: { $0.listenerCount > 0 }) else {
            return
        }
        // Durable commits are reported. If the sync fails, the close throws its error.
        try? engine.sync()
        for queries in all { queries.finish() }
    }

    /// Closes the store, and removes its files, and its directory unless that contains other files.
    /// A `memory:` store has no files. Throws `.invalidArgument` inside a write transaction of this
    /// store, and nothing is changed; `.locked` if another process has opened the store for
    /// writing, `.permissionDenied` or `.inputOutput`.
    package func closeAndRemoveFiles() throws {
        do { try close() } catch { if engine.isOpen { throw error } }
        guard memory == nil else { return }
        try engine.removeFiles()
    }

    /// Refreshes a read-only store: makes the writer's new commits visible. Returns whether there
    /// were any. A read-only store also refreshes itself every ``StoreOptions/refreshInterval``.
    ///
    /// In a store that is open for writing this does nothing and returns false.
    ///
    /// - Throws: `.closed`; `.corruption`, `.inputOutput`, `.permissionDenied` for files that
    ///   cannot be read; `.formatTooNew` if a newer release has become the writer. After an error
    ///   the store keeps its visible state, and the refresh may be tried again.
    @discardableResult
    public func refresh() throws -> Bool { try engine.refresh() }

    /// The sequence of the newest visible commit: 1, 2, 3 …; 0 in a store without commits.
    ///
    /// Opening a store with new entity types is a commit of its own. Never waits for the disk.
    /// Throws `.closed`.
    public var sequence: UInt64 { get throws { try engine.visibleSequence } }

    /// The error of the last background work: a snapshot, the compression of a sealed segment, the
    /// building of an index, or the refresh of a read-only store. Nil if the work succeeded or
    /// there was none.
    ///
    /// The code is `.corruption`, with the object's id in its details, if an index lacks an object
    /// whose row is unreadable because of damage. It remains until that object is removed or
    /// replaced.
    ///
    /// No commit is at risk: the work is tried again later. Until then opening reads more, or a
    /// reader lags behind the writer. Log this error, because a full or failing disk appears here
    /// first.
    public var maintenanceError: DaybookError? { engine.maintenanceFailure }
}

/// Lets boxes of different entities share one dictionary.
protocol AnyBox: AnyObject, Sendable {}

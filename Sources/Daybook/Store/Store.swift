#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
import DaybookEngine
import Synchronization

/// A directory of objects and their history, open.
///
/// One process writes; any number may read beside it (``StoreOptions/isReadOnly``). A store may be
/// used from any thread and task. Close it with ``close()``; one that is simply let go closes
/// itself.
public final class Store: Sendable {
    let engine: Engine
    let memory: MemoryStoreShare?
    let types: StoreTypes
    private let boxes = Mutex<[ObjectIdentifier: any AnyBox]>([:])
    /// Where the store is: a path, or `memory:` and a name.
    public let directoryPath: String
    /// What opening the store found and did.
    public let openingReport: OpeningReport

    /// Opens the store in a directory, making it where the directory is missing or empty.
    ///
    /// - Parameters:
    ///   - directory: a file URL.
    ///   - entities: the types whose objects the store keeps; types that are new to it, and
    ///     properties that were added or removed, are written to its schema in one transaction.
    ///   - options: how it behaves; see ``StoreOptions``.
    /// - Throws: `.locked` (naming the process), `.notAStore`, `.permissionDenied`, `.outOfSpace`,
    ///   `.inputOutput`, `.formatTooNew`, `.corruption`, `.schemaMismatch`, `.schemaTooNew`,
    ///   `.migrationFailed`, `.uniqueViolation` (by an index that is new), `.invalidArgument`; in a
    ///   read-only store also `.fileNotFound`. No object and no history is lost or changed then.
    ///   What is wrong with the types or the options by themselves is found before anything is
    ///   touched. Types that contradict the store are found when it is open: what a crash had left
    ///   is mended by then, and an empty directory has become a store.
    /// - Complexity: the newest snapshot's directory and the log written since; not the size of the
    ///   store.
    public convenience init(
        directory: URL, entities: any Storable.Type..., options: StoreOptions = StoreOptions()
    ) throws {
        self.init(try OpenedStore(path: Self.path(of: directory), entities, options))
    }

    /// Opens the store in the directory at a path, or, with the prefix `memory:`, a store without
    /// files that lives as long as it is open.
    ///
    /// Throws as ``init(directory:entities:options:)`` does.
    public convenience init(
        directoryPath: String, entities: any Storable.Type...,
        options: StoreOptions = StoreOptions()
    ) throws {
        self.init(try OpenedStore(path: directoryPath, entities, options))
    }

    /// Opens a store with entity types that are only known at run time; `path` as in
    /// ``init(directoryPath:entities:options:)``.
    ///
    /// Throws as ``init(directory:entities:options:)`` does.
    public convenience init(
        path: String, entities: [any Storable.Type], options: StoreOptions = StoreOptions()
    ) throws {
        self.init(try OpenedStore(path: path, entities, options))
    }

    init(_ opened: OpenedStore) {
        directoryPath = opened.path
        memory = opened.memory
        engine = opened.engine
        types = opened.types
        openingReport = opened.engine.openReport
    }

    static func path(of directory: URL) throws(DaybookError) -> String {
        guard directory.isFileURL else { throw OpenedStore.unusable(directory.absoluteString) }
        return directory.path
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
            let made = Box<E>(engine, types)
            boxes[key] = made
            return made
        }
    }

    /// Makes every commit so far safe from a power cut; of use below ``Durability/always``.
    /// Throws `.durabilityUnknown` when the disk refuses, `.closed` after ``close()``.
    public func sync() throws { try engine.sync() }

    /// Ends the store: running transactions finish, all is synced, and the next opening finds a
    /// clean end.
    ///
    /// Closing twice is fine. Afterwards every use throws `.closed`; what a `memory:` store held is
    /// gone with the last `Store` of that name.
    ///
    /// - Throws: `.durabilityUnknown`: commits since the last sync may be lost. `.outOfSpace`,
    ///   `.inputOutput`, `.permissionDenied`: no commit is lost, but the clean end could not be
    ///   noted, so the next opening reads more. The store is closed all the same. Only
    ///   `.invalidArgument` closes nothing: inside a write transaction of this store.
    public func close() throws {
        defer { if !engine.isOpen { memory?.giveBack() } }
        try engine.close()
    }

    /// In a read-only store: takes over what the writer has committed since, and returns whether
    /// there was anything. It happens by itself every ``StoreOptions/refreshInterval``.
    ///
    /// A store that writes always shows the newest: there it does nothing and returns false.
    ///
    /// - Throws: `.closed`; `.corruption`, `.inputOutput`, `.permissionDenied` for files that
    ///   cannot be read; `.formatTooNew` where a newer release has taken over writing. What the
    ///   store showed before it goes on to show, and it may be tried again.
    @discardableResult
    public func refresh() throws -> Bool { try engine.refresh() }

    /// The sequence of the newest commit that is visible: 1, 2, 3 …; 0 in a store that has none.
    ///
    /// Opening with entity types that are new to the store is a commit of its own. Never waits for
    /// the disk. Throws `.closed`.
    public var sequence: UInt64 { get throws { try engine.visibleSequence } }

    /// Why the last piece of background work failed (a snapshot, the compression of a sealed
    /// segment, the building of an index, the refresh of a read-only store); nil where it went well
    /// or there was none. Of code `.corruption`, with the object's id in its details, where an
    /// index lacks an object whose row damage makes unreadable: until that is removed, or put anew.
    ///
    /// No commit is in danger by it: the work is tried again later, and until then opening reads
    /// more, or a reader lags behind. It is worth a line in the program's log, for a disk that is
    /// full or failing shows here first.
    public var maintenanceError: DaybookError? { engine.maintenanceFailure }
}

/// Lets boxes of different entities stand in one table.
protocol AnyBox: AnyObject, Sendable {}

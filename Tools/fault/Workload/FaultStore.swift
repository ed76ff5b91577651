import DaybookBytes
import DaybookEngine
import DaybookRecords
import DaybookLog
import DaybookTesting

/// An open store of the campaigns: an engine and the row layouts.
struct FaultStore {
    /// The path of stores in memory.
    static let path = "/store"

    let engine: Engine
    /// The layouts of the kinds of objects, and of the events.
    let layouts: [EntityLayout]
    private let rowLayouts: [RowLayout]

    /// Returns options with small segments, frames, blocks and steps, so that a few dozen
    /// operations reach every path of the log. Automatic maintenance is off.
    static func options(_ durability: Durability = .always) -> EngineOptions {
        var options = EngineOptions()
        options.durability = durability
        options.log.segmentSizeBytes = 6 << 10
        options.log.preallocationStepBytes = 2 << 10
        options.log.writeChunkBytesMax = 1 << 10
        options.log.frameCacheBudgetBytes = 1 << 20
        options.framePayloadBytes = 1 << 10
        options.blockPayloadBytes = 512
        options.blockLevel = 1
        options.snapshotChangeCountMin = 12
        options.snapshotBaseLengthMin = 1
        options.isMaintenanceAutomatic = false
        options.refreshIntervalMilliseconds = 0
        return options
    }

    /// Opens the store; with `registering`, registers the entities.
    init(
        _ fileSystem: any FileSystem, path: String = Self.path, _ options: EngineOptions,
        access: Engine.Access = .write, registering: Bool = true
    ) throws {
        let engine = try Engine.open(path, fileSystem, access: access, options: options)
        self.init(engine, registering ? try engine.register(Self.declarations) : [])
    }

    private static var declarations: [EntityDeclaration] {
        ObjectKind.allCases.map(\.declaration) + [visit]
    }

    private init(_ engine: Engine, _ layouts: [EntityLayout]) {
        self.engine = engine
        self.layouts = layouts
        rowLayouts = layouts.map { RowLayout($0) }
    }

    /// Registers the entities and returns the same store with their layouts.
    func registered() throws -> FaultStore {
        FaultStore(engine, try engine.register(Self.declarations))
    }

    /// Creates an empty store whose identity follows from the seed, for `init` to open.
    static func make(_ fileSystem: any FileSystem, seed: UInt64) throws {
        let directory = try LogDirectory.openForWriting(
            path, fileSystem, holder: "the campaign",
            identity: {
                var random = SeededGenerator(seed: seed)
                return StoreIdentity.random(using: &random)
            }, timeMicroseconds: 1)
        directory.lock?.release()
    }

    /// Drops history by ``droppingPolicy``. All commits are durable afterwards, because sealing
    /// syncs them.
    func dropHistory() throws { _ = try engine.compact(droppingPolicy, sealsActive: true) }

    /// One of six policies, which follows from the sequence. Four of them drop events.
    var droppingPolicy: HistoryPolicy {
        let recent = HistoryRule.since(sequence / 4 * 3)
        let (mark, visit) = (ObjectKind.mark.name, Self.visit.name)
        return switch sequence % 6 {
        case 0: .latest
        case 1: HistoryPolicy(recent, entities: [visit: .since(sequence / 2)])
        case 2: HistoryPolicy(.versions(2), entities: [visit: .latest])
        case 3: HistoryPolicy(recent, entities: [mark: .versions(2)])
        case 4: HistoryPolicy(.all, entities: [visit: recent])
        default: HistoryPolicy(.latest, entities: [visit: .latest])
        }
    }

    /// The last transaction in the log.
    var sequence: UInt64 { engine.log.lastSequence }

    /// Puts an object within a transaction; id 0 assigns a new id.
    func put(
        _ kind: ObjectKind, _ id: UInt64, length: Int, seed: UInt64,
        in transaction: WriteTransaction
    ) throws -> (id: UInt64, row: [UInt8]) {
        let layout = layouts[kind.rawValue]
        let row = try kind.row(rowLayouts[kind.rawValue], length: length, seed: seed)
        let id = try transaction.changes.put(
            layout.entityID, id, layout: layout.layoutID, row: row.span
        ).id
        return (id, row)
    }

    /// Puts a new mark with the given bytes and returns its id.
    func put(_ data: [UInt8], in transaction: WriteTransaction) throws -> UInt64 {
        let kind = ObjectKind.mark.rawValue
        var encoder = RowEncoder(rowLayouts[kind])
        try encoder.set(bytes: data.span, at: 0)
        encoder.finish()
        return try transaction.changes.put(
            layouts[kind].entityID, 0, layout: layouts[kind].layoutID, row: encoder.row
        ).id
    }

    /// The id and bytes of all marks.
    func marks() throws -> [(id: UInt64, data: [UInt8])] {
        guard let entity = engine.schemas.schema.entity(named: ObjectKind.mark.name) else {
            return []
        }
        var found: [(id: UInt64, data: [UInt8])] = []
        try engine.forEachRow(entity.id) { row in
            let layout = try engine.schemas.rowLayout(row.layout)
            found.append((row.id, try RowView(row.bytes, layout).bytes(0).array))
            return true
        }
        return found
    }

    /// Returns the bytes of a row if it is a mark.
    func mark(of row: StoredRow) throws -> [UInt8]? {
        guard layouts[ObjectKind.mark.rawValue].layoutID == row.layout else { return nil }
        let layout = rowLayouts[ObjectKind.mark.rawValue]
        return try RowView(row.bytes, layout).bytes(0).array
    }

    func remove(
        _ kind: ObjectKind, _ id: UInt64, in transaction: WriteTransaction
    ) throws {
        guard try transaction.changes.remove(layouts[kind.rawValue].entityID, id) else {
            throw Violation("\(kind.name) \(id) should exist, but remove found nothing")
        }
    }

    /// Returns the number of objects of a kind.
    func count(_ kind: ObjectKind) throws -> Int {
        guard let entity = engine.schemas.schema.entity(named: kind.name) else { return 0 }
        return try engine.count(entity.id)
    }

    /// Returns all objects, read row by row, and their links. Kinds that are not in the schema have
    /// no objects.
    func objects() throws -> ModelState {
        var state = ModelState()
        for kind in ObjectKind.allCases {
            guard let entity = engine.schemas.schema.entity(named: kind.name) else { continue }
            try engine.forEachRow(entity.id) { row in
                state.put(kind, row.id, row.bytes.array)
                return true
            }
            let count = try engine.count(entity.id)
            guard count == state.objects[kind.rawValue].count else {
                throw Violation(
                    "\(kind.name): counted \(count), found \(state.objects[kind.rawValue].count)")
            }
        }
        try readLinks(into: &state)
        try readVisits(into: &state)
        return state
    }
}

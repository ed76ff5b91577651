import DaybookBytes
@testable import DaybookEngine
import DaybookLog
import DaybookMaintenance
import DaybookRecords
import DaybookTestSupport
import Testing

/// The files of an undamaged store of notes, with everything that was written to it.
struct RepairWorld {
    /// The shapes of the log.
    enum Shape: CaseIterable, Sendable {
        /// One segment of uncompressed frames, not closed.
        case active
        /// Several segments of uncompressed frames.
        case sealed
        /// The same, with snapshots.
        case sealedWithSnapshots
        /// Compressed segments with the whole history, and uncompressed ones.
        case compacted
        /// Compressed segments without superseded versions, and uncompressed ones.
        case latest
    }

    /// A change of a note; nil for its removal.
    struct Change: Equatable {
        var sequence: UInt64
        var text: String?
    }

    /// A frame of records.
    struct Place {
        var path: String
        var bytes: Range<Int>
        var sequences: ClosedRange<UInt64>
    }

    static let newPath = "/new"

    private(set) var files: [String: [UInt8]] = [:]
    /// The changes of each note, oldest first.
    private(set) var changes: [UInt64: [Change]] = [:]
    private(set) var frames: [Place] = []
    private(set) var sequence: UInt64 = 0
    let shape: Shape

    init(_ shape: Shape) throws {
        self.shape = shape
        let fileSystem = MemoryFileSystem()
        let notes = try Self.open(fileSystem, shape)
        for round in 0..<24 {
            try write(round, notes)
            if round == 14, shape == .compacted || shape == .latest {
                _ = try notes.engine.compact(shape == .latest ? .latest : .all, sealsActive: true)
                if shape == .latest { changes = changes.mapValues(Self.latest) }
            }
        }
        try record(notes.engine)
        if shape == .active {
            files = fileSystem.contents
            try notes.engine.close()
        } else {
            try notes.engine.close()
            files = fileSystem.contents
        }
        files = files.filter { !$0.key.hasSuffix("/LOCK") }
    }

    private static func open(_ fileSystem: MemoryFileSystem, _ shape: Shape) throws -> NoteStore {
        try NoteStore(fileSystem) {
            $0.log.segmentSizeBytes = shape == .active ? 1 << 20 : 4 << 10
            $0.log.preallocationStepBytes = 2 << 10
            $0.framePayloadBytes = 512
            $0.blockPayloadBytes = 1 << 10
            $0.snapshotChangeCountMin = shape == .sealedWithSnapshots ? 0 : .max
        }
    }

    /// One transaction: puts, replaces and removes notes. Every sixth one has several frames.
    private mutating func write(_ round: Int, _ notes: NoteStore) throws {
        var written: [(id: UInt64, text: String?)] = []
        try notes.engine.write { transaction in
            for index in 0..<(round % 6 == 5 ? 16 : 2) {
                let text = "note \(index) of round \(round) " + String(repeating: "x", count: 80)
                written.append((try notes.put(text, in: transaction), text))
            }
            if round > 3 {
                let id = UInt64(round)
                written.append((try notes.put("again \(round)", id: id, in: transaction), ""))
                written[written.count - 1].text = "again \(round)"
            }
            if round % 5 == 4 {
                let id = UInt64(round / 5 + 1)
                if try transaction.changes.remove(notes.entity, id) { written.append((id, nil)) }
            }
        }
        sequence = notes.engine.log.lastSequence
        for (id, text) in written {
            changes[id, default: []].append(Change(sequence: sequence, text: text))
        }
    }

    /// The changes that a compaction to the latest versions leaves.
    private static func latest(_ changes: [Change]) -> [Change] {
        changes.last.flatMap { $0.text == nil ? nil : [$0] } ?? []
    }

    private mutating func record(_ engine: Engine) throws {
        var names: [UInt64: String] = [:]
        for entry in engine.log.entries {
            names[entry.number] = NoteStore.path + "/" + entry.fileName.text
        }
        var scanner = try engine.log.scan(from: nil)
        while let frame = try scanner.next() {
            let sequences = frame.header.firstSequence...frame.header.lastSequence
            frames.append(
                Place(
                    path: names[frame.segment] ?? "", bytes: frame.offset..<frame.end,
                    sequences: sequences))
        }
    }

    /// Repairs the files with one changed file; nil removes it. Returns the report and the new
    /// store's files. The damaged files must not change.
    func repair(
        _ path: String, _ changed: [UInt8]?, keepsIncomplete: Bool = true
    ) throws -> (report: RepairReport, fileSystem: MemoryFileSystem) {
        var damaged = files
        damaged[path] = changed
        return try repair(damaged, keepsIncomplete: keepsIncomplete)
    }

    func repair(
        _ damaged: [String: [UInt8]], keepsIncomplete: Bool = true
    ) throws -> (report: RepairReport, fileSystem: MemoryFileSystem) {
        let fileSystem = MemoryFileSystem(contents: damaged)
        let report = try Engine.repair(
            NoteStore.path, into: Self.newPath, fileSystem, keepsIncomplete: keepsIncomplete)
        let left = fileSystem.contents.filter { !$0.key.hasPrefix(Self.newPath + "/") }
        #expect(left == damaged, "the damaged store changed")
        return (report, fileSystem)
    }

    /// The transactions in the frames that intersect damaged bytes, and in the frame after each:
    /// its check may depend on them.
    func affected(_ path: String, _ bytes: Range<Int>) -> Set<UInt64> {
        var affected: Set<UInt64> = []
        for (index, frame) in frames.enumerated()
        where frame.path == path && frame.bytes.overlaps(bytes) {
            affected.formUnion(frame.sequences)
            if index + 1 < frames.count { affected.formUnion(frames[index + 1].sequences) }
        }
        return affected
    }
}

extension RepairReport {
    /// The transactions that the report names as lost or incomplete.
    var missing: Set<UInt64> {
        var missing: Set<UInt64> = []
        for damage in damages {
            if let lost = damage.lostSequences { missing.formUnion(lost) }
            missing.formUnion(damage.incompleteSequences)
        }
        return missing
    }

    /// The transactions of which nothing was found.
    var lost: Set<UInt64> {
        var lost: Set<UInt64> = []
        for damage in damages {
            if let range = damage.lostSequences { lost.formUnion(range) }
        }
        return lost
    }
}

extension RepairWorld {
    /// Checks a repaired store against the model. Each note has its newest version that is not
    /// reported as missing, or a later one of an incomplete transaction.
    func check(
        _ report: RepairReport, _ fileSystem: MemoryFileSystem, _ comment: Comment
    ) throws {
        let verification = try Engine.verify(Self.newPath, fileSystem)
        #expect(verification.severity ?? .note == .note, "\(comment) \(verification.findings)")
        let notes = try Engine.open(Self.newPath, fileSystem, access: .read)
        defer { try? notes.close() }
        guard let entity = notes.schemas.schema.entity(named: "Note") else {
            #expect(!report.missing.isDisjoint(with: [1, 2]) || report.sequence < 2, comment)
            return
        }
        let found = try texts(notes, entity.id)
        #expect(found.count == report.objectCount, comment)
        // In a store that was not closed, nothing proves that the last commits existed.
        let end = shape == .active ? report.sequence : .max
        let missing = report.missing
        for (id, all) in changes where report.undecodableRowCount == 0 {
            let newest = all.last { !missing.contains($0.sequence) && $0.sequence <= end }
            let allowed = all.filter {
                $0.sequence >= newest?.sequence ?? 0 && !report.lost.contains($0.sequence)
            }
            // A snapshot may prove a lost removal.
            let isRemoved = newest == nil || all.last?.text == nil
            let isAllowed =
                allowed.contains { $0.text == found[id] } || isRemoved && found[id] == nil
            #expect(isAllowed, "\(comment) note \(id) is \(found[id] ?? "missing")")
            guard all.allSatisfy({ !missing.contains($0.sequence) && $0.sequence <= end })
            else { continue }
            try checkHistory(of: id, all, notes, entity.id, comment)
        }
        #expect(Set(found.keys).isSubset(of: changes.keys), comment)
    }

    private func texts(_ engine: Engine, _ entity: UInt32) throws -> [UInt64: String] {
        var found: [UInt64: String] = [:]
        try engine.forEachRow(entity) { row in
            let layout = try engine.schemas.rowLayout(row.layout)
            found[row.id] = try RowView(row.bytes, layout).text(0)
            return true
        }
        return found
    }

    /// An object without losses has its whole history, with the same sequences.
    private func checkHistory(
        of id: UInt64, _ all: [Change], _ engine: Engine, _ entity: UInt32, _ comment: Comment
    ) throws {
        guard shape != .latest else { return }
        var history = try engine.history(of: entity, id: id)
        var sequences: [UInt64] = []
        while let version = try history.next() { sequences.append(version.sequence) }
        #expect(sequences.reversed() == all.map(\.sequence), "\(comment) note \(id)")
    }
}

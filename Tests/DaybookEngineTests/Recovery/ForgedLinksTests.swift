import DaybookBytes
import DaybookRecords
import DaybookPages
import DaybookTestSupport
import Testing

@testable import DaybookEngine
import DaybookMaintenance

/// Snapshots with valid checksums whose links or lists have contradictory directions, or contradict
/// the log.
@Suite struct ForgedLinksTests {
    private static func forged(
        _ change: (PageSpace, GraphStore) throws -> Void
    ) throws -> MemoryFileSystem {
        let fileSystem = MemoryFileSystem()
        let store = try GraphStore(fileSystem)
        try store.engine.write { transaction in
            for name in ["a", "b", "c"] { _ = try store.put(name, in: transaction) }
            _ = try transaction.changes.link(store.number(.friends), 1, 2)
            try transaction.changes.setTarget(store.number(.parent), 3, 1)
            _ = try transaction.changes.setList(
                store.number(.playlist), 1, from: [],
                to: [2, 2, 3].map { ListPlacement(position: nil, target: $0) })
        }
        try store.engine.writeSnapshot()
        let path = try #require(fileSystem.paths("snapshot-").last)
        let name = try #require(path.split(separator: "/").last)
        let snapshot = try store.engine.snapshotStore.open(String(name))
        snapshot.space.begin(sequence: snapshot.stamp + 1)
        try change(snapshot.space, store)
        snapshot.space.publish(snapshot.space.end())
        let file = try fileSystem.open(path + ".forged", .replace)
        _ = try snapshot.space.capture().write(to: file, metadata: snapshot.metadata.encoded())
        file.close()
        var contents = fileSystem.contents
        contents[path] = contents.removeValue(forKey: path + ".forged")
        return MemoryFileSystem(contents: contents)
    }

    @Test func `an unchanged snapshot is accepted`() throws {
        let report = try Engine.verify(NoteStore.path, try Self.forged { _, _ in })
        #expect(report.snapshotCount == 1)
        #expect(!report.findings.contains { $0.severity > .note })
    }

    /// Using such a position would write a record that no reader accepts.
    @Test(arguments: [[], [0x90, 0], [UInt8](repeating: 1, count: 5000)])
    func `an invalid list position is rejected, and the list is replayed from the log`(
        position: [UInt8]
    )
        throws
    {
        let found = try Self.forged { space, store in
            let list = store.number(.playlist)
            let entry = ListEntry(relation: list, source: 1, target: 3, position: position)
            _ = try space.put(IndexTree.list(of: list), bytes: entry.forwardKey.span, 3)
            _ = try space.put(IndexTree.listBacklinks(of: list), bytes: entry.backwardKey.span, 1)
        }
        let store = try GraphStore(found)
        let list = try store.engine.query { try $0.scope.list(store.number(.playlist), 1) }
        #expect(list.map(\.target) == [2, 2, 3])
        try store.engine.write { _ = try $0.changes.remove(store.entity, 3) }
        let rest = try store.engine.query { try $0.scope.list(store.number(.playlist), 1) }
        #expect(rest.map(\.target) == [2, 2])
        try store.engine.proveReplay()
        try store.engine.close()
    }

    /// A modification of the trees.
    enum Forgery: CaseIterable {
        case noBacklink, noLink, anotherBacklink, anotherLink, noListBacklink, noElement
        case anotherElement, anotherPosition

        func apply(to space: PageSpace, of store: GraphStore) throws {
            let friends = store.number(.friends)
            let list = IndexTree.list(of: store.number(.playlist))
            let back = IndexTree.listBacklinks(of: store.number(.playlist))
            let position = try #require(try space.working.list(store.number(.playlist), 1).first)
                .position
            let entry = ListEntry(
                relation: store.number(.playlist), source: 1, target: 2, position: position)
            switch self {
            case .noBacklink: _ = try space.remove(IndexTree.backlinks(of: friends), 2, 1)
            case .noLink: _ = try space.remove(IndexTree.links(of: friends), 1, 2)
            case .anotherBacklink: _ = try space.insert(IndexTree.backlinks(of: friends), 3, 1)
            case .anotherLink: _ = try space.insert(IndexTree.links(of: friends), 1, 3)
            case .noListBacklink: _ = try space.remove(back, bytes: entry.backwardKey.span)
            case .noElement: _ = try space.remove(list, bytes: entry.forwardKey.span)
            case .anotherElement: _ = try space.put(list, bytes: entry.forwardKey.span, 3)
            case .anotherPosition:
                _ = try space.remove(list, bytes: entry.forwardKey.span)
                var other = entry
                other.position = [0x90]
                _ = try space.put(list, bytes: other.forwardKey.span, 2)
            }
        }
    }

    @Test(arguments: Forgery.allCases)
    func `verification finds links that contradict the log, in either direction`(
        _ forgery: Forgery
    ) throws {
        let found = try Self.forged { try forgery.apply(to: $0, of: $1) }
        let name = try #require(found.paths("snapshot-").last?.split(separator: "/").last)
        let report = try Engine.verify(NoteStore.path, found)
        #expect(report.findings.contains { $0.severity == .corruption && $0.subject == "state" })
        #expect(report.findings.contains { $0.severity == .repairable && $0.subject == name })
    }
}

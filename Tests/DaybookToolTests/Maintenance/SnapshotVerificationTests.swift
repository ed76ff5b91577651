import DaybookEngine
import Foundation
import Testing

@Suite struct SnapshotVerificationTests {
    private func store() throws -> SampleStore {
        let store = try SampleStore { $0.snapshotChangeCountMin = 0 }
        for index in 0..<300 { try store.put("Person \(index)", age: Int32(index)) }
        try store.close()
        try store.open { $0.snapshotChangeCountMin = 0 }
        for index in 0..<300 { try store.put("Person \(index)", id: UInt64(index + 1)) }
        try store.remove(7)
        try store.close()
        return store
    }

    private func snapshots(_ store: SampleStore) throws -> [String] {
        try store.files().keys.filter { $0.hasPrefix("snapshot-") }.sorted()
    }

    @Test func `each snapshot is compared with the log at its sequence`() throws {
        let store = try store()
        #expect(try snapshots(store).count == 2)
        let outcome = try CommandProcess.run("verify", store.path)
        #expect(outcome.status == 0, "\(outcome.output)")
        #expect(outcome.lines.last?.contains(#""objects":299,"snapshots":2,"#) == true)
        #expect(try CommandProcess.run("replay", store.path, "--check").status == 0)
    }

    @Test(arguments: [0, 1], [20, 0.5, -20])
    func `a damaged snapshot is repairable, and answers stay right`(
        _ index: Int, _ place: Double
    ) throws {
        let store = try store()
        let state = try CommandProcess.run("replay", store.path, "--state").output
        let name = try snapshots(store)[index]
        let url = URL(fileURLWithPath: store.path + "/" + name)
        var data = try Data(contentsOf: url)
        let offset =
            place < 0
            ? data.count + Int(place) : place < 1 ? Int(place * Double(data.count)) : Int(place)
        data[offset] ^= 4
        try data.write(to: url)
        let before = try store.files()
        let outcome = try CommandProcess.run("verify", store.path)
        #expect(outcome.status == 4, "\(outcome.output)")
        #expect(outcome.lines[0].hasPrefix(#"{"finding":"repairable","subject":"\#(name)","#))
        #expect(try CommandProcess.run("replay", store.path, "--state").output == state)
        #expect(try CommandProcess.run("replay", store.path, "--check").status == 0)
        #expect(try store.files() == before)
    }

    @Test func `a snapshot of another store is repairable and never used`() throws {
        let (store, other) = (try store(), try store())
        let name = try snapshots(store)[1]
        try FileManager.default.removeItem(atPath: store.path + "/" + name)
        try FileManager.default.copyItem(
            atPath: other.path + "/" + name, toPath: store.path + "/" + name)
        let outcome = try CommandProcess.run("verify", store.path)
        #expect(outcome.status == 4)
        #expect(outcome.lines[0].contains("It belongs to another store."))
    }

    @Test func `snapshots remain valid after a compaction`() throws {
        let store = try store()
        for history in ["all", "latest", "all"] {
            #expect(try CommandProcess.run("compact", store.path, "--history", history).status == 0)
            let outcome = try CommandProcess.run("verify", store.path)
            #expect(outcome.status == 0, "\(outcome.output)")
        }
    }
}

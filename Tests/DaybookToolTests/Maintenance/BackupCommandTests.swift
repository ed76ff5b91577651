import DaybookBytes
import DaybookEngine
import Foundation
import Testing

/// `daybook backup` and `daybook restore`.
@Suite(.serialized) struct BackupCommandTests {
    private func values(_ line: String) throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
        return try #require(object as? [String: Any])
    }

    @Test func `a store is backed up while it is written, and restored`() throws {
        let store = try SampleStore()
        for index in 0..<20 { try store.put("Person \(index)") }
        try store.engine?.sync()
        let backup = store.sibling("backup")
        // The store is open for writing in this process.
        let first = try CommandProcess.run("backup", store.path, backup)
        #expect(first.status == 0)
        #expect(first.errors == "")
        let sequence = try #require(try values(first.output)["sequence"] as? Int)
        #expect(sequence == Int(try #require(try store.engine?.visibleSequence)))
        let events = try CommandProcess.run("replay", store.path).output
        try store.put("later")
        try store.engine?.sync()
        #expect(try CommandProcess.run("replay", backup).output == events)
        #expect(try CommandProcess.run("verify", backup).status == 0)
        let second = try values(try CommandProcess.run("backup", store.path, backup).output)
        #expect(second["previousSequence"] as? Int == sequence)
        #expect(second["sequence"] as? Int == sequence + 1)
        let restored = store.sibling("restored")
        let outcome = try CommandProcess.run(
            "restore", backup, restored, "--until", String(sequence))
        #expect(outcome.status == 0)
        #expect(try values(outcome.output)["sequence"] as? Int == sequence)
        #expect(try CommandProcess.run("replay", restored).output == events)
        #expect(try CommandProcess.run("compact", restored).status == 0)
        #expect(try CommandProcess.run("compact", backup).status == 1)
        try store.close()
    }

    @Test func `an impossible request exits with the status for its reason`() throws {
        let store = try SampleStore()
        try store.put("one")
        try store.close()
        let backup = store.sibling("backup")
        #expect(try CommandProcess.run("backup", store.path, "").status == 2)
        #expect(try CommandProcess.run("backup", store.path).status == 2)
        #expect(try CommandProcess.run("backup", store.path, store.path + "/in").status == 2)
        #expect(try CommandProcess.run("backup", store.sibling("none"), backup).status == 1)
        #expect(try CommandProcess.run("backup", store.path, store.path + "/../store").status == 2)
        #expect(try CommandProcess.run("backup", store.path, backup).status == 0)
        let lock = try RealFileSystem().lock(backup + "/LOCK", note: "backup by process 1")
        #expect(try CommandProcess.run("backup", store.path, backup).status == 5)
        lock.release()
        #expect(try CommandProcess.run("restore", backup, backup + "/in").status == 2)
        #expect(try CommandProcess.run("restore", backup, store.path).status == 1)
        let other = try SampleStore()
        try other.close()
        let refused = try CommandProcess.run("backup", other.path, backup)
        #expect(refused.status == 1)
        #expect(refused.errors.contains("backup of store"))
    }

    // Kills or interrupts the process after different times.
    @Test
    func
        `a kill leaves the store and one complete backup, and the next backup succeeds`()
        throws
    {
        let store = try SampleStore.large(segments: 2)
        let backup = store.sibling("backup")
        #expect(try CommandProcess.run("backup", store.path, backup).status == 0)
        let older = try CommandProcess.run("replay", backup, "--stats").output
        try store.open { $0.log.segmentSizeBytes = 64 << 10 }
        let long = String(repeating: "x", count: 500)
        for index in 0..<400 { try store.put("Person \(index) \(long)") }
        try store.close()
        let newer = try CommandProcess.run("replay", store.path, "--stats").output
        #expect(newer != older)
        var killCount = 0
        for round in 0..<12 {
            let process = try CommandProcess(["backup", store.path, backup])
            // The first process is killed before it can do any work.
            if round > 0 { Thread.sleep(forTimeInterval: 0.03 * Double(round)) }
            if round % 3 == 2 { process.interrupt() } else { process.kill() }
            let status = process.finish().status
            if status != 0 { killCount += 1 }
            #expect([0, 130, 128 + SIGKILL, 128 + SIGINT].contains(status))
            let kept = try CommandProcess.run("replay", backup, "--stats").output
            #expect(kept == older || kept == newer)
            #expect(try CommandProcess.run("replay", store.path, "--stats").output == newer)
        }
        #expect(killCount > 0)
        #expect(try CommandProcess.run("backup", store.path, backup).status == 0)
        #expect(try CommandProcess.run("replay", backup, "--stats").output == newer)
        #expect(try CommandProcess.run("verify", backup).lines.count == 1)
        #expect(try CommandProcess.run("verify", store.path).status == 0)
    }
}

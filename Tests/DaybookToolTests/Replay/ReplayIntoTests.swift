import DaybookBytes
import DaybookEngine
import DaybookTesting
import Foundation
import Testing

@Suite struct ReplayIntoTests {
    private func history(_ change: (inout EngineOptions) -> Void = { _ in }) throws -> SampleStore {
        let store = try SampleStore(change)
        try store.put("Ada", age: 36, metadata: ["author": "test"])
        try store.put("Bob")
        try store.put("Ada", age: 37, id: 1)
        try store.remove(2)
        try store.put("Eve")
        return store
    }

    private func events(_ path: String, _ arguments: String...) throws -> [String] {
        let outcome = try CommandProcess(["replay", path] + arguments).finish()
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome.lines
    }

    @Test(arguments: [0, 1, 2, 3, 4, 5, 6, 99])
    func `a copy at a sequence has the same history up to there, and accepts its own commits`(
        _ sequence: Int
    ) throws {
        let store = try history()
        try store.close()
        let before = try store.files()
        let copy = store.sibling("copy")
        let until = String(sequence)
        let made = try CommandProcess.run("replay", store.path, "--into", copy, "--until", until)
        #expect(made.status == 0)
        #expect(made.errors == "")
        #expect(made.lines.count == 1)
        #expect(made.output.contains("\"sequence\":\(min(sequence, 6)),"))
        #expect(try store.files() == before)
        #expect(try events(copy) == events(store.path, "--until", until))
        #expect(try events(copy, "--state") == events(store.path, "--state", "--until", until))
        #expect(try CommandProcess.run("verify", copy).status == 0)

        // The copy accepts commits, with sequences after the point.
        var options = EngineOptions()
        options.isMaintenanceAutomatic = false
        let engine = try Engine.open(copy, RealFileSystem(), options: options)
        #expect(engine.openReport.recovery.wasClosedCleanly)
        _ = try engine.register([
            EntityDeclaration(name: "Fresh", fields: [.init(name: "flag", type: .bool)])
        ])
        #expect(try engine.visibleSequence == UInt64(min(sequence, 6) + 1))
        try engine.close()
        #expect(try CommandProcess.run("verify", copy).status == 0)
    }

    @Test func `a copy of a store that is being written has the state at its start`() throws {
        let store = try history()
        let copy = store.sibling("copy")
        #expect(try CommandProcess.run("replay", store.path, "--into", copy).status == 0)
        try store.put("Later")
        #expect(try events(copy).count == 5)
        #expect(try events(store.path).count == 6)
    }

    @Test func `a compacted history with gaps is copied with its gaps`() throws {
        let store = try history()
        try store.close()
        #expect(try CommandProcess.run("compact", store.path, "--history", "latest").status == 0)
        try store.open()
        try store.put("Later")
        try store.close()
        let copy = store.sibling("copy")
        #expect(try CommandProcess.run("replay", store.path, "--into", copy).status == 0)
        #expect(try events(copy) == events(store.path))
        #expect(try events(copy, "--state") == events(store.path, "--state"))
        let early = store.sibling("early")
        let refused = try CommandProcess.run("replay", store.path, "--into", early, "--until", "3")
        #expect(refused.status == 1)
        #expect(refused.errors.contains("compaction"))
        #expect(!FileManager.default.fileExists(atPath: early))
    }

    @Test func `a copy of many segments has as many segments as needed`() throws {
        let store = try history { $0.log.segmentSizeBytes = 4096 }
        for index in 0..<200 { try store.put("Person \(index) of a longer name") }
        try store.close()
        #expect(try store.segments().count > 3)
        let copy = store.sibling("copy")
        #expect(
            try CommandProcess.run("replay", store.path, "--into", copy, "--until", "150").status
                == 0)
        #expect(try events(copy) == events(store.path, "--until", "150"))
        #expect(try CommandProcess.run("verify", copy).status == 0)
    }

    @Test func `a directory with any file is refused and not changed`() throws {
        let store = try history()
        try store.close()
        let taken = store.sibling("taken")
        try FileManager.default.createDirectory(atPath: taken, withIntermediateDirectories: true)
        try Data("mine".utf8).write(to: URL(fileURLWithPath: taken + "/letter.txt"))
        let outcome = try CommandProcess.run("replay", store.path, "--into", taken)
        #expect(outcome.status == 1)
        #expect(outcome.output == "")
        #expect(
            outcome.errors
                == "daybook: \(taken) is not an empty directory. Use an empty or new directory.\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: taken) == ["letter.txt"])
        let inside = try CommandProcess.run("replay", store.path, "--into", store.path + "/copy")
        #expect(inside.status == 2)
        #expect(!FileManager.default.fileExists(atPath: store.path + "/copy"))
    }

    @Test func `an empty directory is accepted`() throws {
        let store = try history()
        try store.close()
        let empty = store.sibling("empty")
        try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
        #expect(try CommandProcess.run("replay", store.path, "--into", empty).status == 0)
        #expect(try events(empty) == events(store.path))
    }

    @Test func `a directory inside the store is refused under any name`() throws {
        let store = try history()
        try store.close()
        let before = try store.files()
        let folder = store.folder.path
        try FileManager.default.createSymbolicLink(
            atPath: folder + "/link", withDestinationPath: store.path)
        try FileManager.default.createSymbolicLink(
            atPath: folder + "/above", withDestinationPath: folder)
        for (source, copy) in [
            (store.path, "store/copy"), ("store/", "store/copy"), ("./store", store.path + "/copy"),
            ("store", "./store/./copy"), ("store", "link/copy"), ("link", "store/copy"),
            ("store", "above/store/deep/copy"), ("store", "none/../store/copy"), ("store", "link"),
            ("store", "store/CURRENT/copy"),
        ] {
            let outcome = try CommandProcess(["replay", source, "--into", copy], directory: folder)
                .finish()
            #expect(outcome.status == 2, "\(source) into \(copy)")
            #expect(outcome.errors.contains("inside the store"))
            #expect(try store.files() == before)
        }
        let beside = try CommandProcess(
            ["replay", "store", "--into", "store-2"], directory: folder
        )
        .finish()
        #expect(beside.status == 0)
    }

    @Test func `a failed copy removes the directories that it created, and no others`() throws {
        let store = try history { $0.log.segmentSizeBytes = 4096 }
        for index in 0..<100 { try store.put("Person \(index) of a longer name") }
        try store.close()
        let folder = store.folder.path
        try FileManager.default.createDirectory(
            atPath: folder + "/empty", withIntermediateDirectories: true)
        for call in 1...12 {
            for copy in ["/new/deep/copy", "/empty"] {
                let fault = FaultFileSystem(
                    RealFileSystem(), failingCall: call, fault: .errno(28), persistence: .once,
                    counting: [.write, .sync, .rename])
                let engine = try Engine.open(store.path, fault, access: .read)
                let error = #expect(throws: DaybookError.self) {
                    try engine.copy(into: folder + copy)
                }
                #expect(error?.code == .outOfSpace || error?.code == .durabilityUnknown)
                try engine.close()
            }
            #expect(!FileManager.default.fileExists(atPath: folder + "/new"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/empty") == [])
        }
    }
}

import DaybookEngine
import Foundation
import Testing

@Suite struct VerifyTests {
    /// Creates a store with several sealed segments and an active one.
    private func store(count: Int = 120) throws -> SampleStore {
        let store = try SampleStore { $0.log.segmentSizeBytes = 4096 }
        for index in 0..<count {
            try store.put("Person \(index) of a longer name", age: Int32(index))
        }
        return store
    }

    private func change(_ file: String, _ change: (inout Data) -> Void) throws {
        let url = URL(fileURLWithPath: file)
        var data = try Data(contentsOf: url)
        change(&data)
        try data.write(to: url)
    }

    @Test func `verification of an undamaged store finds nothing and changes no byte`() throws {
        let store = try store()
        for isOpen in [true, false] {
            if !isOpen { try store.close() }
            let before = try store.files()
            let outcome = try CommandProcess.run("verify", store.path)
            #expect(outcome.status == 0, "\(outcome.output)")
            #expect(outcome.errors == "")
            let last = try #require(outcome.lines.last)
            #expect(last.hasPrefix(#"{"outcome":"sound","sequence":121,"segments":"#))
            #expect(last.contains(#""transactions":121,"rows":120,"objects":120,"#))
            #expect(try store.files() == before)
        }
    }

    @Test func `a changed byte in a sealed segment is corruption, and the report names its file`()
        throws
    {
        let store = try store()
        try store.close()
        let segment = try store.segments()[1]
        try change(store.path + "/" + segment) { $0[$0.count / 2] ^= 0x10 }
        let before = try store.files()
        let outcome = try CommandProcess.run("verify", store.path)
        #expect(outcome.status == 3)
        #expect(outcome.errors == "")
        #expect(outcome.lines.count == 2)
        #expect(outcome.lines[0].hasPrefix(#"{"finding":"corruption","subject":"\#(segment)","#))
        #expect(outcome.lines[1].hasPrefix(#"{"outcome":"corruption","#))
        #expect(try store.files() == before)
        #expect(try CommandProcess.run("replay", store.path).status == 3)
        let copied = try CommandProcess.run("replay", store.path, "--into", store.sibling("copy"))
        #expect(copied.status == 3)
        #expect(copied.errors.contains("damaged in segment 2"))
    }

    @Test func `one verification finds damage in several segments`() throws {
        let store = try store()
        try store.close()
        let segments = try store.segments()
        for segment in segments.prefix(3) {
            try change(store.path + "/" + segment) { $0[$0.count - 20] ^= 1 }
        }
        try FileManager.default.removeItem(atPath: store.path + "/" + segments[0])
        let outcome = try CommandProcess.run("verify", store.path)
        #expect(outcome.status == 3)
        for segment in segments.prefix(3) {
            #expect(outcome.output.contains("\"subject\":\"\(segment)\""))
        }
    }

    @Test func `a torn tail is repairable, and the next opening repairs it`() throws {
        let store = try store(count: 5)
        try store.close()
        let active = try #require(try store.segments().last)
        try change(store.path + "/" + active) { $0.append(Data(repeating: 0xAB, count: 100)) }
        let before = try store.files()
        let outcome = try CommandProcess.run("verify", store.path)
        #expect(outcome.status == 4)
        #expect(outcome.lines[0].hasPrefix(#"{"finding":"repairable","subject":"\#(active)","#))
        #expect(outcome.lines[0].contains(#""bytes":"100""#))
        #expect(outcome.lines.last?.hasPrefix(#"{"outcome":"repairable","#) == true)
        #expect(try store.files() == before)
        try store.open()
        try store.close()
        let after = try CommandProcess.run("verify", store.path)
        #expect(after.status == 0)
        #expect(after.lines[0].hasPrefix(#"{"finding":"note","subject":"quarantine/"#))
    }

    @Test func `a file that is no valid snapshot is repairable`() throws {
        let store = try store(count: 5)
        try store.close()
        let name = "snapshot-00000000000000000003-000001"
        try Data("nonsense".utf8).write(to: URL(fileURLWithPath: store.path + "/" + name))
        let outcome = try CommandProcess.run("verify", store.path)
        #expect(outcome.status == 4)
        #expect(outcome.lines[0].hasPrefix(#"{"finding":"repairable","subject":"\#(name)","#))
        #expect(try CommandProcess.run("replay", store.path, "--check").status == 0)
    }

    @Test func `a missing durable end is corruption`() throws {
        let store = try store(count: 5)
        try store.close()
        let active = try #require(try store.segments().last)
        try change(store.path + "/" + active) { $0.removeLast(64) }
        #expect(try CommandProcess.run("verify", store.path).status == 3)
    }

    @Test func `no damaged byte goes unnoticed or stops the process`() throws {
        let store = try store(count: 12)
        try store.close()
        let names = try store.files().keys.filter { $0.hasPrefix("segment-") || $0 == "CURRENT" }
        var seed = UInt64.random(in: 0 ... .max)
        let first = seed
        for name in names.sorted() {
            let path = store.path + "/" + name
            let whole = try Data(contentsOf: URL(fileURLWithPath: path))
            for _ in 0..<12 {
                seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                try change(path) { $0[Int(seed >> 33) % $0.count] ^= UInt8(1 << (seed & 7)) }
                let outcome = try CommandProcess.run("verify", store.path)
                #expect([1, 3, 4, 6].contains(outcome.status), "\(name), seed \(first)")
                try whole.write(to: URL(fileURLWithPath: path))
            }
        }
        #expect(try CommandProcess.run("verify", store.path).status == 0)
    }
}

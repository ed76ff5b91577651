import DaybookEngine
import Foundation
import Testing

@Suite struct StatsTests {
    private func timeless(_ line: String) -> String {
        line.replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z/, with: "T")
            .replacing(/"store":"[0-9a-f-]{36}"/, with: "\"store\":ID")
    }

    @Test func `one JSON object contains the statistics of the store`() throws {
        let store = try SampleStore()
        try store.put("Ada", age: 36)
        try store.put("Bob")
        try store.remove(2)
        try store.close()
        let files = try store.files()
        func size(_ prefix: String) -> Int {
            files.filter { $0.key.hasPrefix(prefix) }.reduce(0) { $0 + $1.value.count }
        }
        let outcome = try CommandProcess.run("stats", store.path)
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
        let segment = size("segment-")
        let other = size("CURRENT") + size("LOCK")
        let total = segment + other + size("manifest-")
        #expect(
            outcome.lines.map(timeless) == [
                #"{"store":ID,"created":"T","format":1,"generation":3,"#
                    + #""first":{"sequence":1,"time":"T"},"last":{"sequence":4,"time":"T"},"#
                    + #""historyFloor":0,"logBytes":\#(segment),"logRawBytes":143,"entities":["#
                    + #"{"entity":"Person","number":1,"objects":1,"nextId":3,"layouts":1,"#
                    + #""fields":2},{"entity":"Note","number":2,"objects":0,"nextId":1,"#
                    + #""layouts":1,"fields":1}],"relations":[],"#
                    + #""segments":[{"segment":1,"state":"active","#
                    + #""firstSequence":1,"lastSequence":4,"bytes":\#(segment),"rawBytes":143,"#
                    + #""records":9}],"snapshots":[],"quarantine":[],"fileBytes":{"#
                    + #""segments":\#(segment),"snapshots":0,"manifests":\#(size("manifest-")),"#
                    + #""quarantine":0,"other":\#(other),"total":\#(total)}}"#
            ])
    }

    @Test func `a store without transactions has no first and no last sequence`() throws {
        let store = try SampleStore()
        try store.close()
        let path = store.sibling("blank")
        let copied = try CommandProcess.run("replay", store.path, "--into", path, "--until", "0")
        #expect(copied.status == 0)
        let line = try #require(try CommandProcess.run("stats", path).lines.first)
        #expect(line.contains(#""first":null,"last":null,"#))
        #expect(line.contains(#""entities":[],"relations":[]"#))
        #expect(try CommandProcess.run("replay", path, "--fail-empty").status == 7)
        #expect(try CommandProcess.run("verify", path).status == 0)
    }

    @Test func `each unusable snapshot is listed with its reason`() throws {
        let store = try SampleStore { $0.snapshotChangeCountMin = 0 }
        for index in 0..<10 { try store.put("Person \(index)") }
        try store.close()
        let good = try #require(try CommandProcess.run("stats", store.path).lines.first)
        #expect(good.contains(#""snapshots":[{"sequence":11,"bytes":"#))
        #expect(good.contains(#","usable":true}]"#))
        let name = try #require(try store.files().keys.first { $0.hasPrefix("snapshot-") })
        try Data("nonsense".utf8).write(to: URL(fileURLWithPath: store.path + "/" + name))
        let bad = try #require(try CommandProcess.run("stats", store.path).lines.first)
        #expect(bad.contains(#""snapshots":[{"sequence":11,"bytes":8,"usable":false,"reason":""#))
    }
}

import DaybookEngine
import Foundation
import Testing

/// `daybook repair`.
@Suite struct RepairCommandTests {
    private func store() throws -> SampleStore {
        let store = try SampleStore { $0.log.segmentSizeBytes = 4096 }
        for index in 0..<120 {
            try store.put("Person \(index) of a longer name", age: Int32(index))
        }
        try store.close()
        return store
    }

    private func damage(_ file: String) throws {
        let url = URL(fileURLWithPath: file)
        var data = try Data(contentsOf: url)
        data[data.count / 2] ^= 1
        try data.write(to: url)
    }

    @Test func `a store with a flipped bit is repaired, and the output lists the loss`() throws {
        let store = try store()
        let segment = try store.segments()[1]
        try damage(store.path + "/" + segment)
        let before = try store.files()
        let verified = try CommandProcess.run("verify", store.path)
        #expect(verified.status == 3)
        #expect(verified.output.contains("daybook repair"))
        let copied = try CommandProcess.run("replay", store.path, "--into", store.sibling("copy"))
        #expect(copied.errors.contains("daybook repair"))
        let new = store.sibling("new")
        let outcome = try CommandProcess.run("repair", store.path, "--into", new)
        #expect(outcome.status == 3, "\(outcome.errors)")
        #expect(outcome.errors == "")
        #expect(outcome.lines[0].hasPrefix(#"{"damage":"\#(segment)","from":"#))
        #expect(outcome.lines[0].contains(#""lostFrom":"#))
        #expect(outcome.lines.last?.hasPrefix(#"{"outcome":"incomplete","directory":"#) ?? false)
        #expect(try store.files() == before)
        #expect(try CommandProcess.run("verify", new).status == 0)
        let state = try CommandProcess.run("replay", new, "--state")
        #expect(state.lines.count == 119)
    }

    @Test func `an undamaged store is repaired without loss, with code 0`() throws {
        let store = try store()
        let new = store.sibling("new")
        let outcome = try CommandProcess.run("repair", store.path, "--into", new)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.lines.count == 1)
        #expect(outcome.output.hasPrefix(#"{"outcome":"complete","directory":"#))
        #expect(
            try CommandProcess.run("replay", new, "--state").output
                == CommandProcess.run("replay", store.path, "--state").output)
        let again = try CommandProcess.run("repair", store.path, "--into", new)
        #expect(again.status == 1)
        #expect(again.errors.contains("is not an empty directory"))
    }
}

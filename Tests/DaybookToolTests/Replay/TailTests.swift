import DaybookEngine
import Foundation
import Testing

/// The last transactions of a store, and following a writer.
@Suite struct TailTests {
    private func filled() throws -> SampleStore {
        let store = try SampleStore()
        try store.put("Ada", metadata: ["author": "test"])
        try store.put("Bob")
        try store.write { transaction in
            try store.put("Eve", in: transaction)
            try store.put("Joe", in: transaction)
        }
        try store.remove(1)
        return store
    }

    /// Reads lines as they arrive; the command continues meanwhile.
    private func read(_ count: Int, of process: CommandProcess) -> [String] {
        var bytes = Data()
        while bytes.count(where: { $0 == 0x0A }) < count {
            let next = process.output.fileHandleForReading.readData(ofLength: 1)
            if next.isEmpty { break }
            bytes += next
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test(arguments: [0, 1, 2, 3, 4, 5, 1_000])
    func `the last transactions equal the last lines of a replay`(_ count: Int) throws {
        let store = try filled()
        try store.close()
        // Transactions 2 and 3 have one event, 4 has two, 5 has one; 1 is the schema.
        let lineCount = [0, 1, 3, 4, 5, 5][min(count, 5)]
        let all = try CommandProcess.run("replay", store.path)
        let tail = try CommandProcess.run("tail", store.path, "-n", String(count))
        #expect(tail.status == 0)
        #expect(tail.errors == "")
        #expect(tail.lines == all.lines.suffix(lineCount))
    }

    @Test func `only transactions with matching events count`() throws {
        let store = try filled()
        for index in 0..<30 { try store.put("Joe", age: Int32(index), id: 4) }
        try store.close()
        let ada = try CommandProcess.run("tail", store.path, "-n", "2", "--entity", "Person:1")
        #expect(ada == (try CommandProcess.run("replay", store.path, "--entity", "Person:1")))
        #expect(ada.lines.count == 2)
        let removal = try CommandProcess.run("tail", store.path, "-n", "5", "--op", "remove")
        #expect(removal == (try CommandProcess.run("replay", store.path, "--op", "remove")))
        #expect(try CommandProcess.run("tail", store.path).lines.count == 10)
    }

    @Test func `only transactions with matching metadata count`() throws {
        let store = try filled()
        let ada = ["author": "ada", "cause": "import"]
        try store.put("Ann", metadata: ada)
        try store.put("Bea", metadata: ["author": "bob"])
        try store.put("Cleo", metadata: ["author": "ada", "cause": "a=b"])
        for index in 0..<12 { try store.put("Dora \(index)") }
        try store.close()
        for (arguments, names) in [
            (["--author", "ada"], ["Ann", "Cleo"]), (["--author", "eve"], []),
            (["--metadata", "cause=import"], ["Ann"]),
            (["--metadata", "cause=a=b"], ["Cleo"]),
            (["--author", "ada", "--metadata", "cause=import"], ["Ann"]),
            (["--metadata", "author=ada", "--metadata", "cause=a=b"], ["Cleo"]),
            (["--author", "bob", "--metadata", "cause=import"], []),
            (["--author", "ada", "--metadata", "author=ada", "--op", "put"], ["Ann", "Cleo"]),
            (["--metadata", "cause="], []),
        ] {
            let tail = try CommandProcess(["tail", store.path] + arguments).finish()
            #expect(tail.status == 0, "\(arguments)")
            #expect(tail.lines.count == names.count, "\(arguments)")
            for (line, name) in zip(tail.lines, names) {
                #expect(line.contains("\"name\":\"\(name)\""), "\(arguments)")
            }
            let replay = try CommandProcess(["replay", store.path] + arguments).finish()
            #expect(replay.lines == tail.lines, "\(arguments)")
            let counts = try CommandProcess(["replay", store.path, "--stats"] + arguments).finish()
            let total = counts.lines.last.map { $0.contains("\"events\":\(names.count),") }
            #expect(total ?? names.isEmpty, "\(arguments)")
        }
        let one = try CommandProcess.run("tail", store.path, "-n", "1", "--author", "ada")
        #expect(one.lines.count == 1)
        #expect(one.lines.first?.contains("Cleo") == true)
        for arguments in [
            ["tail", store.path, "--metadata", "cause"], ["tail", store.path, "--metadata", "=x"],
            ["tail", store.path, "--author", "ada", "--metadata", "author=bob"],
            ["replay", store.path, "--state", "--author", "ada"],
            ["replay", store.path, "--check", "--metadata", "a=b"],
        ] {
            #expect(try CommandProcess(arguments).finish().status == 2, "\(arguments)")
        }
    }

    @Test func `the remaining events of a compacted store are shown`() throws {
        let store = try filled()
        try store.close()
        #expect(try CommandProcess.run("compact", store.path, "--history", "latest").status == 0)
        let all = try CommandProcess.run("replay", store.path)
        #expect(all.lines.first?.hasPrefix("{\"historyFloor\"") == true)
        for count in [1, 2, 3, 100] {
            let tail = try CommandProcess.run("tail", store.path, "-n", String(count))
            #expect(tail.status == 0)
            #expect(Array(all.lines.dropFirst().suffix(tail.lines.count)) == tail.lines)
            #expect(!tail.lines.isEmpty)
        }
    }

    @Test(arguments: [["tail", "-n", "1", "-f"], ["replay", "--from", "5", "--follow"]])
    func `a following command prints each commit of another process once`(_ arguments: [String])
        throws
    {
        let store = try filled()
        let process = try CommandProcess(
            arguments.prefix(1) + [store.path, "--interval", "10"] + arguments.dropFirst())
        var lines = read(1, of: process)
        for round in 0..<5 {
            for index in 0..<round { try store.put("Person \(round) \(index)") }
            lines += read(round, of: process)
        }
        // Segments are rolled and compacted meanwhile.
        try store.close()
        try store.open()
        try store.put("Last")
        lines += read(1, of: process)
        process.interrupt()
        let outcome = process.finish()
        #expect(outcome.status == 130)
        #expect(outcome.output == "")
        #expect(
            outcome.errors == "daybook: Interrupted; the contents of the store are unchanged.\n")
        let all = try CommandProcess.run("replay", store.path, "--from", "5")
        #expect(lines == all.lines)
        #expect(lines.count == 12)
    }

    @Test func `a compaction does not drop later events for a following command`() throws {
        let store = try filled()
        let process = try CommandProcess(["tail", store.path, "-n", "1", "-f", "--interval", "10"])
        _ = read(1, of: process)
        try store.close()
        #expect(try CommandProcess.run("compact", store.path, "--history", "latest").status == 0)
        try store.open()
        try store.put("Later")
        var found = ""
        while !found.contains("Later"), let line = read(1, of: process).first { found = line }
        #expect(found.contains("\"name\":\"Later\""))
        process.terminate()
        #expect(process.finish().status == 130)
    }

    @Test func `a limit ends a following command`() throws {
        let store = try filled()
        let process = try CommandProcess([
            "replay", store.path, "--follow", "--limit", "7", "--interval", "10",
        ])
        #expect(read(5, of: process).count == 5)
        for name in ["a", "b", "c"] { try store.put(name) }
        let outcome = process.finish()
        #expect(outcome.status == 0)
        #expect(outcome.lines.count == 2)
    }

    @Test func `a command without output notices that the output is closed`() throws {
        let store = try filled()
        let process = try CommandProcess(["tail", store.path, "-f", "--interval", "10"])
        _ = read(5, of: process)
        try process.output.fileHandleForReading.close()
        #expect(process.finishUnread() == .init(status: 0, output: "", errors: ""))
    }

    @Test func `options without effect are refused`() throws {
        let store = try filled()
        for arguments in [
            ["tail", store.path, "-n", "-1"], ["tail", store.path, "--interval", "5"],
            ["replay", store.path, "--follow", "--state"],
            ["replay", store.path, "--follow", "--until", "3"],
        ] {
            let outcome = try CommandProcess(arguments).finish()
            #expect(outcome.status == 2, "\(arguments)")
            #expect(outcome.output == "")
        }
    }
}

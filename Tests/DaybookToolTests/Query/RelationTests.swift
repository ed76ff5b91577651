import Foundation
import Testing

/// Links and lists in the output and in copies of the command.
@Suite struct RelationTests {
    private func lines(_ arguments: String...) throws -> [String] {
        let outcome = try CommandProcess(arguments).finish()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors == "")
        return outcome.lines.map {
            $0.replacing(/"time":"[^"]+"/, with: "\"time\":T")
                .replacing(/"(first|last)Time":"[^"]+"/) { "\"\($0.1)Time\":T" }
        }
    }

    private static let linked = [
        #"{"sequence":2,"time":T,"op":"link","relation":"Order.customer","source":1,"target":1}"#,
        #"{"sequence":3,"time":T,"op":"link","relation":"Customer.friends","source":1,"target":2}"#,
        #"{"sequence":3,"time":T,"op":"link","relation":"Order.items","source":1,"target":2,"#
            + #""position":"80"}"#,
        #"{"sequence":3,"time":T,"op":"link","relation":"Order.items","source":1,"target":2,"#
            + #""position":"800000000001"}"#,
        #"{"sequence":3,"time":T,"op":"link","relation":"Order.items","source":1,"target":1,"#
            + #""position":"800000000002"}"#,
        #"{"sequence":4,"time":T,"op":"unlink","relation":"Order.customer","source":1,"target":1}"#,
        #"{"sequence":4,"time":T,"op":"link","relation":"Order.customer","source":1,"target":2}"#,
    ]

    @Test func `links are printed with the names of their relations`() throws {
        let store = try OrderStore.filled()
        try store.close()
        #expect(try lines("replay", store.path, "--op", "link,unlink") == Self.linked)
        #expect(try lines("replay", store.path, "--op", "unlink") == [Self.linked[5]])
        let all = try lines("replay", store.path)
        #expect(all.count == 5 + 7)
        #expect(
            all[4].hasSuffix(
                #""entity":"Order","id":1,"previous":null,"layout":3,"#
                    + #""row":{"name":"first"}}"#))
    }

    @Test func `an entity or object is printed with the links from it and to it`() throws {
        let store = try OrderStore.filled()
        try store.close()
        func links(_ entity: String) throws -> [String] {
            try lines("replay", store.path, "--op", "link,unlink", "--entity", entity)
        }
        let (customer, friends, items) = ([0, 5, 6], [1], [2, 3, 4])
        func expected(_ indexes: [Int]) -> [String] { indexes.sorted().map { Self.linked[$0] } }
        #expect(try links("Order") == expected(customer + items))
        #expect(try links("Customer") == expected(customer + friends))
        #expect(try links("Item") == expected(items))
        #expect(try links("Order:1") == expected(customer + items))
        #expect(try links("Order:2") == [])
        #expect(try links("Customer:1") == expected([0, 1, 5]))
        #expect(try links("Customer:2") == expected([1, 6]))
        #expect(try links("Item:1") == expected([4]))
        // The customer's own events are included.
        #expect(try lines("replay", store.path, "--entity", "Customer:2").count == 3)
    }

    @Test func `links are counted by relation`() throws {
        let store = try OrderStore.filled()
        try store.close()
        let counts = try lines("replay", store.path, "--stats", "--op", "link,unlink")
        #expect(counts.count == 5)
        #expect(
            counts[0]
                == #"{"relation":"Customer.friends","op":"link","events":1,"transactions":1,"#
                + #""bytes":5,"firstSequence":3,"firstTime":T,"lastSequence":3,"lastTime":T}"#)
        for (line, beginning) in zip(
            counts.dropFirst(),
            [
                #"{"relation":"Order.customer","op":"link","events":2,"#,
                #"{"relation":"Order.customer","op":"unlink","events":1,"#,
                #"{"relation":"Order.items","op":"link","events":3,"#,
                #"{"total":true,"events":7,"#,
            ])
        {
            #expect(line.hasPrefix(beginning))
        }
        let store2 = try lines("stats", store.path)
        #expect(
            store2[0].contains(
                #""relations":[{"relation":"Customer.friends","number":1,"type":"toMany","#
                    + #""target":"Customer","links":1},{"relation":"Order.customer","number":2,"#
                    + #""type":"toOne","target":"Customer","links":1},{"relation":"Order.items","#
                    + #""number":3,"type":"objects","target":"Item","links":3}]"#))
    }

    @Test func `a state contains the targets of each object`() throws {
        let store = try OrderStore.filled()
        try store.close()
        func state(_ arguments: String...) throws -> [String] {
            let outcome = try CommandProcess(["replay", store.path, "--state"] + arguments).finish()
            #expect(outcome.status == 0)
            return outcome.lines
        }
        let now = try state()
        #expect(now.count == 5)
        #expect(
            now[0]
                == #"{"entity":"Customer","id":1,"sequence":2,"layout":1,"row":{"name":"Ada"},"#
                + #""links":{"friends":[2]}}"#)
        #expect(
            now[1]
                == #"{"entity":"Customer","id":2,"sequence":2,"layout":1,"row":{"name":"Bob"}}"#)
        let order =
            #"{"entity":"Order","id":1,"sequence":2,"layout":3,"row":{"name":"first"},"links":"#
        #expect(now[4] == order + #"{"customer":[2],"items":[2,2,1]}}"#)
        #expect(try state("--entity", "Order:1") == [now[4]])
        #expect(
            try state("--entity", "Order", "--until", "3")
                == [order + #"{"customer":[1],"items":[2,2,1]}}"#])
        #expect(
            try state("--entity", "Order:1", "--until", "2") == [order + #"{"customer":[1]}}"#])
    }

    @Test(arguments: [2, 3, 4, 5])
    func `a copy has the links and lists of its sequence, and is undamaged`(_ sequence: Int) throws
    {
        let store = try OrderStore.filled()
        try store.write { try store.removeOrder(1, in: $0) }
        try store.close()
        let copy = store.folder.appendingPathComponent("copy").path
        let until = String(sequence)
        let made = try CommandProcess.run("replay", store.path, "--into", copy, "--until", until)
        #expect(made.status == 0, "\(made.errors)")
        #expect(
            try lines("replay", copy, "--state")
                == lines("replay", store.path, "--state", "--until", until))
        #expect(try lines("replay", copy) == lines("replay", store.path, "--until", until))
        #expect(try CommandProcess.run("verify", copy).status == 0)
        #expect(try CommandProcess.run("replay", copy, "--check").status == 0)
    }

    @Test func `a compaction to the latest drops removed links, and changes no state`()
        throws
    {
        let store = try OrderStore.filled()
        for round in 0..<300 {
            try store.write { transaction in
                _ = try transaction.changes.setTarget(
                    store.relation("customer"), 1, round.isMultiple(of: 2) ? 1 : 2)
                try store.setItems(
                    round.isMultiple(of: 2) ? [1, 2] : [2, 2, 1], of: 1, in: transaction)
                if round.isMultiple(of: 2) {
                    _ = try transaction.changes.unlink(store.relation("friends"), 1, 2)
                } else {
                    _ = try transaction.changes.link(store.relation("friends"), 1, 2)
                }
            }
        }
        try store.close()
        let state = try lines("replay", store.path, "--state")
        #expect(state.last?.hasSuffix(#""links":{"customer":[2],"items":[2,2,1]}}"#) == true)
        func statistics() throws -> (logRawBytes: Int, text: String) {
            let text = try #require(try lines("stats", store.path).first)
            let bytes = try #require(text.firstMatch(of: /"logRawBytes":(\d+)/))
            return (try #require(Int(bytes.1)), text)
        }
        let before = try statistics()
        #expect(before.logRawBytes > 300 * 50)
        #expect(try CommandProcess.run("compact", store.path, "--history", "latest").status == 0)
        let after = try statistics()
        #expect(after.logRawBytes < before.logRawBytes / 20)
        #expect(after.text.contains(#""target":"Item","links":3}]"#))
        #expect(try lines("replay", store.path, "--state") == state)
        #expect(
            try CommandProcess.run("replay", store.path, "--op", "unlink").lines.dropFirst().isEmpty
        )
        #expect(try CommandProcess.run("replay", store.path, "--op", "link").lines.count == 1 + 5)
        let verified = try CommandProcess.run("verify", store.path)
        #expect(verified.status == 0, "\(verified.output)")
        #expect(try CommandProcess.run("replay", store.path, "--check").status == 0)
    }
}

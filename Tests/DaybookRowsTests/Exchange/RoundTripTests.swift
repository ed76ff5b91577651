import Daybook
import DaybookTestSupport
import Foundation
import Testing

@Suite struct RoundTripTests {
    /// A store with contacts whose values are hard to write.
    private func filled() throws -> Exchanged {
        let exchanged = try Exchanged()
        try exchanged.contacts.put([
            Contact(id: 1, email: "1"), Contact(id: 2, email: "2"), Contact(id: 3, email: "3"),
        ])
        try exchanged.store.write {
            try exchanged.contacts.removeAll()
            for contact in [Contact.ann, .bob, .cat] {
                var alone = contact
                (alone.boss, alone.friends) = (nil, nil)
                try exchanged.contacts.put(alone)
            }
            try exchanged.contacts.put([Contact.ann, .bob, .cat])
            var odd = Contact(id: 9, email: " a,\"b\"\r\nc\u{0}\t字 ")
            odd.name = "\"\""
            odd.age = .min
            odd.weight = -.greatestFiniteMagnitude
            odd.born = Date(timeIntervalSince1970: 1e12)
            odd.price = Decimal(string: "-123456789012345678901234567890.12345678") ?? 0
            odd.picture = Data()
            odd.tags = ["\n", "\"", "null"]
            odd.scores = ["": .infinity, "a\"b": 1e-300, "ü": 0.1]
            odd.address = Home()
            try exchanged.contacts.put(odd)
        }
        return exchanged
    }

    @Test(arguments: ExchangeFormat.allCases)
    func `an import of an export restores the objects and their links`(
        format: ExchangeFormat
    ) throws {
        let source = try filled()
        let text = try source.text("Contact", format)
        let target = try Exchanged()
        let report = try target.load(text, format)
        #expect(report.recordCount == 4)
        #expect(report.insertedCount == 4)
        #expect(report.problemCount == 0)
        #expect(try target.contacts.all() == (try source.contacts.all()))
        #expect(
            try target.store.rows(of: "Contact").all().map(\.links)
                == (try source.store.rows(of: "Contact").all().map(\.links)))
        #expect(try target.text("Contact", format) == text)
    }

    @Test(arguments: ExchangeFormat.allCases)
    func `a selection with keys of targets is imported with its links`(
        format: ExchangeFormat
    ) throws {
        let source = try filled()
        let text = try source.text(
            "Contact where id < 4 order by id desc select email, age, boss.email", format)
        let target = try Exchanged()
        try target.load(text, format)
        let found = try target.contacts.all()
        #expect(found.map(\.email) == ["cat@x", "bob@x", "ann@x"])
        #expect(found.map(\.boss.targetId) == [2, 3, nil])
    }

    @Test(arguments: ExchangeFormat.allCases)
    func `nanoseconds, JSON, floats and lists of embedded values are restored`(
        format: ExchangeFormat
    ) throws {
        let (source, target) = (try Exchanged(), try Exchanged())
        let badges = source.store.box(for: Badge.self)
        try badges.put([
            Badge(
                code: "a",
                made: NanosecondDate(Date(timeIntervalSinceReferenceDate: 0.123_456_789)),
                extra: ["x": [1, 2], "": []], samples: [0.1, nil, .infinity, -0.0],
                number: .max, isUsed: true, homes: [Home(city: "Oslo", place: Spot()), Home()]),
            Badge(code: "", isUsed: false),
        ])
        let text = try source.text("Badge", format)
        try target.load(text, format, into: "Badge")
        #expect(try target.store.box(for: Badge.self).all() == (try badges.all()))
        #expect(try target.text("Badge", format) == text)
    }

    @Test func `JSON of a Codable property may be written as JSON`() throws {
        let exchanged = try Exchanged()
        try exchanged.load(
            #"{"code":"a","extra":{"x":[1]},"samples":[],"homes":[]}"#, .jsonLines, into: "Badge")
        #expect(try exchanged.store.box(for: Badge.self).get(1)?.extra == ["x": [1]])
        try exchanged.expectProblems(in: [1]) {
            try exchanged.load(#"{"code":"b","extra":"{x"}"#, .jsonLines, into: "Badge")
        }
    }

    @Test func `the formats are readable`() throws {
        let exchanged = try Exchanged()
        try exchanged.contacts.put(Contact(id: 1, email: "a@x"))
        try exchanged.contacts.put(
            Contact(
                id: 2, email: "b@x", name: "B, \"b\"", weight: 0.1, tags: ["x", "y"],
                boss: Reference(targetId: 1), friends: [1, 2]))
        #expect(
            try exchanged.text(
                "Contact order by id select id, email, name, weight, tags, boss", .csv) == """
                    id,email,name,weight,tags,boss
                    1,a@x,,0.0,[],
                    2,b@x,"B, ""b""\",0.1,"[""x"",""y""]",1

                    """)
        let lines = try exchanged.text("Contact where id = 2", .jsonLines)
        #expect(lines.hasPrefix(#"{"id":2,"email":"b@x","name":"B, \"b\"","age":0,"weight":0.1,"#))
        #expect(lines.hasSuffix(#","isActive":false,"boss":1,"friends":[1,2]}"# + "\n"))
        #expect(
            try exchanged.text("Contact group by name select name, count", .jsonLines)
                .split(separator: "\n").count == 2)
    }

    @Test func `an export of a view has the rows of its version`() throws {
        let exchanged = try Exchanged()
        try exchanged.contacts.put(Contact(id: 1, email: "a@x"))
        let view = try exchanged.store.view()
        try exchanged.contacts.removeAll()
        let file = exchanged.url("view.csv")
        #expect(try view.exportRows("Contact select email", to: file, format: .csv) == 1)
        #expect(try exchanged.store.exportRows("Contact", to: file, format: .csv) == 0)
        expectError(.invalidArgument) {
            _ = try exchanged.store.exportRows("Contcat", to: file, format: .csv)
        }
        expectError(.fileNotFound) {
            _ = try exchanged.store.exportRows(
                "Contact", to: exchanged.url("none/out.csv"), format: .csv)
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: exchanged.directory.path)
                == ["view.csv"])
    }

    @Test(arguments: ExchangeFormat.allCases)
    func `an export reports the number of written rows`(format: ExchangeFormat) throws {
        let exchanged = try Exchanged()
        let name = String(repeating: "x", count: 1000)
        try exchanged.contacts.put(
            (1...1000).map { Contact(id: Id($0), email: "\(name)\($0)") })
        var counts: [Int] = []
        let count = try exchanged.store.exportRows(
            "Contact select email", to: exchanged.url("out"), format: format,
            progress: { counts.append($0) })
        #expect(count == 1000)
        #expect(counts.count == 3 && counts == counts.sorted())
        #expect(counts.allSatisfy { 200...999 ~= $0 })
    }

    @Test func `the asynchronous calls do the same`() async throws {
        let exchanged = try Exchanged()
        let file = exchanged.url("in.csv")
        try Data("email\na@x\n".utf8).write(to: file)
        let report = try await exchanged.store.importRows(
            into: "Contact", from: file, format: .csv)
        #expect(report.insertedCount == 1)
        let count = try await exchanged.store.exportRows("Contact", to: file, format: .jsonLines)
        #expect(count == 1)
    }
}

import Daybook
import DaybookTestSupport
import Foundation
import Synchronization
import Testing

@Suite struct ImportTests {
    private let exchanged: Exchanged
    private var contacts: Box<Contact> { exchanged.contacts }

    init() throws { exchanged = try Exchanged() }

    @Test func `every bad record is reported with its line, and nothing is imported`() throws {
        let reasons = try exchanged.expectProblems(in: [4, 6, 7, 8, 9]) {
            try exchanged.load(
                """
                email,age,name
                a@x,1,"A
                a"
                b@x,two,B
                c@x,3,C
                ,,,
                a@x,4,D
                d@x,5,"D"d
                "e@x,5,E

                """, .csv)
        }
        #expect(reasons[0].contains("'age' is int64") && reasons[0].contains("two"))
        #expect(reasons[1].contains("4 fields") && reasons[1].contains("3 names"))
        #expect(reasons[2].contains("a@x"))
        #expect(reasons[3].contains("closing quotation mark"))
        #expect(reasons[4].contains("does not end"))
        try exchanged.expectProblems(in: [2, 3, 4, 6, 7]) {
            try exchanged.load(
                """
                {"email":"a@x"}
                {"email":"b@x","age":1.5}
                {"email":"c@x"
                [1]

                {"email":"d@x","ages":1}
                {"email":"a@x"}
                """, .jsonLines)
        }
    }

    @Test func `a record without problems is stored with the values of its columns`() throws {
        let report = try exchanged.load(
            """
            email,age,isActive,born,tags,address
            a@x,31,true,2026-01-31T12:00:00Z,"[""t""]","{""city"":""Oslo""}"
            b@x,-1,0,1970-01-02,[],

            """, .csv)
        #expect(report.recordCount == 2 && report.insertedCount == 2)
        let found = try contacts.all()
        #expect(found[0].age == 31 && found[0].isActive && found[0].tags == ["t"])
        #expect(found[0].born == Date(timeIntervalSince1970: 1_769_860_800))
        #expect(found[0].address == Home(city: "Oslo"))
        #expect(found[1].born == Date(timeIntervalSince1970: 86_400))
        #expect(found[1].address == nil)
    }

    @Test func `columns are mapped to properties or ignored`() throws {
        let text = "E-mail,Years,Note\na@x,5,n\n"
        expectError(.invalidArgument) { try exchanged.load(text, .csv) }
        let columns = ["E-mail": "email", "Years": "age", "Note": ""]
        try exchanged.load(text, .csv) { $0.columns = columns }
        #expect(try contacts.get(key: "a@x")?.age == 5)
        try exchanged.load(#"{"E-mail":"b@x","Years":6,"Note":[1]}"#, .jsonLines) {
            $0.columns = columns
        }
        #expect(try contacts.get(key: "b@x")?.age == 6)
        for (columns, name) in [
            (["E-mail": "emial", "Years": "", "Note": ""], "emial"),
            (["E-mail": "email", "Years": "email", "Note": ""], "email"),
            (["Missing": "email", "E-mail": "", "Years": "", "Note": ""], "Missing"),
        ] {
            let error = expectError(.invalidArgument) {
                try exchanged.load(text, .csv) { $0.columns = columns }
            }
            #expect(error?.message.contains(name) == true)
        }
        expectError(.invalidArgument) { try exchanged.load("email,email\na,b\n", .csv) }
        expectError(.invalidArgument) {
            try exchanged.load("email,boss,boss.email\na,1,b\n", .csv)
        }
        try exchanged.expectProblems(in: [1]) {
            try exchanged.load(#"{"email":"c","boss":1,"boss.email":"b"}"#, .jsonLines)
        }
        expectError(.invalidArgument) { try exchanged.load("email\na\n", .csv, into: "Contcat") }
        expectError(.fileNotFound) {
            _ = try exchanged.store.importRows(
                into: "Contact", from: exchanged.url("none"), format: .csv)
        }
    }

    @Test func `a stored object makes its record bad, or is replaced, or stays`() throws {
        try exchanged.load("email,age,name\na@x,1,A\nb@x,2,B\n", .csv)
        let text = "email,age\na@x,10\nc@x,30\n"
        let reasons = try exchanged.expectProblems(in: [2]) { try exchanged.load(text, .csv) }
        #expect(reasons[0].contains("email"))
        var report = try exchanged.load(text, .csv) { $0.onConflict = .ignore }
        #expect(report.insertedCount == 1 && report.ignoredCount == 1)
        #expect(try contacts.get(key: "a@x")?.age == 1)
        report = try exchanged.load(text, .csv) { $0.onConflict = .replace }
        #expect(report.replacedCount == 2 && report.insertedCount == 0)
        #expect(try contacts.get(key: "a@x")?.age == 10)
        #expect(try contacts.get(key: "a@x")?.name == "A")
        #expect(try contacts.count() == 3)
        // The id identifies an object, too.
        try exchanged.expectProblems(in: [2]) { try exchanged.load("id,age\n1,5\n", .csv) }
        try exchanged.load("id,age\n1,5\n", .csv) { $0.onConflict = .replace }
        #expect(try contacts.get(1)?.age == 5)
        try exchanged.expectProblems(in: [2]) {
            try exchanged.load("id,email\n1,other\n", .csv) { $0.onConflict = .replace }
        }
        // Two records of one file conflict like a record and a stored object.
        try exchanged.expectProblems(in: [3]) { try exchanged.load("email\nz\nz\n", .csv) }
    }

    @Test func `another unique value makes a record bad, or skips it`() throws {
        try exchanged.load("code,extra\na,{}\nb,{}\n", .csv, into: "Badge")
        let text = "code,number,extra\na,1,{}\nc,2,{}\n"
        for conflict in [ImportOptions.Conflict.error, .replace] {
            let reasons = try exchanged.expectProblems(in: [2]) {
                try exchanged.load(text, .csv, into: "Badge") { $0.onConflict = conflict }
            }
            #expect(reasons[0].contains("code"))
        }
        let report = try exchanged.load(text, .csv, into: "Badge") { $0.onConflict = .ignore }
        #expect(report.insertedCount == 1 && report.ignoredCount == 1)
        let found = try exchanged.store.box(for: Badge.self).all()
        #expect(found.map(\.code) == ["a", "b", "c"] && found.map(\.number) == [0, 0, 2])
    }

    @Test func `a record with several bad relations counts once`() throws {
        let reasons = try exchanged.expectProblems(in: [1, 1]) {
            try exchanged.load(
                #"{"email":"e","boss":99,"friends":[98]}"#, .jsonLines)
        }
        #expect(reasons[0].contains("99") && reasons[1].contains("98"))
    }

    @Test func `relations are given by ids or by keys, also of later records`() throws {
        try exchanged.load(
            """
            id,email,boss,friends
            5,a@x,6,"[6,5]"
            6,b@x,,

            """, .csv)
        #expect(try contacts.get(5)?.boss.targetId == 6)
        #expect(try contacts.get(5)?.friends.ids == [5, 6])
        try exchanged.load(
            """
            {"email":"c@x","boss.email":"d@x","friends.email":["a@x","d@x"]}
            {"email":"d@x","boss.email":null}
            """, .jsonLines)
        let found = try #require(try contacts.get(key: "c@x"))
        #expect(try contacts.get(key: "d@x")?.id == found.boss.targetId?.value)
        #expect(found.friends.ids.map(\.value) == [5, found.boss.targetId?.value])
        let reasons = try exchanged.expectProblems(in: [1, 2, 3]) {
            try exchanged.load(
                """
                {"email":"e","boss":99}
                {"email":"f","boss.email":"nobody"}
                {"email":"g","boss":[5,6]}
                {"email":"h","friends":[5]}
                """, .jsonLines)
        }
        #expect(reasons[0].contains("99") && reasons[1].contains("nobody"))
        expectError(.invalidArgument) { try exchanged.load("email,boss.age\na,1\n", .csv) }
        // Replacing writes exactly the given links.
        try exchanged.load("id,friends\n5,[6]\n6,\n", .csv) { $0.onConflict = .replace }
        #expect(try contacts.get(5)?.friends.ids == [6])
        #expect(try contacts.get(5)?.boss.targetId == 6)
    }

    @Test func `a dry run reports and changes nothing`() throws {
        let sequence = try exchanged.store.sequence
        let report = try exchanged.load("email,age\na@x,1\nb@x,x\n", .csv) { $0.isDryRun = true }
        #expect(report.recordCount == 2 && report.insertedCount == 1 && report.problemCount == 1)
        #expect(exchanged.problems.map(\.line) == [3])
        #expect(try contacts.isEmpty())
        #expect(try exchanged.store.sequence == sequence)
    }

    @Test func `an import joins a transaction, and its failure leaves that usable`() throws {
        try exchanged.store.write {
            try contacts.put(Contact(email: "first"))
            expectError(.invalidValue) { try exchanged.load("email,age\na,x\n", .csv) }
            try exchanged.load("email\nb\n", .csv)
            #expect(try contacts.count() == 2)
        }
        #expect(try contacts.all().map(\.email) == ["first", "b"])
    }

    @Test func `progress rises to the end`() throws {
        let fractions = Mutex<[Double]>([])
        let text = "email\n" + (0..<2_000).map { "contact\($0)@x\n" }.joined()
        try exchanged.load(text, .csv) {
            $0.progress = { fraction in fractions.withLock { $0.append(fraction) } }
        }
        let seen = fractions.withLock { $0 }
        #expect(seen.count > 3)
        #expect(seen == seen.sorted())
        #expect(seen.last == 1)
        #expect(try contacts.count() == 2_000)
    }

    @Test func `null and empty strings are distinguished`() throws {
        try exchanged.load("email,name\na,\nb,\"\"\nc,x\n", .csv)
        #expect(try contacts.all().map(\.name) == [nil, "", "x"])
        try exchanged.expectProblems(in: [2]) { try exchanged.load("email,age\nd,\n", .csv) }
        // A text with one column: a blank line is a record.
        try exchanged.load("stars\n1\n\n2\n", .csv, into: "Note")
        #expect(try exchanged.store.box(for: Note.self).all().map(\.stars) == [1, nil, 2])
    }
}

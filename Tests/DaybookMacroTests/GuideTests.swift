#if Macros
import Foundation
import Testing

/// The programs in README and guides compile.
@Suite struct GuideTests {
    private static let documentation = "Sources/Daybook/Daybook.docc/"
    private static let guides = documentation + "Guides/"

    private static let documents: [Guide] = [
        Guide(
            path: "README.md",
            declarations: "func show(_ orders: [Order]) {}",
            values: "store: Store, url: URL, late: Query<Order>, id: Id",
            surroundings: [0: manifest]),
        Guide(path: documentation + "Daybook.md", values: "url: URL"),
        Guide(
            path: guides + "ApplePlatforms.md",
            declarations: """
                @Entity final class Visit {
                    var id: Id = 0
                }

                """,
            values: "url: URL"),
        Guide(
            path: guides + "BackupAndRestore.md",
            values: "store: Store, backup: URL, directory: URL, yesterday: Date"),
        Guide(
            path: guides + "ObservingChanges.md",
            declarations: """
                @Entity final class Person {
                    var id: Id = 0
                    var name = ""
                    var age = 0
                }
                @Entity final class Order {
                    var id: Id = 0
                }
                @Projection(of: Person.self) struct PersonSummary {
                    var name: String
                }
                struct Table {
                    func apply(_ changes: ChangeSet<Person>) {}
                }
                func refresh() {}
                func show(_ people: [Person]?) {}
                func send(_ commit: Commit) async throws {}

                """,
            values: """
                store: Store, people: Box<Person>, box: Box<Person>, query: Query<Person>,
                orders: Box<Order>, id: Id, table: Table, lastPosition: inout ChangePosition?
                """),
        Guide(path: guides + "FromObjectBox.md", writer: .generator, values: "path: String"),
        Guide(
            path: guides + "FromGRDB.md",
            values: "url: URL, store: Store, players: Box<Player>, teams: Box<Team>"),
        Guide(path: guides + "FromRealm.md", values: "url: URL"),
        Guide(path: guides + "FromSwiftData.md", values: "url: URL"),
        Guide(
            path: guides + "GettingStarted.md",
            values: "url: URL, store: Store, notes: Box<Note>, note: Note",
            surroundings: [0: manifest]),
        Guide(
            path: guides + "HistoryAndUndo.md",
            declarations: """
                @Entity final class Note {
                    var id: Id = 0
                }
                enum Status: Int { case open, sent }
                @Entity final class Order {
                    var id: Id = 0
                    @Convert(default: Status.open) var status: Status = .open
                }

                """,
            values: "store: Store, notes: Box<Note>, id: Id, lastFriday: Date"),
        Guide(
            path: guides + "ErasingData.md",
            declarations: "@Entity final class Person { var id: Id = 0 }",
            values: "store: Store, person: Person"),
        Guide(path: guides + "Maintenance.md", values: "store: Store"),
        Guide(
            path: guides + "Modelling.md",
            declarations: """
                struct Settings: Codable {}
                @Entity final class Line {
                    var id: Id = 0
                }

                """,
            values: "countries: Box<Country>"),
        Guide(
            path: guides + "ModelsWithoutMacros.md", writer: .generator,
            declarations: "enum Level: Int { case unknown = 0 }\n",
            values: "path: String",
            surroundings: [0: manifest]),
        Guide(
            path: guides + "Operations.md",
            declarations: """
                import Synchronization
                import Testing
                @Entity struct Guest {
                    var id: Id = 0
                    @Index var email: String
                }

                """,
            values: "url: URL",
            // The manifest, and the observers of another module.
            surroundings: [2: manifest, 3: manifest]),
        Guide(
            path: guides + "Querying.md",
            declarations: """
                @Entity final class Company {
                    var id: Id = 0
                    var name = ""
                }

                """,
            values: "store: Store, people: Box<Person>"),
        Guide(path: guides + "Vectors.md", values: "store: Store, vector: [Float]"),
        Guide(
            path: guides + "Relations.md",
            declarations: """
                @Entity struct Item: Sendable {
                    var id: Id = 0
                }
                struct OrderMessage: Codable {
                    var id: Id = 0
                }

                """,
            values: """
                store: Store, orders: Box<Order>, customers: Box<Customer>, order: Order,
                grace: Customer, oldOrder: Order, newOrder: Order, otherOrder: Order,
                invoice: Invoice, ids: [Id], data: Data
                """,
            surroundings: [1: ("enum ByHand {", "}")]),
        Guide(
            path: guides + "SchemaEvolution.md", values: "store: Store",
            surroundings: [1: ("let renamed: PropertyDescription =", "")]),
        Guide(
            path: guides + "Transactions.md",
            declarations: """
                @Entity final class Account {
                    var id: Id = 0
                    var name = ""
                }
                @Entity final class Note {
                    var id: Id = 0
                }

                """,
            values: """
                store: Store, accounts: Box<Account>, notes: Box<Note>, from: Account, to: Account,
                account: Account, closed: Id, id: Id
                """),
        Guide(path: guides + "ImportAndExport.md", values: "store: Store, file: URL"),
        Guide(
            path: guides + "WithoutTypes.md",
            declarations: """
                @Entity final class City {
                    var id: Id = 0
                }

                """,
            values: "path: String, store: Store, people: RowBox, name: String"),
    ]

    /// The code around fragments of a package manifest, which is not code of this library.
    private static let manifest = ("/*", "*/")

    @Test(arguments: documents.indices)
    func `the programs of a document compile as printed`(index: Int) throws {
        let document = Self.documents[index]
        #expect(try !document.programs.isEmpty)
        let checked = try TypeChecked(
            document.source(), arguments: ["-parse-as-library", "-suppress-warnings"])
        #expect(checked.problems == [], "\(document.path)")
    }

    @Test func `a program that does not compile is found`() throws {
        let document = Guide(path: Self.guides + "Querying.md", values: "store: Store")
        let checked = try TypeChecked(
            document.source(), arguments: ["-parse-as-library", "-suppress-warnings"])
        #expect(checked.problems.contains { $0.contains("cannot find type 'Company'") })
    }

    @Test func `every document with a program is compiled`() throws {
        let folder = Guide.root.appending(path: Self.documentation)
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".md") }.map { Self.documentation + $0 }
        let found = try (paths + ["README.md", "Samples/README.md"]).filter {
            try !Guide(path: $0).programs.isEmpty
        }
        #expect(Set(found) == Set(Self.documents.map(\.path)))
    }
}
#endif

import DaybookBytes
import DaybookEngine
import DaybookRecords
import Foundation

/// A store on disk with books, which have values of several types, and their authors. Years and
/// titles have indexes.
final class LibraryStore {
    struct Book {
        var title: String
        var year: Int32?
        var price: String = "0"
        var weight: Float = 0
        var bought: Int64 = 0
        var tags: [String] = []
        var author: UInt64?
    }

    let folder: URL
    private var engine: Engine?
    private var layouts: [EntityLayout] = []

    var path: String { folder.appendingPathComponent("store").path }

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("daybook-tool-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var options = EngineOptions()
        options.isMaintenanceAutomatic = false
        options.durability = .manual
        options.snapshotChangeCountMin = 0
        let engine = try Engine.open(path, RealFileSystem(), options: options)
        layouts = try engine.register([Self.author, Self.book])
        self.engine = engine
    }

    deinit {
        try? engine?.close()
        try? FileManager.default.removeItem(at: folder)
    }

    func close() throws {
        try engine?.close()
        engine = nil
    }

    private static let author = EntityDeclaration(
        name: "Author", fields: [FieldDeclaration(name: "name", type: .string)])
    private static let book = EntityDeclaration(
        name: "Book",
        fields: [
            FieldDeclaration(name: "title", type: .string),
            FieldDeclaration(name: "year", type: .int32, isOptional: true),
            FieldDeclaration(name: "price", type: .decimal),
            FieldDeclaration(name: "weight", type: .float),
            FieldDeclaration(name: "bought", type: .date),
            FieldDeclaration(name: "tags", shape: ValueShape(.list, element: ValueShape(.string))),
            FieldDeclaration(
                name: "author",
                shape: ValueShape(.toOne, isOptional: true, entityName: "Author")),
        ],
        indexes: [
            IndexDeclaration(columns: ["year"]), IndexDeclaration(columns: ["title"], kind: .hash),
        ])

    /// Puts authors in one transaction; their ids start at 1.
    func put(authors: [String]) throws {
        try engine?.write(metadata: [:]) { transaction in
            for name in authors {
                var row = RowEncoder(RowLayout(layouts[0]))
                row.begin()
                try row.set(text: name, at: 0)
                row.finish()
                try transaction.changes.put(
                    layouts[0].entityID, 0, layout: layouts[0].layoutID, row: row.row)
            }
        }
    }

    /// Puts books in one transaction; their ids start at 1.
    func put(_ books: [Book]) throws {
        try engine?.write(metadata: [:]) { transaction in
            for book in books { try put(book, in: transaction) }
        }
    }

    private func put(_ book: Book, in transaction: WriteTransaction) throws {
        let layout = layouts[1]
        var row = RowEncoder(RowLayout(layout))
        row.begin()
        try row.set(text: book.title, at: 0)
        if let year = book.year { row.set(int32: year, at: 1) }
        try row.set(bytes: Array(book.price.utf8).span, at: 2)
        row.set(float: book.weight, at: 3)
        row.set(date: book.bought, at: 4)
        var tags = ValueListWriter(of: .string, isOptional: false, count: book.tags.count)
        for tag in book.tags { tags.append(Array(tag.utf8).span) }
        try row.set(bytes: tags.span, at: 5)
        row.finish()
        let id = try transaction.changes.put(
            layout.entityID, 0, layout: layout.layoutID, row: row.row
        ).id
        if let author = book.author, let relation = layout.fields[6].relation {
            try transaction.changes.setTarget(relation.relationID, id, author)
        }
    }

    /// Sequence 2 puts the authors, 3 four of the books, 4 the last.
    static func filled() throws -> LibraryStore {
        let store = try LibraryStore()
        try store.put(authors: ["Ada", "Bob"])
        let day: Int64 = 86_400_000
        try store.put([
            Book(
                title: "Engines", year: 1843, price: "12.50", weight: 0.1, bought: 0,
                tags: ["old", "math"], author: 1),
            Book(title: "Notes", year: 1843, price: "7.25", weight: 1.5, bought: day, author: 1),
            Book(title: "engine room", year: nil, price: "3", weight: 2, bought: 2 * day),
            Book(
                title: "Äpfel\n\u{1B}[31m", year: 1999, price: "100", weight: 0.25,
                bought: 20_000 * day, tags: ["字"], author: 2),
        ])
        try store.put([Book(title: "Zero", year: 0, price: "-1")])
        try store.close()
        return store
    }
}

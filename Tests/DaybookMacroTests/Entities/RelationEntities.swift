#if Macros
import Daybook

/// Relations with every attribute, and backlinks in every spelling.
@Entity final class Author {
    var id: Id = 0
    var name = ""
    @Backlink(\Book.author, onDelete: .cascade) var books: ToMany<Book> = nil
    @Backlink("readers", removesOrphans: true) var shelves = ToMany<Shelf>()

    init(_ name: String) { self.name = name }
}

@Entity final class Book {
    var id: Id = 0
    var title = ""
    @Name("writer") var author: ToOne<Author> = nil
    @Relation(onTargetDelete: .deny) var series: ToOne<Series> = nil
    // objectbox: relation = {"onDelete": "cascade", "removesOrphans": true}
    var remarks: ToMany<Remark> = nil
    private var related = ToMany<Book>()
    @Backlink("related") private(set) var origins: ToMany<Book> = nil

    init(_ title: String) { self.title = title }

    func relate(to book: Book) { related.append(book) }
    var relatedTitles: [String] { related.map(\.title) }
}

@Entity final class Series {
    var id: Id = 0
    var name = ""
}

@Entity final class Remark {
    var id: Id = 0
    var text = ""

    init(_ text: String) { self.text = text }
}

@Entity final class Shelf {
    var id: Id = 0
    var readers: ToMany<Author> = nil
}

/// The struct is `Sendable` because it stores only ids.
@Entity struct Membership: Sendable {
    var id: Id = 0
    @Relation(onTargetDelete: .cascade) var member: Reference<Author> = nil
    var guests: References<Author> = nil
}

/// Structs whose names are visible only inside the enclosing type.
enum Forest {
    @Entity struct Tree {
        var id: Id = 0
        var name: String
        var parent: ToOne<Tree>
        @Backlink(\Tree.parent) var children: ToMany<Tree>
        // objectbox: backlink = "tree"
        var birds: ToMany<Bird> = nil
    }

    @Entity struct Bird {
        var id: Id = 0
        @Relation(onTargetDelete: .cascade) var tree: ToOne<Tree> = nil
    }
}
#endif

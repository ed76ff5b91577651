import Daybook
import Foundation

/// A wiki of which nothing is ever lost: all that it needs for that is the store's own history.
struct Wiki {
    let store: Store

    private var pages: Box<Page> { store.box(for: Page.self) }

    init(path: String) throws { store = try Store(directoryPath: path, entities: Page.self) }

    /// Writes a page, anew or again: one commit, in the name of its author.
    func write(_ title: String, _ text: String, by author: String) throws {
        try store.write(metadata: CommitMetadata(author: author, cause: "edit")) {
            var page = try page(title) ?? Page(title: title, text: "")
            page.text = text
            try pages.put(&page)
        }
    }

    /// Removes a page; false if there is none.
    func remove(_ title: String, by author: String) throws -> Bool {
        try store.write(metadata: CommitMetadata(author: author, cause: "removal")) {
            guard let page = try page(title) else { return false }
            return try pages.remove(page.id)
        }
    }

    /// The page of that title, as it is.
    func page(_ title: String) throws -> Page? {
        try pages.query(Page.title == title).build().findFirst()
    }

    /// All pages as they are, or were, in the order of their titles.
    func all(at moment: HistoryMoment? = nil) throws -> [Page] {
        guard let moment else {
            return try pages.query().ordered(by: Page.title).build().find()
        }
        let view = try store.view(at: moment)
        return try view.box(for: Page.self).query().ordered(by: Page.title).build().find()
    }

    /// What became of a page, newest first, a line each. It need not be there any more.
    func story(of id: Id) throws -> [String] {
        try pages.history(of: id).map { version in
            let author = version.metadata.author ?? "somebody"
            guard let page = try version.object else {
                return "\(version.sequence)  \(author) removed it"
            }
            guard try version.before != nil else {
                return "\(version.sequence)  \(author) made it: \(page.text)"
            }
            let changed = try version.changedProperties.sorted().joined(separator: ", ")
            return "\(version.sequence)  \(author) changed \(changed): \(page.text)"
        }
    }

    /// What is different since a moment, a line a page.
    func changes(since moment: HistoryMoment) throws -> [String] {
        let (then, now) = (try store.view(at: moment), try store.view())
        return try now.changes(of: Page.self, since: then).map { difference in
            switch (try difference.before, try difference.after) {
            case (nil, let after?): "+ \(after.title): \(after.text)"
            case (let before?, nil): "- \(before.title): \(before.text)"
            case (let before?, let after?): "~ \(after.title): \(before.text) → \(after.text)"
            case (nil, nil): ""
            }
        }
    }

    /// Takes back one commit, whatever came after it. Returns what that came to, in words.
    func undo(_ sequence: UInt64, by author: String) throws -> String {
        Self.words(
            try store.undo(.commit(sequence), metadata: CommitMetadata(author: author)))
    }

    /// Takes back the last thing that somebody did and has not taken back yet.
    func undoLast(by author: String) throws -> String {
        Self.words(
            try store.undo(.lastOf(author: author), metadata: CommitMetadata(author: author)))
    }

    private static func words(_ report: UndoReport) -> String {
        let commits = report.undone.count == 1 ? "\(report.undone.lowerBound)" : "\(report.undone)"
        return "undid \(commits): \(report.changedCount) changed back,"
            + " \(report.restoredCount) there again, \(report.removedCount) removed"
    }
}

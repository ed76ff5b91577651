import Daybook
import Foundation

/// A wiki that keeps every version of its pages, using only the store's own history.
struct Wiki {
    let store: Store

    private var pages: Box<Page> { store.box(for: Page.self) }

    init(path: String) throws { store = try Store(directoryPath: path, entities: Page.self) }

    /// Creates or replaces a page in one commit, with the author in its metadata.
    func write(_ title: String, _ text: String, by author: String) throws {
        try store.write(metadata: CommitMetadata(author: author, cause: "edit")) {
            var page = try page(title) ?? Page(title: title, text: "")
            page.text = text
            try pages.put(&page)
        }
    }

    /// Removes a page. Returns false if it does not exist.
    func remove(_ title: String, by author: String) throws -> Bool {
        try store.write(metadata: CommitMetadata(author: author, cause: "removal")) {
            guard let page = try page(title) else { return false }
            return try pages.remove(page.id)
        }
    }

    /// Returns the current page with a title.
    func page(_ title: String) throws -> Page? {
        try pages.query(Page.title == title).build().findFirst()
    }

    /// Returns all pages, current or at a moment in the past, sorted by title.
    func all(at moment: HistoryMoment? = nil) throws -> [Page] {
        guard let moment else {
            return try pages.query().ordered(by: Page.title).build().find()
        }
        let view = try store.view(at: moment)
        return try view.box(for: Page.self).query().ordered(by: Page.title).build().find()
    }

    /// Returns the history of a page, newest first, one line per version. The page may be removed.
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

    /// Returns the differences since a moment, one line per page.
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

    /// Undoes one commit, even if later commits exist. Returns a description of the result.
    func undo(_ sequence: UInt64, by author: String) throws -> String {
        Self.words(
            try store.undo(.commit(sequence), metadata: CommitMetadata(author: author)))
    }

    /// Undoes the last commit of an author that is not undone yet.
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

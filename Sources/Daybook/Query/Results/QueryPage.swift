import DaybookBytes
import DaybookQuery

/// A part of the objects of a query: see ``Query/page(after:limit:)``.
public struct QueryPage<E: Entity> {
    /// The objects in the query's order.
    public let objects: [E]
    /// The place of the last object; the place after which the page was read if it has no objects;
    /// nil for an empty first page.
    public let end: PageCursor?
    /// Whether further objects followed when the page was read.
    public let hasMore: Bool
}

extension QueryPage: Sendable where E: Sendable {}

/// A place in the order of a query. The next page begins after it.
///
/// A cursor has the sort keys and the id of an object. It remains valid if that object is changed
/// or removed, in another process, and after the store was opened again. It can be encoded. It is
/// neither encrypted nor signed, so a reader can see the values of the sort keys.
public struct PageCursor: Sendable, Hashable, Codable {
    /// The entity and the order.
    let order: String
    let place: QueryPlace

    init(order: String, place: QueryPlace) {
        self.order = order
        self.place = place
    }

    private enum CodingKeys: String, CodingKey {
        case order, key, id
    }

    /// Decodes a cursor. Whether it belongs to a query is checked when it is used.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        order = try values.decode(String.self, forKey: .order)
        place = QueryPlace(
            key: try values.decode([UInt8].self, forKey: .key),
            id: try values.decode(UInt64.self, forKey: .id))
    }

    /// Encodes the cursor.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(order, forKey: .order)
        try values.encode(place.key, forKey: .key)
        try values.encode(place.id, forKey: .id)
    }
}

extension Query {
    /// Returns the first objects after a cursor, in the query's order; the first objects of all
    /// without a cursor.
    ///
    /// ```swift
    /// let newest = posts.query().ordered(by: \.date, flags: .descending)
    /// var page = try newest.page(limit: 20)
    /// while page.hasMore { page = try newest.page(after: page.end, limit: 20) }
    /// ```
    ///
    /// Unlike pages by ``offset(_:)``, these pages neither repeat nor omit an object if others are
    /// inserted or removed in between. An object whose sort keys change is found at its new place.
    ///
    /// - Parameters:
    ///   - cursor: the ``QueryPage/end`` of a page of a query with the same order. Its condition
    ///     may differ.
    ///   - limit: the maximum number of objects.
    /// - Throws: `.invalidArgument` for a cursor of another entity or order; for a negative limit;
    ///   and for a query with a limit, an offset, distinct values or an order by relevance; and the
    ///   errors of ``find()``.
    /// - Complexity: if an index has the order, that of an index scan from the cursor. Otherwise
    ///   that of ``find()`` with a limit, whatever the number of earlier pages.
    public func page(after cursor: PageCursor? = nil, limit: Int) throws -> QueryPage<E> {
        let (runner, binding) = (try runner(), try binding())
        let (order, place) = try place(of: cursor, runner, binding)
        return try types.query { access in
            let page = try runner.page(access, after: place, limit: limit)
            let objects = try page.rows.map { try binding.decode($0, as: E.self, types) }
            return made(page, order, cursor, try loaded(objects))
        }
    }

    /// `page` without blocking.
    public nonisolated(nonsending) func page(
        after cursor: PageCursor? = nil, limit: Int
    ) async throws -> QueryPage<E> {
        let (runner, binding) = (try runner(), try binding())
        let (order, place) = try place(of: cursor, runner, binding)
        let page = try await elsewhere { try runner.page($0, after: place, limit: limit) }
        let objects = try page.rows.map { try binding.decode($0, as: E.self, types) }
        return made(page, order, cursor, try await loadedElsewhere(objects))
    }

    private func made(
        _ page: QueryRunner.Page, _ order: String, _ cursor: PageCursor?, _ objects: [E]
    ) -> QueryPage<E> {
        QueryPage(
            objects: objects,
            end: page.end.map { PageCursor(order: order, place: $0) } ?? cursor,
            hasMore: page.hasMore)
    }

    /// Returns the text of the query's order, and the place of a cursor in it.
    private func place(
        of cursor: PageCursor?, _ runner: QueryRunner, _ binding: EntityBinding
    ) throws(DaybookError) -> (order: String, place: QueryPlace?) {
        let order = "\(binding.name) by \(runner.orderText)"
        guard let cursor, cursor.order != order else { return (order, cursor?.place) }
        throw DaybookError(
            .invalidArgument,
            "The cursor is of a page of \(cursor.order), and the query finds \(order). Use a cursor"
                + " of a query with the same order.",
            details: ["cursor": cursor.order, "query": order])
    }
}

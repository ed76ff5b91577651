import Daybook

/// An object that cannot be decoded if its text is "torn".
struct FragileMemo: Entity, Equatable {
    var id: Id = 0
    var text = ""

    init(_ text: String = "") { self.text = text }

    static let entityDescription = EntityDescription(
        "FragileMemo", [.property("text", String.self)])
    static func decode(_ row: borrowing RowReader) throws -> FragileMemo {
        var memo = FragileMemo(try row.read(0))
        memo.id = row.id
        if memo.text == "torn" { throw Refusal(number: 3) }
        return memo
    }
    func encode(into row: inout RowWriter) throws { try row.write(text, at: 0) }
    var entityId: Id {
        get { id }
        set { id = newValue }
    }

    static var text: Property<FragileMemo, String> { Property("text") }
}

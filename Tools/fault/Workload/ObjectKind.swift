import DaybookBytes
import DaybookEngine
import DaybookRecords
import DaybookTesting

/// The entities of the campaigns' stores.
enum ObjectKind: Int, CaseIterable, Sendable {
    /// Has many small fields, so that its blocks are transposed, and indexes of every kind.
    case note
    /// Has one field of bytes, sometimes long.
    case mark

    var name: String { self == .note ? "Note" : "Mark" }

    var declaration: EntityDeclaration {
        switch self {
        case .note:
            EntityDeclaration(
                name: name,
                fields: [
                    FieldDeclaration(name: "number", type: .int64),
                    FieldDeclaration(name: "rank", type: .int32, isOptional: true),
                    FieldDeclaration(name: "text", type: .string),
                ] + ObjectRelation.allCases.map(\.declaration),
                indexes: [
                    IndexDeclaration(columns: ["number"], isUnique: true),
                    IndexDeclaration(columns: ["text", "number"]),
                    IndexDeclaration(columns: ["text"], kind: .hash),
                    IndexDeclaration(columns: ["text", "rank"], kind: .folded),
                    IndexDeclaration(columns: ["text"], kind: .text),
                ])
        case .mark:
            EntityDeclaration(
                name: name, fields: [FieldDeclaration(name: "data", type: .bytes)])
        }
    }

    /// Returns a row with about `length` bytes of content. Equal arguments give equal rows.
    func row(_ layout: RowLayout, length: Int, seed: UInt64) throws -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        var encoder = RowEncoder(layout)
        switch self {
        case .note:
            encoder.set(int64: Int64(truncatingIfNeeded: random.next() >> 8), at: 0)
            let words = ["ledger", "page", "entry", "sum", "ink", "margin", "é", "日"]
            var text = ""
            while text.utf8.count < length { text += words[Int(random.next() % 8)] + " " }
            try encoder.set(text: text, at: 2)
        case .mark:
            let bytes = (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            try encoder.set(bytes: bytes.span, at: 0)
        }
        encoder.finish()
        return encoder.row.array
    }
}

import DaybookBytes
import DaybookEngine
import DaybookMaintenance
import DaybookRecords
import DaybookTesting
import Testing

/// A store in memory with everything that a dump must contain: values of every type, rows with
/// layouts of older releases, embedded values, collections, events, relations of each kind, lists,
/// maps of objects, unique indexes and removed objects. A seed determines the content.
final class DumpWorld {
    let engine: Engine
    private(set) var layouts: [EntityLayout] = []
    private var generator: SeededGenerator
    private var things: [UInt64] = []

    init(
        seed: UInt64, _ fileSystem: any FileSystem = MemoryFileSystem(), path: String = "/store"
    ) throws {
        generator = SeededGenerator(seed: seed)
        engine = try Self.open(path, fileSystem)
        layouts = try engine.register(Self.declarations(isNew: false))
        try change(count: 12)
        layouts = try engine.register(Self.declarations(isNew: true))
        try change(count: 20)
    }

    static func open(_ path: String, _ fileSystem: any FileSystem) throws -> Engine {
        var options = EngineOptions()
        options.isMaintenanceAutomatic = false
        options.durability = .manual
        options.log.preallocationStepBytes = 16 << 10
        return try Engine.open(path, fileSystem, options: options)
    }

    static func declarations(isNew: Bool) -> [EntityDeclaration] {
        var fields = [FieldDeclaration(name: "key", type: .uint64)]
        for shape in shapes(isNew: isNew) {
            let name = "\(shape.description)"
            fields.append(FieldDeclaration(name: name, shape: shape))
            var optional = shape
            optional.isOptional = true
            fields.append(FieldDeclaration(name: "\(name)OrNil", shape: optional))
        }
        for (name, type) in [
            ("parent", .toOne), ("friends", .toMany), ("items", .objects), ("shelf", .keyedObjects),
        ] as [(String, FieldType)] {
            let shape = ValueShape(type, isOptional: true, entityName: "Thing")
            fields.append(FieldDeclaration(name: name, shape: shape))
        }
        return [
            EntityDeclaration(
                name: "Place", kind: .embedded,
                fields: [
                    FieldDeclaration(name: "name", type: .string),
                    FieldDeclaration(name: "height", type: .double, isOptional: true),
                ]
                    + (isNew ? [FieldDeclaration(name: "zone", type: .int8)] : [])),
            EntityDeclaration(
                name: "Thing", fields: fields,
                indexes: [
                    IndexDeclaration(columns: ["key"], isUnique: true),
                    IndexDeclaration(columns: ["string"], kind: .folded),
                    IndexDeclaration(columns: ["string"], kind: .text),
                ], attributes: ["table": "things \"quoted\""]),
            EntityDeclaration(
                name: "Click", kind: .event, fields: [FieldDeclaration(name: "at", type: .date)]),
            EntityDeclaration(
                name: "Empty", fields: [FieldDeclaration(name: "flag", type: .bool)]),
        ]
    }

    private static func shapes(isNew: Bool) -> [ValueShape] {
        let plain: [FieldType] = [
            .bool, .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .float,
            .double, .date, .string, .bytes, .dateNano, .uuid, .decimal, .json,
        ]
        let place = ValueShape(.embedded, entityName: "Place")
        let shapes =
            plain.map { ValueShape($0) } + [
                place, ValueShape(.list, element: ValueShape(.double, isOptional: true)),
                ValueShape(.set, element: ValueShape(.int32)),
                ValueShape(.map, element: ValueShape(.list, element: ValueShape(.string))),
                ValueShape(.list, element: place),
            ]
        return isNew ? shapes + [ValueShape(.map, element: ValueShape(.bytes))] : shapes
    }

    /// Commits some random transactions.
    func change(count: Int) throws {
        for _ in 0..<count {
            let metadata = Bool.random(using: &generator) ? ["author": "Zoë"] : [:]
            try engine.write(metadata: metadata) { transaction in
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    switch Int.random(in: 0..<6, using: &generator) {
                    case 0...2: try put(in: transaction)
                    case 3: try append(in: transaction)
                    case 4: try relate(in: transaction)
                    default: try remove(in: transaction)
                    }
                }
            }
        }
    }

    private func put(in transaction: WriteTransaction) throws {
        let layout = layouts[1]
        let id = Int.random(in: 0..<4, using: &generator) == 0 ? (things.randomElement() ?? 0) : 0
        var row = RowEncoder(RowLayout(layout))
        for (index, field) in layout.fields.enumerated() where !field.type.isRelation {
            if field.name == "key" {
                row.set(uint64: generator.next(), at: index)
            } else if field.isOptional, Bool.random(using: &generator) {
                try row.setNull(index)
            } else {
                let bytes = try value(field.shape)
                try row.set(value: bytes.span, at: index)
            }
        }
        row.finish()
        let put = try transaction.changes.put(
            layout.entityID, id, layout: layout.layoutID, row: row.row
        ).id
        if id == 0 { things.append(put) }
    }

    private func append(in transaction: WriteTransaction) throws {
        let layout = layouts[2]
        var row = RowEncoder(RowLayout(layout))
        row.set(date: Int64(truncatingIfNeeded: generator.next()), at: 0)
        row.finish()
        try transaction.changes.append(layout.entityID, layout: layout.layoutID, row: row.row)
    }

    private func relate(in transaction: WriteTransaction) throws {
        guard let source = things.randomElement(using: &generator) else { return }
        let relations = layouts[1].fields.compactMap(\.relation?.relationID)
        let targets = (0..<3).compactMap { _ in things.randomElement(using: &generator) }
        try transaction.changes.setTarget(relations[0], source, targets.first)
        for target in targets { _ = try transaction.changes.link(relations[1], source, target) }
        _ = try transaction.changes.setList(
            relations[2], source, from: [],
            to: (targets + targets).map { ListPlacement(position: nil, target: $0) })
        let placed = try zip(["", "a \"b\"", "z\u{301}"].shuffled(using: &generator), targets).map {
            ListElement(position: try #require(LinkKey.position(of: $0)), target: $1)
        }
        try transaction.changes.setKeys(relations[3], source, removing: [], placing: placed)
    }

    private func remove(in transaction: WriteTransaction) throws {
        guard things.count > 3 else { return }
        let id = things.remove(at: Int.random(in: 0..<things.count, using: &generator))
        _ = try transaction.changes.remove(layouts[1].entityID, id)
    }

    private func text() -> String {
        let texts = ["", "plain", "Zoë \"quoted\" \\", "a\u{0}b\n\u{1F}", "字𝔘👩‍👧", "{\"a\":[1]}"]
        return texts.randomElement(using: &generator) ?? ""
    }

    /// Returns a random value of a shape, often an extreme one.
    private func value(_ shape: ValueShape) throws -> [UInt8] {
        if let width = shape.type.fixedWidthBytes {
            if shape.type == .bool { return [UInt8.random(in: 0...1, using: &generator)] }
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: return [UInt8](repeating: 0, count: width)
            case 1: return [UInt8](repeating: .max, count: width)
            // The lowest signed number, and minus zero.
            case 2: return [UInt8](repeating: 0, count: width - 1) + [0x80]
            // Infinity and NaN.
            case 3:
                return [UInt8](repeating: 0, count: max(0, width - 2)) + [0xF0, 0x7F].suffix(width)
            default: return (0..<width).map { _ in .random(in: 0 ... .max, using: &generator) }
            }
        }
        switch shape.type {
        case .bytes:
            let count = Int.random(in: 0...70, using: &generator)
            return (0..<count).map { _ in .random(in: 0 ... .max, using: &generator) }
        case .uuid: return (0..<16).map { _ in .random(in: 0 ... .max, using: &generator) }
        case .list, .set, .map: return try collection(shape)
        case .embedded: return try place()
        default: return Array(text().utf8)
        }
    }

    private func collection(_ shape: ValueShape) throws -> [UInt8] {
        let element = shape.element ?? ValueShape(.bytes)
        let keys = shape.type == .map ? ["", "base64", "layout", "z\u{301}"] : []
        let count = shape.type == .map ? keys.count : Int.random(in: 0...4, using: &generator)
        var list = ValueListWriter(
            of: element.type, isOptional: element.isOptional, count: count, keys: keys)
        for _ in 0..<count {
            if element.isOptional, Bool.random(using: &generator) {
                let none: [UInt8] = []
                list.append(none.span, isNull: true)
            } else {
                let bytes = try value(element)
                list.append(bytes.span)
            }
        }
        return list.span.array
    }

    private func place() throws -> [UInt8] {
        let layout = layouts[0]
        var row = RowEncoder(RowLayout(layout))
        for (index, field) in layout.fields.enumerated() {
            let bytes = try value(field.shape)
            try row.set(value: bytes.span, at: index)
        }
        row.finish()
        var writer = ByteWriter(capacity: 64)
        EmbeddedValue.write(row.row, layout: layout.layoutID, to: &writer)
        return writer.bytes
    }
}

extension Engine {
    /// Returns the lines of a dump.
    func dumpText(at point: HistoryPoint? = nil) throws -> String {
        var text = JSONText()
        _ = try dump(until: point) { write throws(DaybookError) in
            try write(&text)
            text.newLine()
        }
        return text.text
    }

    /// Returns the lines of a dump of all transactions.
    func historyText() throws -> String {
        var text = JSONText()
        _ = try dumpHistory { write throws(DaybookError) in
            try write(&text)
            text.newLine()
        }
        return text.text
    }

    /// Loads a dump in chunks of a given size.
    static func load(
        text: [UInt8], into path: String, _ fileSystem: any FileSystem, pieceBytes: Int = 1_000
    ) throws -> LoadReport {
        var offset = 0
        return try load(
            into: path, fileSystem,
            from: { () throws(DaybookError) in
                let piece = Array(text[offset..<min(offset + pieceBytes, text.count)])
                offset += piece.count
                return piece
            })
    }
}

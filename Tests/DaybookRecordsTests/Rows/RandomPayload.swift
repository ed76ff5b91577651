import DaybookBytes
import DaybookRecords

/// Generates payloads of every kind of record, with rows of several layouts.
struct RandomPayload {
    /// The distribution of a field's values.
    enum Habit: CaseIterable {
        case constant, rising, fewDistinct, small, decimal, random, mostlyNull
    }

    var numbers: SeededNumbers
    var schema = Schema()
    private var habits: [[Habit]] = []

    init(seed: UInt64 = .random(in: 0 ... .max)) throws {
        numbers = SeededNumbers(seed: seed)
        for number in 1...UInt32(4) {
            var layout = numbers.layout(layoutID: number, entityID: number, fieldCountMax: 12)
            for index in layout.fields.indices {
                layout.fields[index].relation?.relationID += UInt32(schema.relations.count)
            }
            try schema.add(layout)
            habits.append(layout.fields.map { _ in Habit.allCases.randomElement(using: &numbers)! })
        }
    }

    /// Whole records in the order of a log with many small and some large transactions.
    mutating func payload(recordCount: Int) throws -> [UInt8] {
        var writer = RecordWriter()
        let isBulk = Bool.random(using: &numbers)
        var index = Int.random(in: 0...3, using: &numbers)
        for number in 0..<UInt64(recordCount) {
            if number % 29 == 28 {
                let position = ListPosition.between(nil, nil, count: Int(number % 5) + 1).last ?? []
                writer.listInsert(
                    relation: 2, source: number, target: numbers.next() >> 40 | 1,
                    position: position.span)
                continue
            }
            if !isBulk || number % 100 == 99 { index = Int.random(in: 0...3, using: &numbers) }
            let action = isBulk && number % 100 != 99 ? 0 : Int.random(in: 0..<12, using: &numbers)
            switch action {
            case 0..<6:
                let layout = schema.layouts[index]
                var encoder = RowEncoder(RowLayout(layout))
                for (field, value) in values(index, number).enumerated() {
                    try encoder.set(value, at: field, type: layout.fields[field].type)
                }
                encoder.finish()
                if number % 7 == 6 {
                    writer.event(
                        entity: layout.entityID, id: number + 1, layout: layout.layoutID,
                        row: encoder.row)
                } else {
                    writer.put(
                        entity: layout.entityID, id: number + 1, previous: number / 3,
                        layout: layout.layoutID, row: encoder.row)
                }
            case 6: writer.remove(entity: 1, id: numbers.next() >> 1 | 1, previous: numbers.next())
            case 7: writer.link(relation: 3, source: number + 1, target: numbers.next() >> 40 | 1)
            case 8:
                writer.unlink(
                    relation: IndexTree.entityMax, source: .max - 1, target: number + 1)
            case 9: writer.schema(schema.layouts[index])
            case 10:
                writer.commit(
                    CommitRecord(
                        sequence: number, timeMicroseconds: Int64(bitPattern: numbers.next()),
                        metadata: number % 3 == 0 ? ["author": "ada"] : [:]))
            default: writer.compacted(CompactedRecord(policy: .all, historyFloor: number))
            }
        }
        return writer.span.array
    }

    private mutating func values(_ layout: Int, _ number: UInt64) -> [Value] {
        let entity = schema.layouts[layout]
        let random = numbers.values(for: entity)
        return entity.fields.indices.map { index in
            let field = entity.fields[index]
            if field.type.isRelation { return .null }
            let width = field.type.fixedWidthBytes
            switch habits[layout][index] {
            case .random: return random[index]
            case .mostlyNull: return field.isOptional && number % 10 > 0 ? .null : random[index]
            case .constant: return width == nil ? .blob([97]) : .number(1)
            case .rising: return width == nil ? text(number) : number64(number * 3, field.type)
            case .small:
                return width == nil ? text(number & 1) : number64(~(number % 5), field.type)
            case .fewDistinct:
                let choice = numbers.next() % 5
                return width == nil
                    ? text(choice) : number64(choice &* 0x1234_5678_9ABC_DEF1, field.type)
            case .decimal:
                let price = Double(numbers.next() % 100_000) / 100 - 300
                switch field.type {
                case .double: return .number(price.bitPattern)
                case .float: return .number(UInt64(Float(price).bitPattern))
                default: return random[index]
                }
            }
        }
    }

    private func text(_ number: UInt64) -> Value { .blob(Array("text number \(number)".utf8)) }

    private func number64(_ number: UInt64, _ type: FieldType) -> Value {
        let bits = UInt64((type.fixedWidthBytes ?? 8) * 8)
        let mask = type == .bool ? 1 : bits == 64 ? UInt64.max : (1 << bits) - 1
        return .number(number & mask)
    }
}

import DaybookBytes
import DaybookRecords
import DaybookQuery
import DaybookTesting

/// Generates queries of ``PackageModel`` that can be written as text.
struct RandomTextQuery {
    private var generator: SeededGenerator
    private let model: QueryModel

    init(seed: UInt64, _ model: QueryModel) {
        generator = SeededGenerator(seed: seed)
        self.model = model
    }

    mutating func query() -> TextQuery {
        let entities = model.entities.values.filter { $0.kind == .object }
        let entity = pick(entities.sorted { $0.entity < $1.entity })
        var query = TextQuery(entityName: entity.name, entity: entity.entity)
        query.definition.condition = condition(entity.entity, depth: 0)
        if chance(2) { query.definition.limit = number(100) }
        if chance(3) { query.definition.offset = number(100) }
        for _ in 0..<number(3) {
            var order = QueryOrder(.expression(plain(entity.entity).0))
            order.isDescending = chance(2)
            order.isCaseSensitive = chance(2)
            switch number(3) {
            case 0: order.areNullsLast = true
            case 1: order.areNullsZero = true
            default: break
            }
            query.definition.orders.append(order)
        }
        for _ in 0..<number(3) {
            guard case .property(let path) = plain(entity.entity).0 else { continue }
            query.definition.distinct.append(path)
        }
        return query
    }

    private mutating func number(_ count: Int) -> Int {
        Int.random(in: 0..<count, using: &generator)
    }
    private mutating func chance(_ count: Int) -> Bool { number(count) == 0 }
    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[number(elements.count)]
    }

    private func members(_ entity: UInt32) -> [(String, QueryModel.Member)] {
        (model.entities[entity]?.members ?? [:]).sorted { $0.key < $1.key }.map { ($0, $1) }
    }

    /// Returns a property that is no collection, or an id, through to-one relations and embedded
    /// values.
    private mutating func plain(_ entity: UInt32, depth: Int = 0) -> (QueryExpression, FieldType) {
        while true {
            let (name, member) = pick(members(entity))
            func after(_ inner: (QueryExpression, FieldType)) -> (QueryExpression, FieldType)? {
                guard case .property(let path) = inner.0 else { return nil }
                return (.property(PropertyPath([name]).appending(path)), inner.1)
            }
            switch member {
            case .id: return (.property(.ownId), .uint64)
            case .property(let property):
                if property.shape.type == .map, chance(2) {
                    return (
                        .entry(PropertyPath([name]), key: text()),
                        property.shape.element?.type ?? .string
                    )
                }
                if property.shape.type.isCollection { continue }
                guard let embedded = property.embeddedEntity else {
                    return (.property(PropertyPath([name])), property.shape.type)
                }
                if let found = after(plain(embedded, depth: depth + 1)) { return found }
            case .relation(let relation):
                guard relation.isToOne, depth < 3 else { continue }
                if let found = after(plain(relation.target, depth: depth + 1)) { return found }
            }
        }
    }

    private mutating func condition(_ entity: UInt32, depth: Int) -> QueryCondition {
        switch number(depth < 5 ? 10 : 5) {
        case 5, 6:
            let parts = (0...(1 + number(2))).map { _ in condition(entity, depth: depth + 1) }
            return chance(2) ? .and(parts) : .or(parts)
        case 7: return .not(condition(entity, depth: depth + 1))
        case 8, 9: return quantified(entity, depth: depth)
        default: break
        }
        if chance(20) { return .always(chance(2)) }
        return leaf(entity) { random in
            let (expression, type) =
                random.chance(5) ? random.aggregate(entity) : random.plain(entity)
            return random.test(expression, type) {
                $0.chance(6) ? $0.plain(entity).0 : .value($0.value(type))
            }
        }
    }

    /// Returns the first random condition whose values and operators match the type of its operand.
    private mutating func leaf(
        _ entity: UInt32, _ make: (inout RandomTextQuery) -> QueryCondition
    ) -> QueryCondition {
        for _ in 0..<100 {
            let condition = make(&self)
            let resolver = ConditionResolver(model)
            if (try? resolver.resolve(condition, of: entity)) != nil { return condition }
        }
        return .always(true)
    }

    private mutating func quantified(_ entity: UInt32, depth: Int) -> QueryCondition {
        let quantifier = pick(QueryQuantifier.allCases)
        for (name, member) in members(entity).shuffled(using: &generator) {
            let path = PropertyPath([name])
            switch member {
            case .relation(let relation):
                return .linked(path, quantifier, condition(relation.target, depth: depth + 1))
            case .property(let property):
                guard let element = property.shape.element else { continue }
                let ofKeys = property.shape.type == .map && chance(2)
                let type = ofKeys ? .string : element.type
                return leaf(entity) { random in
                    let inner = random.test(.element, type) { .value($0.value(type)) }
                    return ofKeys
                        ? .keys(path, quantifier, inner) : .elements(path, quantifier, inner)
                }
            case .id: continue
            }
        }
        return condition(entity, depth: depth)
    }

    private mutating func aggregate(_ entity: UInt32) -> (QueryExpression, FieldType) {
        for (name, member) in members(entity).shuffled(using: &generator) {
            let path = PropertyPath([name])
            switch member {
            case .relation(let relation) where !relation.isToOne:
                if chance(2) { return (.aggregate(.count, path, of: nil), .uint64) }
                guard case (.property(let inner), let type) = plain(relation.target) else {
                    continue
                }
                return (.aggregate(.minimum, path, of: inner), type)
            case .property(let property):
                guard let element = property.shape.element else { continue }
                return (.aggregate(.maximum, path, of: nil), element.type)
            default: continue
            }
        }
        return plain(entity)
    }

    private mutating func test(
        _ expression: QueryExpression, _ type: FieldType,
        _ other: (inout RandomTextQuery) -> QueryExpression
    ) -> QueryCondition {
        let options = StringOptions(rawValue: type == .string ? UInt8(number(4)) : 0)
        switch number(type == .string ? 7 : type == .double ? 6 : 5) {
        case 0: return .isNull(expression)
        case 1:
            let values = (0..<number(4)).map { _ in chance(9) ? .null : value(type) }
            return .oneOf(expression, values, options)
        case 2:
            let ends = (value(type), value(type))
            let isTurned = ends.0.isGreater(than: ends.1)
            return .range(
                expression, lower: QueryBound(isTurned ? ends.1 : ends.0, isInclusive: true),
                upper: QueryBound(isTurned ? ends.0 : ends.1, isInclusive: chance(2)))
        case 5 where type == .double: return .near(expression, -2.5, tolerance: 1e-9)
        case 5, 6:
            if case .property(let path) = expression, chance(3) {
                return .matches(path, text(), pick(WordTest.allCases))
            }
            return .text(expression, pick(TextTest.allCases), .value(value(.string)), options)
        default:
            return .compare(expression, pick(QueryComparison.allCases), other(&self), options)
        }
    }

    private mutating func text() -> String {
        pick(["", "libc6", "Ünï", "a\"b\\c'`", "line\nend\t\0", "字\u{1F600}", "e\u{301}*?"])
    }

    private mutating func value(_ type: FieldType) -> QueryValue {
        let large = Int128(truncatingIfNeeded: generator.next()) << Int128(number(64))
        return switch type {
        case .bool: .bool(chance(2))
        case .double:
            .number(pick([0.1, -1e300, .leastNonzeroMagnitude, 12.5, .infinity, -.infinity]))
        case .float: .number(Double(Float(pick([0.1, 1e30, -2.5]))))
        case .decimal: .decimal(pick(["0.10", "-12.345e-3", "1e7", "-0.0"]))
        case .date, .dateNano: .moment(Int128(number(1 << 60)) - 1 << 59)
        case .uuid: .uuid((0..<16).map { _ in UInt8(number(256)) })
        case .bytes: .bytes((0..<number(5)).map { _ in UInt8(number(256)) })
        case .string: .text(text())
        default: .integer(chance(2) ? -large : large)
        }
    }
}

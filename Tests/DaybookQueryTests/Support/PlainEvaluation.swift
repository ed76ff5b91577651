import DaybookRecords
@testable import DaybookQuery
import Foundation

/// A second, simple implementation of conditions: on objects in memory, without bytes, indexes or
/// optimizations.
struct PlainEvaluation {
    let objects: [UInt64: FixtureObject]
    let fields: [String: Field]
    let placeFields: [String: Field]

    init(_ fixture: QueryFixture) {
        objects = fixture.objects["Thing"] ?? [:]
        func fields(_ entity: String) -> [String: Field] {
            Dictionary(
                uniqueKeysWithValues: (fixture.layouts[entity]?.fields ?? []).map { ($0.name, $0) })
        }
        self.fields = fields("Thing")
        placeFields = fields("Place")
    }

    /// An object, or an element of a collection.
    enum Subject {
        case object(FixtureObject)
        case element(FixtureValue)
    }

    func ids(_ condition: QueryCondition) -> [UInt64] {
        objects.values.filter { isTrue(condition, .object($0)) }.map(\.id).sorted()
    }

    func isTrue(_ condition: QueryCondition, _ subject: Subject) -> Bool {
        switch condition {
        case .always(let value): return value
        case .and(let parts): return parts.allSatisfy { isTrue($0, subject) }
        case .or(let parts): return parts.contains { isTrue($0, subject) }
        case .not(let inner), .named(_, .not(let inner)): return !isTrue(inner, subject)
        case .named(_, let inner): return isTrue(inner, subject)
        case .compare(let one, let comparison, let other, let options):
            return compare(
                fold(value(one, subject), options), comparison, fold(value(other, subject), options)
            )
        case .range(let one, let lower, let upper):
            return isBetween(value(one, subject), lower, upper)
        case .oneOf(let one, let values, let options):
            let value = fold(self.value(one, subject), options)
            return values.contains { compare(value, .equal, fold($0, options)) }
        case .near(let one, let number, let tolerance):
            guard case .number(let value) = value(one, subject) else { return false }
            return abs(value - number) <= tolerance
        case .text(let one, let test, let other, let options):
            guard case .text(let text) = fold(value(one, subject), options),
                case .text(let pattern) = fold(value(other, subject), options)
            else { return false }
            return self.test(text, test, pattern)
        case .isNull(let one): return value(one, subject) == .null
        case .linked(let path, let quantifier, let inner):
            let verdicts = linked(path, subject).map { isTrue(inner, .object($0)) }
            return quantify(quantifier, verdicts)
        case .elements(let path, let quantifier, let inner):
            return quantify(
                quantifier, elements(path, subject).map { isTrue(inner, .element($0)) })
        case .keys(let path, let quantifier, let inner):
            guard case .map(let pairs) = found(path.steps[...], subject) else {
                return quantifier != .any
            }
            return quantify(
                quantifier,
                pairs.keys.map { isTrue(inner, .element(.value(.text($0)))) })
        case .matches, .nearest: return false
        }
    }

    private func quantify(_ quantifier: QueryQuantifier, _ verdicts: [Bool]) -> Bool {
        switch quantifier {
        case .any: verdicts.contains(true)
        case .all: !verdicts.contains(false)
        case .none: !verdicts.contains(true)
        }
    }

    // MARK: Values

    private func value(_ expression: QueryExpression, _ subject: Subject) -> QueryValue {
        switch expression {
        case .value(let value): return value
        case .property(let path): return simple(found(path.steps[...], subject))
        case .element: return simple(found([], subject))
        case .entry(let path, let key):
            guard case .map(let pairs) = found(path.steps[...], subject) else { return .null }
            return simple(pairs[key] ?? .null)
        case .aggregate(.count, let path, nil) where isRelation(path):
            return .integer(Int128(links(path, subject).count))
        case .aggregate(let aggregate, let path, let of?):
            let values = links(path, subject).compactMap { objects[$0] }
                .map { simple(found(of.steps[...], .object($0))) }
            return self.aggregate(aggregate, values)
        case .aggregate(let aggregate, let path, nil):
            guard found(path.steps[...], subject) != .null else { return .null }
            return self.aggregate(aggregate, elements(path, subject).map(simple))
        case .function(let function, let arguments):
            return function.plainValue(of: arguments.map { value($0, subject) })
        }
    }

    private func aggregate(_ aggregate: QueryAggregate, _ values: [QueryValue]) -> QueryValue {
        let values = values.filter { $0 != .null }
        let numbers = values.filter { order($0, $0) != nil }
        func best(_ wanted: Int) -> QueryValue {
            numbers.dropFirst().reduce(numbers.first ?? values.first ?? .null) {
                order($1, $0) == wanted ? $1 : $0
            }
        }
        switch aggregate {
        case .count: return .integer(Int128(values.count))
        case .minimum: return best(-1)
        case .maximum: return best(1)
        case .sum, .average:
            var integer: Int128 = 0
            var number = 0.0
            for value in values {
                if case .integer(let value) = value { integer += value }
                if case .number(let value) = value { number += value }
            }
            let isWhole = values.allSatisfy { if case .integer = $0 { true } else { false } }
            if aggregate == .sum { return isWhole ? .integer(integer) : .number(number) }
            if values.isEmpty { return .null }
            return .number((isWhole ? Double(integer) : number) / Double(values.count))
        }
    }

    private func simple(_ value: FixtureValue) -> QueryValue {
        if case .value(let value) = value { value } else { .stored([]) }
    }

    /// Returns the value at the end of a path.
    private func found(_ steps: ArraySlice<String>, _ subject: Subject) -> FixtureValue {
        guard let name = steps.first else {
            if case .element(let element) = subject { return element }
            return .null
        }
        switch subject {
        case .object(let object):
            if name == PropertyPath.id { return .value(.integer(Int128(object.id))) }
            if isRelation(PropertyPath([name])) {
                let target = links(PropertyPath([name]), subject).compactMap { objects[$0] }.first
                guard let target else { return .null }
                if steps.count == 1 { return .value(.integer(Int128(target.id))) }
                return found(steps.dropFirst(), .object(target))
            }
            let value = fields[name].map { self.value($0, object.values[name]) } ?? .null
            return steps.count == 1 ? value : found(steps.dropFirst(), .element(value))
        case .element(let element):
            guard case .embedded(let values) = element else { return .null }
            let value = placeFields[name].map { self.value($0, values[name]) } ?? .null
            return steps.count == 1 ? value : found(steps.dropFirst(), .element(value))
        }
    }

    /// Returns the value of a field, or the value that objects read if it is missing.
    private func value(_ field: Field, _ value: FixtureValue?) -> FixtureValue {
        if let value, value != .null { return value }
        if field.isOptional { return .null }
        switch field.type {
        case .list, .set: return .list([])
        case .map: return .map([:])
        case .embedded: return .embedded([:])
        default: return .value(field.shape.zero)
        }
    }

    private func elements(_ path: PropertyPath, _ subject: Subject) -> [FixtureValue] {
        switch found(path.steps[...], subject) {
        case .list(let elements): elements
        case .map(let pairs): Array(pairs.values)
        default: []
        }
    }

    // MARK: Relations

    private static let forward: [String: String] = [
        "owned": "owner", "friendOf": "friends", "inPlaylists": "playlist",
    ]

    private func isRelation(_ path: PropertyPath) -> Bool {
        path.steps.last.map {
            Self.forward[$0] != nil || fields[$0]?.relation != nil
        } ?? false
    }

    /// Returns the target ids of the last step; of lists all elements.
    private func links(_ path: PropertyPath, _ subject: Subject) -> [UInt64] {
        guard case .object(var object) = subject, let last = path.steps.last else { return [] }
        for step in path.steps.dropLast() {
            guard let next = object.links[step]?.first.flatMap({ objects[$0] }) else { return [] }
            object = next
        }
        if let forward = Self.forward[last] {
            return objects.values.filter { $0.links[forward]?.contains(object.id) == true }
                .map(\.id)
        }
        return object.links[last] ?? []
    }

    private func linked(_ path: PropertyPath, _ subject: Subject) -> [FixtureObject] {
        links(path, subject).compactMap { objects[$0] }
    }
}

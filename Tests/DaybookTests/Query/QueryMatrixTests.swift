@testable import Daybook
import DaybookBytes
import DaybookObjectBox
import DaybookTesting
import DaybookTestSupport
import Foundation
import Testing

/// Compares every type of property, required and optional, with every operator: the results equal
/// those of Swift closures.
@Suite struct QueryMatrixTests {
    private let store: Store
    private let objects: [Everything]

    init() throws {
        store = try Store(
            directoryPath: "memory:matrix-\(UUID().uuidString)", entities: Everything.self)
        var generator = SeededGenerator(seed: 7)
        var objects: [Everything] = []
        for number in 0..<40 { objects.append(Self.object(number, &generator)) }
        try store.box(for: Everything.self).put(&objects)
        self.objects = objects
    }

    private static func object(
        _ number: Int, _ generator: inout SeededGenerator
    ) -> Everything {
        func pick<Value>(_ values: [Value]) -> Value {
            values[Int.random(in: 0..<values.count, using: &generator)]
        }
        func integer<Number: FixedWidthInteger>(_ type: Number.Type) -> Number {
            pick([.min, .max, 0, 1, 5])
        }
        var object = Everything()
        object.bool = pick([true, false])
        object.int8 = integer(Int8.self)
        object.int16 = integer(Int16.self)
        object.int32 = integer(Int32.self)
        object.int64 = integer(Int64.self)
        object.int = integer(Int.self)
        object.uint8 = integer(UInt8.self)
        object.uint16 = integer(UInt16.self)
        object.uint32 = integer(UInt32.self)
        object.uint64 = integer(UInt64.self)
        object.uint = integer(UInt.self)
        object.float = pick([0, -0.0, 1.5, -.infinity, .nan, 0.1])
        object.double = pick([0, -0.0, 1.5, .infinity, .nan, 0.1])
        object.string = pick(["", "a", "B", "z\u{0}", "é"])
        object.date = Date(timeIntervalSince1970: pick([-1, 0, 0.001, 1e9]))
        object.data = pick([Data(), Data([0]), Data([0, 255]), Data([9])])
        guard number % 3 > 0 else { return object }
        object.boolOrNil = pick([true, false])
        object.int8OrNil = integer(Int8.self)
        object.int16OrNil = integer(Int16.self)
        object.int32OrNil = integer(Int32.self)
        object.int64OrNil = integer(Int64.self)
        object.intOrNil = integer(Int.self)
        object.uint8OrNil = integer(UInt8.self)
        object.uint16OrNil = integer(UInt16.self)
        object.uint32OrNil = integer(UInt32.self)
        object.uint64OrNil = integer(UInt64.self)
        object.uintOrNil = integer(UInt.self)
        object.floatOrNil = pick([0, 1.5, .nan])
        object.doubleOrNil = pick([0, 1.5, .nan])
        object.stringOrNil = pick(["", "a", "B"])
        object.dateOrNil = Date(timeIntervalSince1970: pick([-1, 0, 1e9]))
        object.dataOrNil = pick([Data(), Data([0, 255])])
        return object
    }

    /// Compares the results of a condition with those of a closure.
    private func check(
        _ condition: Condition<Everything>, _ name: String, _ isTrue: (Everything) -> Bool
    ) throws {
        let box = store.box(for: Everything.self)
        let found = try box.query(condition).findIds().map(\.value)
        #expect(found == objects.filter(isTrue).map(\.id), "\(name)")
        let others = try box.query(!condition).findIds().map(\.value)
        #expect(others == objects.filter { !isTrue($0) }.map(\.id), "not \(name)")
    }

    private func check<Value: PropertyValue & Equatable>(
        _ name: String, _ path: KeyPath<Everything, Value>,
        _ pathOrNil: KeyPath<Everything, Value?>, isLess: (Value, Value) -> Bool
    ) throws where Value: OrderedValue, Value.Operand == Value {
        let property = Daybook.Property<Everything, Value>(name)
        let optional = Daybook.Property<Everything, Value?>(name + "OrNil")
        // Compares each of these values with all objects.
        for value in objects.prefix(12).map({ $0[keyPath: path] }) {
            try check(property == value, "\(name) == \(value)") { $0[keyPath: path] == value }
            try check(property != value, "\(name) != \(value)") { $0[keyPath: path] != value }
            try check(property < value, "\(name) < \(value)") { isLess($0[keyPath: path], value) }
            try check(property > value, "\(name) > \(value)") { isLess(value, $0[keyPath: path]) }
            try check(property <= value, "\(name) <= \(value)") {
                isLess($0[keyPath: path], value) || $0[keyPath: path] == value
            }
            try check(property >= value, "\(name) >= \(value)") {
                isLess(value, $0[keyPath: path]) || $0[keyPath: path] == value
            }
            try check(property.isIn([value]), "\(name) in \(value)") { $0[keyPath: path] == value }
            try check(optional == value, "\(name)? == \(value)") { $0[keyPath: pathOrNil] == value }
            try check(optional != value, "\(name)? != \(value)") { $0[keyPath: pathOrNil] != value }
            try check(optional < value, "\(name)? < \(value)") {
                $0[keyPath: pathOrNil].map { isLess($0, value) } ?? false
            }
            try check(optional >= value, "\(name)? >= \(value)") {
                $0[keyPath: pathOrNil].map { isLess(value, $0) || $0 == value } ?? false
            }
            try check(optional.isIn([value, nil]), "\(name)? in nil, \(value)") {
                $0[keyPath: pathOrNil] == nil || $0[keyPath: pathOrNil] == value
            }
            try check(!optional.isIn([value]), "\(name)? not in \(value)") {
                $0[keyPath: pathOrNil] != value
            }
            try check(property.isBetween(value, and: value), "\(name) between \(value)") {
                $0[keyPath: path] == value
            }
        }
        try check(optional == nil, "\(name)? == nil") { $0[keyPath: pathOrNil] == nil }
        try check(property.isNil(), "\(name) is nil") { _ in false }
        try check(property == optional, "\(name) == \(name)?") {
            $0[keyPath: path] == $0[keyPath: pathOrNil]
        }
        try check(property < optional, "\(name) < \(name)?") { object in
            object[keyPath: pathOrNil].map { isLess(object[keyPath: path], $0) } ?? false
        }
    }

    @Test func `integers`() throws {
        try check("int8", \.int8, \.int8OrNil, isLess: <)
        try check("int16", \.int16, \.int16OrNil, isLess: <)
        try check("int32", \.int32, \.int32OrNil, isLess: <)
        try check("int64", \.int64, \.int64OrNil, isLess: <)
        try check("int", \.int, \.intOrNil, isLess: <)
        try check("uint8", \.uint8, \.uint8OrNil, isLess: <)
        try check("uint16", \.uint16, \.uint16OrNil, isLess: <)
        try check("uint32", \.uint32, \.uint32OrNil, isLess: <)
        try check("uint64", \.uint64, \.uint64OrNil, isLess: <)
        try check("uint", \.uint, \.uintOrNil, isLess: <)
    }

    @Test func `floating-point numbers`() throws {
        try check("float", \.float, \.floatOrNil, isLess: <)
        try check("double", \.double, \.doubleOrNil, isLess: <)
    }

    @Test func `Booleans`() throws {
        try check("bool", \.bool, \.boolOrNil) { !$0 && $1 }
    }

    @Test func `strings`() throws {
        try check("string", \.string, \.stringOrNil) {
            $0.utf8.lexicographicallyPrecedes($1.utf8)
        }
    }

    @Test func `dates`() throws { try check("date", \.date, \.dateOrNil, isLess: <) }

    @Test func `byte arrays`() throws {
        try check("data", \.data, \.dataOrNil) { $0.lexicographicallyPrecedes($1) }
    }

    @Test func `numbers of different widths are compared by their values`() throws {
        let (small, large) = (
            Daybook.Property<Everything, Int8>("int8"),
            Daybook.Property<Everything, UInt64>("uint64")
        )
        try check(small < large, "int8 < uint64") { Int128($0.int8) < Int128($0.uint64) }
        try check(small == large, "int8 == uint64") { Int128($0.int8) == Int128($0.uint64) }
        let double = Daybook.Property<Everything, Double>("double")
        try check(small <= double, "int8 <= double") { Double($0.int8) <= $0.double }
    }
}

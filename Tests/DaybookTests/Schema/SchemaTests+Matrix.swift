import Synchronization
@testable import Daybook
import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
import DaybookMaintenance
import DaybookTestSupport
import Foundation
import Testing

/// Opens every store that a release of a program wrote with every other release.
@Suite(.serialized) struct SchemaMatrixTests {
    /// The expected objects: strings by key, independent of the release that wrote them.
    private typealias Model = [Id: [String: String]]

    private struct Step {
        var release: Release
        /// The effect of the release's own migration on an object of the previous release.
        var change: @Sendable (inout [String: String]) -> Void = { _ in }
    }

    private let migrations: [Migration] = [
        .convert("Human", "age", from: Int?.self, to: String.self) { old in
            (old ?? nil).map { "\($0) years" } ?? "unknown"
        },
        .transform("Human") { old, new in
            guard !old.has("first") else { return }
            let name = old.has("fullName") ? "fullName" : "name"
            let words = try old[name, as: String.self].split(separator: " ")
            try new.set("last", to: words.last.map { String($0) } ?? "")
            try new.set("first", to: String(words.first ?? ""))
        },
    ]

    /// The releases, the first at index 0.
    private static let steps: [Step] = {
        typealias Property = Release.Property
        let name = Property("name", .property("name", String.self, .uid(77)))
        let email = Property("email", .property("email", String?.self))
        let mail = Property("email", .property("mail", String?.self, .renamed(from: "email")))
        let indexed = Property(
            "email", .property("mail", String?.self, .renamed(from: "email"), .index(.value)))
        let age8 = Property("age", .property("age", Int8.self))
        let age16 = Property("age", .property("age", Int16.self))
        let age = Property("age", .property("age", Int.self))
        let ageText = Property("age", .property("age", String.self))
        let full = Property("name", .property("fullName", String.self, .uid(77)))
        let names = [
            Property("last", .property("last", String.self)),
            Property("first", .property("first", String.self)),
        ]
        let home = Property("home", .property("home", EvolvingPlace?.self))
        let street = Property("home.street", .property("street", String.self))
        let road = Property(
            "home.street", .property("road", String.self, .renamed(from: "street")))
        let zip = Property("home.zip", .property("zip", Int32.self))
        let tags8 = Property("tags", .property("tags", [Int8].self))
        let tags = Property("tags", .property("tags", [Int32].self))

        var release = Release()
        var steps: [Step] = []
        func add(_ change: @escaping @Sendable (inout [String: String]) -> Void = { _ in }) {
            steps.append(Step(release: release, change: change))
        }
        func person(_ list: Property...) {
            release.declare("Person", as: list)
            add()
        }
        func human(
            _ list: [Property], _ change: @escaping @Sendable (inout [String: String]) -> Void
        ) {
            release.declare("Human", .renamed(from: "Person"), as: list)
            add(change)
        }
        person(name, age8)
        person(name, age8, email)
        person(name, email)
        person(age16, email, name)
        person(age16, mail, name)
        person(age16, mail, full)
        person(Property("age", .property("age", Int?.self)), mail, full)
        person(age, indexed, full)
        human([age, mail, full]) { _ in }
        human([ageText, mail, full]) { values in
            values["age"] = values["age"].map { "\($0) years" } ?? "unknown"
        }
        human([ageText, mail] + names) { values in
            let words = (values["name"] ?? "").split(separator: " ")
            values["last"] = words.last.map { String($0) } ?? ""
            values["first"] = String(words.first ?? "")
        }
        release.declarePlace("Place", as: [street])
        human([home, ageText, mail] + names) { _ in }
        release.declarePlace("Place", as: [zip, road])
        human([home, ageText, mail, tags8] + names) { _ in }
        release.declarePlace("Spot", .renamed(from: "Place"), as: [zip, road])
        human([home, ageText, mail, tags] + names) { _ in }
        return steps
    }()

    private var lastStep: Int { Self.steps.count - 1 }

    private func open(_ path: String, at step: Int, isReadOnly: Bool = false) throws -> Store {
        Release.running.withLock { $0 = Self.steps[step].release }
        var options = StoreOptions()
        options.durability = .manual
        options.isReadOnly = isReadOnly
        options.isMaintenanceAutomatic = false
        options.refreshInterval = .zero
        // A program keeps the migrations of its previous releases.
        if step >= 9 { options.migrations = Array(migrations.prefix(step - 8)) }
        return try Store(path: path, entities: [Evolving.self], options: options)
    }

    /// Returns the part of an object that a release reads.
    private func seen(_ values: [String: String], at step: Int) -> [String: String] {
        var seen: [String: String] = [:]
        let release = Self.steps[step].release
        for property in release.properties where property.description.type.embedded == nil {
            seen[property.key] = values[property.key] ?? property.missing
        }
        guard values.keys.contains(where: { $0.hasPrefix("home.") }),
            release.properties.contains(where: { $0.key == "home" })
        else { return seen }
        for property in release.placeProperties {
            seen[property.key] = values[property.key] ?? property.missing
        }
        return seen
    }

    /// Returns the values that a release writes.
    private func made(_ number: Int, at step: Int) -> [String: String] {
        var values: [String: String] = [:]
        let release = Self.steps[step].release
        for property in release.properties + release.placeProperties {
            let description = property.description
            if description.isOptional, number % 3 == 0 { continue }
            switch description.type.description {
            case "string" where property.key == "name": values["name"] = "N\(number) of \(step)"
            case "string": values[property.key] = "\(property.key) \(number)"
            case "list<int8>", "list<int32>": values[property.key] = "\(number % 100),-1,0"
            default:
                if description.type.embedded == nil {
                    values[property.key] = String(number % 120)
                }
            }
        }
        if !release.properties.contains(where: { $0.key == "home" }) || number % 3 == 0 {
            values = values.filter { !$0.key.hasPrefix("home.") }
        }
        return values
    }

    private func check(
        _ store: Store, _ model: Model, at step: Int, _ comment: Comment
    ) throws {
        let found = try store.box(for: Evolving.self).all()
        #expect(found.map(\.entityId) == model.keys.sorted(), comment)
        for object in found {
            #expect(object.values == seen(model[object.entityId] ?? [:], at: step), comment)
        }
    }

    /// Puts a new object and replaces an old one.
    private func write(
        _ store: Store, _ model: inout Model, at step: Int, _ number: Int
    ) throws {
        let box = store.box(for: Evolving.self)
        let fresh = made(number, at: step)
        model[try box.put(Evolving(values: fresh))] = fresh
        guard let id = model.keys.sorted().dropLast(2).last else { return }
        let values = made(number + 1, at: step)
        try box.put(Evolving(entityId: id, values: values))
        // Undeclared values remain; an embedded value is replaced as a whole.
        let release = Self.steps[step].release
        for property in release.properties { model[id]?[property.key] = nil }
        if release.properties.contains(where: { $0.key == "home" }) {
            model[id] = model[id]?.filter { !$0.key.hasPrefix("home.") }
        }
        model[id]?.merge(values) { $1 }
    }

    /// Returns the model after a later release has opened the store.
    private func migrated(_ model: Model, from step: Int, to other: Int) -> Model {
        guard step < other else { return model }
        var model = model
        for next in (step + 1)...other {
            for id in model.keys { Self.steps[next].change(&model[id, default: [:]]) }
        }
        return model
    }

    /// Whether a release can read the declarations of a later one, that is the last types of the
    /// store.
    private func isReadable(_ step: Int, by other: Int) -> Bool {
        let older = Self.steps[other].release
        return (older.properties + older.placeProperties).allSatisfy { property in
            guard property.description.type.embedded == nil else { return true }
            let newest = Self.steps[...step].last { later in
                (later.release.properties + later.release.placeProperties).contains {
                    $0.key == property.key
                }
            }
            let stored =
                (newest?.release.properties ?? []) + (newest?.release.placeProperties ?? [])
            let last = stored.first { $0.key == property.key }
            return last?.description.type == property.description.type
        }
    }

    /// Returns all rows ever put, unchanged, under the first name of the entity.
    private func history(_ store: Store) throws -> [String] {
        var lines: [String] = []
        try store.engine.forEachTransaction(matching: EventFilter(entity: "Person")) {
            transaction throws(DaybookError) in
            for index in 0..<transaction.eventCount where transaction[index].kind == .put {
                var text = JSONText()
                try transaction[index].appendRow(to: &text)
                lines.append(text.text)
            }
            return true
        }
        return lines
    }

    /// Brings the store's files into one of several states.
    private func settle(_ store: Store, _ way: Int) throws {
        switch way {
        case 1: try store.engine.writeSnapshot()
        case 2: _ = try store.engine.compact(.all, sealsActive: true)
        case 3: _ = try store.engine.compact(.latest, sealsActive: true)
        default: break
        }
    }

    @Test(arguments: 0..<3)
    func `every release opens stores of every other, or refuses them and changes nothing`(
        way: Int
    ) throws {
        let chain = TemporaryDirectory()
        var model: Model = [:]
        var before: [String] = []
        for step in 0...lastStep {
            model = migrated(model, from: step - 1, to: step)
            let store = try open(chain.path, at: step)
            try check(store, model, at: step, "step \(step)")
            for number in 0..<3 { try write(store, &model, at: step, step * 10 + number) }
            try check(store, model, at: step, "step \(step) written")
            let lines = try history(store)
            #expect(Array(lines.prefix(before.count)) == before, "step \(step)")
            before = lines
            try settle(store, (way + step) % 3)
            try store.engine.proveReplay()
            try store.close()
            for other in 0...lastStep where (other + step) % 3 == way {
                let copy = TemporaryDirectory()
                try FileManager.default.copyItem(atPath: chain.path, toPath: copy.path)
                try visit(copy.path, model, from: step, to: other)
            }
        }
    }

    private func visit(_ path: String, _ model: Model, from step: Int, to other: Int) throws {
        let comment: Comment = "a store of step \(step), opened at \(other)"
        guard other >= step || isReadable(step, by: other) else {
            let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
            expectError(.schemaMismatch) { _ = try open(path, at: other) }
            expectError(.schemaMismatch) { _ = try open(path, at: other, isReadOnly: true) }
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: path).sorted() == names,
                comment)
            let store = try open(path, at: step)
            try check(store, model, at: step, comment)
            return try store.close()
        }
        var model = migrated(model, from: step, to: other)
        var store = try open(path, at: other)
        try check(store, model, at: other, comment)
        try write(store, &model, at: other, 500 + other)
        try settle(store, (step + other) % 4)
        try check(store, model, at: other, comment)
        try store.engine.proveReplay()
        try store.close()
        store = try open(path, at: other, isReadOnly: true)
        try check(store, model, at: other, comment)
        try store.close()
        // The newer release continues with the store that the older one wrote.
        let last = max(step, other)
        store = try open(path, at: last)
        try check(store, model, at: last, comment)
        try store.close()
    }
}

extension Release.Property {
    /// The value that a release reads if none is stored; nil for nil.
    fileprivate var missing: String? {
        if description.isOptional { return nil }
        switch description.type.description {
        case "string", "list<int8>", "list<int32>": return ""
        default: return "0"
        }
    }
}

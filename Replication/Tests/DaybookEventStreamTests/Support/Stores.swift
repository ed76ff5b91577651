import Daybook
import DaybookEvents
@testable import DaybookEventStream
import Foundation
import ReplicationTestSupport

extension Store {
    /// A store with events.
    static func device(_ path: String = "memory:\(UUID())") throws -> Store {
        try Store(path: path, entities: [Measure.self, Note.self], options: options)
    }

    /// A store that collects events.
    static func collecting(_ path: String = "memory:\(UUID())") throws -> Store {
        try Store(path: path, entities: [Measure.self] + EventCollector.entities, options: options)
    }

    private static var options: StoreOptions {
        var options = StoreOptions()
        options.isMaintenanceAutomatic = false
        options.durability = .manual
        return options
    }

    /// The identity, as batches have it.
    var identity: String { String(position.description.prefix { $0 != ":" }) }

    /// The position after a commit.
    func place(_ sequence: UInt64) -> ChangePosition? { ChangePosition("\(identity):\(sequence)") }

    /// Appends events with these numbers, in a commit each.
    func append(_ device: String, _ numbers: Range<Int>) throws {
        for number in numbers { try append(Measure(device, number)) }
        try sync()
    }

    /// The events that the log has, in its order.
    func measures() async throws -> [Measure] {
        try await sync()
        let last = try sequence
        let floor = try await statistics().historyFloor
        guard last > floor, let start = place(floor) else { return [] }
        var found: [Measure] = []
        for try await commit in changes(from: start) {
            found += try commit.events(of: Measure.self)
            if commit.sequence == last { break }
        }
        return found
    }
}

extension EventShipperOptions {
    /// Options that send at once.
    static var quick: EventShipperOptions {
        var options = EventShipperOptions()
        options.gatherInterval = .zero
        options.acknowledgementInterval = .milliseconds(1)
        return options
    }
}

extension MemoryEvents {
    /// The events of the messages, in order.
    func events() throws -> [EventBatch] {
        var assembler = EventAssembler(after: 0)
        var batches: [EventBatch] = []
        for message in messages {
            if case .batch(let batch) = try assembler.add(message) { batches.append(batch) }
        }
        return batches
    }
}

/// The code of the error that a task throws; nil if it throws none.
func code(_ body: () async throws -> Void) async -> DaybookError.Code? {
    do {
        try await body()
        return nil
    } catch {
        return (error as? DaybookError)?.code
    }
}

/// Waits until a condition holds, at most two minutes. Returns whether it does.
func holds(_ condition: () async throws -> Bool) async throws -> Bool {
    for _ in 0..<12_000 {
        if try await condition() { return true }
        try await Task.sleep(for: .milliseconds(10))
    }
    return false
}

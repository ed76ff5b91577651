import DaybookBytes
import DaybookTesting
import DaybookTestSupport
import Testing

@testable import DaybookEngine

/// The last operation on each object, for any order of ids. A failure prints its seed.
@Suite struct PendingObjectsTests {
    @Test(arguments: Seeds.first(40))
    func `the last operation on each object is known`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var objects = PendingObjects()
        var model: [UInt32: [UInt64: Int]] = [:]
        let firstFreeIds: [UInt32: UInt64] = [1: 1, 2: 10, 7: 1000]
        for operation in 0..<300 {
            let entity: UInt32 = [1, 2, 7].randomElement(using: &generator) ?? 1
            let first = firstFreeIds[entity] ?? 1
            // Most ids are consecutive; some are old and some far ahead.
            let fresh = first + UInt64((model[entity] ?? [:]).keys.count { $0 >= first })
            let id =
                switch Int.random(in: 0..<6, using: &generator) {
                case 0: UInt64.random(in: 1...first, using: &generator)
                case 1: fresh + .random(in: 0...9, using: &generator)
                case 2: UInt64.random(in: first...fresh, using: &generator)
                default: fresh
                }
            let isTakenBack = Int.random(in: 0..<5, using: &generator) == 0
            objects.set(entity, id, isTakenBack ? nil : operation, firstFreeId: first)
            model[entity, default: [:]][id] = isTakenBack ? nil : operation
            #expect(objects.find(entity, id) == model[entity]?[id], "seed \(seed)")
        }
        for entity in UInt32(1)...8 {
            let known = model[entity] ?? [:]
            for id in UInt64(0)...1400 {
                #expect(objects.find(entity, id) == known[id], "seed \(seed)")
            }
            let all = objects.all(entity)
            #expect(all.count == known.count, "seed \(seed)")
            #expect(all.allSatisfy { known[$0.id] == $0.operation }, "seed \(seed)")
            #expect(objects.hasAny(entity) == (model[entity] != nil), "seed \(seed)")
        }
    }
}

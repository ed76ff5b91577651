import DaybookBytes
import DaybookRecords
import DaybookTesting
import DaybookTestSupport
import Testing

/// RowFinder finds the same rows as Record.at, also in damaged bytes. A failure names its seed.
@Suite struct RowFinderTests {
    /// The result: the row's position and layout, nothing, or damage.
    private enum Finding: Equatable {
        case row(Range<Int>, UInt32)
        case other
        case damaged
    }

    private func find(
        _ entity: UInt32, _ id: UInt64, at offset: Int, in payload: [UInt8]
    ) -> Finding {
        do throws(DaybookError) {
            guard let place = try RowFinder(entity).find(id, at: offset, in: payload.span) else {
                return .other
            }
            return .row(place.start..<place.end, place.layout)
        } catch { return .damaged }
    }

    private func expected(
        _ entity: UInt32, _ id: UInt64, at offset: Int, in payload: [UInt8]
    ) -> Finding {
        do throws(DaybookError) {
            let record = try Record.at(offset, in: payload.span)
            guard record.kind == .put, record.entity == entity, record.id == id else {
                return .other
            }
            return .row(record.row, record.layout)
        } catch { return .damaged }
    }

    private struct Object {
        var entity: UInt32
        var id: UInt64
        var offset: Int
    }

    private func number(_ generator: inout SeededGenerator) -> UInt64 {
        let bits = Int.random(in: 0...63, using: &generator)
        return max(1, generator.next() >> UInt64(bits)) & (.max >> 1)
    }

    private func payload(_ generator: inout SeededGenerator) -> ([UInt8], [Object]) {
        var writer = RecordWriter()
        var objects: [Object] = []
        for _ in 0..<20 {
            let entities: [UInt32] = [1, 2, 127, 128, 70_000, IndexTree.entityMax]
            let entity = entities.randomElement(using: &generator) ?? 1
            let id = number(&generator)
            let length = [0, 1, 20, 100, 200, 2000].randomElement(using: &generator) ?? 0
            let row = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let previous = Bool.random(using: &generator) ? 0 : number(&generator)
            let offset = writer.put(
                entity: entity, id: id, previous: previous,
                layout: [1, 127, 128, .max].randomElement(using: &generator) ?? 1, row: row.span)
            objects.append(Object(entity: entity, id: id, offset: offset))
            if Bool.random(using: &generator) {
                let gone = writer.remove(entity: entity, id: id, previous: previous)
                objects.append(Object(entity: entity, id: id, offset: gone))
            }
        }
        return (writer.span.array, objects)
    }

    @Test(arguments: Seeds.first(60))
    func `RowFinder finds the rows that Record.at decodes`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let (payload, objects) = payload(&generator)
        var rowCount = 0
        for object in objects {
            let found = find(object.entity, object.id, at: object.offset, in: payload)
            #expect(
                found == expected(object.entity, object.id, at: object.offset, in: payload),
                "seed \(seed): \(object)")
            if case .row = found { rowCount += 1 }
            #expect(find(object.entity, object.id + 1, at: object.offset, in: payload) == .other)
            #expect(find(3, object.id, at: object.offset, in: payload) == .other)
        }
        #expect(rowCount == 20)
        let first = objects[0]
        for offset in [-1, payload.count, .max, .min] {
            #expect(find(first.entity, first.id, at: offset, in: payload) == .damaged)
        }
    }

    @Test(arguments: Seeds.first(60))
    func `RowFinder reports damage like Record.at`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let (whole, objects) = payload(&generator)
        var damagedCount = 0
        for object in objects {
            for _ in 0..<20 {
                var payload = whole
                let place = min(
                    object.offset + .random(in: 0...20, using: &generator), payload.count - 1)
                payload[place] =
                    [0, 1, 0x7F, 0x80, 0x81, 0xFF].randomElement(using: &generator) ?? 0
                if Int.random(in: 0..<4, using: &generator) == 0 {
                    payload.removeSubrange(place...)
                }
                let wanted = expected(object.entity, object.id, at: object.offset, in: payload)
                let found = find(object.entity, object.id, at: object.offset, in: payload)
                #expect(found == wanted, "seed \(seed): \(object), byte \(place)")
                if wanted == .damaged { damagedCount += 1 }
                let zero = find(object.entity, 0, at: object.offset, in: payload)
                #expect(zero == expected(object.entity, 0, at: object.offset, in: payload))
            }
        }
        #expect(damagedCount > 0)
    }
}

import DaybookBytes
import DaybookRecords
import DaybookTestSupport
import DaybookTesting
import Testing

/// A reader that skips to the versions of one object.
@Suite struct VersionReadingTests {
    /// A payload of random records, with few entities and ids.
    private func payload(_ generator: inout SeededGenerator) -> ByteWriter {
        var writer = RecordWriter()
        let row = [UInt8](repeating: 7, count: Int.random(in: 0...200, using: &generator))
        for number in 0..<UInt64(60) {
            let entity = UInt32.random(in: 1...2, using: &generator)
            let ids: [UInt64] = [1, 2, 300, .max - 1]
            let id = ids.randomElement(using: &generator) ?? 1
            switch Int.random(in: 0..<6, using: &generator) {
            case 0, 1: writer.put(entity: entity, id: id, previous: 5, layout: 1, row: row.span)
            case 2: writer.remove(entity: entity, id: id, previous: 6)
            case 3: writer.link(relation: entity, source: id, target: 1)
            case 4: writer.event(entity: entity, id: id, layout: 1, row: row.span)
            default: writer.commit(CommitRecord(sequence: number, timeMicroseconds: 1))
            }
        }
        return writer.payload
    }

    @Test(arguments: Seeds.first(20 * Seeds.rounds))
    func `the versions of an object and the commit records are found, and no others`(
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        let payload = payload(&generator)
        var reader = RecordReader(payload.span)
        var all: [Record] = []
        while let record = try reader.next() { all.append(record) }
        for entity in [1, 2] as [UInt32] {
            for id in [1, 2, 300, 4, .max - 1] as [UInt64] {
                var reader = RecordReader(payload.span)
                var found: [Record] = []
                while let record = try reader.nextVersion(of: entity, id) { found.append(record) }
                let expected = all.filter { record in
                    record.kind == .commit
                        || (record.kind == .put || record.kind == .remove)
                            && record.entity == entity && record.id == id
                }
                #expect(found == expected, "seed \(seed)")
                #expect(reader.offset == payload.count)
            }
        }
        var commits = RecordReader(payload.span)
        var found: [Record] = []
        while let record = try commits.nextCommit() { found.append(record) }
        #expect(found == all.filter { $0.kind == .commit }, "seed \(seed)")
    }

    @Test func `unknown kinds are skipped or refused as by a reader of all records`() throws {
        let payload: [UInt8] = [2, 0x90, 1, 4, 2, 1, 9, 0]
        var reader = RecordReader(payload.span)
        #expect(try reader.nextVersion(of: 1, 9)?.id == 9)
        #expect(code([2, 0x70, 1]) == .formatTooNew)
        for damaged in [[0], [9, 1, 1], [2, 2, 1], [3, 1, 1, 0x80]] as [[UInt8]] {
            #expect(code(damaged) == .corruption)
        }
    }

    /// The error of reading the first version of an object.
    private func code(_ payload: [UInt8]) -> DaybookError.Code? {
        do throws(DaybookError) {
            var reader = RecordReader(payload.span)
            _ = try reader.nextVersion(of: 1, 9)
            return nil
        } catch {
            return error.code
        }
    }
}

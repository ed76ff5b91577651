import Daybook
import DaybookArchive
import Foundation
import ReplicationTestSupport
import Testing

@Suite struct FaultTests {
    /// Commits, archives, adds a base, and purges the archive, with a fault of the storage at one
    /// call. Repeats a failed step until it succeeds. Returns false if the fault came too late.
    private func run(_ fault: FaultyStorage.Fault, atCall number: Int) async throws -> Bool {
        try await TestDirectory.with { directory in
            let notes = try ArchivedNotes(in: directory)
            let storage = FaultyStorage(notes.storage)
            storage.fail(fault, atCall: number)
            var options = ArchiverOptions()
            options.segmentSizeBytesMax = 1
            let settings = options
            try notes.put(["one", "two", "three", "four"])
            let archiver = try await Self.untilSuccess {
                try await Archiver(notes.store, in: storage, options: settings)
            }
            try await Self.untilSuccess { try await archiver.push() }
            try notes.put(["five"])
            let base = try await Self.untilSuccess { try await archiver.addBase() }
            try notes.put(["six", "seven"])
            // An archiver that starts again finds the end of the archive.
            let second = try await Self.untilSuccess {
                try await Archiver(notes.store, in: storage, options: settings)
            }
            try await Self.untilSuccess { try await second.push() }
            try notes.put(["eight"])
            try await Self.untilSuccess { try await archiver.push() }
            let archive = try await Self.untilSuccess { try await Archive.open(storage) }
            try await Self.untilSuccess { try await archive.purge(before: .sequence(base)) }
            let reached = storage.callCount > number

            let verification = try await Archive.open(notes.storage).verify()
            #expect(verification.damage == [] && verification.gaps == [])
            let status = try await Archive.open(notes.storage).status()
            let last = try notes.store.sequence
            #expect(status.sequences == (base + 1)...last)
            #expect(Set(status.bases.map(\.sequence)) == [base])
            let whole = ["eight", "five", "four", "one", "seven", "six", "three", "two"]
            #expect(try await notes.restored() == whole)
            let earlier = try await notes.restored(until: .sequence(base), name: "earlier")
            #expect(earlier == ["five", "four", "one", "three", "two"])
            return reached
        }
    }

    @discardableResult
    private static func untilSuccess<Value>(
        _ body: () async throws -> Value
    ) async throws -> Value {
        while true {
            do {
                return try await body()
            } catch let error as DaybookError where error.code == .storageUnavailable {
                continue
            }
        }
    }

    @Test(arguments: FaultyStorage.Fault.allCases)
    func `a fault at any call of the storage loses nothing`(
        fault: FaultyStorage.Fault
    ) async throws {
        var count = 0
        while try await run(fault, atCall: count) { count += 1 }
        #expect(count > 30)
    }

    @Test func `an archiver continues after the storage was unavailable`() async throws {
        try await TestDirectory.with { directory in
            let notes = try ArchivedNotes(in: directory)
            let storage = FaultyStorage(notes.storage)
            var options = ArchiverOptions()
            options.interval = .milliseconds(5)
            let archiver = try await Archiver(notes.store, in: storage, options: options)
            try notes.put(["one"])
            storage.fail(.lostRequest, atCall: 0)
            let task = Task { try await archiver.run() }
            let last = try notes.store.sequence
            while archiver.status.archivedSequence < last {
                try await Task.sleep(for: .milliseconds(5))
            }
            #expect(archiver.status.failure == nil)
            #expect(storage.callCount > 1)
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(try await notes.restored() == ["one"])
        }
    }

    @Test func `archivers that race add each part of the log once`() async throws {
        try await TestDirectory.with { directory in
            let notes = try ArchivedNotes(in: directory)
            let archivers = [
                try await notes.archiver(segmentSizeBytesMax: 1),
                try await notes.archiver(segmentSizeBytesMax: 500),
                try await notes.archiver(segmentSizeBytesMax: 2000),
            ]
            for round in 0..<10 {
                try notes.put((0..<5).map { "note \(round) \($0)" })
                let last = try notes.store.sequence
                try await withThrowingTaskGroup(of: UInt64.self) { group in
                    for archiver in archivers { group.addTask { try await archiver.push() } }
                    for try await end in group { #expect(end == last) }
                }
            }
            let archive = try await Archive.open(notes.storage)
            let verification = try await archive.verify()
            #expect(verification.isIntact && verification.gaps == [])
            let added = archivers.reduce(0) { $0 + $1.status.segmentCount }
            #expect(verification.segmentCount == added)
            #expect(try await notes.restored() == ArchivedNotes.texts(notes.store))
        }
    }
}

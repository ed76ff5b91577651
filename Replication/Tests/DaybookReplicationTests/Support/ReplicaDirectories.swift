import Daybook
@testable import DaybookReplication
import Foundation
import ReplicationTestSupport

extension ReplicatedStore {
    /// Opens a writer of notes, with times for tests.
    static func open(
        _ path: String, _ stream: any FrameStream,
        _ change: (inout ReplicationOptions) -> Void = { _ in }
    ) async throws -> ReplicatedStore {
        try await open(
            directoryPath: path, entities: [Note.self], stream: stream,
            options: .forTests(change))
    }
}

extension Follower {
    /// Opens a follower with notes, with times for tests.
    static func open(
        _ path: String, _ stream: any FrameStream,
        _ change: (inout ReplicationOptions) -> Void = { _ in }
    ) async throws -> Follower {
        try await open(
            directoryPath: path, entities: [Note.self], stream: stream,
            options: .forTests(change))
    }

    /// The texts of all notes, once the follower has a commit.
    func texts(at sequence: UInt64) async throws -> [String] {
        try await wait(for: sequence)
        return try await store.box(for: Note.self).all().map(\.text)
    }
}

extension ReplicationOptions {
    static func forTests(_ change: (inout ReplicationOptions) -> Void) -> ReplicationOptions {
        var options = ReplicationOptions()
        options.store.frameCacheBudgetBytes = 4 << 20
        options.store.indexBudgetBytes = 16 << 20
        options.store.durability = .manual
        options.heartbeatInterval = .seconds(3600)
        change(&options)
        return options
    }
}

/// Returns the code of the error of a call; nil if it succeeds.
func code(
    isolation: isolated (any Actor)? = #isolation, of body: () async throws -> Void
) async -> DaybookError.Code? {
    do {
        try await body()
        return nil
    } catch {
        return (error as? DaybookError)?.code
            ?? DaybookError.Code(rawValue: "another error: \(error)")
    }
}

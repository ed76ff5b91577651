import Daybook
@testable import DaybookReplication
import ReplicationTestSupport
import NIOCore
import Testing

@Suite(.timeLimit(.minutes(3))) struct ReplicatedStoreTests {
    @Test func `a follower has the objects, relations and history of the writer`() async throws {
        try await TestDirectory.with { directory in
            let stream = MemoryStream()
            let writer = try await ReplicatedStore.open(directory.file("a"), stream)
            let notes = writer.store.box(for: Note.self)
            let root = Note("root")
            try await notes.put(root)
            try await notes.put([Note("one", parent: root), Note("two", parent: root)])
            let follower = try await Follower.open(directory.file("b"), stream)
            root.text = "trunk"
            try await notes.put(root)
            try await notes.remove(2)
            let last = try writer.store.sequence
            #expect(try await follower.texts(at: last) == ["trunk", "two"])
            let copy = follower.store.box(for: Note.self)
            #expect(try await copy.get(3)?.parent.target?.text == "trunk")
            #expect(try await copy.query { Note.text == "two" }.build().find().count == 1)
            let versions = try await copy.history(of: 1)
            #expect(try versions.map { try $0.object?.text } == ["trunk", "root"])
            #expect(await code { try await copy.put(Note("three")) } == .readOnly)
            #expect(try await follower.stateHash() == writer.stateHash())
            #expect(follower.status.term == 1 && writer.status.logSequence == last)
            try await follower.close()
            try await writer.close()
        }
    }

    @Test func `a commit returns and is visible after the stream has it`() async throws {
        try await TestDirectory.with { directory in
            let stream = MemoryStream()
            let writer = try await ReplicatedStore.open(directory.file("a"), stream) {
                $0.timeout = .seconds(2)
            }
            let notes = writer.store.box(for: Note.self)
            try await notes.put(Note("before"))
            stream.setReachable(false)
            #expect(await code { try await notes.put(Note("during")) } == .replicationTimedOut)
            #expect(try await notes.all().map(\.text) == ["before"])
            #expect(writer.status.failure != nil)
            stream.setReachable(true)
            try await writer.waitUntilShipped()
            #expect(try await notes.all().map(\.text) == ["before", "during"])
            #expect(writer.status.failure == nil)
            try await writer.close()
        }
    }

    @Test func `a local commit returns while the stream is not reachable`() async throws {
        try await TestDirectory.with { directory in
            let stream = MemoryStream()
            let writer = try await ReplicatedStore.open(directory.file("a"), stream) {
                $0.acknowledgement = .local
            }
            let notes = writer.store.box(for: Note.self)
            stream.setReachable(false)
            try await notes.put(Note("local"))
            #expect(try await notes.all().map(\.text) == ["local"])
            let status = writer.status
            #expect(status.localSequence == status.logSequence + 1)
            stream.setReachable(true)
            try await writer.waitUntilShipped()
            let follower = try await Follower.open(directory.file("b"), stream)
            #expect(try await follower.texts(at: writer.store.sequence) == ["local"])
            try await follower.close()
            try await writer.close()
        }
    }

    @Test func `a new writer fences the old one`() async throws {
        try await TestDirectory.with { directory in
            let stream = MemoryStream()
            let old = try await ReplicatedStore.open(directory.file("a"), stream)
            let oldNotes = old.store.box(for: Note.self)
            try await oldNotes.put(Note("old"))
            let new = try await ReplicatedStore.open(directory.file("b"), stream)
            let newNotes = new.store.box(for: Note.self)
            try await newNotes.put(Note("new"))
            #expect(await code { try await oldNotes.put(Note("lost")) } == .fenced)
            #expect(await code { try await oldNotes.put(Note("later")) } == .fenced)
            #expect(old.status.stopped?.code == .fenced)
            #expect(try await oldNotes.all().map(\.text) == ["old"])
            #expect(try await newNotes.all().map(\.text) == ["old", "new"])
            try await old.close()
            // The old writer follows. The commit that it could not ship is set aside.
            let follower = try await Follower.open(directory.file("a"), stream)
            #expect(follower.removedSequences.map(\.count) == [1])
            #expect(try await follower.texts(at: new.store.sequence) == ["old", "new"])
            #expect(try await follower.stateHash() == new.stateHash())
            try await follower.close()
            try await new.close()
        }
    }

    @Test func `a former writer takes over again after its local commits are cut`() async throws {
        try await TestDirectory.with { directory in
            let stream = MemoryStream()
            let first = try await ReplicatedStore.open(directory.file("a"), stream) {
                $0.acknowledgement = .local
                $0.timeout = .seconds(2)
            }
            stream.setReachable(false)
            try await first.store.box(for: Note.self).put(Note("only here"))
            try await first.close()
            stream.setReachable(true)
            let second = try await ReplicatedStore.open(directory.file("b"), stream)
            try await second.store.box(for: Note.self).put(Note("in the log"))
            let again = try await ReplicatedStore.open(directory.file("a"), stream)
            #expect(again.removedSequences.map(\.count) == [1])
            #expect(try await again.store.box(for: Note.self).all().map(\.text) == ["in the log"])
            try await again.store.box(for: Note.self).put(Note("next"))
            #expect(again.status.term == 3)
            try await second.close()
            try await again.close()
        }
    }

    // The error says that the commit is not in the log.
    @Test func `a fenced commit is not shipped by a later opening`() async throws {
        try await TestDirectory.with { directory in
            let stream = MemoryStream()
            let first = try await ReplicatedStore.open(directory.file("a"), stream)
            let notes = first.store.box(for: Note.self)
            try await notes.put(Note("one"))
            // The other writer commits nothing.
            let other = try await ReplicatedStore.open(directory.file("b"), stream)
            #expect(await code { try await notes.put(Note("fenced")) } == .fenced)
            try await other.close()
            try await first.close()
            let again = try await ReplicatedStore.open(directory.file("a"), stream)
            #expect(again.removedSequences.map(\.count) == [1])
            #expect(try await again.store.box(for: Note.self).all().map(\.text) == ["one"])
            try await again.close()
        }
    }

    /// A process may end between the claim and the first commit after it.
    @Test func `a writer that ended after its claim ships its commits at its next opening`()
        async throws
    {
        try await TestDirectory.with { directory in
            let (stream, path) = (MemoryStream(), directory.file("a"))
            let plain = try await Store(directoryPath: path, entities: Note.self)
            try await plain.box(for: Note.self).put([Note("one"), Note("two")])
            try await plain.close()
            for _ in 0..<2 {
                var followed = try await FollowedReplica.open(
                    directoryPath: path, stream: stream, options: .forTests { _ in })
                _ = try await followed.takeOver()
                try followed.replica.close()
            }
            let writer = try await ReplicatedStore.open(path, stream)
            #expect(writer.removedSequences.isEmpty && writer.status.term == 3)
            let follower = try await Follower.open(directory.file("b"), stream)
            #expect(try await follower.texts(at: writer.store.sequence) == ["one", "two"])
            try await follower.close()
            try await writer.close()
        }
    }

    @Test func `a writer ships the commits of its last run`() async throws {
        try await TestDirectory.with { directory in
            let stream = MemoryStream()
            let first = try await ReplicatedStore.open(directory.file("a"), stream) {
                $0.acknowledgement = .local
                $0.timeout = .seconds(2)
            }
            stream.setReachable(false)
            try await first.store.box(for: Note.self).put(Note("late"))
            try await first.close()
            stream.setReachable(true)
            let second = try await ReplicatedStore.open(directory.file("a"), stream)
            #expect(second.removedSequences.isEmpty)
            let follower = try await Follower.open(directory.file("b"), stream)
            #expect(try await follower.texts(at: second.store.sequence) == ["late"])
            try await follower.close()
            try await second.close()
        }
    }

    @Test func `a standby takes over when the writer is silent`() async throws {
        try await TestDirectory.with { directory in
            let stream = MemoryStream()
            let writer = try await ReplicatedStore.open(directory.file("a"), stream) {
                $0.heartbeatInterval = .milliseconds(10)
            }
            try await writer.store.box(for: Note.self).put(Note("one"))
            let standby = Task {
                try await ReplicatedStore.open(directory.file("b"), stream) {
                    $0.takeover = .afterSilence(.seconds(10))
                }
            }
            // The idle writer shows that it is alive.
            let count = stream.messages.count
            try await eventually { stream.messages.count > count + 20 ? true : nil }
            #expect(writer.status.term == 1 && writer.status.stopped == nil)
            try await writer.store.box(for: Note.self).put(Note("two"))
            try await writer.close()
            let next = try await standby.value
            #expect(next.status.term == 2)
            #expect(try await next.store.box(for: Note.self).all().map(\.text) == ["one", "two"])
            try await next.close()
        }
    }

    @Test func `a large transaction is divided into frames`() async throws {
        try await TestDirectory.with { directory in
            let stream = MemoryStream(frameSizeBytesMax: 600)
            let writer = try await ReplicatedStore.open(directory.file("a"), stream)
            let texts = (0..<2000).map { "note \($0 &* 2_654_435_761 % 1_000_003)" }
            try await writer.store.box(for: Note.self).put(texts.map { Note($0) })
            #expect(stream.messages.count > 20)
            let follower = try await Follower.open(directory.file("b"), stream)
            #expect(try await follower.texts(at: writer.store.sequence) == texts)
            #expect(try await follower.stateHash() == writer.stateHash())
            try await follower.close()
            try await writer.close()
        }
    }

    @Test func `a store with a history becomes a replica`() async throws {
        try await TestDirectory.with { directory in
            let path = directory.file("a")
            let plain = try await Store(directoryPath: path, entities: Note.self)
            try await plain.box(for: Note.self).put([Note("one"), Note("two")])
            try await plain.close()
            let stream = MemoryStream()
            let writer = try await ReplicatedStore.open(path, stream)
            let follower = try await Follower.open(directory.file("b"), stream)
            #expect(try await follower.texts(at: writer.store.sequence) == ["one", "two"])
            try await follower.close()
            try await writer.close()
            let error = await code {
                _ = try await Store(directoryPath: path, entities: Note.self)
            }
            #expect(error == .readOnly)
            var options = StoreOptions()
            options.isReadOnly = true
            let reader = try await Store(
                directoryPath: path, entities: Note.self, options: options)
            #expect(try await reader.box(for: Note.self).count() == 2)
            try await reader.close()
        }
    }
}

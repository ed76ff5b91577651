import Daybook
@testable import DaybookReplication
import NIOCore
import Testing

@Suite(.timeLimit(.minutes(1))) struct FrameAppenderTests {
    /// Appends one frame and returns the outcome, the appender and the number of failed attempts.
    private func append(
        to stream: MemoryStream
    ) async throws -> (FrameAppender.Outcome, FrameAppender, failureCount: Int) {
        var appender = FrameAppender(stream: stream, chain: TestFrames.claimed())
        let frame = TestFrames.transactions(after: appender.chain)
        var count = 0
        let outcome = try await appender.append([frame]) { _, _ in count += 1 }
        return (outcome, appender, count)
    }

    private func claimedStream() async throws -> MemoryStream {
        let stream = MemoryStream()
        let claim = TestFrames.claim(after: ReplicationChain(store: TestFrames.store))
        _ = try await stream.append([claim], after: 0)
        return stream
    }

    @Test func `an accepted frame needs one request`() async throws {
        let stream = try await claimedStream()
        let (outcome, appender, failureCount) = try await append(to: stream)
        #expect(outcome == .stored && failureCount == 0 && stream.appendCount == 2)
        #expect(appender.chain.lastSequence == 1 && appender.chain.streamSequence == 2)
    }

    @Test(arguments: [
        MemoryStream.Fault.lostRequest, .lostAnswer, .falseRefusal, .lateRequest,
    ])
    func `a frame is in the log once after a fault`(_ fault: MemoryStream.Fault) async throws {
        let stream = try await claimedStream()
        stream.fail(fault)
        let (outcome, appender, _) = try await append(to: stream)
        #expect(outcome == .stored)
        var chain = ReplicationChain(store: TestFrames.store)
        for (place, message) in stream.messages.enumerated() {
            _ = chain.accept(message, at: UInt64(place + 1))
        }
        #expect(chain.lastSequence == 1 && chain.hash == appender.chain.hash)
        #expect(stream.messages.count == 2)
    }

    @Test func `an old read is no proof that a refused frame is not stored`() async throws {
        let stream = try await claimedStream()
        stream.fail(.falseRefusal)
        stream.beStale(readCount: 2)
        let (outcome, _, failureCount) = try await append(to: stream)
        #expect(outcome == .stored && failureCount == 2 && stream.messages.count == 2)
    }

    @Test func `foreign messages are skipped`() async throws {
        let stream = try await claimedStream()
        stream.add(ByteBuffer(string: "foreign"))
        let (outcome, appender, _) = try await append(to: stream)
        #expect(outcome == .stored && appender.chain.streamSequence == 3)
        #expect(appender.chain.skippedCount == 1)
    }

    @Test func `a claim of another writer supersedes a frame`() async throws {
        let stream = try await claimedStream()
        _ = try await stream.append(
            [TestFrames.claim(after: TestFrames.claimed(), writer: 2)], after: 1)
        let (outcome, appender, _) = try await append(to: stream)
        #expect(outcome == .superseded && appender.chain.hash == TestFrames.claimed().hash)
    }

    @Test func `a second store begins no log in a stream`() async throws {
        let stream = try await claimedStream()
        let other = ReplicationChain(store: String(TestFrames.store.reversed()))
        var appender = FrameAppender(stream: stream, chain: other)
        let outcome = try await appender.append([TestFrames.claim(after: other)]) { _, _ in }
        #expect(outcome == .superseded && stream.messages.count == 1)
    }

    // The claim of another writer may have been among them.
    @Test func `messages that were purged end a writer`() async throws {
        let stream = try await claimedStream()
        var other = TestFrames.claimed()
        let claim = TestFrames.claim(after: other, writer: 2)
        _ = other.accept(claim.bytes, at: 2)
        let frames = [claim, TestFrames.transactions(after: other, writer: 2)]
        _ = try await stream.append(frames, after: 1)
        stream.purge(below: 3)
        #expect(await code { _ = try await self.append(to: stream) } == .streamTruncated)
        #expect(stream.messages.count == 1)
    }

    @Test func `attempts end when their caller says so`() async throws {
        let stream = try await claimedStream()
        stream.setReachable(false)
        var appender = FrameAppender(stream: stream, chain: TestFrames.claimed())
        let frame = TestFrames.transactions(after: appender.chain)
        let error = await code {
            _ = try await appender.append([frame]) { error, _ in
                throw DaybookError.timedOut(.seconds(1), stream: "LOG", error)
            }
        }
        #expect(error == .replicationTimedOut)
    }
}

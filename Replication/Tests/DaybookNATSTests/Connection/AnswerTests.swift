import NIOCore
import Testing

@testable import DaybookNATS

@Suite(.timeLimit(.minutes(1))) struct AnswerTests {
    @Test func `the first value wins`() async throws {
        let answer = Answer<Int>()
        #expect(!answer.isSet)
        #expect(answer.set(.success(1)))
        #expect(!answer.set(.success(2)))
        #expect(!answer.set(.failure(.closedByCaller)))
        #expect(answer.isSet)
        #expect(try await answer.get() == 1)
    }

    @Test func `a cancelled task gets a typed error`() async throws {
        let answer = Answer<Int>()
        let task = Task { () async -> NATSError? in
            do throws(NATSError) {
                _ = try await answer.get()
                return nil
            } catch {
                return error
            }
        }
        task.cancel()
        #expect(await task.value?.code == .cancelled)
        #expect(!answer.set(.success(1)))
    }

    @Test func `each message goes to one reader, also when a reader is cancelled`() async throws {
        let buffer = MessageBuffer(subject: "a", sizeBytesMax: 1 << 20)
        let cancelled = Task { try? await buffer.next() }
        cancelled.cancel()
        #expect(await cancelled.value == nil)
        #expect(buffer.append(Self.message("one")))
        #expect(try await buffer.next()?.payload == ByteBuffer(string: "one"))
        let reader = Task { try await buffer.next() }
        #expect(buffer.append(Self.message("two")))
        #expect(try await reader.value?.payload == ByteBuffer(string: "two"))
        buffer.finish(nil)
        #expect(try await buffer.next() == nil)
        #expect(!buffer.append(Self.message("three")))
    }

    @Test func `a full buffer ends with its messages and an error`() async throws {
        let buffer = MessageBuffer(subject: "a.b", sizeBytesMax: 1000)
        #expect(buffer.append(Self.message("one")))
        #expect(buffer.append(Self.message("two")))
        #expect(buffer.append(Self.message("three")))
        #expect(!buffer.append(Self.message("four")))
        #expect(buffer.failure?.code == .slowConsumer)
        for text in ["one", "two", "three"] {
            #expect(try await buffer.next()?.payload == ByteBuffer(string: text))
        }
        let error = await #expect(throws: NATSError.self) { try await buffer.next() }
        #expect(error?.code == .slowConsumer)
        #expect(error?.message.contains("a.b") == true)
    }

    private static func message(_ text: String) -> NATSInboundMessage {
        NATSInboundMessage(
            subscriptionId: 1, subject: "a", replyTo: nil, headers: NATSHeaders(),
            payload: ByteBuffer(string: text))
    }
}

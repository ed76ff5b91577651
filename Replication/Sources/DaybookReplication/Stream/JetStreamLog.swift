import DaybookNATS
import NIOCore

/// The stream of a log on a NATS server.
struct JetStreamLog: FrameStream {
    let jetStream: JetStream
    let name: String
    let subject: String

    /// The part of the maximum length of a message that its headers may need.
    private static let headersSizeBytesMax = 4096
    /// A longer frame makes the servers slow.
    private static let payloadSizeBytesMax = 1 << 20
    private static let messageCountMax = 1024

    var frameSizeBytesMax: Int {
        let serverMax = jetStream.connection.serverInfo.payloadSizeBytesMax
        return max(
            ReplicationFrame.headerLength + 1,
            min(Self.payloadSizeBytesMax, serverMax) - Self.headersSizeBytesMax)
    }

    func append(
        _ frames: [EncodedFrame], after last: UInt64
    ) async throws(NATSError) -> UInt64 {
        guard frames.count > 1 else {
            guard let frame = frames.first else { return last }
            return try await jetStream.publish(
                frame.bytes, to: subject, expectedStream: name, expectedLastSequence: last,
                contentId: frame.hash.text
            ).sequence
        }
        return try await jetStream.publishBatch(
            frames.map { BatchMessage($0.bytes, to: subject) }, expectedStream: name,
            expectedLastSequence: last
        ).sequence
    }

    func messages(
        from sequence: UInt64, sizeBytesMax: Int
    ) async throws(NATSError) -> [StreamMessage] {
        try await jetStream.messages(
            in: name, from: sequence, maxCount: Self.messageCountMax, maxBytes: sizeBytesMax
        ).messages.map { StreamMessage(sequence: $0.sequence, bytes: $0.payload) }
    }

    func bounds() async throws(NATSError) -> (first: UInt64, last: UInt64) {
        let state = try await jetStream.stream(named: name).state
        return (state.firstSequence, state.lastSequence)
    }

    func watch(_ signal: Signal) -> Task<Void, Never> {
        Task {
            while !Task.isCancelled {
                // The server delivers a message before it is stored, and also one that the stream
                // refuses, so its content is not used.
                if let messages = try? await jetStream.connection.subscribe(to: subject) {
                    do throws(NATSError) {
                        for try await _ in messages { signal.set() }
                    } catch  where error.code == .cancelled || error.code == .closed {
                        return
                    } catch {
                        // A reader that fell behind; the next subscription continues.
                    }
                }
                signal.set()
                try? await Task.sleep(for: .milliseconds(500))
            }
        }
    }
}

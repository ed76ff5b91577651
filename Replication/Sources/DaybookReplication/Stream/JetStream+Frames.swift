import DaybookNATS

/// The operations that a log needs, whether it has a stream of its own or shares one.
extension JetStream {
    /// The maximum number of messages of one read.
    static let frameCountMax = 1024
    /// The part of the maximum length of a message that its headers may need.
    private static let headersSizeBytesMax = 4096
    /// A longer frame makes the servers slow.
    private static let payloadSizeBytesMax = 1 << 20

    /// The maximum length of a frame.
    var frameSizeBytesMax: Int {
        let serverMax = connection.serverInfo.payloadSizeBytesMax
        return max(
            ReplicationFrame.headerLength + 1,
            min(Self.payloadSizeBytesMax, serverMax) - Self.headersSizeBytesMax)
    }

    /// Appends frames with consecutive sequences if the last sequence of the stream, or that of the
    /// subject, is the expected one. Returns the place of the last frame.
    func append(
        _ frames: [EncodedFrame], to subject: String, of stream: String,
        expectedLastSequence: UInt64? = nil, expectedLastSubjectSequence: UInt64? = nil
    ) async throws(NATSError) -> PublishReceipt {
        guard frames.count == 1 else {
            return try await publishBatch(
                frames.map { BatchMessage($0.bytes, to: subject) }, expectedStream: stream,
                expectedLastSequence: expectedLastSequence,
                expectedLastSubjectSequence: expectedLastSubjectSequence)
        }
        return try await publish(
            frames[0].bytes, to: subject, expectedStream: stream,
            expectedLastSequence: expectedLastSequence,
            expectedLastSubjectSequence: expectedLastSubjectSequence,
            contentId: frames[0].hash.text)
    }

    /// Calls `signal` when a message may have been added to a subject, until the returned task is
    /// cancelled.
    func watch(_ subject: String, _ signal: Signal) -> Task<Void, Never> {
        Task {
            while !Task.isCancelled {
                // The server delivers a message before it is stored, and also one that the stream
                // refuses, so its content is not used.
                if let messages = try? await connection.subscribe(to: subject) {
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

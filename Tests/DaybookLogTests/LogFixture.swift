import DaybookBytes
@testable import DaybookLog
import Synchronization

/// A log in memory whose transactions are plain texts.
struct LogFixture: ~Copyable {
    static let path = "/log"

    let log: Log
    let report: RecoveryReport
    private(set) var sequence: UInt64

    init(
        _ fileSystem: any FileSystem, isReadOnly: Bool = false, durableClaim: UInt64 = 0,
        recorder: DurableSequenceRecorder = DurableSequenceRecorder(),
        _ change: (inout LogOptions) -> Void = { _ in }
    ) throws {
        var options = LogOptions()
        options.preallocationStepBytes = 4 << 10
        change(&options)
        let directory =
            isReadOnly
            ? try LogDirectory.openForReading(Self.path, fileSystem, options)
            : try LogDirectory.openForWriting(
                Self.path, fileSystem, holder: "process 7",
                identity: { StoreIdentity(high: 0x1234, low: 0x5678) }, timeMicroseconds: 1_000_000)
        do {
            (log, report) = try Log.open(
                directory, transform: nil, options: options, resume: nil,
                durableClaim: durableClaim, onDurable: { recorder.note($0) })
        } catch {
            directory.lock?.release()
            throw error
        }
        sequence = log.lastSequence
    }

    /// Appends one transaction with one frame per text; returns the position of the frames.
    @discardableResult
    mutating func append(_ texts: String...) throws -> AppendedFrames {
        let frames = try log.append(
            texts.enumerated().map { index, text in
                Self.payload(text, sequence + 1, ends: index == texts.count - 1)
            }, timeMicroseconds: 2_000_000 + sequence)
        sequence += 1
        return frames
    }

    /// Appends transactions of one frame each.
    mutating func append(count: Int, of text: String = "text") throws {
        for _ in 0..<count { try append("\(text) \(sequence + 1)") }
    }

    static func payload(_ text: String, _ sequence: UInt64, ends: Bool = true) -> FramePayload {
        var writer = ByteWriter(capacity: text.utf8.count)
        for byte in text.utf8 { writer.uint8(byte) }
        return FramePayload(
            bytes: writer, recordCount: 1, firstSequence: sequence, lastSequence: sequence,
            endsTransaction: ends)
    }

    /// All texts of the log from a sequence on.
    func texts(from sequence: UInt64 = 1) throws -> [String] {
        var found: [String] = []
        var scanner = try log.scan(fromSequence: sequence)
        while let frame = try scanner.next() {
            if frame.header.lastSequence >= sequence { found.append(Self.text(frame.payload)) }
        }
        return found
    }

    static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}

/// Records the durable sequences that a log reports.
final class DurableSequenceRecorder: Sendable {
    private let recorded = Mutex<[UInt64]>([])
    var sequences: [UInt64] { recorded.withLock { $0 } }
    func note(_ sequence: UInt64) { recorded.withLock { $0.append(sequence) } }
}

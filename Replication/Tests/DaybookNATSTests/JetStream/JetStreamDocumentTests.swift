import Foundation
import NIOCore
import ReplicationTestSupport
import Testing

@testable import DaybookNATS

@Suite struct JetStreamDocumentTests {
    @Test(arguments: [
        (10071, NATSError.Code.wrongLastSequence), (10164, .wrongLastSequence),
        (10158, .duplicateInProcess), (10059, .streamNotFound), (10037, .messageNotFound),
        (10014, .consumerNotFound), (10057, .refused), (10008, .unavailable), (12345, .refused),
    ])
    func `an error of JetStream has its number`(number: Int, code: NATSError.Code) {
        let text =
            "{\"type\":\"x\",\"error\":{\"code\":400,\"err_code\":\(number),"
            + "\"description\":\"wrong last sequence: 5\"},\"more\":1}"
        let error = #expect(throws: NATSError.self) {
            let _: PublishReceipt = try JetStream.decode(ByteBuffer(string: text), from: "a.b")
        }
        #expect(error?.code == code && error?.serverCode == number)
        #expect(error?.message.contains("wrong last sequence: 5") == true)
        #expect(error?.localizedDescription == error?.message)
    }

    @Test(arguments: ["", "{", "[]", "{}", "{\"stream\":\"a\",\"seq\":-1}", "{\"error\":5}"])
    func `another document is a typed error`(text: String) {
        let error = #expect(throws: NATSError.self) {
            let _: PublishReceipt = try JetStream.decode(ByteBuffer(string: text), from: "a")
        }
        #expect(error?.code == .malformedInput && error?.isOutcomeUnknown == true)
    }

    @Test func `unknown fields are ignored`() throws {
        let text = "{\"stream\":\"a\",\"seq\":18446744073709551615,\"new\":{\"x\":[null]}}"
        let receipt: PublishReceipt = try JetStream.decode(ByteBuffer(string: text), from: "a")
        #expect(receipt.sequence == .max && !receipt.isDuplicate)
    }

    @Test(arguments: ["0", "18446744073709551615", "18446744073709551616", "-1", ""])
    func `a sequence that no message can have is malformed`(sequence: String) throws {
        var headers = NATSHeaders()
        try headers.append("Nats-Subject", "a")
        try headers.append("Nats-Sequence", sequence)
        try headers.append("Nats-Time-Stamp", "2026-01-31T12:34:56Z")
        let direct = NATSInboundMessage(
            subscriptionId: 1, subject: "a", replyTo: nil, headers: headers, payload: ByteBuffer())
        let pulled = NATSInboundMessage(
            subscriptionId: 1, subject: "a", replyTo: "$JS.ACK.S.C.1.\(sequence).1.1.0",
            headers: NATSHeaders(), payload: ByteBuffer())
        for read in [{ try StoredMessage(direct: direct) }, { try StoredMessage(pulled: pulled) }] {
            let error = #expect(throws: NATSError.self) { _ = try read() }
            #expect(error?.code == .malformedInput)
        }
    }

    @Test func `an answer of more bytes than a read asked for is malformed`() async throws {
        let buffer = MessageBuffer(subject: "a", sizeBytesMax: 1 << 20)
        var headers = NATSHeaders()
        try headers.append("Nats-Subject", "a")
        try headers.append("Nats-Sequence", "1")
        try headers.append("Nats-Time-Stamp", "2026-01-31T12:34:56Z")
        for _ in 0..<10 {
            let message = NATSInboundMessage(
                subscriptionId: 1, subject: "a", replyTo: nil, headers: headers,
                payload: ByteBuffer(repeating: 0, count: 1000))
            #expect(buffer.append(message))
        }
        let error = await failure {
            _ = try await JetStream.collect(100, sizeBytesMax: 5000, buffer, from: "a")
        }
        #expect(error?.code == .malformedInput)
    }

    @Test func `a configuration has an inverse`() throws {
        var configuration = StreamConfiguration(name: "LOG", subjects: ["a", "b.>"])
        configuration.description = "d"
        configuration.replicaCount = 5
        configuration.storage = .memory
        configuration.retention = .workqueue
        configuration.discard = .old
        configuration.sizeBytesMax = 1 << 40
        configuration.messageCountMax = 7
        configuration.messageSizeBytesMax = 9
        configuration.ageMax = .seconds(90)
        configuration.deniesDelete = false
        configuration.deniesPurge = true
        configuration.allowsDirect = false
        configuration.allowsAtomicBatches = false
        configuration.duplicateWindow = .seconds(5)
        var source = StreamConfiguration.Source(name: "OTHER")
        source.startSequence = 5
        source.filterSubject = "x.*"
        source.domain = "hub"
        configuration.sources = [source]
        let data = try JSONEncoder().encode(configuration)
        #expect(
            try JSONDecoder().decode(StreamConfiguration.self, from: data) == configuration)
        let log = StreamConfiguration(name: "LOG", subjects: ["a"])
        let again = try JSONDecoder().decode(
            StreamConfiguration.self, from: try JSONEncoder().encode(log))
        #expect(again == log)
    }
}

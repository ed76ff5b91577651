import Daybook
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import BrowseFixture
@testable import DaybookBrowser

/// Long requests, whose answers are lines with their progress.
@Suite struct WorkTests {
    private struct Line<Result: Decodable>: Decodable {
        var progress: WorkProgress?
        var result: Result?
        var problem: Problem?
    }

    /// The lines of an answer: some with the progress, and the last one.
    private func lines<Result: Decodable>(
        _ client: TestedClient, _ uri: String, as type: Result.Type = Result.self
    ) async throws -> (progress: [WorkProgress], last: Line<Result>) {
        let response = try await client.response(uri)
        #expect(response.status == .ok)
        let lines = try String(buffer: response.body).split(separator: "\n").map { line in
            try JSONDecoder().decode(Line<Result>.self, from: Data(line.utf8))
        }
        let last = try #require(lines.last)
        #expect(lines.dropLast().allSatisfy { $0.progress != nil })
        return (lines.compactMap(\.progress), last)
    }

    @Test func `a verification has its progress and its result`() async throws {
        try await TestedServer.run { client in
            let (progress, last) = try await lines(
                client, "/api/verification", as: VerificationDescription.self)
            #expect(last.result?.isSound == true)
            #expect(last.result?.lines.first?.contains("objects") == true)
            #expect(progress.last?.fraction == 1)
            let statistics = try await client.get("/api/statistics", as: StoreReport.self)
            #expect(progress.last?.done == statistics.segments.reduce(0) { $0 + $1.bytes })
        }
    }

    @Test func `a measurement tells what the log contains`() async throws {
        try await TestedServer.run { client in
            let (progress, last) = try await lines(
                client, "/api/measurement", as: MeasurementDescription.self)
            let found = try #require(last.result)
            #expect(found.sequence == 41 && found.segments.count == 1)
            #expect(found.total.live > 0 && found.total.superseded > 0 && found.total.other > 0)
            #expect(found.total == found.segments[0].bytes)
            #expect(found.compactions == [])
            #expect(progress.last?.fraction == 1)
        }
    }

    @Test func `a measurement lists the compactions that dropped history`() async throws {
        try await TestedServer.run { client in
            let store = try await Store(
                path: client.folder.path, entities: [Person.self, Team.self, Hostile.self])
            let floor = try await store.compact(keeping: .latest).historyFloor
            try await store.close()
            let (_, last) = try await lines(
                client, "/api/measurement", as: MeasurementDescription.self)
            let compaction = try #require(last.result?.compactions.first)
            #expect(compaction.policy == "latest" && compaction.historyFloor == floor)
            #expect(last.result?.total.superseded == 0)
        }
    }

    @Test func `an export is made, and then fetched once`() async throws {
        try await TestedServer.run { client in
            for (format, text, name, count) in [
                ("jsonl", "Person", "export.jsonl", 30), ("csv", "Person&at=2", "export.csv", 1),
            ] {
                let (progress, last) = try await lines(
                    client, "/api/export?format=\(format)&text=\(text)",
                    as: ExportDescription.self)
                let found = try #require(last.result)
                #expect(found.rows == (format == "csv" ? 0 : 30))
                #expect(progress.first?.fraction == nil)
                let uri = "/api/export-file?ticket=\(found.ticket)"
                let file = try await client.response(uri)
                #expect(file.headers[.contentDisposition] == "attachment; filename=\"\(name)\"")
                #expect(file.body.readableBytes == found.bytes)
                #expect(String(buffer: file.body).split(separator: "\n").count == count)
                _ = try await client.problem(uri, .notFound)
            }
        }
    }

    @Test func `the problem of a long request is its last line`() async throws {
        try await TestedServer.run { client in
            let (_, last) = try await lines(
                client, "/api/export?text=\("Person where agee > 3".escaped)",
                as: ExportDescription.self)
            #expect(last.result == nil)
            #expect(last.problem?.offset == 13)
        }
    }

    @Test func `only some exports wait to be fetched`() async throws {
        try await TestedServer.run { client in
            var tickets: [String] = []
            for _ in 0..<9 {
                let (_, last) = try await lines(
                    client, "/api/export?text=Team", as: ExportDescription.self)
                tickets.append(try #require(last.result).ticket)
            }
            _ = try await client.problem("/api/export-file?ticket=\(tickets[0])", .notFound)
            for ticket in tickets.dropFirst() {
                let file = try await client.response("/api/export-file?ticket=\(ticket)")
                #expect(file.status == .ok)
            }
        }
    }

    @Test func `a closed connection cancels the work`() async throws {
        let isCancelled = Mutex(false)
        let work = Work<[Int]> { _ in
            do {
                try await Task.sleep(for: .seconds(600))
            } catch {
                isCancelled.withLock { $0 = true }
                throw error
            }
            return []
        }
        var writer: any ResponseBodyWriter = ClosedConnection()
        await #expect(throws: ClosedConnection.Failure.self) {
            try await work.write(to: &writer)
        }
        #expect(isCancelled.withLock { $0 })
    }

    @Test(.timeLimit(.minutes(2)))
    func `a page that leaves cancels the work on a real connection`() async throws {
        let (began, hasBegun) = AsyncStream.makeStream(of: Void.self)
        let (ended, hasEnded) = AsyncStream.makeStream(of: Void.self)
        let router = Router()
        router.get("work") { _, _ in
            let work = Work<[Int]> { _ in
                hasBegun.finish()
                defer { hasEnded.finish() }
                try await Task.sleep(for: .seconds(600))
                return []
            }
            return Response(status: .ok, body: ResponseBody { try await work.write(to: &$0) })
        }
        let (listening, isListening) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { isListening.yield($0.localAddress?.port ?? 0) })
        let server = Task { try await application.run() }
        var ports = listening.makeAsyncIterator()
        let port = try #require(await ports.next())
        let client = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port).get()
        let request = "GET /work HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        try await client.writeAndFlush(ByteBuffer(string: request))
        for await _ in began {}
        try await client.close()
        for await _ in ended {}
        server.cancel()
        _ = try? await server.value
    }

    @Test func `the store lists its consumers`() async throws {
        try await TestedServer.run { client in
            let store = try await Store(
                path: client.folder.path, entities: [Person.self, Team.self, Hostile.self])
            try await store.consumer("mailer").reset(to: store.position)
            try await store.box(for: Team.self).put(Team(title: "Late"))
            let bad = client.folder.appending(path: "consumers/broken")
            try Data("rubbish".utf8).write(to: bad)
            try await store.close()
            let consumers = try await client.get("/api/statistics", as: StoreReport.self).consumers
            #expect(consumers.map(\.name) == ["broken", "mailer"])
            #expect(consumers[0].problem?.contains("damaged") == true)
            #expect(consumers[1].sequence == 41 && consumers[1].lag == 1)
            #expect(consumers[1].lagBytes > 0 && consumers[1].microseconds != nil)
        }
    }
}

/// A connection that was closed after some bytes.
private final class ClosedConnection: ResponseBodyWriter {
    struct Failure: Error {}
    private var writeCount = 0

    func write(_ more: ByteBuffer) async throws {
        writeCount += 1
        if writeCount > 2 { throw Failure() }
    }
    func finish(_ fields: HTTPFields?) async throws {}
}

import Daybook
import Foundation
import Hummingbird
import ServiceLifecycle

extension Routes {
    func addWork(to api: RouterGroup<BasicRequestContext>) {
        work("verification", in: api) { store, _, meter in try await store.verify(meter) }
        work("measurement", in: api) { store, _, meter in try await store.measure(meter) }
        work("export", in: api) { browsed, parameters, meter in
            let text = try parameters.text("text")
            let sequence = try parameters.number("at")
            let view = try await browsed.store.read { try browsed.view(at: sequence) }
            let file = try await ExportedFile(
                of: view, text, parameters["format"] == "csv" ? .csv : .jsonLines, meter)
            return ExportDescription(
                ticket: exports.add(file), rows: file.rowCount, bytes: file.byteCount)
        }
    }

    /// A request that takes long. Its answer is described at ``WorkProgress``.
    private func work<Result: Encodable & Sendable>(
        _ path: RouterPath, in api: RouterGroup<BasicRequestContext>,
        _ run:
            @escaping @Sendable (BrowsedStore, RequestParameters, WorkMeter) async throws -> Result
    ) {
        api.get(path) { request, _ in
            let browsed = try await opening.store()
            let parameters = try RequestParameters(request)
            let work = Work { meter in
                // Otherwise the end of the server would wait for the work.
                try await cancelWhenGracefulShutdown {
                    try await run(browsed, parameters, meter)
                }
            }
            return Response(
                status: .ok, headers: [.contentType: "application/jsonl"],
                body: ResponseBody { writer in try await work.write(to: &writer) })
        }
    }
}

/// Work that runs while its answer is written.
struct Work<Result: Encodable & Sendable>: Sendable {
    /// A line of the answer.
    private struct Line: Encodable {
        var progress: WorkProgress?
        var result: Result?
        var problem: Problem?
    }

    private static var interval: Duration { .milliseconds(100) }
    private let run: @Sendable (WorkMeter) async throws -> Result

    init(_ run: @escaping @Sendable (WorkMeter) async throws -> Result) { self.run = run }

    /// Writes the lines of the answer. A write throws if the connection was closed, which cancels
    /// the work.
    func write(to writer: inout any ResponseBodyWriter) async throws {
        let meter = WorkMeter()
        try await write(Line(progress: meter.progress), to: &writer)
        try await withThrowingTaskGroup(of: Swift.Result<Result, RequestProblem>?.self) { group in
            let run = run
            group.addTask {
                do { return .success(try await run(meter)) } catch {
                    return .failure(RequestProblem(error))
                }
            }
            Self.addPause(to: &group)
            while let ended = try await group.next() {
                try await write(Line(progress: meter.progress), to: &writer)
                switch ended {
                case nil:
                    Self.addPause(to: &group)
                    continue
                case .success(let result)?: try await write(Line(result: result), to: &writer)
                case .failure(let problem)?:
                    try await write(Line(problem: problem.problem), to: &writer)
                }
                group.cancelAll()
                break
            }
        }
        try await writer.finish(nil)
    }

    private static func addPause(
        to group: inout ThrowingTaskGroup<Swift.Result<Result, RequestProblem>?, any Error>
    ) {
        group.addTask {
            try await Task.sleep(for: interval)
            return nil
        }
    }

    private func write(_ line: Line, to writer: inout any ResponseBodyWriter) async throws {
        var bytes = try JSONEncoder().encode(line)
        bytes.append(0x0A)
        try await writer.write(ByteBuffer(bytes: bytes))
    }
}

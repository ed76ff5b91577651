import Daybook
import Hummingbird
import ServiceLifecycle

/// The requests of the page. `Interface` describes the answers.
struct Routes: Sendable {
    let opening: StoreOpening
    let exports = Exports()

    func add(to api: RouterGroup<BasicRequestContext>) {
        addStore(to: api)
        addObjects(to: api)
        addHistory(to: api)
        addWork(to: api)
        addDownloads(to: api)
        addWrites(to: api)
    }

    /// A request that is answered from one version of the store, on a thread that may block.
    func get<Answer: Encodable & Sendable>(
        _ path: RouterPath, in api: RouterGroup<BasicRequestContext>,
        _ answer: @escaping @Sendable (BrowsedStore, RequestParameters) throws -> Answer
    ) {
        api.get(path) { request, _ in
            let found = try await read(request, answer)
            return try Response(json: found)
        }
    }

    /// Answers a request on a thread that may block.
    func read<Answer: Sendable>(
        _ request: Request,
        _ answer: @escaping @Sendable (BrowsedStore, RequestParameters) throws -> Answer
    ) async throws -> Answer {
        let browsed = try await opening.store()
        let parameters = try RequestParameters(request)
        return try await browsed.store.read { try answer(browsed, parameters) }
    }

    private func addStore(to api: RouterGroup<BasicRequestContext>) {
        get("store", in: api) { store, _ in try store.description() }
        get("schema", in: api) { store, parameters in
            try store.schema(at: try parameters.number("at"))
        }
        get("schema-history", in: api) { store, _ in try store.schemaHistory() }
        get("moment", in: api) { store, parameters in try store.moment(try parameters.moment()) }
        get("statistics", in: api) { store, _ in try store.report() }
        api.get("state") { request, _ in
            let after = try RequestParameters(request).number("after") ?? 0
            // Otherwise the end of the server would wait for the page.
            return try await cancelWhenGracefulShutdown {
                try Response(json: try await newest(after: after))
            }
        }
    }

    /// The newest commit as soon as there is one after a sequence, or after some seconds.
    private func newest(after sequence: UInt64) async throws -> Moment {
        let browsed = try await opening.store()
        let end = ContinuousClock.now + .seconds(20)
        while try browsed.store.sequence <= sequence, ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(100))
        }
        guard let newest = try await browsed.store.read({ try browsed.newest() }) else {
            throw RequestProblem.notFound("The store has no commit yet.")
        }
        return newest
    }

    private func addObjects(to api: RouterGroup<BasicRequestContext>) {
        get("objects", in: api) { store, parameters in
            try store.objects(
                of: try parameters.text("entity"), after: try parameters.number("after") ?? 0,
                limit: try parameters.limit(100, max: BrowsedStore.rowsMax),
                at: try parameters.number("at"))
        }
        get("query", in: api) { store, parameters in
            try store.query(
                try parameters.text("text"),
                limit: try parameters.limit(100, max: BrowsedStore.rowsMax),
                at: try parameters.number("at"))
        }
        get("plan", in: api) { store, parameters in
            try store.plan(try parameters.text("text"), at: try parameters.number("at"))
        }
        get("object", in: api) { store, parameters in
            try store.object(
                of: try parameters.text("entity"), id: try parameters.id(),
                at: try parameters.number("at"))
        }
    }

    private func addHistory(to api: RouterGroup<BasicRequestContext>) {
        get("history", in: api) { store, parameters in
            try store.history(
                of: try parameters.text("entity"), id: try parameters.id(),
                limit: try parameters.limit(50, max: 200), before: try parameters.number("before"))
        }
        get("commits", in: api) { store, parameters in
            try store.commits(
                before: try parameters.number("before"),
                limit: try parameters.limit(50, max: 200), entityName: parameters["entity"],
                author: parameters["author"], kind: parameters["kind"])
        }
        get("commit", in: api) { store, parameters in
            guard let sequence = try parameters.number("sequence") else {
                throw RequestProblem.malformed("The request has no parameter 'sequence'.")
            }
            return try store.commit(sequence, limit: try parameters.limit(200, max: 1_000))
        }
        get("compare", in: api) { store, parameters in
            guard let from = try parameters.number("from") else {
                throw RequestProblem.malformed("The request has no parameter 'from'.")
            }
            return try store.compare(
                try parameters.text("entity"), from: from, to: try parameters.number("to"),
                limit: try parameters.limit(100, max: 1_000))
        }
    }

    private func addWrites(to api: RouterGroup<BasicRequestContext>) {
        post("put", in: api) { try $0.put($1) }
        post("remove", in: api) { try $0.remove($1) }
        post("undo", in: api) { try $0.undo($1) }
        post("restore", in: api) { try $0.restore($1) }
    }

    /// A change of the store.
    private func post<Change: Decodable & Sendable>(
        _ path: RouterPath, in api: RouterGroup<BasicRequestContext>,
        _ write: @escaping @Sendable (BrowsedStore, Change) throws -> WriteResult
    ) {
        api.post(path) { request, context in
            let browsed = try await opening.store()
            guard browsed.allowsWrites else {
                throw RequestProblem.refused(
                    .forbidden,
                    "The store is read-only. Start the command with --allow-writes.")
            }
            let change = try await request.decode(as: Change.self, context: context)
            let result = try await BlockingWork.run { try write(browsed, change) }
            return try Response(json: result)
        }
    }
}

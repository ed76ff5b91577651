package import DaybookBytes
import DaybookRecords

/// The history to keep, as a user specifies it. A request becomes a rule when a compaction begins.
package enum HistoryRequest: Sendable, Equatable {
    /// Everything.
    case everything
    /// The state at a point and everything later.
    case since(HistoryPoint)
    /// The state before this many milliseconds and everything later.
    case last(milliseconds: Int)
    /// The newest versions of each object.
    case versions(Int)
    /// The last version of each object.
    case latest

    /// Returns the request. Throws `.invalidArgument` for a number of versions below 1.
    package func checked() throws(DaybookError) -> HistoryRequest {
        guard case .versions(let count) = self, count < 1 else { return self }
        throw DaybookError(
            .invalidArgument,
            "A history of \(count) versions cannot be kept: give at least 1.",
            details: ["versions": String(count)])
    }
}

/// The history to keep: one request for all entities, and others for some entities by name.
package struct HistoryRequests: Sendable, Equatable {
    package var standard: HistoryRequest
    package var entities: [String: HistoryRequest]

    package init(_ standard: HistoryRequest, entities: [String: HistoryRequest] = [:]) {
        self.standard = standard
        self.entities = entities
    }

    /// Whether no history may be dropped.
    var keepsEverything: Bool {
        standard == .everything && entities.values.allSatisfy { $0 == .everything }
    }

    /// Throws `.invalidArgument` for a number of versions of one of the declared events.
    package func check(_ declarations: [EntityDeclaration]) throws(DaybookError) {
        try check { name in declarations.contains { $0.name == name && $0.kind == .event } }
    }

    /// Throws `.invalidArgument` for a number of versions of an entity of events.
    fileprivate func check(isEvent: (String) -> Bool) throws(DaybookError) {
        for (name, request) in entities.sorted(by: { $0.key < $1.key }) {
            guard case .versions(let count) = request, isEvent(name) else { continue }
            throw DaybookError(
                .invalidArgument,
                "The history of \(name) cannot be .versions(\(count)). An event has one version;"
                    + " use .last, .since or .latest.",
                details: ["entity": name, "versions": String(count)])
        }
    }
}

extension Engine {
    /// Returns the policy for requests now. Cost: for each time, a lookup in some segments of the
    /// log and a read of one. Throws `.invalidArgument` for a number of versions below 1 or of
    /// events, `.interrupted`, `.corruption`.
    package func policy(
        for requests: HistoryRequests, _ control: OperationControl = OperationControl()
    ) throws(DaybookError) -> HistoryPolicy {
        try requests.check(isEvent: isEvent)
        var policy = HistoryPolicy(try rule(for: requests.standard, control))
        for (name, request) in requests.entities {
            policy.entities[name] = try rule(for: request, control)
        }
        return policy
    }

    /// Throws `.invalidArgument` if ``EngineOptions/retention`` names a number of versions of
    /// events, of the declarations or of the store.
    package func checkRetention(_ declarations: [EntityDeclaration]) throws(DaybookError) {
        try options.retention.check(declarations)
        try options.retention.check(isEvent: isEvent)
    }

    /// Whether an entity of the store has events.
    private func isEvent(_ name: String) -> Bool {
        let schema = schemas.schema
        guard let entity = schema.entity(named: name) ?? schema.entity(onceNamed: name) else {
            return false
        }
        return schema.currentLayout(ofEntity: entity.id)?.kind == .event
    }

    private func rule(
        for request: HistoryRequest, _ control: OperationControl
    ) throws(DaybookError) -> HistoryRule {
        switch try request.checked() {
        case .everything: return .all
        case .since(let point): return .since(try last(atOrBefore: point, control))
        case .last(let milliseconds):
            let latest = WallClock.microsecondsSinceEpoch() - Int64(milliseconds) * 1000
            return .since(try last(atOrBefore: .time(first: latest, last: latest), control))
        case .versions(let count): return .versions(count)
        case .latest: return .latest
        }
    }
}

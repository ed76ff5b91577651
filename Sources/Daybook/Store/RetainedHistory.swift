import DaybookBytes
import DaybookEngine

/// The history that a compaction keeps: see
/// ``Store/compact(keeping:except:ignoringConsumers:progress:isCancelled:)`` and
/// ``StoreOptions/retention``.
///
/// Events are facts and not versions, so only a history of their own type drops them: `except` and
/// ``StoreOptions/entityRetention``. The history of all types keeps every event.
public enum RetainedHistory: Sendable, Hashable {
    /// Every version. The compaction only compresses the log.
    case everything
    /// The state at a moment and everything that happened later. Versions that were superseded
    /// before the moment are dropped, and so are objects that were removed before it. A moment
    /// before the remaining history drops nothing. For a type of events, the events up to the
    /// moment are dropped.
    case since(HistoryMoment)
    /// The state at this time before now and everything that happened later, as ``since(_:)``; at
    /// most 100 years.
    case last(Duration)
    /// The newest versions of each object, at least one. A removal counts as a version, so a
    /// removed object keeps its last contents. `versions(1)` equals ``latest``.
    ///
    /// The history of each object then has this number of versions, but the states of the whole
    /// store before the compaction are gone. A type of events has no such history: an event has one
    /// version.
    case versions(Int)
    /// The last version of each object. Removed objects are dropped. For a type of events, all
    /// events are dropped that no ``Consumer`` needs any more.
    case latest

    /// The longest time that a program can ask for.
    private static let secondsMax: Int64 = 100 * 366 * 24 * 3600

    /// The request to the engine. Throws `.invalidArgument` for impossible times and numbers.
    func request() throws(DaybookError) -> HistoryRequest {
        switch self {
        case .everything: return .everything
        case .since(let moment): return .since(try moment.point)
        case .last(let duration):
            let (seconds, attoseconds) = duration.components
            guard seconds >= 0, attoseconds >= 0, seconds <= Self.secondsMax else {
                throw DaybookError(
                    .invalidArgument,
                    "The history of the last \(duration) cannot be kept: give a duration of 0 to"
                        + " 100 years.", details: ["last": "\(duration)"])
            }
            return .last(
                milliseconds: Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
        case .versions(let count): return try HistoryRequest.versions(count).checked()
        case .latest: return .latest
        }
    }

    /// The requests for all entities and for some of them, by their names.
    static func requests(
        _ standard: RetainedHistory, except entities: [String: RetainedHistory]
    ) throws(DaybookError) -> HistoryRequests {
        var requests = HistoryRequests(try standard.request())
        for (name, history) in entities { requests.entities[name] = try history.request() }
        return requests
    }
}

import ArgumentParser
import DaybookEngine

/// The options that select the events a command prints.
struct EventSelection: ParsableArguments {
    @Option(
        help: "Only this entity or object, with the links from and to it: Name or Name:id.",
        completion: .entities(),
        transform: EntitySelection.parse(argument:))
    var entity: EntitySelection?

    @Option(
        name: .customLong("op"), help: "Only these operations: put, remove, event, link, unlink.",
        completion: .list(EventKind.allCases.map(\.rawValue)),
        transform: Set<EventKind>.parse(argument:))
    var kinds: Set<EventKind>?

    @Option(help: "Only transactions of this author.")
    var author: String?

    @Option(
        help: ArgumentHelp(
            "Only transactions with this metadata. If given several times, all must match.",
            valueName: "key=value"),
        transform: MetadataPair.parse(argument:))
    var metadata: [MetadataPair] = []

    func validate() throws {
        var seen: [String: String] = [:]
        for pair in wanted {
            if let other = seen.updateValue(pair.value, forKey: pair.key), other != pair.value {
                throw ValidationError(
                    "No transaction has both '\(pair.key)=\(other)' and"
                        + " '\(pair.key)=\(pair.value)'; omit one.")
            }
        }
    }

    var filter: EventFilter {
        EventFilter(
            entity: entity?.name, id: entity?.id, kinds: kinds ?? Set(EventKind.allCases),
            metadata: Dictionary(wanted.map { ($0.key, $0.value) }) { first, _ in first })
    }

    private var wanted: [MetadataPair] {
        (author.map { [MetadataPair(key: "author", value: $0)] } ?? []) + metadata
    }
}

/// A value of `--metadata`.
struct MetadataPair: Equatable {
    var key: String
    var value: String

    /// Parses `key=value`; only the first '=' ends the key. Throws an ``ArgumentProblem`` with the
    /// expected format.
    static func parse(argument text: String) throws -> MetadataPair {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else {
            throw ArgumentProblem("give a key and a value, as in cause=import")
        }
        return MetadataPair(key: String(parts[0]), value: String(parts[1]))
    }
}

import DaybookBytes
import DaybookEngine
import Synchronization

/// One change of a commit, and its version before once that was asked for.
final class RecordedChange: Sendable {
    let commit: CommitChanges
    let index: Int
    let types: StoreTypes
    private let found = Mutex<CommitChanges.Before?>(nil)

    init(_ commit: CommitChanges, _ index: Int, _ types: StoreTypes) {
        self.commit = commit
        self.index = index
        self.types = types
    }

    var change: ObjectChange { commit.objects[index] }

    /// What was before; looked for once.
    func before() throws(DaybookError) -> CommitChanges.Before {
        if let known = found.withLock({ $0 }) { return known }
        let before = try commit.versionBefore(index)
        found.withLock { $0 = before }
        return before
    }

    /// What the commit did. An object that was removed and then put again was inserted, which only
    /// its version before can tell.
    var kind: ChangeKind {
        switch change.kind {
        case .insert: return .insert
        case .remove: return .remove
        case .event: return .event
        case .update:
            // Where that cannot be read, whoever asks for it is told why.
            if case .none? = try? before() { return .insert }
            return .update
        }
    }

    /// The names in Swift of the properties that changed, by the binding of the object's type.
    func changedProperties(_ binding: EntityBinding) throws -> Set<String> {
        var old: StoredRow?
        if case .row(let row) = try before() { old = row }
        let numbers = try types.engine.schemas.changedProperties(old, change.after)
        let fields = binding.layout.layout.fields
        var names: Set<String> = []
        for (field, name) in zip(fields, binding.declaredNames)
        where numbers.contains(field.propertyID) {
            names.insert(name)
        }
        return names
    }
}

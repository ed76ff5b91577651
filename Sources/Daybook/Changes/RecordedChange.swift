import DaybookBytes
import DaybookEngine
import Synchronization

/// A change of a commit. Caches the version before the change.
final class RecordedChange: Sendable {
    let versions: VersionsBefore
    let index: Int
    let types: StoreTypes
    private let found = Mutex<CommitChanges.Before?>(nil)

    init(_ versions: VersionsBefore, _ index: Int, _ types: StoreTypes) {
        self.versions = versions
        self.index = index
        self.types = types
    }

    var commit: CommitChanges { versions.commit }
    var change: ObjectChange { commit.objects[index] }

    /// Sets the result of ``before()``.
    func found(_ before: CommitChanges.Before) { found.withLock { $0 = before } }

    /// The version before the change. Looked up at most once.
    func before() throws(DaybookError) -> CommitChanges.Before {
        if let known = found.withLock({ $0 }) { return known }
        let before = try versions.before(index)
        found(before)
        return before
    }

    /// The kind of change. An object that was removed and put again counts as inserted; only its
    /// version before reveals that.
    var kind: ChangeKind {
        // If the version before cannot be read, the error is thrown by the properties that need it.
        if change.kind == .update, case .none? = try? before() { return .insert }
        return change.kind
    }

    /// The Swift names of the properties that changed, using the binding of the object's type.
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

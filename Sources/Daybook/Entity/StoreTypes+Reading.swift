import DaybookBytes
import DaybookEngine

// Reads of the version that relations belong to: the chosen one, or the state that the running
// thread sees, which in a transaction is the state of that.

extension StoreTypes {
    /// What is read: all reads of one scope see one version. Throws `.closed`.
    func scope() throws(DaybookError) -> ReadScope {
        guard let view else { return try engine.scope() }
        guard engine.isOpen else { throw Self.closed }
        return .read(view)
    }

    /// Runs `body`, in which all reads of this thread see one version.
    func read<Result>(_ body: () throws -> Result) throws -> Result {
        guard view != nil else { return try engine.readTransaction(body) }
        guard engine.isOpen else { throw Self.closed }
        return try body()
    }

    static var closed: DaybookError {
        DaybookError(.closed, "The store is closed. Open it again, and read the objects again.")
    }
}

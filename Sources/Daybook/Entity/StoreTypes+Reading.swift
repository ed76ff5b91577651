import DaybookBytes
import DaybookEngine

// Reads of the version that relations use: the chosen version, or the state that the current thread
// sees. In a transaction that is the transaction's state.

extension StoreTypes {
    /// Returns the scope for reads. All reads of one scope see one version. Throws `.closed`.
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
        DaybookError(
            .closed,
            "The store was closed, or its last reference was released. Open it again, and read the"
                + " objects again.")
    }
}

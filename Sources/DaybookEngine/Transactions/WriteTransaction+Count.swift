extension WriteTransaction {
    /// How many operations there are, those included that will not be written.
    package var operationCount: Int {
        var count = 0
        try? withChanges { changes in count = changes.operations.count }
        return count
    }
}

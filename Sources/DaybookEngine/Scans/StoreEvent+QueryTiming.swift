extension StoreEvent {
    /// The work of one run of a query.
    public struct QueryTiming: Sendable, Hashable {
        /// The entity whose objects the query finds.
        public package(set) var entity: String
        /// The number of rows that were read to evaluate the condition or to sort, also of related
        /// entities. Zero if an index determined the result.
        public package(set) var rowsExamined: Int
        /// The number of objects, values or groups in the result; for a count, the count.
        public package(set) var rowsReturned: Int
        /// The time from the planning to the result, without the blocks of the program.
        public package(set) var duration: Duration
        /// The plan with the actual numbers, as `explain(isRun: true)` describes it; empty except
        /// in ``StoreEvent/slowQuery(_:)``. It contains the values of the condition.
        public package(set) var plan = ""

        package init(entity: String, rowsExamined: Int, rowsReturned: Int, duration: Duration) {
            self.entity = entity
            self.rowsExamined = rowsExamined
            self.rowsReturned = rowsReturned
            self.duration = duration
        }

        var details: [String: String] {
            var pairs = [
                "entity": entity, "rowsExamined": String(rowsExamined),
                "rowsReturned": String(rowsReturned),
            ]
            if !plan.isEmpty { pairs["plan"] = plan }
            return pairs
        }
    }
}

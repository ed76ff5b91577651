import DaybookBytes
import DaybookRecords

extension KeyReader {
    /// Checks the vectors of a row of the newest layout. Throws `.invalidValue`, which names the
    /// property, for a vector that cannot be in its index. Null and an empty vector can be stored:
    /// the object is then not in the index.
    func checkVectors(of row: Span<UInt8>, layout: UInt32) throws(DaybookError) {
        guard layout == plan.layout.layout.layoutID else { return }
        for index in plan.indexes {
            guard case .vector(let form) = index.form,
                let numbers = try IndexKey.numbers(index.columns.first, of: row, plan.layout),
                let problem = form.problem(of: numbers)
            else { continue }
            throw problem.error(
                plan.columnNames(index), of: plan.layout.layout.entityName, isQuery: false)
        }
    }
}

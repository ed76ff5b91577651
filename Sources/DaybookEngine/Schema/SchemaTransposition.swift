package import DaybookBytes
import DaybookRecords
import Synchronization

/// The log's payload transform: it transposes rows by the layouts of the current schema.
package struct SchemaTransposition: PayloadTransform {
    private final class Prepared: Sendable {
        let current = Mutex<(layoutCount: Int, transposition: RowTransposition)>(
            (0, RowTransposition(Schema())))
    }

    private let schemas: SchemaTable
    private let prepared = Prepared()

    package init(_ schemas: SchemaTable) { self.schemas = schemas }

    package func forward(_ payload: Span<UInt8>) -> [UInt8]? {
        let schema = schemas.schema
        let transposition = prepared.current.withLock { current in
            if current.layoutCount != schema.layouts.count {
                current = (schema.layouts.count, RowTransposition(schema))
            }
            return current.transposition
        }
        return transposition.forward(payload)
    }

    package func inverse(_ stored: Span<UInt8>, rawLength: Int) throws(DaybookError) -> [UInt8] {
        let transposition = prepared.current.withLock { $0.transposition }
        return try transposition.inverse(stored, rawLength: rawLength)
    }
}

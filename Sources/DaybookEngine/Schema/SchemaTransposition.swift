package import DaybookBytes
import DaybookRecords
import Synchronization

/// The log's payload transform: it transposes and packs rows by the layouts of the current schema.
package struct SchemaTransposition: PayloadTransform {
    private final class Prepared: Sendable {
        let current = Mutex<(layoutCount: Int, transposition: RowTransposition)>(
            (0, RowTransposition(Schema())))
    }

    private let schemas: SchemaTable
    private let prepared = Prepared()

    package init(_ schemas: SchemaTable) { self.schemas = schemas }

    /// The transposition for the layouts of the current schema.
    private var current: RowTransposition {
        let schema = schemas.schema
        return prepared.current.withLock { current in
            if current.layoutCount != schema.layouts.count {
                current = (schema.layouts.count, RowTransposition(schema))
            }
            return current.transposition
        }
    }

    /// Any transposition: reading needs no layouts.
    private var reader: RowTransposition { prepared.current.withLock { $0.transposition } }

    package func forward(_ payload: Span<UInt8>) -> [UInt8]? { current.forward(payload) }

    package func inverse(_ stored: Span<UInt8>, rawLength: Int) throws(DaybookError) -> [UInt8] {
        try reader.inverse(stored, rawLength: rawLength)
    }

    package func pack(_ payload: Span<UInt8>, _ encoder: TokenEncoder?) -> [UInt8]? {
        current.pack(payload, encoder)
    }

    package func unpack(
        _ stored: [UInt8], rawLength: Int, tokens: TokenTable?
    ) -> any PackedRecords {
        reader.unpack(stored, rawLength: rawLength, tokens: tokens)
    }

    package func record(
        at offset: Int, ofPacked stored: Span<UInt8>, rawLength: Int, tokens: TokenTable?
    ) throws(DaybookError) -> [UInt8] {
        try PackedPayload.record(at: offset, of: stored, rawLength: rawLength, tokens: tokens)
    }

    package func texts(of payload: Span<UInt8>) -> PayloadTexts { current.texts(of: payload) }
}

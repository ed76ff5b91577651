import DaybookBytes

/// The common content of a segment's payloads, which its first frame contains.
enum SegmentDictionary: Sendable {
    /// For payloads that are compressed.
    case zstd(ZstdDictionary)
    /// For payloads that are packed.
    case tokens(TokenTable)

    /// Reads a stored dictionary; its first bytes determine the kind.
    ///
    /// Throws `.corruption` for invalid bytes.
    init(bytes: [UInt8]) throws(DaybookError) {
        if TokenTable.isTable(bytes.span) {
            self = .tokens(try TokenTable(bytes: bytes))
        } else {
            self = .zstd(try ZstdDictionary(id: UInt32(LogFormat.Dictionary.id), bytes: bytes))
        }
    }

    /// The stored form.
    var bytes: [UInt8] {
        switch self {
        case .zstd(let dictionary): dictionary.bytes
        case .tokens(let table): table.bytes
        }
    }

    /// The dictionary for compressed payloads. Throws `.corruption` for a table of tokens.
    var compression: ZstdDictionary {
        get throws(DaybookError) {
            guard case .zstd(let dictionary) = self else { throw Self.otherKind("tokens") }
            return dictionary
        }
    }

    /// The table for packed payloads. Throws `.corruption` for a dictionary of the compressor.
    var tokens: TokenTable {
        get throws(DaybookError) {
            guard case .tokens(let table) = self else { throw Self.otherKind("the compressor") }
            return table
        }
    }

    private static func otherKind(_ kind: String) -> DaybookError {
        DaybookError(
            .corruption,
            "A frame needs another dictionary than the one of \(kind) in its segment. Restore the"
                + " store from a backup.")
    }
}

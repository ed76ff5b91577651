import DaybookBytes

/// An index of an entity in a layout: its properties and its kind.
package struct LayoutIndex: Sendable, Hashable {
    /// The kind of an index.
    package enum Kind: UInt8, Sendable, Hashable {
        /// Sorted by value.
        case value = 1
        /// 64-bit hashes, for equality only.
        case hash = 2
        /// The words of a text, each with its objects.
        case text = 3
        /// Sorted by value, with case-folded texts; see ``TextFolding``.
        case folded = 4
        /// A graph of vectors, for the nearest neighbours of a vector; see ``VectorGraph``.
        case vector = 5
    }

    /// The number of the index in the store, from 1; never reused. It determines the tree id. An
    /// index gets a new number if its kind, its properties, a property's type or optionality
    /// change, because its tree then contains other keys.
    package var indexID: UInt32
    package var kind: Kind
    /// Whether two objects cannot have the same values; null equals no other value.
    package var isUnique: Bool
    /// Whether the values identify objects: unique and immutable.
    package var isPrimaryKey: Bool
    /// The properties, in the order of the key.
    package var propertyIDs: [UInt32]
    /// The vectors of an index of kind ``Kind/vector``; nil for the other kinds.
    package var vectors: VectorForm?

    package init(
        indexID: UInt32, kind: Kind, isUnique: Bool, isPrimaryKey: Bool, propertyIDs: [UInt32],
        vectors: VectorForm? = nil
    ) {
        self.indexID = indexID
        self.kind = kind
        self.isUnique = isUnique
        self.isPrimaryKey = isPrimaryKey
        self.propertyIDs = propertyIDs
        self.vectors = vectors
    }

    init(from reader: inout ByteReader) throws(DaybookError) {
        guard let indexID = UInt32(exactly: try reader.varint()), indexID > 0,
            indexID <= IndexTree.entityMax
        else { throw Self.damaged("its number is out of range") }
        self.indexID = indexID
        let kindNumber = try reader.uint8()
        let flags = try reader.uint8()
        let known = RecordFormat.indexIsUnique | RecordFormat.indexIsPrimaryKey
        // Indexes with folded keys and of vectors cannot be unique so far.
        guard let kind = Kind(rawValue: kindNumber), flags & ~known == 0,
            flags == 0 || !(kind.isOfFoldedTexts || kind == .vector)
        else {
            throw DaybookError(
                .formatTooNew,
                "An index is of a kind of a newer release; open the store with that.",
                details: ["kind": "\(kindNumber)", "flags": "\(flags)"])
        }
        self.kind = kind
        isUnique = flags & RecordFormat.indexIsUnique != 0
        isPrimaryKey = flags & RecordFormat.indexIsPrimaryKey != 0
        let count = try reader.length()
        guard count > 0, count <= RecordFormat.indexColumnCountMax else {
            throw Self.damaged("it has \(count) properties")
        }
        propertyIDs = []
        for _ in 0..<count {
            guard let propertyID = UInt32(exactly: try reader.varint()), propertyID > 0 else {
                throw Self.damaged("the number of a property is out of range")
            }
            propertyIDs.append(propertyID)
        }
        vectors = kind == .vector ? try VectorForm(from: &reader) : nil
    }

    func encode(to writer: inout ByteWriter) {
        writer.varint(UInt64(indexID))
        writer.uint8(kind.rawValue)
        writer.uint8(
            (isUnique ? RecordFormat.indexIsUnique : 0)
                | (isPrimaryKey ? RecordFormat.indexIsPrimaryKey : 0))
        writer.varint(UInt64(propertyIDs.count))
        for propertyID in propertyIDs { writer.varint(UInt64(propertyID)) }
        vectors?.encode(to: &writer)
    }

    private static func damaged(_ what: String) -> DaybookError {
        DaybookError(.corruption, "An index is damaged: \(what). Restore the store from a backup.")
    }
}

extension LayoutIndex.Kind {
    /// Whether different values may have the same key, because texts are folded.
    var isOfFoldedTexts: Bool { self == .text || self == .folded }
}

/// An index as declared by a program: a ``LayoutIndex`` without numbers.
package struct IndexDeclaration: Sendable, Hashable {
    /// The properties by name, in the order of the key.
    package var columns: [String]
    package var kind: LayoutIndex.Kind
    package var isUnique: Bool
    package var isPrimaryKey: Bool
    /// The vectors of an index of kind ``LayoutIndex/Kind/vector``; nil for the other kinds.
    package var vectors: VectorForm?

    package init(
        columns: [String], kind: LayoutIndex.Kind = .value, isUnique: Bool = false,
        isPrimaryKey: Bool = false, vectors: VectorForm? = nil
    ) {
        self.columns = columns
        self.kind = kind
        self.isUnique = isUnique
        self.isPrimaryKey = isPrimaryKey
        self.vectors = vectors
    }
}

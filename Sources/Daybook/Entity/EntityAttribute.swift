import DaybookRecords

/// An attribute of a type in its description, in addition to the properties.
public struct EntityAttribute: Sendable {
    enum Content: Sendable, Equatable {
        case assignableIds
        case index(DeclaredIndex)
        case formerNames([String])
        case uid(UInt64)
        case mapped([String: String])
        case backlink(DeclaredBacklink)
        case expiry(DeclaredExpiry)
    }

    let content: Content

    /// Lets `put` accept ids that the store never assigned.
    public static let assignableIds = EntityAttribute(content: .assignableIds)

    /// A primary key: the values of these properties together identify an object.
    public static func primaryKey(_ columns: String...) -> EntityAttribute {
        EntityAttribute(
            content: .index(
                DeclaredIndex(columns, kind: .value, conflict: .fail, isPrimaryKey: true)))
    }

    /// An index over the values of these properties, in this order.
    public static func index(_ columns: String..., kind: IndexKind = .value) -> EntityAttribute {
        EntityAttribute(content: .index(DeclaredIndex(columns, kind: kind)))
    }

    /// A unique constraint: no two objects have the same values of all these properties. Nil equals
    /// no other value.
    public static func unique(
        _ columns: String..., onConflict: UniqueConflict = .fail
    ) -> EntityAttribute {
        EntityAttribute(
            content: .index(DeclaredIndex(columns, kind: .value, conflict: onConflict)))
    }

    /// The names of the type in earlier releases of the program.
    public static func renamed(from names: String...) -> EntityAttribute {
        EntityAttribute(content: .formerNames(names))
    }

    /// A number of your choice that stays the same when the type is renamed.
    public static func uid(_ number: UInt64) -> EntityAttribute {
        EntityAttribute(content: .uid(number))
    }

    /// The stored names of properties, by their names in the description.
    public static func mapped(_ names: [String: String]) -> EntityAttribute {
        EntityAttribute(content: .mapped(names))
    }

    /// The store removes an object at the date of a property, or a time after it. An object whose
    /// date is nil is kept. See ``Store/removeExpired(at:)``.
    ///
    /// - Parameters:
    ///   - property: the name of a property of the type `Date` or `Date?`. Give it a value index,
    ///     so that expired objects are found without reading the others.
    ///   - duration: the time after the date. It must not be negative.
    public static func expires(
        _ property: String, after duration: Duration = .zero
    ) -> EntityAttribute {
        EntityAttribute(content: .expiry(DeclaredExpiry(column: property, after: duration)))
    }

    /// A backlink: the objects whose relation refers to this object.
    ///
    /// - Parameters:
    ///   - name: the name of the backlink in this type.
    ///   - path: the relation in the other type.
    ///   - property: the Swift name of the relation.
    ///   - onDelete: what happens to the other objects when this object is removed.
    ///   - removesOrphans: whether one of the other objects is removed in the commit that removes
    ///     its last link of the relation.
    public static func backlink<Source: Entity, Value>(
        _ name: String, _ path: KeyPath<Source, Value>, _ property: String,
        onDelete: DeleteRule = .nullify, removesOrphans: Bool = false
    ) -> EntityAttribute {
        backlink(
            name, Source.self, property, onDelete: onDelete, removesOrphans: removesOrphans)
    }

    /// A backlink: the objects of `type` whose relation refers to this object. `property` is the
    /// Swift name of the relation. Otherwise as
    /// ``backlink(_:_:_:onDelete:removesOrphans:)-(_,KeyPath<Source,Value>,_,_,_)``.
    public static func backlink(
        _ name: String, _ type: any Entity.Type, _ property: String,
        onDelete: DeleteRule = .nullify, removesOrphans: Bool = false
    ) -> EntityAttribute {
        EntityAttribute(
            content: .backlink(
                DeclaredBacklink(
                    name: name, source: type, property: property, onDelete: onDelete,
                    removesOrphans: removesOrphans)))
    }

    /// Returns the declared index, with the stored names of its columns; nil for other attributes.
    func index(renamedBy names: [String: String]) -> DeclaredIndex? {
        guard case .index(var index) = content else { return nil }
        index.columns = index.columns.map { names[$0] ?? $0 }
        return index
    }
}

/// The kind of an index.
public enum IndexKind: Sendable {
    /// Ordered by value. Supports equality, ranges and sorting.
    case value
    /// By 64-bit hashes of the values. Supports equality, at the same cost for any length.
    case hash
    /// The same as ``hash``, whose hashes always have 64 bits.
    case hash64
    /// Ordered by value, ignoring the case of strings. Supports case-insensitive conditions, and
    /// sorting. Cannot be unique. At least one property must be a `String`.
    case caseInsensitive
    /// By words. Supports the search for words and prefixes of words in a string. Costs one entry
    /// per word. Only for a single `String` property. Cannot be unique.
    case text

    var kind: LayoutIndex.Kind {
        switch self {
        case .value: .value
        case .hash, .hash64: .hash
        case .caseInsensitive: .folded
        case .text: .text
        }
    }
}

/// A backlink in a description.
struct DeclaredBacklink: Sendable, Equatable {
    var name: String
    var source: any Entity.Type
    var property: String
    var onDelete: DeleteRule
    var removesOrphans: Bool

    static func == (one: DeclaredBacklink, other: DeclaredBacklink) -> Bool {
        one.name == other.name && one.source == other.source && one.property == other.property
            && one.onDelete == other.onDelete && one.removesOrphans == other.removesOrphans
    }
}

/// An index in a description.
struct DeclaredIndex: Sendable, Equatable {
    var columns: [String]
    var kind: IndexKind
    /// Nil if equal values are allowed.
    var conflict: UniqueConflict?
    var isPrimaryKey: Bool
    /// The vectors of a vector index; nil for the other kinds.
    var vectors: VectorForm?

    init(_ columns: [String], vectors: VectorForm) {
        self.init(columns, kind: .value)
        self.vectors = vectors
    }

    init(
        _ columns: [String], kind: IndexKind, conflict: UniqueConflict? = nil,
        isPrimaryKey: Bool = false
    ) {
        self.columns = columns
        self.kind = kind
        self.conflict = conflict
        self.isPrimaryKey = isPrimaryKey
    }

    var declaration: IndexDeclaration {
        IndexDeclaration(
            columns: columns, kind: vectors == nil ? kind.kind : .vector,
            isUnique: conflict != nil, isPrimaryKey: isPrimaryKey, vectors: vectors)
    }
}

import DaybookRecords

/// What a description says of a type beside its properties.
public struct EntityAttribute: Sendable {
    enum Content: Sendable, Equatable {
        case assignableIds
        case index(DeclaredIndex)
        case formerNames([String])
        case uid(UInt64)
        case mapped([String: String])
        case backlink(DeclaredBacklink)
    }

    let content: Content

    /// `put` takes ids that the store never gave out.
    public static let assignableIds = EntityAttribute(content: .assignableIds)

    /// Objects are known by the values of these properties, together.
    public static func primaryKey(_ columns: String...) -> EntityAttribute {
        EntityAttribute(
            content: .index(
                DeclaredIndex(columns, kind: .value, conflict: .fail, isPrimaryKey: true)))
    }

    /// An index over the values of these properties, in this order.
    public static func index(_ columns: String..., kind: IndexKind = .value) -> EntityAttribute {
        EntityAttribute(content: .index(DeclaredIndex(columns, kind: kind)))
    }

    /// No two objects have the same values of all these properties; nil is like no other value.
    public static func unique(
        _ columns: String..., onConflict: UniqueConflict = .fail
    ) -> EntityAttribute {
        EntityAttribute(
            content: .index(DeclaredIndex(columns, kind: .value, conflict: onConflict)))
    }

    /// Names that the type had in earlier releases of the program.
    public static func renamed(from names: String...) -> EntityAttribute {
        EntityAttribute(content: .formerNames(names))
    }

    /// A number of your choice that stays the same when the type is renamed.
    public static func uid(_ number: UInt64) -> EntityAttribute {
        EntityAttribute(content: .uid(number))
    }

    /// Names in the store for properties, by the names that the description has.
    public static func mapped(_ names: [String: String]) -> EntityAttribute {
        EntityAttribute(content: .mapped(names))
    }

    /// The objects that relate to this one: a relation of theirs, seen from here.
    ///
    /// - Parameters:
    ///   - name: what this side calls it.
    ///   - path: their property.
    ///   - property: the name of their property in Swift.
    ///   - onDelete: what becomes of them when this object is removed.
    ///   - removesOrphans: whether one of them is removed at the commit that takes its last link of
    ///     the relation away.
    public static func backlink<Source: Entity, Value>(
        _ name: String, _ path: KeyPath<Source, Value>, _ property: String,
        onDelete: DeleteRule = .nullify, removesOrphans: Bool = false
    ) -> EntityAttribute {
        backlink(
            name, Source.self, property, onDelete: onDelete, removesOrphans: removesOrphans)
    }

    /// The objects of a type that relate to this one, by their property of that name in Swift. Else
    /// as ``backlink(_:_:_:onDelete:removesOrphans:)-(_,KeyPath<Source,Value>,_,_,_)``.
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

    /// The index that it declares, its columns under their names in the store.
    func index(renamedBy names: [String: String]) -> DeclaredIndex? {
        guard case .index(var index) = content else { return nil }
        index.columns = index.columns.map { names[$0] ?? $0 }
        return index
    }
}

/// How an index is kept.
public enum IndexKind: Sendable {
    /// In the order of the values: serves equality, ranges and order.
    case value
    /// By 64-bit hashes of the values: serves equality, and costs the same for any length.
    case hash
    /// The same as ``hash``, whose hashes have 64 bits already.
    case hash64
    /// In the order of the values, but texts that differ in case alone are the same: serves
    /// conditions that ignore case, and order. Not for what is unique; one property at least is a
    /// `String`.
    case caseInsensitive
    /// By words: serves the search for words and their beginnings in a text, and costs an entry a
    /// word. For a single `String` property, and not for what is unique.
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

/// A backlink as a description has it.
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

/// An index as a description has it.
struct DeclaredIndex: Sendable, Equatable {
    var columns: [String]
    var kind: IndexKind
    /// Nil where equal values are fine.
    var conflict: UniqueConflict?
    var isPrimaryKey: Bool

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
            columns: columns, kind: kind.kind, isUnique: conflict != nil, isPrimaryKey: isPrimaryKey
        )
    }
}

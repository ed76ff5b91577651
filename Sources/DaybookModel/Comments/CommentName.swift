#if Macros
/// The annotations in comments: ObjectBox's, and some of Daybook's.
enum CommentName: String, CaseIterable {
    case entity, embedded, event
    case name, uid, renamedFrom, expires
    case id, primaryKey, index, unique, transient, convert, encoded, type, backlink, relation
    case hnswIndex
    case dateNano = "date-nano"
    case flex
    // Known annotations without a meaning here.
    case sync, syncClock, syncPrecedence, externalType, externalName
    case idCompanion = "id-companion"

    /// The declarations that an annotation applies to.
    enum Place: String {
        case type = "a type"
        case property = "a property"
    }

    /// The kinds of index.
    static let indexKinds: Set = ["value", "hash", "hash64", "caseInsensitive", "text"]
    /// The conflict policies of unique constraints.
    static let conflicts: Set = ["fail", "replace", "update", "ignore"]

    /// The annotation with that name, ignoring case.
    init?(_ name: String) {
        let lowered = name.lowercased()
        guard let found = Self.allCases.first(where: { $0.rawValue.lowercased() == lowered }) else {
            return nil
        }
        self = found
    }

    /// The declaration that it applies to; nil for both.
    var place: Place? {
        switch self {
        case .entity, .embedded, .event, .expires, .sync: .type
        case .name, .uid, .renamedFrom, .externalName, .index, .unique, .primaryKey: nil
        default: .property
        }
    }

    /// Its form.
    var form: String {
        switch self {
        case .entity, .embedded, .event, .primaryKey, .transient, .encoded, .dateNano: rawValue
        case .name: #"name = "STORED_NAME""#
        case .uid: "uid = 123"
        case .renamedFrom: #"renamedFrom = "oldName""#
        case .expires:
            #"expires = "property" or expires = {"property": "property", "seconds": 3600}"#
        case .id: #"id or id = {"assignable": true}"#
        case .index: #"index or index = "value", "hash", "hash64", "caseInsensitive" or "text""#
        case .unique:
            #"unique or unique = {"onConflict": "fail"}, "replace", "update" or "ignore""#
        case .convert:
            #"convert = {"default": ".unknown"} or "#
                + #"convert = {"dbType": "Int", "converter": "RoleConverter"}"#
        case .type: #"type = "date", "date-nano" or "flex""#
        case .backlink: #"backlink = "property""#
        case .relation:
            #"relation = {"onDelete": "nullify", "cascade" or "deny", "#
                + #""onTargetDelete": the same, "removesOrphans": true}"#
        case .hnswIndex:
            "hnswIndex: dimensions=3, neighborsPerNode=16, indexingSearchCount=128, "
                + #"distanceType="euclidean", "cosine", "dotProduct" or "geo""#
        case .sync, .syncClock, .syncPrecedence, .externalType, .externalName, .flex,
            .idCompanion:
            rawValue
        }
    }

    /// Its form at a type, if that differs.
    var formAtType: String? {
        switch self {
        case .index:
            #"index = ["first", "second"] or "#
                + #"index = {"properties": ["first", "second"], "kind": "hash"}"#
        case .unique:
            #"unique = ["first", "second"] or "#
                + #"unique = {"properties": ["first", "second"], "onConflict": "replace"}"#
        case .primaryKey: #"primaryKey = ["first", "second"]"#
        default: nil
        }
    }

    /// Why an annotation changes nothing; nil if it does.
    var reasonForNoEffect: String? {
        switch self {
        case .sync, .syncClock, .syncPrecedence: "Daybook does not synchronise stores"
        case .externalType, .externalName:
            "Daybook has no connection to another database. The stored name is set by"
                + #" 'name = "…"'"#
        default: nil
        }
    }

    /// The remedy for a property of another type with `flex`.
    static let flexAdvice =
        "it is for bytes: Data or [UInt8]. For other types write 'encoded', which stores a Codable"
        + " value as JSON"

    /// The alternative to an unsupported annotation; nil for supported ones.
    var advice: String? {
        switch self {
        case .idCompanion:
            "ids are assigned in the order of puts. Write 'index' to search by the date"
        default: nil
        }
    }

    /// The supported annotation with the most similar name, if it is similar enough to be the
    /// intended one.
    static func nearest(to name: String) -> CommentName? {
        let letters = Array(name.lowercased().utf8.prefix(64))
        let near = allCases.filter { $0.advice == nil && $0.reasonForNoEffect == nil }
            .map { ($0, distance(letters, Array($0.rawValue.lowercased().utf8))) }
            .min { $0.1 < $1.1 }
        // One letter in three may be wrong; shorter words are similar to too many names.
        guard let near, near.1 <= 2, near.1 * 3 <= letters.count else { return nil }
        return near.0
    }

    /// The number of letters to insert, remove or replace.
    private static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
        var row = Array(0...other.count)
        for (line, letter) in one.enumerated() {
            var diagonal = row[0]
            row[0] = line + 1
            for (column, sample) in other.enumerated() {
                let replaced = diagonal + (letter == sample ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, min(row[column], row[column + 1]) + 1)
            }
        }
        return row[other.count]
    }
}
#endif

import Testing

/// The names that each product may declare, so that `import Daybook` collides with no other module.
@Suite struct ProductTests {
    /// The modules that only some users import, and the names that only these modules may declare.
    static let names: [(folder: String, names: Set<String>)] = [
        (
            "Sources/DaybookRealm/",
            [
                "AnyRealmValue", "AsymmetricObject", "Decimal128", "EmbeddedObject",
                "LinkingObjects", "List", "Map", "MutableSet", "NotificationToken", "Object",
                "ObjectId", "Persisted", "PersistedDefault", "PersistableEnum",
                "ProjectedCollection", "Realm", "RealmCollectionChange", "UpdatePolicy", "avg",
                "containsAny", "ends", "filter", "invalidate", "isSameObject", "notEquals",
                "observe", "persistableValue", "sorted", "sortedByRelevance", "starts",
            ]
        ),
        (
            "Sources/DaybookObjectBox/",
            [
                "ErrorFamily", "ObjectBoxError", "Observer", "QueryBuilder", "allContiguous",
                "attachTo", "averageInt", "closeAndDeleteAllFiles", "containsElement", "exists",
                "findContiguous", "findDoubles", "findFloats", "findString", "findStrings",
                "findUniqueDouble", "findUniqueFloat", "findUniqueString", "hasPrefix",
                "hasSuffix", "isAfter", "isBefore", "isGreaterOrEqual", "isGreaterThanEqual",
                "isLessOrEqual", "isLessThanEqual", "isNil", "isNotEqual", "isNotIn", "isNotNil",
                "publisher", "putAndReturnIDs", "resolveFromDb", "runInReadOnlyTransaction",
                "runInTransaction", "setParameter",
                "setParameters", "subscribe", "subscribeContiguous", "unsubscribe",
            ]
        ),
    ]

    private static let kinds: Set<Substring> = [
        "actor", "class", "enum", "func", "let", "macro", "protocol", "struct", "typealias", "var",
    ]

    /// Returns the name that a line declares publicly, without generic parameters and backticks.
    static func publicName(_ line: String) -> Substring? {
        let words = line.words
        guard words.contains("public") || words.contains("open"),
            let kind = words.firstIndex(where: { kinds.contains($0) && $0 != "class" })
                ?? words.firstIndex(of: "class"), kind + 1 < words.count
        else { return nil }
        return words[kind + 1]
    }

    /// Returns each declaration of one of the names outside its module.
    static func violations(in files: [SourceFile]) -> [String] {
        names.flatMap { module in
            files.filter { !$0.path.hasPrefix(module.folder) }.flatMap { file in
                file.code.indices.compactMap { index in
                    guard let name = publicName(file.code[index]),
                        module.names.contains(String(name))
                    else { return nil }
                    return "\(file.place(index)) declares \(name)"
                }
            }
        }
    }

    @Test func `names of other libraries are declared in the modules for them`() {
        #expect(Self.violations(in: SourceTree.sources) == [])
        for (folder, names) in Self.names {
            let own = SourceTree.sources.filter { $0.path.hasPrefix(folder) }
            let declared = own.flatMap { $0.code.compactMap(Self.publicName) }.map(String.init)
            #expect(names.subtracting(declared) == [])
        }
    }

    @Test func `a name of another library in Daybook is reported`() {
        let file = SourceFile(
            path: "Sources/Daybook/A.swift",
            text: """
                public final class List<Element> {}
                public typealias Decimal128 = Int
                nonisolated open class Object {
                    public static func observe(on queue: Int) {}
                }
                struct Map {}
                public struct Listing {}
                """)
        #expect(
            Self.violations(in: [file]) == [
                "Sources/Daybook/A.swift:1 declares List",
                "Sources/Daybook/A.swift:2 declares Decimal128",
                "Sources/Daybook/A.swift:3 declares Object",
                "Sources/Daybook/A.swift:4 declares observe",
            ])
    }
}

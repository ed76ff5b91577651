#if Macros
extension EntityDiagnostic {
    /// The messages for attributes and comments.
    var markMessage: String {
        switch self {
        case .primaryKeyTwice(let names):
            "an entity has one primary key, but it is given more than once: " + Self.list(names)
                + ". A key of several properties belongs on the type: @PrimaryKey("
                + names.map { "\"\($0)\"" }.joined(separator: ", ") + ")"
        case .columnUnknown(let mark, let column, let name):
            "@\(mark.rawValue) names '\(column)', which is not a stored property of '\(name)'"
        case .expiryUnknown(let property, let name):
            "'expires' names '\(property)', which is not a stored property of '\(name)'"
        case .expiryTwice(let name, let properties):
            "'\(name)' can expire by one property, but several are given: " + Self.list(properties)
        case .markUnsuitable(let mark, let property, let reason):
            "'\(property)' cannot have '\(mark)': \(reason.words)"
        case .markDisagreement(let mark, let subject):
            "the annotations of '\(subject)' contradict each other about '\(mark.rawValue)': keep "
                + "one"
        case .transientMarked(let mark, let property):
            "'\(property)' is transient and not stored, so '\(mark)' has no effect: remove one of "
                + "them"
        case .markTwice(let mark):
            "@\(mark.rawValue) is attached twice: combine both into one"
        case .backlinkUnnamed(let name):
            "'\(name)' does not name the relation that it reads in reverse: mark it @Backlink, "
                + "with the key path of that relation"
        case .backlinkTargetUnknown(let name, let origin):
            "the type of '\(name)' does not show which entity declares '\(origin)': write the "
                + "type, such as 'ToMany<Order>', or a key path, such as "
                + "@Backlink(\\Order.\(origin))"
        case .indexUnneeded(let mark, let property):
            "'\(mark)' has no effect here: '\(property)' is a relation, which is indexed in both "
                + "directions already"
        case .markMisplaced(let mark, .onProperty):
            "@\(mark.rawValue) belongs on a stored property of an entity"
        case .markMisplaced(let mark, .onTypeOrProperty):
            "@\(mark.rawValue) belongs on an entity or on a stored property of one"
        case .markMisplaced(let mark, .withoutNames):
            "@\(mark.rawValue) on a property applies to that property: to name several, attach it "
                + "to the type"
        case .markMisplaced(let mark, .withNames):
            "@\(mark.rawValue) on a type names its properties: @\(mark.rawValue)(\"first\", "
                + "\"second\")"
        case .markWithoutEffect(let mark):
            "@\(mark.rawValue) has no effect here: this property is not stored anyway"
        case .argumentUnreadable(let attribute, let expected):
            "@\(attribute) is read at compile time, so its argument must be \(expected)"
        case .functionUnreadable(let name, let expected):
            "'\(name)()' is read at compile time, so it must return \(expected)"
        case .functionColumnUnknown(let function, let column, let name):
            "'\(function)()' names '\(column)', which is not a stored property of '\(name)'"
        default: ""
        }
    }
}

extension EntityDiagnostic.MarkReason {
    fileprivate var words: String {
        switch self {
        case .identity: "it is the id, which is unique and indexed already"
        case .relation: "it is a relation, which has no value of its own"
        case .embedded: "an embedded object has no id, key or index of its own"
        case .event: "an event is appended and has no index"
        case .realmObject: "an 'Object' has its id already"
        case .collection(let type): "values of '\(type)' cannot be indexed"
        case .notString(let type): "only strings can have hashed indexes, and its type is '\(type)'"
        case .notText(let type): "such an index requires 'String', and its type is '\(type)'"
        case .severalTexts:
            "a text index covers one property: mark each of them @Index(.text)"
        case .noText:
            "a case-insensitive index requires a 'String', and none of these has that type"
        case .notVector(let type): "it requires '[Float]', and its type is '\(type)'"
        case .notDate(let type): "it requires 'Date', and its type is '\(type)'"
        case .notEnumeration(let type):
            "a default replaces the unknown raw values of an enum, and its type is '\(type)'; for "
                + "the elements of a collection, use @Convert(Converter.self, as: Stored.self)"
        case .notRelation(let type): "it requires a relation, and its type is '\(type)'"
        case .notBacklink(let type):
            "it requires 'ToMany' or 'LinkingObjects', and its type is '\(type)'"
        case .nameless: "it is a backlink, which has no stored name"
        case .backlink: "it is a backlink, whose rules are arguments of @Backlink"
        case .targetOfBacklink:
            "it is a backlink, and this rule is 'onDelete' of the relation that it reads in reverse"
        }
    }
}
#endif

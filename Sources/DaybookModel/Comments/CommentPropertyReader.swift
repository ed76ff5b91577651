#if Macros
internal import SwiftSyntax
internal import SwiftSyntaxBuilder

/// Reads the annotations of a property.
struct CommentPropertyReader {
    private(set) var annotations = PropertyAnnotations()
    var problems = CommentProblems()
    private var seen: Set<CommentName> = []

    mutating func read(_ statement: CommentStatement) {
        for (name, annotation) in problems.known(statement, at: .property, seen: &seen) {
            if let problem = read(name, annotation) {
                problems.report(problem, at: annotation.range, in: statement.node)
            }
        }
    }

    private mutating func read(
        _ name: CommentName, _ annotation: CommentAnnotation
    ) -> CommentDiagnostic? {
        switch name {
        case .name: annotation.name { annotations.storedName = $0 }
        case .uid: annotation.uid { annotations.uid = $0 }
        case .renamedFrom: annotation.names { annotations.formerNames += $0 }
        case .id: readIdentity(annotation)
        case .primaryKey: annotation.mark { annotations.isPrimaryKey = true }
        case .index: readIndex(annotation)
        case .unique: readUnique(annotation)
        case .hnswIndex: annotation.vector { annotations.vector = $0 }
        case .transient: annotation.mark { annotations.isTransient = true }
        case .backlink:
            annotation.text { text in
                guard text.isIdentifier else { return annotation.unsuitable }
                annotations.backlink = text
                return nil
            }
        case .relation: readRelation(annotation)
        case .convert: readConversion(annotation)
        case .encoded:
            annotation.mark {} ?? convert(.encoded)
        case .dateNano:
            annotation.mark {} ?? convert(.nanoseconds)
        case .flex: annotation.mark { annotations.isFlexible = true }
        case .type: readType(annotation)
        default: annotation.unsuitable
        }
    }

    private mutating func readIdentity(_ annotation: CommentAnnotation) -> CommentDiagnostic? {
        annotations.isIdentity = true
        guard annotation.value != nil else { return nil }
        guard let texts = annotation.texts(of: ["assignable"]), let text = texts["assignable"],
            let isAssignable = Bool(text)
        else { return annotation.unsuitable }
        annotations.isAssignable = isAssignable
        return nil
    }

    private mutating func readIndex(_ annotation: CommentAnnotation) -> CommentDiagnostic? {
        annotations.index = ""
        guard annotation.value != nil else { return nil }
        return annotation.text { text in
            guard CommentName.indexKinds.contains(text) else { return annotation.unsuitable }
            annotations.index = text
            return nil
        }
    }

    private mutating func readUnique(_ annotation: CommentAnnotation) -> CommentDiagnostic? {
        annotations.unique = ""
        guard annotation.value != nil else { return nil }
        guard let texts = annotation.texts(of: ["onConflict"]), let text = texts["onConflict"],
            CommentName.conflicts.contains(text)
        else { return annotation.unsuitable }
        annotations.unique = text
        return nil
    }

    private mutating func readRelation(_ annotation: CommentAnnotation) -> CommentDiagnostic? {
        annotations.isRelation = true
        guard annotation.value != nil else { return nil }
        let keys: Set = ["onDelete", "onTargetDelete", "removesOrphans"]
        guard let texts = annotation.texts(of: keys), !texts.isEmpty else {
            return annotation.unsuitable
        }
        let rules = [texts["onDelete"], texts["onTargetDelete"]].compactMap(\.self)
        let removal = texts["removesOrphans"]
        guard rules.allSatisfy(RelationRules.names.contains),
            removal.map({ Bool($0) != nil }) != false
        else { return annotation.unsuitable }
        annotations.rules.onDelete = texts["onDelete"]
        annotations.rules.onTargetDelete = texts["onTargetDelete"]
        annotations.rules.removesOrphans = removal.flatMap(Bool.init)
        return nil
    }

    private mutating func readType(_ annotation: CommentAnnotation) -> CommentDiagnostic? {
        annotation.text { text in
            // A date has milliseconds by default.
            if text == "date" { return nil }
            if text == "flex" {
                annotations.isFlexible = true
                return nil
            }
            guard text == "date-nano" else { return annotation.unsuitable }
            return convert(.nanoseconds)
        }
    }

    /// Reads a default or a converter. Without either, the type defines the conversion, such as an
    /// optional of raw values.
    private mutating func readConversion(_ annotation: CommentAnnotation) -> CommentDiagnostic? {
        guard annotation.value != nil else { return nil }
        guard let texts = annotation.texts(of: ["default", "dbType", "converter"]) else {
            return annotation.unsuitable
        }
        for (key, text) in texts.sorted(by: { $0.key < $1.key }) {
            let isSwift = key == "default" ? text.isExpression : text.isType
            if !isSwift {
                return .notSwift(text, kind: key == "default" ? "an expression" : "a type")
            }
        }
        switch (texts["default"], texts["converter"], texts["dbType"]) {
        case (let fallback?, nil, _): return convert(.fallback(fallback))
        case (nil, let type?, let stored?): return convert(.converter(type: type, stored: stored))
        case (nil, nil, _): return nil
        default: return annotation.unsuitable
        }
    }

    private mutating func convert(
        _ conversion: PropertyAnnotations.Conversion
    ) -> CommentDiagnostic? {
        guard annotations.conversion == nil || annotations.conversion == conversion else {
            return .convertedTwice
        }
        annotations.conversion = conversion
        return nil
    }
}

extension String {
    /// Whether the text is one complete Swift expression.
    fileprivate var isExpression: Bool {
        let expression: ExprSyntax = "\(raw: self)"
        return !expression.hasError && !expression.is(MissingExprSyntax.self)
    }

    fileprivate var isType: Bool {
        let type: TypeSyntax = "\(raw: self)"
        return !type.hasError && !type.is(MissingTypeSyntax.self)
    }

    var isIdentifier: Bool {
        first?.isNumber == false && allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }
}
#endif

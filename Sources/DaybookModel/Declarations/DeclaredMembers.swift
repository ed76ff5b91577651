#if Macros
internal import SwiftDiagnostics
internal import SwiftSyntax

/// The members of a type that determine its stored properties and its creation.
struct DeclaredMembers {
    /// The stored instance variables and constants, outside and inside `#if`.
    private(set) var variables: [StoredVariable] = []
    /// The ids of the names of variables inside `#if`.
    private(set) var conditional: Set<SyntaxIdentifier> = []
    /// The tuple patterns with stored values, without `@Transient` ones.
    private(set) var tuplePatterns: [TuplePatternSyntax] = []
    /// Whether a computed instance property is named `entityId`.
    private(set) var computesEntityId = false
    /// Whether the type has Realm's `propertiesMapping()`.
    private(set) var mapsProperties = false
    /// The written initializer that a call without arguments uses: `init()`, or else the only one
    /// whose parameters all have defaults.
    var emptyInitializer: InitializerDeclSyntax? {
        plainInitializer ?? (defaultedInitializers.count == 1 ? defaultedInitializers[0] : nil)
    }

    private var plainInitializer: InitializerDeclSyntax?
    private var defaultedInitializers: [InitializerDeclSyntax] = []
    /// The names in functions of Realm that are not properties, with their places.
    private(set) var unknownColumns: [(function: String, name: String, place: ExprSyntax)] = []
    /// The errors of the annotations.
    private(set) var diagnostics: [Diagnostic] = []
    private var writesInitializer = false

    init(of type: TypeDeclaration, realmBase: EntityModel.RealmBase?) {
        let members = type.memberBlock.members
        add(members, isConditional: false)
        if type.shape == .structure {
            for index in variables.indices where variables[index].isConstant {
                variables[index].isInitializedConstant = variables[index].initialValue == nil
            }
        }
        if realmBase != nil { readRealm(members) }
        ignoreUnmarked()
    }

    /// Reads the older declarations of a class of Realm.
    private mutating func readRealm(_ members: MemberBlockItemListSyntax) {
        for index in variables.indices {
            variables[index].isMutableConstant = variables[index].hasMutableRealmType
            if let origin = variables[index].linkingOrigin {
                variables[index].annotations.backlink = origin.property
                variables[index].annotations.backlinkTarget = origin.type
            }
        }
        apply(RealmFunctions(members))
    }

    /// Realm's rule: if any property is marked, unmarked ones are ignored.
    private mutating func ignoreUnmarked() {
        guard variables.contains(where: \.annotations.isPersisted) else { return }
        for index in variables.indices where !variables[index].annotations.isPersisted {
            variables[index].isIgnored = true
        }
        tuplePatterns = []
    }

    /// Applies the functions of a class of Realm that name properties.
    private mutating func apply(_ functions: RealmFunctions) {
        diagnostics += functions.diagnostics
        for (function, name, place) in functions.names {
            let found = variables.firstIndex { $0.name == name }
            guard let index = found else {
                unknownColumns.append((function.rawValue, name, place))
                continue
            }
            switch function {
            case .primaryKey: variables[index].annotations.isPrimaryKey = true
            case .indexedProperties: variables[index].annotations.index = ""
            case .ignoredProperties: variables[index].isIgnored = true
            }
        }
    }

    /// Whether the compiler would add an `init()` to a class with these members: every property has
    /// a default, and the class has no designated initializer and no `init()`.
    var allowEmptyInitializer: Bool {
        !writesInitializer && tuplePatterns.isEmpty && variables.allSatisfy(\.hasDefault)
    }

    /// The names of the properties without a default, if the class has no designated initializer.
    var uninitialized: [String] {
        writesInitializer ? [] : variables.filter { !$0.hasDefault }.map(\.name)
    }

    private mutating func add(_ members: MemberBlockItemListSyntax, isConditional: Bool) {
        for member in members {
            if let variable = member.decl.as(VariableDeclSyntax.self) {
                add(variable, isConditional: isConditional)
            } else if let initializer = member.decl.as(InitializerDeclSyntax.self) {
                add(initializer)
            } else if let function = member.decl.as(FunctionDeclSyntax.self) {
                if function.name.text == "propertiesMapping" { mapsProperties = true }
            } else if let condition = member.decl.as(IfConfigDeclSyntax.self) {
                for clause in condition.clauses {
                    guard case .decls(let inner)? = clause.elements else { continue }
                    add(inner, isConditional: true)
                }
            }
        }
    }

    private mutating func add(_ initializer: InitializerDeclSyntax) {
        let isConvenience = initializer.modifiers.contains {
            $0.name.tokenKind == .keyword(.convenience)
        }
        let parameters = initializer.signature.parameterClause.parameters
        if !isConvenience || parameters.isEmpty { writesInitializer = true }
        guard initializer.optionalMark == nil else { return }
        if parameters.isEmpty {
            plainInitializer = initializer
        } else if initializer.canOmitArguments {
            defaultedInitializers.append(initializer)
        }
    }

    private mutating func add(_ declaration: VariableDeclSyntax, isConditional: Bool) {
        let reading = PropertyAnnotations.read(declaration)
        diagnostics += reading.diagnostics
        let stored = StoredVariable.all(in: declaration, annotations: reading.annotations)
        variables += stored
        if isConditional { conditional.formUnion(stored.map(\.identifier.id)) }
        let patterns = StoredVariable.tuplePatterns(in: declaration)
        if !reading.annotations.isTransient { tuplePatterns += patterns }
        if stored.isEmpty, declaration.declaresComputedEntityId { computesEntityId = true }
        if stored.isEmpty, patterns.isEmpty, reading.isCommented {
            // The expansion of the attribute itself reports it.
            let mark = reading.annotations.marks.first ?? .transient
            diagnostics.append(
                Diagnostic(
                    node: declaration.bindingSpecifier,
                    message: EntityDiagnostic.markWithoutEffect(mark: mark)))
        }
    }
}

extension InitializerDeclSyntax {
    /// Whether every parameter has a default or is variadic. The types of generic parameters could
    /// not be inferred without arguments.
    fileprivate var canOmitArguments: Bool {
        guard genericParameterClause == nil, signature.effectSpecifiers == nil else { return false }
        return signature.parameterClause.parameters.allSatisfy {
            $0.defaultValue != nil || $0.ellipsis != nil
        }
    }
}

extension VariableDeclSyntax {
    fileprivate var declaresComputedEntityId: Bool {
        let isInstance = !modifiers.contains {
            $0.name.tokenKind == .keyword(.static) || $0.name.tokenKind == .keyword(.class)
        }
        return isInstance
            && bindings.contains {
                $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.text == "entityId"
            }
    }
}
#endif

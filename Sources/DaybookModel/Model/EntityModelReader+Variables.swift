#if Macros
internal import SwiftDiagnostics
internal import SwiftSyntax

extension EntityModelReader {
    /// Reports every variable that can be neither stored nor ignored.
    mutating func checkVariables(_ members: DeclaredMembers) {
        for pattern in members.tuplePatterns {
            report(.tuplePattern, at: pattern)
        }
        let variables = members.variables.filter { !$0.isIgnored }
        checkConstants(variables)
        for variable in variables where !variable.isTransient {
            if let lazy = variable.lazyModifier {
                report(
                    .lazy(name: variable.name), at: lazy,
                    fixIts: [EntityFixIt.add("@Transient", to: variable.declaration)])
            } else if variable.isKept {
                checkKept(
                    variable, isConditional: members.conditional.contains(variable.identifier.id))
            }
        }
    }

    /// Reports properties without a value after an initializer that reads rows.
    mutating func checkDefaults(_ members: DeclaredMembers) {
        for variable in members.variables where !variable.hasDefault && !variable.mayBeWrapped {
            if variable.isTransient {
                report(.transientWithoutDefault(name: variable.name), at: variable.identifier)
            }
        }
    }

    private mutating func checkKept(_ variable: StoredVariable, isConditional: Bool) {
        if isConditional {
            report(
                .conditional(name: variable.name), at: variable.identifier,
                fixIts: [EntityFixIt.add("@Transient", to: variable.declaration)])
        }
        checkOptional(variable)
        if variable.annotations.isFlexible, variable.shownType?.isBytes != true {
            diagnostics.append(
                Diagnostic(
                    node: variable.identifier,
                    message: CommentDiagnostic.unsupported("flex", advice: CommentName.flexAdvice)))
        }
        if let weak = variable.weakModifier {
            report(
                .weak(name: variable.name, modifier: weak.name.text), at: weak,
                fixIts: [EntityFixIt.add("@Transient", to: variable.declaration)])
        }
        if let attribute = variable.declaration.attributes.attribute(named: "MainActor") {
            report(
                .isolatedProperty(name: variable.name), at: attribute,
                fixIts: [EntityFixIt.remove(attribute)])
        }
    }

    /// Reports an optional relation, which other libraries allow.
    private mutating func checkOptional(_ variable: StoredVariable) {
        guard let type = variable.type, let shown = variable.shownType, shown.isOptional,
            shown.isRelation, let wrapped = ShownType.wrapped(inAll: type)
        else { return }
        let beginsWithNil = variable.initialValue == nil && !shown.isLinkingObjects
        report(
            .relationOptional(name: variable.name), at: type,
            fixIts: [EntityFixIt.unwrap(type, as: wrapped, withNil: beginsWithNil)])
    }

    /// Reports each `let` once, with its properties that have no value, or whose value is a mutable
    /// object.
    private mutating func checkConstants(_ variables: [StoredVariable]) {
        var declarations: [VariableDeclSyntax] = []
        var names: [SyntaxIdentifier: [String]] = [:]
        for variable in variables
        where variable.isConstant && !variable.isTransient && variable.isStateful {
            let declaration = variable.declaration
            if names[declaration.id] == nil { declarations.append(declaration) }
            names[declaration.id, default: []].append(variable.name)
        }
        for declaration in declarations {
            report(
                .constant(names: names[declaration.id] ?? []), at: declaration.bindingSpecifier,
                fixIts: [EntityFixIt.makeVariable(declaration)])
        }
    }
}
#endif

#if Macros
import DaybookModel
import SwiftDiagnostics
import SwiftSyntax

/// The code for all entities of a module's files.
struct Generation {
    /// The text of the generated file; nil where something is wrong.
    private(set) var text: String?
    /// What is wrong or noteworthy, in the form that Xcode and SwiftPM show.
    private(set) var messages: [String] = []

    private var hasErrors = false
    /// The types by their names in the store.
    private var owners: [String: String] = [:]
    private var written = GeneratedText()
    private var backlinks = BacklinkCheck()
    private let names: ModuleNames

    /// Reads the files in their order. Takes time in proportion to their length.
    init(module: String, files: [SourceText]) {
        names = ModuleNames(files)
        for file in files { read(file) }
        for problem in backlinks.problems { report([problem.diagnostic], in: problem.file) }
        written.imports.learn(from: files)
        text = hasErrors ? nil : written.text(of: module)
    }

    private mutating func read(_ file: SourceText) {
        let search = EntitySearch(file, in: names)
        report(search.diagnostics, in: file)
        var codes: [String] = []
        for found in search.found {
            switch found.spelling {
            case .attribute: register(found, in: file)
            case .plain:
                codes += code(of: found, in: file)
            case .projection:
                if let code = projection(of: found, in: file) { codes.append(code) }
            }
        }
        if !codes.isEmpty { written.add(codes, of: file) }
    }

    private mutating func report(_ diagnostics: [Diagnostic], in file: SourceText) {
        messages += diagnostics.map(file.line)
        hasErrors = hasErrors || diagnostics.contains { $0.diagMessage.severity == .error }
    }

    private mutating func report(
        _ message: GenerationDiagnostic, at node: some SyntaxProtocol, in file: SourceText
    ) {
        report([Diagnostic(node: node, message: message)], in: file)
    }
}

// MARK: One type

extension Generation {
    /// Where nothing outside can name a type.
    private static let bodies: Set<SyntaxKind> = [
        .codeBlock, .closureExpr, .accessorDecl, .accessorBlock,
    ]

    /// A type that its macro looks after: the store has to know it.
    private mutating func register(_ found: EntitySearch.Found, in file: SourceText) {
        let declaration = found.declaration
        guard declaration.attributes.attribute(named: "Embedded") == nil else { return }
        let isHidden = declaration.stands(in: Self.bodies.union([.ifConfigDecl]))
        if isHidden || hidingModifier(of: declaration) != nil {
            report(.notRegistered(found.name.text), at: found.name, in: file)
        } else {
            written.entities.append(qualifiedName(of: declaration, named: found.name))
            // What is wrong in it is its macro's to say.
            let reading = EntityModelReader.read(
                declaration, within: declaration.enclosingDeclarations)
            if let model = reading.model, found.spelling == .attribute {
                backlinks.add(model, of: declaration, in: file)
            }
        }
    }

    /// The code for an entity; none where the conformance is written by hand, or something is
    /// wrong.
    private mutating func code(of found: EntitySearch.Found, in file: SourceText) -> [String] {
        let declaration = found.declaration
        let name = found.name.identifier?.name ?? found.name.text
        let qualified = qualifiedName(of: declaration, named: found.name)
        if declaration.describesEntity || names.described.contains(qualified) {
            // The conformance is written by hand.
            register(found, in: file)
            return []
        }
        guard isReachable(.entity(name), found, in: file) else { return [] }
        let reading = EntityModelReader.read(
            declaration, within: declaration.enclosingDeclarations, placement: .otherFile)
        report(reading.diagnostics, in: file)
        guard var model = reading.model else { return [] }
        if let other = owners.updateValue(qualified, forKey: model.storedName) {
            report(.nameTaken(model.storedName, by: other), at: found.name, in: file)
        }
        var stored = model.properties.map(\.spelling) + model.backlinks.map(\.spelling)
        if case .property(let spelling) = model.identity { stored.append(spelling) }
        checkProperties(stored, of: .entity(name), in: declaration, file)
        backlinks.add(model, of: declaration, in: file)
        respell(&model)
        written.add(model)
        let code = EntityCode(model, placement: .otherFile)
            .extensionText(statingConformance: !model.statesConformance)
        return [code] + (leadingDotCode(of: model).map { [$0] } ?? [])
    }

    /// What conditions that begin with a dot find.
    private func leadingDotCode(of model: EntityModel) -> String? {
        var model = model
        for index in model.descriptors.indices {
            model.descriptors[index].type = model.descriptors[index].type.flatMap {
                TypeSpelling.outside($0, of: model.qualifiedName, in: names)
            }
        }
        return EntityCode(model, placement: .otherFile).leadingDotText()
    }

    /// The code for a projection, unless it is written by hand or something is wrong.
    private mutating func projection(
        of found: EntitySearch.Found, in file: SourceText
    ) -> String? {
        let declaration = found.declaration
        let qualified = qualifiedName(of: declaration, named: found.name)
        if declaration.decodes || names.decoded.contains(qualified) { return nil }
        let subject = GenerationDiagnostic.Subject.projection(
            found.name.identifier?.name ?? found.name.text)
        guard isReachable(subject, found, in: file) else { return nil }
        let reading = ProjectionModelReader.read(
            declaration, attribute: nil, qualifiedName: qualified,
            within: declaration.enclosingDeclarations)
        report(reading.diagnostics, in: file)
        guard var model = reading.model else { return nil }
        checkProperties(model.properties.map(\.spelling), of: subject, in: declaration, file)
        model.root = names.spelling(of: model.root, in: qualified)
        if model.access != .inherited { written.imports.hasVisibleEntities = true }
        return ProjectionCode(model).extensionText(statingConformance: !model.statesConformance)
    }

    /// Whether the generated file can see a type; reports why not.
    private mutating func isReachable(
        _ subject: GenerationDiagnostic.Subject, _ found: EntitySearch.Found, in file: SourceText
    ) -> Bool {
        let declaration = found.declaration
        if declaration.stands(in: Self.bodies) {
            report(.local(subject), at: found.name, in: file)
        } else if declaration.stands(in: [.ifConfigDecl]) {
            report(.conditional(subject), at: found.name, in: file)
        } else if let modifier = hidingModifier(of: declaration) {
            report(.hiddenType(subject, modifier: modifier.name.text), at: modifier, in: file)
        } else {
            return true
        }
        return false
    }

    /// The code that a declaration holds is copied to where other names are known.
    private func respell(_ model: inout EntityModel) {
        let owner = model.qualifiedName
        for index in model.properties.indices {
            let conversion = model.properties[index].conversion
            model.properties[index].conversion = conversion.map { respelled($0, in: owner) }
            guard conversion == .encoded else { continue }
            let value = model.properties[index].initialValue
            model.properties[index].initialValue = value.map { names.spelling(of: $0, in: owner) }
        }
        for index in model.descriptors.indices {
            guard case .stored(let conversion?) = model.descriptors[index].content else { continue }
            model.descriptors[index].content = .stored(respelled(conversion, in: owner))
        }
        for index in model.backlinks.indices {
            model.backlinks[index].target = names.spelling(
                of: model.backlinks[index].target, in: owner)
        }
    }

    private func respelled(
        _ conversion: PropertyAnnotations.Conversion, in owner: String
    ) -> PropertyAnnotations.Conversion {
        switch conversion {
        case .fallback(let value): .fallback(names.spelling(of: value, in: owner))
        case .converter(let type, let stored):
            .converter(
                type: names.spelling(of: type, in: owner),
                stored: names.spelling(of: stored, in: owner))
        case .encoded, .nanoseconds: conversion
        }
    }

    /// `private` at a type or extension, or around it, hides it from other files.
    private func hidingModifier(of declaration: any DeclGroupSyntax) -> DeclModifierSyntax? {
        let around = declaration.enclosingDeclarations.compactMap {
            $0.asProtocol((any DeclGroupSyntax).self)
        }
        return ([declaration] + around).lazy.compactMap(\.modifiers.hiding).first
    }

    private func qualifiedName(of declaration: any DeclGroupSyntax, named name: TokenSyntax)
        -> String
    {
        let around = declaration.enclosingDeclarations.reversed().compactMap { outer in
            outer.asProtocol((any DeclGroupSyntax).self)?.ownName
        }
        return (around + [name.text]).joined(separator: ".")
    }

    /// Reports those of a type's properties, named as code spells them, that another file cannot
    /// read or set.
    private mutating func checkProperties(
        _ stored: [String], of subject: GenerationDiagnostic.Subject,
        in declaration: any DeclGroupSyntax, _ file: SourceText
    ) {
        for member in declaration.memberBlock.members {
            guard let variable = member.decl.as(VariableDeclSyntax.self),
                let modifier = variable.modifiers.hiding
            else { continue }
            for binding in variable.bindings {
                let name = binding.pattern.trimmedDescription
                guard stored.contains(name) else { continue }
                let word = modifier.name.text
                let problem: GenerationDiagnostic =
                    modifier.detail == nil
                    ? .hiddenProperty(name, of: subject, modifier: word)
                    : .hiddenSetter(name, of: subject, modifier: word)
                report(problem, at: modifier, in: file)
            }
        }
    }
}
#endif

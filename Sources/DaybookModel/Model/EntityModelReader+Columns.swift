#if Macros
internal import SwiftDiagnostics
internal import SwiftSyntax

extension EntityModelReader {
    /// Reports two properties with the same stored name.
    mutating func checkStoredNames(_ kept: [StoredVariable]) {
        let kept = kept.filter { !$0.isBacklink }
        for (index, variable) in kept.enumerated() {
            guard let first = kept[..<index].first(where: { $0.storedName == variable.storedName })
            else { continue }
            report(
                .storedNameTwice(
                    stored: variable.storedName, properties: [first.name, variable.name]),
                at: variable.identifier)
        }
    }

    /// Reports a second primary key.
    mutating func checkPrimaryKeys(_ kept: [StoredVariable]) {
        let keys = kept.filter(\.annotations.isPrimaryKey)
        let onType = annotations.primaryKey
        guard kind == .entity, let last = keys.last, keys.count + onType.count > 1 else { return }
        let attributes = keys.compactMap { $0.declaration.attributes.attribute(for: .primaryKey) }
        let isWhole = onType.isEmpty && attributes.count == keys.count
        let names = keys.map(\.name)
        report(
            .primaryKeyTwice(names: names + onType.filter { !names.contains($0) }),
            at: last.identifier,
            fixIts: isWhole ? [EntityFixIt.combine(attributes, naming: names, on: type)] : [])
    }

    /// Reports names in the type's attributes that are not stored properties, or are properties
    /// that cannot be looked up.
    mutating func checkColumns(_ kept: [StoredVariable]) {
        let named =
            annotations.indexes.map { (Mark.index, $0.names) }
            + annotations.uniques.map { (Mark.unique, $0.names) }
            + [(Mark.primaryKey, annotations.primaryKey)]
        let columns = kept.filter { !$0.isBacklink }
        for (mark, names) in named where !names.isEmpty {
            guard kind == .entity else {
                let reason = kind == .event ? EntityDiagnostic.MarkReason.event : .embedded
                report(
                    .markUnsuitable(
                        mark: "@\(mark.rawValue)", property: type.plainName, reason: reason),
                    at: type.name,
                    fixIts: type.attributes.attribute(for: mark).map { [EntityFixIt.remove($0)] }
                        ?? [])
                continue
            }
            for name in names { check(name, mark, among: columns) }
        }
        guard kind == .entity else { return }
        for index in annotations.indexes where index.kind?.isKindOfTexts == true {
            checkTexts(index, among: columns)
        }
    }

    /// Reports an index of texts over other types, as far as the declaration shows it.
    private mutating func checkTexts(
        _ index: EntityAnnotations.Columns, among columns: [StoredVariable]
    ) {
        let named = index.names.compactMap { name in columns.first { $0.name == name } }
        guard named.count == index.names.count, let last = index.names.last else { return }
        let others = named.compactMap { column -> ShownType? in
            guard column.annotations.conversion == nil, let shown = column.shownType else {
                return nil
            }
            return shown.isPlain && !shown.isString ? shown : nil
        }
        var reason: EntityDiagnostic.MarkReason?
        if index.kind == "text", index.names.count > 1 {
            reason = .severalTexts
        } else if index.names.count == 1, let other = others.first {
            reason = .notText(type: other.text)
        } else if others.count == named.count {
            reason = .noText
        }
        guard let reason else { return }
        let place = literal(last, in: .index)
        report(
            .markUnsuitable(
                mark: "@Index", property: index.names.joined(separator: ", "), reason: reason),
            at: place.map(Syntax.init) ?? Syntax(type.name))
    }

    private mutating func check(_ name: String, _ mark: Mark, among columns: [StoredVariable]) {
        let place = literal(name, in: mark)
        guard let column = columns.first(where: { $0.name == name }) else {
            let near = NearestName.find(name, among: columns.map(\.name))
            let fixIt = near.flatMap { near in place.map { EntityFixIt.rename($0, to: near) } }
            report(
                .columnUnknown(mark: mark, column: name, name: type.plainName),
                at: place.map(Syntax.init) ?? Syntax(type.name), fixIts: fixIt.map { [$0] } ?? [])
            return
        }
        guard let shown = column.shownType, column.annotations.conversion == nil,
            shown.isCollection || shown.isRelation
        else { return }
        report(
            .markUnsuitable(
                mark: "@\(mark.rawValue)", property: name,
                reason: shown.isRelation ? .relation : .collection(type: shown.text)),
            at: place.map(Syntax.init) ?? Syntax(type.name))
    }

    /// The literal with that name in the arguments of the type's attributes.
    private func literal(_ name: String, in mark: Mark) -> ExprSyntax? {
        type.attributes.plain.lazy.filter { Mark($0) == mark }
            .flatMap { AttributeArguments($0).unlabeled }
            .first { $0.stringText == name }
    }
}

/// Finds the most similar name, for fix-its.
package enum NearestName {
    /// The candidate with the fewest letters to change, if they are few; the first of several.
    package static func find(_ name: String, among candidates: [String]) -> String? {
        let measured = candidates.map { ($0, distance($0.lowercased(), name.lowercased())) }
        guard let best = measured.min(by: { $0.1 < $1.1 }) else { return nil }
        return best.1 <= min(2, name.count / 3) ? best.0 : nil
    }

    /// The number of letters to insert, remove or replace.
    private static func distance(_ first: String, _ second: String) -> Int {
        let second = Array(second)
        var row = Array(0...second.count)
        for (line, letter) in first.enumerated() {
            var diagonal = row[0]
            row[0] = line + 1
            for (column, other) in second.enumerated() {
                let replaced = diagonal + (letter == other ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
            }
        }
        return row[second.count]
    }
}
#endif

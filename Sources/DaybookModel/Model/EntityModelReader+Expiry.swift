#if Macros
internal import SwiftDiagnostics
internal import SwiftSyntax

extension EntityModelReader {
    /// Reports an expiry that does not name a stored date, as far as the declaration shows it, an
    /// expiry of a type that is not an entity, and a second expiry.
    mutating func checkExpiry(_ kept: [StoredVariable]) {
        guard let expiry = annotations.expiries.first else { return }
        let literal = expiryLiteral
        let place = literal.map(Syntax.init) ?? Syntax(type.name)
        guard kind == .entity else {
            let reason = kind == .event ? EntityDiagnostic.MarkReason.event : .embedded
            report(
                .markUnsuitable(mark: "expires", property: type.plainName, reason: reason),
                at: place)
            return
        }
        guard annotations.expiries.count == 1 else {
            let names = annotations.expiries.map(\.name)
            report(.expiryTwice(name: type.plainName, properties: names), at: place)
            return
        }
        let columns = kept.filter { !$0.isBacklink }
        guard let column = columns.first(where: { $0.name == expiry.name }) else {
            let near = NearestName.find(expiry.name, among: columns.map(\.name))
            let fixIt = near.flatMap { near in literal.map { EntityFixIt.rename($0, to: near) } }
            report(
                .expiryUnknown(property: expiry.name, name: type.plainName), at: place,
                fixIts: fixIt.map { [$0] } ?? [])
            return
        }
        guard let shown = column.shownType, shown.name != "Date" else { return }
        // A type of the program may be another name of Date; the store checks it.
        guard shown.isPlain || shown.isCollection || shown.isRelation else { return }
        report(
            .markUnsuitable(
                mark: "expires", property: column.name, reason: .notDate(type: shown.text)),
            at: place)
    }

    /// The literal with the name of the property in the attribute of the type.
    private var expiryLiteral: ExprSyntax? {
        type.attributes.plain.lazy.filter { $0.nameInDaybook == "Entity" }
            .compactMap { AttributeArguments($0).labeled("expires") }.first
    }
}
#endif

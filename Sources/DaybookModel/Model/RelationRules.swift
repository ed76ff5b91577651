#if Macros
/// The declared delete rules at both ends of a relation; nil if unspecified.
package struct RelationRules: Hashable, Sendable {
    /// The rule for the target objects when the object with the property is removed.
    package var onDelete: String?
    /// The rule for the object with the property when a target is removed.
    package var onTargetDelete: String?
    /// Whether a target is removed when it loses its last link.
    package var removesOrphans: Bool?

    /// Creates unspecified rules.
    package init() {}

    /// The rules as named in code.
    static let names = ["nullify", "cascade", "deny"]

    /// The rule with the most similar name.
    static func nearest(to name: String) -> String? {
        switch name.lowercased() {
        case "setnull", "setnil", "unlink", "none", "noaction": "nullify"
        case "delete", "remove": "cascade"
        case "restrict", "refuse", "reject": "deny"
        default: NearestName.find(name, among: names)
        }
    }

    /// Each specified rule, as an argument.
    var arguments: [String] {
        let said = [("onDelete", onDelete), ("onTargetDelete", onTargetDelete)]
        return said.compactMap { label, rule in rule.map { "\(label): .\($0)" } }
            + (removesOrphans.map { ["removesOrphans: \($0)"] } ?? [])
    }
}
#endif

#if Macros
/// What a declaration says of the objects at the ends of a relation; nil for what it leaves open.
package struct RelationRules: Hashable, Sendable {
    /// What happens to the objects at the other end when the one that has the property is removed.
    package var onDelete: String?
    /// What happens to the object that has the property when one at the other end is removed.
    package var onTargetDelete: String?
    /// Whether an object at the other end that lost its last link is removed.
    package var removesOrphans: Bool?

    /// Says nothing.
    package init() {}

    /// What can happen to an object, as code names it.
    static let names = ["nullify", "cascade", "deny"]

    /// The rule that was probably meant by another name.
    static func nearest(to name: String) -> String? {
        switch name.lowercased() {
        case "setnull", "setnil", "unlink", "none", "noaction": "nullify"
        case "delete", "remove": "cascade"
        case "restrict", "refuse", "reject": "deny"
        default: NearestName.find(name, among: names)
        }
    }

    /// Each rule that is said, as an argument.
    var arguments: [String] {
        let said = [("onDelete", onDelete), ("onTargetDelete", onTargetDelete)]
        return said.compactMap { label, rule in rule.map { "\(label): .\($0)" } }
            + (removesOrphans.map { ["removesOrphans: \($0)"] } ?? [])
    }
}
#endif

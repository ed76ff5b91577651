#if Macros
extension EntityModel {
    /// What stands for a property in conditions: `Person.age > 18`.
    package struct Descriptor: Hashable, Sendable {
        /// How the property is found and its values are stored.
        package enum Content: Hashable, Sendable {
            /// A property of the row, a relation or a backlink.
            case stored(PropertyAnnotations.Conversion?)
            /// The object's id.
            case identity
            /// Not in the store: a comment says so. It can be named all the same, because a comment
            /// must not change which declarations exist: the compiler would not notice that other
            /// files have to be compiled again.
            case unstored
        }

        /// How far it is seen.
        package enum Access: String, Hashable, Sendable {
            /// In its file.
            case file = "fileprivate"
            /// As far as the type, but not outside the module.
            case inherited = ""
            case package
            case `public`

            /// With a blank behind it, if it is not empty.
            var modifier: String { self == .inherited ? "" : rawValue + " " }
        }

        /// The name in Swift, without backticks.
        package var name: String
        /// The name as code must spell it, with backticks where the declaration has them.
        package var spelling: String
        /// The type of the values as code in an extension must spell it; nil where only the
        /// compiler knows it.
        package var type: String?
        package var access: Access
        package var content: Content

        /// Makes the descriptor of one property.
        package init(
            name: String, spelling: String, type: String?, access: Access = .inherited,
            content: Content = .stored(nil)
        ) {
            self.name = name
            self.spelling = spelling
            self.type = type
            self.access = access
            self.content = content
        }
    }
}
#endif

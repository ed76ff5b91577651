#if Macros
extension EntityModel {
    /// The descriptor of a property in conditions: `Person.age > 18`.
    package struct Descriptor: Hashable, Sendable {
        /// The storage of the property.
        package enum Content: Hashable, Sendable {
            /// A property of the row, a relation or a backlink.
            case stored(PropertyAnnotations.Conversion?)
            /// The object's id.
            case identity
            /// Not stored, because of a comment. It still has a descriptor, because a comment must
            /// not change the declarations: the compiler would not recompile files that use them.
            case unstored
        }

        /// The access level.
        package enum Access: String, Hashable, Sendable {
            /// Visible in its file.
            case file = "fileprivate"
            /// Visible like the type, but not outside the module.
            case inherited = ""
            case package
            case `public`

            /// Followed by a space if it is not empty.
            var modifier: String { self == .inherited ? "" : rawValue + " " }
        }

        /// The Swift name without backticks.
        package var name: String
        /// The name as spelled in code, with backticks if the declaration has them.
        package var spelling: String
        /// The type of the values as spelled in an extension; nil if only the compiler knows it.
        package var type: String?
        /// Whether it refers to the wrapper of a property that may be a link.
        package var mayBeLink = false
        package var access = Access.inherited
        package var content = Content.stored(nil)
    }
}
#endif

#if Macros
/// What the declaration of a projection says.
package struct ProjectionModel {
    /// One property of the projection.
    package struct Property {
        /// What it stands for.
        enum Source: Hashable {
            /// The id of the object.
            case identity
            /// A property of the object, as code and as a name, and what is done to its value: the
            /// rest of a path, such as `?.city`.
            case path(spelling: String, name: String, rest: String)
        }

        /// The name, as code must spell it, and without backticks.
        package let spelling: String
        let name: String
        let source: Source
        /// Whether it can never differ from what was read.
        let isConstant: Bool
        /// Whether `@Projected` stands in front of it.
        let isMarked: Bool
    }

    /// The type as code at the top of a file must spell it.
    package let qualifiedName: String
    /// The entity, as code at the top of a file must spell it.
    package var root: String
    /// Whether it is a class, whose objects are made empty and filled.
    let isClass: Bool
    /// How far it can be seen.
    package let access: EntityModel.Access
    /// Whether the declaration itself states the conformance.
    package let statesConformance: Bool
    package let properties: [Property]
}
#endif

#if Macros
/// The model of a projection's declaration.
package struct ProjectionModel {
    /// One property of the projection.
    package struct Property {
        /// The source of the value.
        enum Source: Hashable {
            /// The id of the object.
            case identity
            /// A property of the object, as code and as a name, and the rest of the path, such as
            /// `?.city`.
            case path(spelling: String, name: String, rest: String)
        }

        /// The name as spelled in code, and without backticks.
        package let spelling: String
        let name: String
        let source: Source
        /// Whether the value is immutable after it was read.
        let isConstant: Bool
        /// Whether the property has `@Projected`.
        let isMarked: Bool
    }

    /// The type as spelled at the top level of a file.
    package let qualifiedName: String
    /// The entity as spelled at the top level of a file.
    package var root: String
    /// Whether it is a class, whose objects are created empty and then filled.
    let isClass: Bool
    /// The access level.
    package let access: EntityModel.Access
    /// Whether the declaration itself states the conformance.
    package let statesConformance: Bool
    package let properties: [Property]
}
#endif

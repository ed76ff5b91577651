package import DaybookBytes
import DaybookIndex

/// Resolves the names of conditions and brings values into the types of the properties.
package struct ConditionResolver: Sendable {
    let model: QueryModel

    package init(_ model: QueryModel) { self.model = model }

    /// The condition on objects of an entity. Throws `.invalidArgument` for names that the model
    /// does not have, and for values and operators that a property's type does not go with; the
    /// message names the path and the remedy.
    package func resolve(
        _ condition: QueryCondition, of entity: UInt32
    ) throws(DaybookError) -> BoundCondition {
        fatalError("to be written")
    }

    /// An expression about objects of an entity. Throws as ``resolve(_:of:)-(QueryCondition,_)``.
    package func resolve(
        _ expression: QueryExpression, of entity: UInt32
    ) throws(DaybookError) -> BoundExpression {
        fatalError("to be written")
    }
}

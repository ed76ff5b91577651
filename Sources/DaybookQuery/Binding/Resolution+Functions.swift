import DaybookBytes
import DaybookRecords

// Functions of values.
extension Resolution {
    func function(
        _ function: QueryFunction, _ arguments: [QueryExpression], _ scope: Scope, depth: Int
    ) throws(DaybookError) -> ResolvedExpression {
        guard depth < ConditionResolver.depthMax else { throw Self.tooDeep }
        var bound: [BoundExpression] = []
        var family: ValueFamily?
        for argument in arguments {
            let value = try expression(argument, scope, depth: depth + 1)
            let isPossible: Bool
            switch function {
            case .add: isPossible = value.family == .number || value.family == .text
            case .subtract, .multiply: isPossible = value.family == .number
            case .length: isPossible = value.family == .text
            case .part: isPossible = value.family == .moment
            }
            guard isPossible, family == nil || family == value.family else {
                throw Self.wrongOperator(
                    value, "cannot be used in '\(function.text(arguments.map(\.description)))'",
                    "Numbers are added, subtracted and multiplied, strings are joined and have a"
                        + " length, and dates have parts.")
            }
            family = value.family
            bound.append(try Self.single(value))
        }
        let isText = function == .add && family == .text
        return ResolvedExpression(
            form: .other(.function(function, bound)), family: isText ? .text : .number,
            label: .text("'\(function.text(arguments.map(\.description)))'"))
    }
}

extension QueryFunction {
    /// The type of the result, from the known types of the arguments: a floating-point type, a
    /// decimal number or a string; nil for integers.
    func type(of arguments: [FieldType]) -> FieldType? {
        switch self {
        case .length, .part: return nil
        case .add, .subtract, .multiply:
            let types: [FieldType] = [.string, .double, .float, .decimal]
            return types.first { arguments.contains($0) }
        }
    }
}

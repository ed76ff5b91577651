import DaybookBytes
import DaybookQuery

// Aggregates of several values: of the elements of a collection, or of a property of related
// objects, as in `Person.dogs.age.max`. Nil is ignored.

extension PropertyTerm {
    /// Returns the term of an aggregate of this term's values.
    func aggregated(_ aggregate: QueryAggregate, isCollection: Bool) -> PropertyTerm {
        do throws(DaybookError) {
            if let failure { throw failure }
            guard case .property(let path) = expression else {
                throw DaybookError(
                    .invalidArgument,
                    "A count, a sum or an entry of a map has no \(aggregate.rawValue).")
            }
            guard !areKeys || aggregate == .count else {
                throw DaybookError(
                    .invalidArgument,
                    "The keys of '\(path)' have a count, and no \(aggregate.rawValue).",
                    details: ["property": "\(path)"])
            }
            var term = self
            // A map has as many keys as values.
            term.areKeys = false
            if isCollection {
                term.expression = .aggregate(aggregate, path, of: nil)
                return term
            }
            guard let relation = term.enclosing.popLast() else {
                throw DaybookError(
                    .invalidArgument,
                    "'\(path)' is a single value in each object, so it has no"
                        + " \(aggregate.rawValue). Use a collection, or a property of a to-many"
                        + " relation's objects.",
                    details: ["property": "\(path)"])
            }
            term.expression = .aggregate(aggregate, relation, of: path)
            return term
        } catch {
            return PropertyTerm(failing: error)
        }
    }
}

extension Property where Value: OrderedValue, Value.Operand: PropertyValue {
    /// The maximum among the related objects; nil if there are none.
    public var max: Property<Root, Value.Operand?> { related(.maximum) }

    /// The minimum among the related objects; nil if there are none.
    public var min: Property<Root, Value.Operand?> { related(.minimum) }

    private func related(_ aggregate: QueryAggregate) -> Property<Root, Value.Operand?> {
        Property<Root, Value.Operand?>(
            term.aggregated(aggregate, isCollection: false), PlainConversion())
    }
}

extension Property where Value: NumericValue {
    /// The sum over the related objects; 0 if there are none.
    public var sum: Property<Root, Value.Sum> {
        Property<Root, Value.Sum>(
            term.aggregated(.sum, isCollection: false), PlainConversion())
    }

    /// The average over the related objects; nil if there are none.
    public var average: Property<Root, Double?> {
        Property<Root, Double?>(
            term.aggregated(.average, isCollection: false), PlainConversion())
    }
}

extension Property
where Value: CollectionValue, Value.Member: OrderedValue, Value.Member.Operand: PropertyValue {
    /// The maximum of the elements; nil if there are none.
    public var max: Property<Root, Value.Member.Operand?> {
        aggregated(.maximum, PlainConversion())
    }

    /// The minimum of the elements; nil if there are none.
    public var min: Property<Root, Value.Member.Operand?> {
        aggregated(.minimum, PlainConversion())
    }
}

extension Property where Value: CollectionValue, Value.Member: NumericValue {
    /// The sum of the elements; 0 if there are none.
    public var sum: Property<Root, Value.Member.Sum> { aggregated(.sum, PlainConversion()) }

    /// The average of the elements; nil if there are none.
    public var average: Property<Root, Double?> { aggregated(.average, PlainConversion()) }
}

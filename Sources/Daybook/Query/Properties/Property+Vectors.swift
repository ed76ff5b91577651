import DaybookQuery

// Searches for the nearest neighbours of a vector.

extension Property where Value: CollectionValue, Value.Member == Float {
    /// Whether the object is one of the `count` objects whose vectors are nearest to a vector,
    /// among the matches of the other conditions: `Place.position.nearest(to: here, count: 10) &&
    /// Place.isOpen == true` finds the ten nearest open places. Without another order, the results
    /// are in the order of their distances, nearest first; ``Query/findWithDistances()`` returns
    /// the distances, too.
    ///
    /// Requires a vector index of the property: see <doc:Vectors>. All vectors are compared if
    /// there are few, or if the other conditions leave few objects. Otherwise the search is
    /// approximate: it may miss some of the nearest objects.
    ///
    /// Runs of the query throw `.invalidArgument` if the property has no vector index; if the
    /// vector has other dimensions than the index, a component that is not finite, or, with
    /// ``VectorMetric/cosine``, only zeros; and if the condition is part of a negation, an
    /// alternative or a condition on related objects.
    public func nearest(to vector: [Float], count: Int) -> Condition<Root> {
        Condition(term) { _ in
            .nearest(try term.path(for: "nearest"), vector, count: count)
        }
    }
}

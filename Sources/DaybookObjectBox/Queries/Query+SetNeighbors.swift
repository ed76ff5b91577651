public import Daybook

// ObjectBox's setters of the parameters of a search for nearest neighbours. They change the query
// in place, and throw no error, like the other setters.

extension Query {
    /// As `setting(_:nearestTo:)`; for another condition on the vector, as `setting(_:to:)`.
    public func setParameter<Root>(
        _ property: Daybook.Property<Root, [Float]>, to vector: [Float]
    ) {
        setParameter(of: property) { query in
            if let nearest = try? query.setting(property, nearestTo: vector) { return nearest }
            return try query.setting(property, to: vector)
        }
    }

    /// As `setting(_:nearestTo:)`; for another condition on the vector, as `setting(_:to:)`.
    public func setParameter<Root>(
        _ property: Daybook.Property<Root, [Float]?>, to vector: [Float]
    ) {
        setParameter(of: property) { query in
            if let nearest = try? query.setting(property, nearestTo: vector) { return nearest }
            return try query.setting(property, to: vector)
        }
    }

    /// As `setting(_:nearestCount:)`.
    public func setParameter<Root, Value: CollectionValue>(
        _ property: Daybook.Property<Root, Value>, to maxCount: Int
    ) where Value.Member == Float {
        setParameter(of: property) { try $0.setting(property, nearestCount: maxCount) }
    }
}

public import Daybook

extension Daybook.Property where Value: CollectionValue, Value.Member == Float {
    /// As `nearest`.
    public func nearestNeighbors(queryVector: [Float], maxCount: Int) -> Condition<Root> {
        nearest(to: queryVector, count: maxCount)
    }
}

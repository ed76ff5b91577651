/// The distance of two vectors. Lower is nearer.
// Schemas contain the numbers: never renumber.
public enum VectorMetric: UInt8, Sendable, Hashable, CaseIterable {
    /// The length of the difference. Zero for equal vectors.
    case euclidean = 1
    /// 1 − the cosine of the angle between the vectors: 0 for the same direction, 1 for a right
    /// angle, 2 for the opposite direction. The lengths of the vectors do not count.
    case cosine = 2
    /// 1 − the dot product. It may be negative.
    case dotProduct = 3
}

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
    /// The distance on the surface of the Earth in kilometres. A vector is a latitude and a
    /// longitude in degrees. The Earth is a sphere with its mean radius, so a distance may be up to
    /// 0.6 % wrong; it is rounded to about a metre.
    case geo = 4
}

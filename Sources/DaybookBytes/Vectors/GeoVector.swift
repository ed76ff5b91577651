#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// Places on the Earth as vectors of a sphere with radius 1.
///
/// The squared length of the chord between two places is 4 · sin²(angle / 2), the haversine formula
/// times four.
package enum GeoVector {
    /// The mean radius of the Earth: (2 · equatorial + polar radius) / 3 of WGS 84.
    static let earthRadiusKilometers = 6371.0088

    /// The place with a latitude and a longitude in degrees.
    package static func onSphere(latitude: Float, longitude: Float) -> [Float] {
        let latitude = Double(latitude) * .pi / 180
        let longitude = Double(longitude) * .pi / 180
        return [
            Float(cos(latitude) * cos(longitude)), Float(cos(latitude) * sin(longitude)),
            Float(sin(latitude)),
        ]
    }

    /// The length of the shortest way on the surface between two places.
    package static func kilometers(ofSquaredChord squaredChord: Float) -> Double {
        let halfChord = Double(squaredChord).squareRoot() / 2
        return 2 * asin(min(1, halfChord)) * earthRadiusKilometers
    }
}

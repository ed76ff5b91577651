import DaybookBytes
@testable import DaybookRecords
import DaybookTesting
import Foundation
import Testing

/// Distances on the surface of the Earth.
@Suite struct GeoVectorTests {
    private let form = VectorForm(dimensions: 2, metric: .geo)

    private func distance(_ one: [Float], _ other: [Float]) throws -> Double {
        let stored = PaddedVector(try #require(form.stored(one)))
        let otherStored = PaddedVector(try #require(form.stored(other)))
        return form.shown(stored.distance(.geo, to: otherStored))
    }

    /// The haversine formula, as in Sinnott, "Virtues of the Haversine" (1984).
    private func haversine(_ one: [Float], _ other: [Float]) -> Double {
        let (phi1, phi2) = (Double(one[0]) * .pi / 180, Double(other[0]) * .pi / 180)
        let lambda = (Double(other[1]) - Double(one[1])) * .pi / 180
        let squared =
            pow(sin((phi2 - phi1) / 2), 2) + cos(phi1) * cos(phi2) * pow(sin(lambda / 2), 2)
        return 2 * 6371.0088 * asin(min(1, squared.squareRoot()))
    }

    @Test func `known distances are right`() throws {
        // London and Paris; the poles; across the date line; the same place.
        #expect(abs(try distance([51.5074, -0.1278], [48.8566, 2.3522]) - 343.556) < 0.01)
        #expect(abs(try distance([90, 0], [-90, 77]) - 6371.0088 * .pi) < 0.01)
        #expect(abs(try distance([0, 179.5], [0, -179.5]) - 6371.0088 * .pi / 180) < 0.01)
        #expect(try distance([12, 34], [12, 34]) == 0)
        #expect(try distance([12, 34], [12, 394]) < 0.002)
    }

    @Test func `distances equal the haversine formula within two metres`() throws {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<2_000 {
            let one = [
                Float.random(in: -90...90, using: &random),
                Float.random(in: -180...180, using: &random),
            ]
            let reach = Float.random(in: 0...1, using: &random) < 0.5 ? Float(0.01) : 60
            let other = [
                min(90, max(-90, one[0] + Float.random(in: -reach...reach, using: &random))),
                one[1] + Float.random(in: -reach...reach, using: &random),
            ]
            #expect(abs(try distance(one, other) - haversine(one, other)) < 0.002)
        }
    }

    @Test func `places have two dimensions and a latitude between the poles`() {
        #expect(form.problem == nil)
        #expect(VectorForm(dimensions: 3, metric: .geo).problem?.contains("latitude") == true)
        #expect(form.problem(of: [-90, 500]) == nil)
        #expect(form.problem(of: [90.5, 0])?.expected == "a latitude from -90 to 90")
        #expect(form.problem(of: [1, 2, 3])?.expected == "2 dimensions")
        #expect(form.problem(of: [.nan, 0])?.expected == "finite numbers")
        #expect(form.stored([91, 0]) == nil)
    }
}

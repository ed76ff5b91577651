@testable import Daybook
import DaybookRealm
import Foundation
import Testing

/// A projection in Realm's spelling.
class PetProjection: Projection<Pet> {
    @Projected(\Pet.name) var name
    @Projected(\Pet.kennel?.city) var homeCity
    @Projected(\Pet.kennels.projectTo.city) var cities: ProjectedCollection<String>
    @Projected(\Pet.friends) var friends
    @Projected(\Pet.mood) var mood
    @Projected(\Pet.dream) var dream
}

extension PetProjection: EntityProjection {
    static func decode(_ row: borrowing ProjectionReader<Pet>) throws -> Self {
        let object = Self(row: row)
        object.name = try row.read(\Pet.name, named: "name")
        object.homeCity = try row.read(\Pet.kennel, named: "kennel")?.city
        object.cities = try row.read(\Pet.kennels, named: "kennels").projectTo.city
        object.friends = try row.read(\Pet.friends, named: "friends")
        object.mood = try row.read(\Pet.mood, named: "mood")
        object.dream = try row.read(\Pet.dream, named: "dream")
        return object
    }
    func apply(to root: inout Pet) throws {
        var changes = ProjectedChanges(of: root)
        try changes.note(self.name, at: \Pet.name, named: "name")
        try changes.note(self.homeCity, at: \Pet.kennel?.city, named: "homeCity")
        try changes.note(self.mood, at: \Pet.mood, named: "mood")
        try changes.note(self.friends, at: \Pet.friends, named: "friends")
        changes.make(in: &root)
    }
}

@Suite struct RealmProjectionTests {
    @Test func `a projection in Realm's spelling reads and writes`() throws {
        let store = try Store(directoryPath: "memory:\(UUID())", entities: Pet.self)
        let pets = store.box(for: Pet.self)
        let (pet, friend) = (Pet(), Pet())
        pet.name = "Rex"
        pet.kennel = Kennel("Paris")
        pet.kennels = [Kennel("Rome"), Kennel("Oslo")]
        pet.mood = .wild
        try pets.put([friend, pet])
        pet.friends = [friend]
        try pets.put(pet)
        let projections = pets.projections(PetProjection.self)
        let found = try #require(try projections.get(2))
        #expect(found.id == 2 && found.name == "Rex" && found.homeCity == "Paris")
        #expect(found.cities == ["Rome", "Oslo"] && found.friends.ids == [1])
        #expect(found.mood == .wild && found.dream == nil)
        try projections.update(2) { projection in
            projection.name = "Max"
            projection.mood = .calm
            projection.friends.append(pet)
        }
        let after = try #require(try pets.get(2))
        #expect(after.name == "Max" && after.mood == .calm && after.friends.ids == [1, 2])
        #expect(after.kennels.count == 2)
        let error = expectError(.invalidArgument) {
            try projections.update(2) { $0.homeCity = nil }
        }
        #expect(error?.details["property"] == "homeCity")
        try store.close()
    }

    @Test func `changes that cannot be compared are written, and an unchanged NaN is not`() throws {
        var pet = Pet()
        let kennel = Kennel("Paris")
        var changes = ProjectedChanges(of: pet)
        try changes.note(kennel, at: \.kennel, named: "kennel")
        changes.make(in: &pet)
        #expect(pet.kennel === kennel)
        pet.weight = .nan
        var none = ProjectedChanges(of: pet)
        try none.note(-Double.nan, at: \.weight.orZero, named: "weight")
        none.make(in: &pet)
        #expect(Set([1, 2]).projectTo.description.sorted() == ["1", "2"])
        #expect(MutableSet([1]).projectTo.description == ["1"])
    }
}

extension Double? {
    fileprivate var orZero: Double { self ?? 0 }
}

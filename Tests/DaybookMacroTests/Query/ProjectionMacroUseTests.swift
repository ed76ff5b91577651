#if Macros
import DaybookRealm
import Foundation
import Testing

// Realm's declarations and projections, with all code from the macros.

@Entity class Traveller: Object {
    @Persisted(primaryKey: true) var _id: ObjectId
    @Persisted var firstName = ""
    @Persisted var lastName = ""
    @Persisted var address: Lodging?
    @Persisted var stays: List<Lodging>
    @Persisted var friends = List<Traveller>()
    @Persisted(originProperty: "friends") var admirers: LinkingObjects<Traveller>

    override class func propertiesMapping() -> [String: String] { ["lastName": "last_name"] }
}

@Embedded class Lodging: EmbeddedObject {
    @Persisted var city: String = ""
    @Persisted var country = ""
}

@Projection class TravellerProjection: Projection<Traveller> {
    @Projected(\Traveller.firstName) var firstName
    @Projected(\Traveller.lastName.localizedUppercase) var lastNameCaps
    @Projected(\Traveller.address?.city) var homeCity
    @Projected(\Traveller.stays.projectTo.city) var cities: ProjectedCollection<String>
}

@Projection(of: Traveller.self) struct TravellerSummary: Equatable {
    var id: Id
    var firstName: String
    @Projected(\Traveller.lastName) var surname: String
    @Projected(\Traveller.address?.city) var homeCity: String?
    @Transient var isSelected = false
}

@Suite struct ProjectionMacroUseTests {
    @Test func `Realm's declarations and projections need no handwritten code`() throws {
        let store = try Store(directoryPath: "memory:\(UUID())", entities: Traveller.self)
        let box = store.box(for: Traveller.self)
        let ada = Traveller()
        ada.firstName = "Ada"
        ada.lastName = "Byron"
        let home = Lodging()
        home.city = "London"
        ada.address = home
        ada.stays.append(home)
        try box.put(ada)
        ada.friends.append(ada)
        try box.put(ada)
        let found = try #require(try box.get(1))
        #expect(found._id == ada._id && found.friends.ids == [1])
        #expect(found.admirers.map(\.firstName) == ["Ada"])

        let realm = try #require(try box.projections(TravellerProjection.self).get(1))
        #expect(realm.id == 1 && realm.firstName == "Ada" && realm.lastNameCaps == "BYRON")
        #expect(realm.homeCity == "London" && realm.cities == ["London"])

        let summaries = box.projections(TravellerSummary.self)
        let summary = try #require(try summaries.all().first)
        #expect(summary.id == 1 && summary.firstName == "Ada" && summary.surname == "Byron")
        #expect(summary.homeCity == "London" && !summary.isSelected)
        try summaries.update(1) { summary in
            summary.firstName = "Augusta"
            summary.surname = "King"
        }
        #expect(try box.get(1)?.firstName == "Augusta")
        #expect(try box.get(1)?.lastName == "King")
        try store.close()
    }
}
#endif

@testable import Daybook
import DaybookEngine
import DaybookTestSupport
import Foundation
import Testing

/// Relations that several objects have, or that outlive their store.
@Suite struct SharedRelationTests {
    @Test func `a struct that is copied and put anew leaves the first one's relation its own`()
        throws
    {
        let home = try RelationStore()
        var first = Parcel(label: "one", sender: ToOne(Customer("Ada")))
        try home.parcels.put(&first)
        var twin = first
        twin.id = 0
        try home.parcels.put(&twin)
        #expect(try home.parcels.get(twin.id)?.sender.targetId == 1)
        try home.customers.put(Customer("Bob"))
        var other = try #require(try home.parcels.get(first.id))
        other.sender.targetId = 2
        try home.parcels.put(&other)
        // Neither was touched since.
        try home.parcels.put(&first)
        #expect(try home.parcels.get(first.id)?.sender.targetId == 2)
        try home.store.close()
    }

    @Test func `what was set is written for each of those that share it`() throws {
        let home = try RelationStore()
        try home.customers.put([Customer("Ada"), Customer("Bob")])
        var first = Parcel(label: "one", sender: ToOne(targetId: 1))
        try home.parcels.put(&first)
        var twin = first
        twin.id = 0
        twin.sender.targetId = 2
        try home.parcels.put(&twin)
        try home.parcels.put(&first)
        #expect(try home.parcels.all().map(\.sender.targetId) == [2, 2])
        try home.store.close()
    }
}

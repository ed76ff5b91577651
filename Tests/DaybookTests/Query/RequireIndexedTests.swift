import Daybook
import DaybookTestSupport
import Testing

@Suite struct RequireIndexedTests {
    private let directory = TemporaryDirectory()
    private let store: Store
    private let guests: Box<Guest>

    init() throws {
        store = try Guest.store(directory, EventRecorder())
        guests = store.box()
        try guests.put((0..<1_000).map { Guest(email: "guest \($0)", city: "city") })
    }

    @Test func `a query with an index satisfies the requirement`() throws {
        try guests.query(Guest.email == "guest 7").requireIndexed()
        #expect(try guests.query(Guest.email == "guest 7").explain().scannedEntities == [])
        try guests.query(Guest.email == "guest 7" && Guest.city == "city").requireIndexed()
        try store.close()
    }

    @Test func `a query that reads all objects fails with its plan`() throws {
        let query = guests.query(Guest.city == "city")
        let error = expectError(.unindexedQuery) { try query.requireIndexed() }
        #expect(error?.details["entities"] == "Guest")
        #expect(error?.details["plan"] == "\(try query.explain())")
        #expect(error?.message.contains("scan Guest") == true)
        expectError(.unindexedQuery) {
            try guests.query(Guest.email == "guest 7" || Guest.city == "city").requireIndexed()
        }
        try store.close()
    }

    @Test func `the twin that does not block has the same requirement`() async throws {
        try await guests.query(Guest.email == "guest 7").requireIndexed()
        let query = guests.query(Guest.city == "city")
        let error = await #expect(throws: DaybookError.self) { try await query.requireIndexed() }
        #expect(error?.code == .unindexedQuery)
        try await store.close()
    }
}

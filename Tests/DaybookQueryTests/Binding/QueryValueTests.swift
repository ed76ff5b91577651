import DaybookQuery
import Testing

@Suite struct QueryValueTests {
    @Test func `a path is written with dots, and the id by its name`() {
        let path = PropertyPath(["customer"]).appending(.ownId)
        #expect(path.description == "customer.id")
    }
}

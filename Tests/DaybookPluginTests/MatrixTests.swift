#if Macros
import Daybook
import DaybookMatrix
import Testing

/// Every type, optional or not, in every spelling, through the whole life of a store.
@Suite struct MatrixTests {
    @Test func `every type comes back in the spelling of comments`() throws {
        #expect(try MatrixRun.differences(PlainMatrix.self) == [])
    }

    @Test func `every type comes back in Realm's spelling`() throws {
        #expect(try MatrixRun.differences(PersistedMatrix.self) == [])
    }

    @Test func `replay prints the same of both spellings`() throws {
        let plain = try MatrixRun.printed(PlainMatrix.self)
        #expect(plain.count == 2)
        #expect(try MatrixRun.printed(PersistedMatrix.self) == plain)
    }
}
#endif

#if Macros
import Daybook
import DaybookMatrix
import Testing

/// Every type, required and optional, in every spelling, through the whole life of a store.
@Suite struct MatrixTests {
    @Test func `every type declared with comments is unchanged`() throws {
        #expect(try MatrixRun.differences(PlainMatrix.self) == [])
    }

    @Test func `every type declared in Realm's spelling is unchanged`() throws {
        #expect(try MatrixRun.differences(PersistedMatrix.self) == [])
    }

    @Test func `replay prints the same for both spellings`() throws {
        let plain = try MatrixRun.printed(PlainMatrix.self)
        #expect(plain.count == 2)
        #expect(try MatrixRun.printed(PersistedMatrix.self) == plain)
    }
}
#endif

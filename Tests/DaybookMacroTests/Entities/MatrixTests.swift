#if Macros
import Daybook
import DaybookMatrix
import Testing

/// Every type, required and optional, in every spelling, through the whole life of a store.
@Suite struct MatrixTests {
    @Test func `every type declared with attributes is unchanged`() throws {
        #expect(try MatrixRun.differences(NativeMatrix.self) == [])
    }

    @Test func `every type declared with comments is unchanged`() throws {
        #expect(try MatrixRun.differences(CommentMatrix.self) == [])
    }

    @Test func `every type declared in Realm's spelling is unchanged`() throws {
        #expect(try MatrixRun.differences(RealmMatrix.self) == [])
    }

    @Test func `replay prints the same for all spellings`() throws {
        let native = try MatrixRun.printed(NativeMatrix.self)
        #expect(native.count == 2)
        #expect(try MatrixRun.printed(CommentMatrix.self) == native)
        #expect(try MatrixRun.printed(RealmMatrix.self) == native)
        for part in [
            #""bool":true"#, #""int8":-128"#, #""uint64":18446744073709551615"#,
            #""float":"-Infinity""#, #""string":"Zoë 👩‍🚀""#, #""date":"1969-12-31T23:59:58.500Z""#,
            #""data":"AP8=""#, #""uuid":"01020304-0506-0708-090A-0B0C0D0E0F10""#,
            #""decimal":"-12.345""#, #""mood":"wild""#, #""holes":["a",null,""]"#,
            #""words":["a","b"]"#, #""place":{"city":"Zürich","height":408.5}"#,
            #""angle":"90.0°""#, #""exact":"2023-03-08T"#,
        ] {
            #expect(native[1].contains(part), "\(part)")
        }
        #expect(native[0].contains(#""stringOrNil":null"#))
    }
}
#endif

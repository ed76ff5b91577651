import Daybook
import Foundation
import Testing

/// Errors for users who import only Daybook, as this file does.
@Suite struct ErrorCodeTests {
    private struct OtherError: Error {}

    @Test func `an error is caught by its code`() throws {
        func name(_ error: any Error) -> String {
            do {
                throw error
            } catch DaybookError.Code.locked {
                return "locked"
            } catch DaybookError.Code.notFound {
                return "not found"
            } catch {
                return "another"
            }
        }
        #expect(name(DaybookError(.notFound, "")) == "not found")
        #expect(name(DaybookError(.locked, "")) == "locked")
        #expect(name(DaybookError(.closed, "")) == "another")
        #expect(name(OtherError()) == "another")
    }

    @Test func `the localized description of an error is its message`() {
        let error: any Error = DaybookError(.locked, "Another process has the store open.")
        #expect(error.localizedDescription == "Another process has the store open.")
    }
}

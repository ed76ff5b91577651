import Daybook
import Testing

/// Expects a `DaybookError` with that code, and returns it for further checks.
@discardableResult
func expectError(
    _ code: DaybookError.Code, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
) -> DaybookError? {
    let error = #expect(throws: DaybookError.self, sourceLocation: sourceLocation) { try body() }
    #expect(error?.code == code, sourceLocation: sourceLocation)
    #expect((error?.message.count ?? 0) > 20, sourceLocation: sourceLocation)
    return error
}

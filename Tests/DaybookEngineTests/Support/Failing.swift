import DaybookBytes
import Testing

/// An error of the tests, which must be rethrown unchanged.
struct Refusal: Error, Equatable {
    var number = 0
}

/// Expects a ``DaybookError`` with a code. Returns the error for further checks.
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

import DaybookBytes
import Testing

/// An error of a test's own, which must come through unchanged.
struct Refusal: Error, Equatable {
    var number = 0
}

/// Expects a ``DaybookError`` of that code, and gives it back for a closer look.
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

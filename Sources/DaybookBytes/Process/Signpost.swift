#if canImport(os)
internal import os
#endif

/// An interval that Instruments shows: it begins with the value and ends with ``end()``. Intervals
/// of several threads may overlap. On systems without `os_signpost`, it does nothing.
package struct Signpost {
    #if canImport(os)
    private static let signposter = OSSignposter(subsystem: "daybook", category: "store")

    private let name: StaticString
    private let state: OSSignpostIntervalState
    #endif

    /// Begins an interval. Cost: a few ns while no tool records.
    package init(_ name: StaticString) {
        #if canImport(os)
        self.name = name
        state = Self.signposter.beginInterval(name, id: Self.signposter.makeSignpostID())
        #endif
    }

    /// Ends the interval.
    package func end() {
        #if canImport(os)
        Self.signposter.endInterval(name, state)
        #endif
    }
}

import CCounted

/// The measured part of a process, which runs inside a function that callgrind finds by its name.
enum CountedPart {
    /// The name of the function.
    static let functionName = "benchmark_counted"

    static func run<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var outcome: Swift.Result<Result, Failure>?
        withoutActuallyEscaping({ outcome = Swift.Result(catching: body) }) { work in
            // The C function has no reference to the call, so this keeps it until the end.
            withExtendedLifetime(Call(work)) { call in
                benchmark_counted(
                    { Unmanaged<Call>.fromOpaque($0!).takeUnretainedValue().work() },
                    Unmanaged.passUnretained(call).toOpaque())
            }
        }
        guard let outcome else { preconditionFailure("the measured part did not run") }
        return try outcome.get()
    }

    private final class Call {
        let work: () -> Void
        init(_ work: @escaping () -> Void) { self.work = work }
    }
}

/// The path from the root to the leaf of a writer's current change, in memory of its own.
@safe
struct WriterPath: ~Copyable {
    /// More than the levels of any tree.
    private static let stepCountMax = 32

    private let steps: UnsafeMutablePointer<PathStep>

    init() {
        // SAFETY: all steps are initialized, and they need no deinitialization.
        unsafe steps = .allocate(capacity: Self.stepCountMax)
        unsafe steps.initialize(repeating: PathStep(), count: Self.stepCountMax)
    }

    // SAFETY: `init` allocated the memory, and nothing else has its address.
    deinit { unsafe steps.deallocate() }

    /// The step at a level below the root.
    subscript(index: Int) -> PathStep {
        @inline(__always) get {
            precondition(index >= 0 && index < Self.stepCountMax, "no such step")
            // SAFETY: the index is within the memory, which is initialized.
            return unsafe steps[index]
        }
        @inline(__always) set {
            precondition(index >= 0 && index < Self.stepCountMax, "no such step")
            // SAFETY: see above.
            unsafe steps[index] = newValue
        }
    }
}

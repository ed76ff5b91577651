import Daybook

/// Changes some packages and removes others in one transaction, as an editor of the archive would.
struct Revision {
    struct Outcome: Equatable {
        var changedCount = 0
        var removedCount = 0
    }

    /// One package in `changeStride` gets a new version.
    static let changeStride = 50
    /// One package in `removalStride` is removed.
    static let removalStride = 120

    let store: Store

    func run() throws -> Outcome {
        let box = store.box(for: DebianPackage.self)
        return try store.write {
            var outcome = Outcome()
            var number = 0
            try box.forEach(writable: true) { package in
                number += 1
                if number % Self.removalStride == 0 {
                    try box.remove(package.id)
                    outcome.removedCount += 1
                } else if number % Self.changeStride == 1 {
                    var package = package
                    package.fields.version += "+revised"
                    try box.put(&package)
                    outcome.changedCount += 1
                }
            }
            return outcome
        }
    }
}

import DaybookEngine

/// How far a long opening is: ``StoreOptions/progress``.
public struct OpeningProgress: Sendable, Equatable {
    /// What the opening is doing.
    public enum Phase: Sendable, Equatable {
        /// Objects of an entity are converted.
        case migrating(entity: String)
        /// An index over properties of an entity, their names with commas between, is built.
        case buildingIndex(entity: String, properties: String)
    }

    /// What the opening is doing.
    public let phase: Phase
    /// How much of that is done, from 0 to 1.
    public let fraction: Double

    init(_ progress: IndexProgress) {
        self.init(
            .buildingIndex(entity: progress.entity, properties: progress.properties),
            fraction: progress.fraction)
    }

    init(_ phase: Phase, fraction: Double) {
        self.phase = phase
        self.fraction = fraction
    }
}

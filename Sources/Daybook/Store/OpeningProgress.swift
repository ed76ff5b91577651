import DaybookEngine

/// The progress of a long opening. See ``StoreOptions/progress``.
public struct OpeningProgress: Sendable, Equatable {
    /// A phase of an opening.
    public enum Phase: Sendable, Equatable {
        /// The conversion of the objects of an entity.
        case migrating(entity: String)
        /// The building of an index of an entity. `properties` are the names, separated by commas.
        case buildingIndex(entity: String, properties: String)
    }

    /// The current phase.
    public let phase: Phase
    /// The completed part of the phase, from 0 to 1.
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

import Daybook
import DaybookReplica
import ReplicationSupport

extension Replica {
    /// Saves the place of the last frame, and makes its transactions durable before.
    func savePlace(_ chain: ReplicationChain, of stream: String, isWriter: Bool) async throws {
        try await save(ReplicaPlace(chain, stream: stream, isWriter: isWriter))
    }

    /// Saves a place, and makes the transactions up to it durable before.
    func save(_ place: ReplicaPlace) async throws {
        let bytes = try place.encoded()
        try await Blocking.run {
            try self.sync()
            try self.save(place: bytes)
        }
    }

    /// Makes the transactions up to a place durable, and returns their end.
    func durablePosition(
        _ chain: ReplicationChain, of stream: String, _ store: Store
    ) throws -> ReplicaPosition {
        var position = try store.durablePosition()
        position.sequence = chain.lastSequence
        position.place = try ReplicaPlace(chain, stream: stream, isWriter: false).encoded()
        return position
    }
}

import ReplicationTestSupport
import ReplicationTestSupport
import Testing

/// The tests that need a server. They run one after another.
@Suite(.serialized, .enabled(if: ServerProgram.isInstalled), .timeLimit(.minutes(3)))
enum ServerTests {}

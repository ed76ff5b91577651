// DaybookFault: fault injection. It simulates power cuts in memory, damages files, kills processes
// and fails system calls, then compares the store with a model. It knows the engine and the layers
// below; it must not know a user's type. Nothing here is part of the library.
//
// Invariants:
// - Every random choice follows from a printed seed, so each violation can be reproduced.
// - All campaigns check the same guarantees, in one place (`StoreCheck`).

import Foundation

exit(FaultCommand.run(Array(CommandLine.arguments.dropFirst())))

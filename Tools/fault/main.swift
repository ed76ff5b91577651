// DaybookFault: the saboteur. It cuts power in memory, damages files, kills processes and fails
// system calls, and holds what a store says afterwards against a model. It knows the engine and the
// layers below; it must not know a user's type. Nothing here is part of the library.
//
// Invariants:
// - Every random choice follows from a seed that is printed, so each violation can be replayed.
// - The oracle stands in one place (`StoreCheck`): all campaigns ask for the same promises.

import Foundation

exit(FaultCommand.run(Array(CommandLine.arguments.dropFirst())))

import Daybook
import Foundation

extension StoreOptions {
    /// The options of a measurement: the defaults, except for the cache of `--cache-mib`.
    static var measured: StoreOptions {
        var options = StoreOptions()
        if let cacheMebibytes { options.frameCacheBudgetBytes = cacheMebibytes << 20 }
        return options
    }

    /// The words of the command line never change.
    private static let cacheMebibytes = try? Arguments(CommandLine.arguments.dropFirst(2))
        .cacheMebibytes
}

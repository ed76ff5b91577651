import Daybook
import Foundation

extension StoreOptions {
    /// The options of a measurement: the defaults, except for the cache of `--cache-mib` and the
    /// index pages of `--index-mib`.
    static var measured: StoreOptions {
        var options = StoreOptions()
        if let mebibytes = arguments?.cacheMebibytes {
            options.frameCacheBudgetBytes = mebibytes << 20
        }
        if let mebibytes = arguments?.indexMebibytes { options.indexBudgetBytes = mebibytes << 20 }
        return options
    }

    /// The words of the command line never change.
    private static let arguments = try? Arguments(CommandLine.arguments.dropFirst(2))
}

#if Observability
public import Daybook
public import Logging

extension StoreObserver {
    /// Returns an observer that writes the events of a store to a logger: the message, the level
    /// and the details of each event, with its name as `event`.
    ///
    /// It receives no measurements, so that a busy store does not fill the log: slow queries and
    /// slow commits are logged, others are not.
    ///
    /// - Parameters:
    ///   - logger: determines the level, the destination and further metadata.
    ///   - hidesPlans: whether the plans of slow queries are left out, because they contain the
    ///     values of conditions. Default: false.
    public static func logging(to logger: Logger, hidesPlans: Bool = false) -> StoreObserver {
        StoreObserver { event in
            var metadata: Logger.Metadata = ["event": .string(event.name)]
            for (name, value) in event.details where !(hidesPlans && name == "plan") {
                metadata[name] = .string(value)
            }
            logger.log(
                level: event.level.forLogger, "\(event.message)", metadata: metadata,
                source: "Daybook")
        }
    }
}

extension StoreEvent.Level {
    /// The same level of swift-log.
    fileprivate var forLogger: Logger.Level {
        switch self {
        case .debug: .debug
        case .info: .info
        case .notice: .notice
        case .warning: .warning
        case .error: .error
        case .critical: .critical
        }
    }
}
#endif

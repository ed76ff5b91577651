#if Observability
public import CoreMetrics
public import Daybook

extension StoreObserver {
    /// Returns an observer that counts and measures the operations of a store: see the table in the
    /// guide *Operations*. Use one for each store.
    ///
    /// - Parameters:
    ///   - store: the value of the dimension `store` of all metrics.
    ///   - factory: makes the metrics. Default: the one of `MetricsSystem`.
    public static func metrics(
        store: String, factory: any MetricsFactory = MetricsSystem.factory
    ) -> StoreObserver {
        let metrics = StoreMetrics(store: store, factory)
        return StoreObserver(isMeasuring: true) { metrics.record($0) }
    }
}
#endif

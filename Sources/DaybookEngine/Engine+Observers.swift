import DaybookBytes
import DaybookLog

extension Engine {
    /// Posts the present state to observers that measure, and the consumers that have become slow.
    /// Does nothing without observers. Cost: a small file for each consumer.
    package func measure() {
        guard let events else { return }
        let sequence = trees.withLock { $0.applied.sequence }
        let acknowledged = (try? ConsumerStore(self).sequences()) ?? [:]
        let lags = acknowledged.mapValues { sequence - min(sequence, $0) }
        events.postSlowConsumers(lags)
        guard events.isMeasuring else { return }
        var measured = StoreMeasurements()
        measured.sequence = sequence
        measured.logBytes = log.lengthBytes
        measured.openReaderCount = slot.readerCount
        measured.cacheBytes = log.cache.usedBytes
        (measured.cacheHitCount, measured.cacheMissCount) = log.cache.lookupCounts
        measured.liveQueryAdvanceCount = events.liveAdvanceCount
        measured.consumerLags = lags
        events.post(.measured(measured))
    }
}

extension EngineOptions {
    /// The options of the log, whose syncs and final error the observers receive.
    func logOptions(observedBy events: EventDelivery?) -> LogOptions {
        guard let events else { return log }
        var options = log
        options.observer = LogObserver(
            didSync: { events.post(.synced(duration: $0)) },
            didStop: { events.post(.stopped($0)) })
        return options
    }
}

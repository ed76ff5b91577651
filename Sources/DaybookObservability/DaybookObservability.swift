// DaybookObservability: log messages of swift-log and metrics of swift-metrics from the events of
// stores. It is empty without the package trait `Observability`, so that programs without the trait
// build neither package. It must not depend on other modules of Daybook than the public one.
//
// Invariants:
// - Every event has one log message, whose text, level and details the event itself determines.
// - Every metric is made of events alone, so a program can make others with an observer of its own.

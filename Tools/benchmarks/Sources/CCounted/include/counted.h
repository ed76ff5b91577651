// The part of a process that the counters of the benchmarks count.

#ifndef DAYBOOK_BENCHMARKS_COUNTED_H
#define DAYBOOK_BENCHMARKS_COUNTED_H

/// Calls `body` with `context`. Callgrind collects only inside this function, which it finds by its
/// name. The function is written in C, because a Swift compiler would specialize it, and each copy
/// would have a name of its own.
void benchmark_counted(void (*body)(void *), void *context);

#endif

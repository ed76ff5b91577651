#include "counted.h"

void benchmark_counted(void (*body)(void *), void *context) { body(context); }

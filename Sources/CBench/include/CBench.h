// Counts what is taken from the heap, so that "no allocation" is a number and not an argument.
#ifndef CBENCH_H
#define CBENCH_H

#include <stdint.h>

/// How often this process has called malloc, calloc, realloc or an aligned form of them.
uint64_t cbench_allocations(void);

/// Processor time of this thread, in nanoseconds.
uint64_t cbench_thread_nanoseconds(void);

/// Bytes of the heap that are in use now.
uint64_t cbench_heap_bytes(void);

#endif

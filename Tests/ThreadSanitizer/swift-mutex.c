// Tells the thread sanitizer what a contended Mutex of Swift's Synchronization module does.
//
// On Linux its slow path locks and unlocks with futexes inside a library that is not instrumented,
// so the sanitizer misses that one thread's unlock comes before another's lock, and takes whatever
// the lock guards for a race. Preloaded, this stands before the two calls and says so.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

#define SWIFT __attribute__((swiftcall))
#define CONTEXT __attribute__((swift_context))

static void (*acquired)(void *);
static void (*releasing)(void *);
static SWIFT void (*lock_slowly)(uint32_t, CONTEXT void *);
static SWIFT void (*unlock_slowly)(CONTEXT void *);

__attribute__((constructor)) static void find(void) {
    acquired = (void (*)(void *))dlsym(RTLD_DEFAULT, "__tsan_acquire");
    releasing = (void (*)(void *))dlsym(RTLD_DEFAULT, "__tsan_release");
    lock_slowly = (SWIFT void (*)(uint32_t, CONTEXT void *))dlsym(RTLD_NEXT, LOCK);
    unlock_slowly = (SWIFT void (*)(CONTEXT void *))dlsym(RTLD_NEXT, UNLOCK);
}

SWIFT void lock(uint32_t thread, CONTEXT void *mutex) __asm__(LOCK);
SWIFT void lock(uint32_t thread, CONTEXT void *mutex) {
    lock_slowly(thread, mutex);
    if (acquired) acquired(mutex);
}

SWIFT void unlock(CONTEXT void *mutex) __asm__(UNLOCK);
SWIFT void unlock(CONTEXT void *mutex) {
    if (releasing) releasing(mutex);
    unlock_slowly(mutex);
}

#include "CItems.h"

#include <stdlib.h>

extern char **environ;

// The Swift runtime looks for a program called swift-backtrace, beside this one too, to run it in a crash,
// and does not start without /proc, from which it learns where that is. It does neither if these are set
// before it looks, so they are set here, before any other constructor of the program runs, and only until
// its main function runs: what this program starts gets the environment that this program got.
static const char *const names[] = {"SWIFT_BACKTRACE", "SWIFT_ROOT"};
static const char *const values[] = {"enable=no,swift-backtrace=/dev/null", "/dev/null"};
static const char *given[] = {NULL, NULL};

__attribute__((constructor(101))) static void prepare_environment(void) {
  for (int i = 0; i < 2; i++) {
    given[i] = getenv(names[i]);
    setenv(names[i], values[i], 1);
  }
}

void items_restore_environment(void) {
  for (int i = 0; i < 2; i++) {
    if (given[i]) {
      setenv(names[i], given[i], 1);
    } else {
      unsetenv(names[i]);
    }
  }
}

char **items_environment(void) { return environ; }

#include "CItems.h"

#include <stddef.h>

static char **words = NULL;

__attribute__((constructor)) static void keep_words(int count, char **given) {
  (void)count;
  words = given;
}

char **items_words(void) { return words; }

#include "CItems.h"

// C23, and an extension of clang before.
#pragma clang diagnostic ignored "-Wc23-extensions"

const char *items_bash(void) {
  static const char text[] = {
#embed "../items/Completion/items.bash" suffix(, 0)
  };
  return text;
}

const char *items_zsh(void) {
  static const char text[] = {
#embed "../items/Completion/items.zsh" suffix(, 0)
  };
  return text;
}

const char *items_fish(void) {
  static const char text[] = {
#embed "../items/Completion/items.fish" suffix(, 0)
  };
  return text;
}

const char *items_manual(void) {
  static const char text[] = {
#embed "../items/Help/items.1" suffix(, 0)
  };
  return text;
}

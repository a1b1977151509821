#pragma once

// The words that the program was started with, its name first, behind the last of them NULL. NULL itself
// where the system does not pass them to constructors; glibc and Apple's dyld do.
char *_Nullable *_Nullable items_words(void);

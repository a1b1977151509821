#pragma once

// The words that the program was started with, its name first, NULL after the last of them. NULL itself
// if the system does not pass them to constructors; glibc and Apple's dyld do.
char *_Nullable *_Nullable items_words(void);

// Puts the environment back as the program was given it. What the Swift runtime asks of it before the main
// function runs was put there until then. To be called first in that function.
void items_restore_environment(void);

// What a program that this one starts is to get as its environment.
char *_Nullable *_Nonnull items_environment(void);

// Files of the tool's folder, as they are: the compiler of C puts them into the program.
const char *_Nonnull items_bash(void);
const char *_Nonnull items_zsh(void);
const char *_Nonnull items_fish(void);
const char *_Nonnull items_manual(void);

// The system calls that Swift's Glibc module does not import, and the variadic ones it cannot.
#pragma once

#include <fcntl.h>
#include <sys/types.h>

static inline int items_open(const char *path, int flags, mode_t mode) {
  return open(path, flags, mode);
}

#ifdef __linux__
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

// copy_file_range(2)
static inline ssize_t items_copy_file_range(int from, off_t *from_offset, int to, off_t *to_offset,
                                            size_t count) {
  return syscall(SYS_copy_file_range, from, from_offset, to, to_offset, count, 0u);
}

// sync_file_range(2), SYNC_FILE_RANGE_WRITE: start writing to the disk, wait for nothing.
static inline int items_start_sync(int file) {
  return (int)syscall(SYS_sync_file_range, file, (off_t)0, (off_t)0, 2u);
}
#endif

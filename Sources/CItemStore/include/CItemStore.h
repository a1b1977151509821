// The system calls that Swift's Glibc module does not import, the variadic ones it cannot, and those
// whose types differ from system to system.
#pragma once

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/types.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#include <sys/xattr.h>
#endif
#ifdef __APPLE__
#include <sys/event.h>
// As in sys/xattr.h, which the headers that cross compilers have of macOS lack.
ssize_t flistxattr(int file, char *_Nullable names, size_t size, int options);
ssize_t fgetxattr(int file, const char *_Nonnull name, void *_Nullable value, size_t size,
                  uint32_t position, int options);
int fsetxattr(int file, const char *_Nonnull name, const void *_Nonnull value, size_t size,
              uint32_t position, int options);
#endif

// No pointer is null unless it says so.
#pragma clang assume_nonnull begin

// openat(2)
static inline int items_openat(int folder, const char *path, int flags, mode_t mode) {
  return openat(folder, path, flags, mode);
}

// lseek(2) with SEEK_HOLE: where the first hole after an offset is, or the end; -1 if that cannot be told.
static inline off_t items_find_hole(int file, off_t offset) {
#ifdef __APPLE__
  return lseek(file, offset, 3);
#else
  return lseek(file, offset, 4);
#endif
}

// Extended attributes, listxattr(2) and the like: names end with a zero.
#ifdef __APPLE__
static inline ssize_t items_list_attributes(int file, char *_Nullable names, size_t size) {
  return flistxattr(file, names, size, 0);
}
static inline ssize_t items_get_attribute(int file, const char *name, void *_Nullable value,
                                          size_t size) {
  return fgetxattr(file, name, value, size, 0, 0);
}
static inline int items_set_attribute(int file, const char *name, const void *value, size_t size) {
  return fsetxattr(file, name, value, size, 0, 0);
}
#else
static inline ssize_t items_list_attributes(int file, char *_Nullable names, size_t size) {
  return flistxattr(file, names, size);
}
static inline ssize_t items_get_attribute(int file, const char *name, void *_Nullable value,
                                          size_t size) {
  return fgetxattr(file, name, value, size);
}
static inline int items_set_attribute(int file, const char *name, const void *value, size_t size) {
  return fsetxattr(file, name, value, size, 0);
}
#endif

// Gives `to` the access list of `from`, and none if that has none; returns -1 with errno.
int items_copy_access(int from, int to);

// 0 if two files have the same access list, 1 if not, -1 with errno.
int items_compare_access(int a, int b);

// Starts a thread that takes no signals; returns 0 or the error's number.
static inline int items_start_thread(uintptr_t *thread, void *_Nullable (*_Nonnull run)(void *),
                                     void *context) {
  pthread_t started;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int error = pthread_create(&started, NULL, run, context);
  if (error == 0) *thread = (uintptr_t)started;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return error;
}

// Waits for a thread to end.
static inline void items_join_thread(uintptr_t thread) { pthread_join((pthread_t)thread, NULL); }

// Lets a thread end by itself.
static inline void items_detach_thread(uintptr_t thread) { pthread_detach((pthread_t)thread); }

#ifdef __linux__
// A new file that has no name yet: open(2), O_TMPFILE, which the C library shows to GNU programs only.
static inline int items_open_unnamed(int folder, mode_t mode) {
  return openat(folder, ".", O_RDWR | O_CLOEXEC | O_DIRECTORY | 020000000, mode);
}

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

#ifdef __APPLE__
// kqueue(2): reports from now on what happens to an open file, or to the names in an open folder.
static inline int items_watch(int queue, int file) {
  struct kevent change;
  EV_SET(&change, file, EVFILT_VNODE, EV_ADD | EV_CLEAR,
         NOTE_WRITE | NOTE_EXTEND | NOTE_ATTRIB | NOTE_DELETE | NOTE_RENAME | NOTE_REVOKE, 0, NULL);
  return kevent(queue, &change, 1, NULL, 0, NULL);
}

// The file or folder of one report that is there; -1 if there is none.
static inline int items_take_report(int queue) {
  struct timespec none = {0, 0};
  struct kevent event;
  return kevent(queue, NULL, 0, &event, 1, &none) == 1 ? (int)event.ident : -1;
}
#endif

#pragma clang assume_nonnull end

// Access lists: acl(5). Linux keeps the one that matters here in an attribute, macOS has calls for it.
#include "CItemStore.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#ifdef __APPLE__
#include <sys/acl.h>
#endif

// Whether errno says that there is no list, or nothing that could have one.
static int is_none(void) {
#ifdef __linux__
  if (errno == ENODATA) return 1;
#endif
  return errno == ENOENT || errno == ENOTSUP || errno == EOPNOTSUPP || errno == ENOSYS ||
         errno == EINVAL;
}

#ifdef __APPLE__

int items_copy_access(int from, int to) {
  acl_t list = acl_get_fd_np(from, ACL_TYPE_EXTENDED);
  if (list == NULL) {
    if (!is_none()) return -1;
    // The new file may have inherited a list from its folder.
    list = acl_init(0);
    if (list == NULL) return -1;
  }
  int result = acl_set_fd_np(to, list, ACL_TYPE_EXTENDED);
  int error = errno;
  acl_free(list);
  errno = error;
  return result == -1 && is_none() ? 0 : result;
}

int items_compare_access(int a, int b) {
  int result = -1;
  acl_t lists[2];
  char *texts[2] = {NULL, NULL};
  int files[2] = {a, b}, lacking = 0, failed = 0;
  for (int i = 0; i < 2; i++) {
    lists[i] = acl_get_fd_np(files[i], ACL_TYPE_EXTENDED);
    if (lists[i] == NULL && !is_none()) failed = errno;
    if (lists[i] == NULL) lacking++;
  }
  if (failed != 0) {
    errno = failed;
  } else if (lacking > 0) {
    result = lacking == 1;
  } else {
    for (int i = 0; i < 2; i++) texts[i] = acl_to_text(lists[i], NULL);
    if (texts[0] != NULL && texts[1] != NULL) result = strcmp(texts[0], texts[1]) != 0;
  }
  int error = errno;
  for (int i = 0; i < 2; i++) {
    if (texts[i] != NULL) acl_free(texts[i]);
    if (lists[i] != NULL) acl_free(lists[i]);
  }
  errno = error;
  return result;
}

#else

static const char *const list_name = "system.posix_acl_access";

// The list of a file in new memory, and its size; NULL with size 0 if there is none, with size -1 if
// that cannot be told.
static char *read_list(int file, ssize_t *size) {
  *size = fgetxattr(file, list_name, NULL, 0);
  if (*size == -1) {
    if (is_none()) *size = 0;
    return NULL;
  }
  if (*size == 0) return NULL;
  char *list = malloc((size_t)*size);
  if (list != NULL) *size = fgetxattr(file, list_name, list, (size_t)*size);
  if (list == NULL) *size = -1;
  return list;
}

int items_copy_access(int from, int to) {
  ssize_t size;
  char *list = read_list(from, &size);
  int result = size == -1 ? -1 : 0;
  if (result == 0 && list != NULL) {
    result = fsetxattr(to, list_name, list, (size_t)size, 0);
  } else if (result == 0 && fremovexattr(to, list_name) == -1 && !is_none()) {
    result = -1;
  }
  int error = errno;
  free(list);
  errno = error;
  return result;
}

int items_compare_access(int a, int b) {
  ssize_t size_a, size_b;
  char *list_a = read_list(a, &size_a), *list_b = read_list(b, &size_b);
  int result = -1;
  if (size_a != -1 && size_b != -1) {
    result = size_a != size_b || (size_a > 0 && memcmp(list_a, list_b, (size_t)size_a) != 0);
  }
  int error = errno;
  free(list_a);
  free(list_b);
  errno = error;
  return result;
}

#endif

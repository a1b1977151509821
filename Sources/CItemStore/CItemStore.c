// All of this module is inline; a target without a source file cannot be linked by Xcode.
#include "CItemStore.h"

#ifndef POKYH_CCMARK_SHIM_H
#define POKYH_CCMARK_SHIM_H

// cmark-gfm: the reference parser of CommonMark with GitHub's extensions (Debian: libcmark-gfm-dev and
// libcmark-gfm-extensions-dev, 0.29.0.gfm.6).
#include <cmark-gfm.h>
#include <cmark-gfm-extension_api.h>
#include <cmark-gfm-core-extensions.h>

#endif

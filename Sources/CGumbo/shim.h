// The wall before libgumbo, the HTML5 parser: only what HTMLText calls.
#include <gumbo.h>

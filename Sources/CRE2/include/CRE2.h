// The part of RE2 (libre2) that the house uses, callable from C and Swift. RE2 matches in time linear in the text.
#ifndef CRE2_H
#define CRE2_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A compiled regular expression. Immutable: it may be matched from several threads at once.
typedef struct cre2_regex cre2_regex;

/// Compiles UTF-8 pattern text, or returns NULL and writes why into `error` (NUL-terminated, cut to `error_size` bytes).
/// A program of more than `max_memory` bytes is refused.
cre2_regex *cre2_compile(const char *pattern, size_t length, int64_t max_memory, char *error, size_t error_size);

/// Whether the expression matches anywhere in the text.
bool cre2_matches(const cre2_regex *regex, const char *text, size_t length);

/// How large the compiled program is, in instructions: what a match costs for each byte of the text at worst.
int cre2_program_size(const cre2_regex *regex);

void cre2_free(cre2_regex *regex);

#ifdef __cplusplus
}
#endif

#endif

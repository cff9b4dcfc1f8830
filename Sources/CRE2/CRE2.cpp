#include "CRE2.h"

#include <re2/re2.h>

#include <cstring>
#include <new>

struct cre2_regex {
    re2::RE2 expression;
    cre2_regex(const re2::StringPiece &pattern, const re2::RE2::Options &options) : expression(pattern, options) {}
};

static void copy_error(const char *text, size_t length, char *error, size_t error_size) {
    if (error_size == 0) return;
    size_t kept = length < error_size - 1 ? length : error_size - 1;
    std::memcpy(error, text, kept);
    error[kept] = 0;
}

extern "C" cre2_regex *cre2_compile(
    const char *pattern, size_t length, int64_t max_memory, char *error, size_t error_size
) {
    re2::RE2::Options options;
    options.set_log_errors(false);
    options.set_max_mem(max_memory);
    auto *regex = new (std::nothrow) cre2_regex(re2::StringPiece(pattern, length), options);
    if (!regex) {
        copy_error("out of memory", 13, error, error_size);
        return nullptr;
    }
    if (!regex->expression.ok()) {
        const std::string &reason = regex->expression.error();
        copy_error(reason.data(), reason.size(), error, error_size);
        delete regex;
        return nullptr;
    }
    return regex;
}

extern "C" bool cre2_matches(const cre2_regex *regex, const char *text, size_t length) {
    return regex->expression.Match(re2::StringPiece(text, length), 0, length, re2::RE2::UNANCHORED, nullptr, 0);
}

extern "C" int cre2_program_size(const cre2_regex *regex) { return regex->expression.ProgramSize(); }

extern "C" void cre2_free(cre2_regex *regex) { delete regex; }

// The wall before SQLite.
#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast of -1 to a function pointer, which Swift does not import: SQLite shall copy what it is handed.
static inline int pokyh_bind_text(sqlite3_stmt *statement, int place, const char *text, int length) {
    return sqlite3_bind_text(statement, place, text, length, SQLITE_TRANSIENT);
}

static inline int pokyh_bind_blob(sqlite3_stmt *statement, int place, const void *bytes, int length) {
    return sqlite3_bind_blob(statement, place, bytes, length, SQLITE_TRANSIENT);
}

// sqlite3_config takes arguments of any kind, which Swift does not import. SQLite shall not count its memory: nobody asks for the count,
// and it takes a lock with each piece of memory.
static inline int pokyh_leave_memory_uncounted(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

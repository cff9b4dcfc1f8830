// The wall before libcrypto (OpenSSL): only what Digests calls.
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

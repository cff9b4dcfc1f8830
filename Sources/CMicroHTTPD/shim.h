// The wall before GNU libmicrohttpd. Its start and its questions are variadic, which Swift does not import; they are asked here.
#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <string.h>

/// A server on 127.0.0.1 with one polling thread of its own; port 0 takes a free one. NULL where the port cannot be bound.
static inline struct MHD_Daemon *microhttpd_start_on_loopback(uint16_t port, MHD_AccessHandlerCallback access,
                                                              MHD_RequestCompletedCallback completed, void *context) {
    struct sockaddr_in address;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return MHD_start_daemon(MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD | MHD_ALLOW_SUSPEND_RESUME, port, NULL, NULL,
                            access, context, MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address,
                            MHD_OPTION_NOTIFY_COMPLETED, completed, context, MHD_OPTION_END);
}

/// The port that a server listens on, 0 where that cannot be told.
static inline uint16_t microhttpd_port(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *information = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    return information == NULL ? 0 : information->port;
}

import BotCore
import CCurl
import Glibc
import Values

/// Runs a body on a thread of its own, for C code that blocks. 512 KiB of stack: what libcurl with OpenSSL was measured to be content
/// with, in place of the system's 8 MiB.
func startThread(_ body: @escaping @Sendable () -> Void) throws(PluginError) {
    final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, 512 << 10)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    let work = Unmanaged.passRetained(Work(body))
    var thread = pthread_t()
    let failure = pthread_create(
        &thread,
        &attributes,
        { context in
            if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body() }
            return nil
        },
        work.toOpaque()
    )
    guard failure == 0 else {
        work.release()
        throw .transient("No thread could be started for the network: the machine's limit of processes is reached.")
    }
}

/// Time since the machine started; it never jumps. For waiting times alone, never for anything that is stored or told.
func monotonicNow() -> TimeSpan {
    var reading = timespec()
    clock_gettime(CLOCK_MONOTONIC, &reading)
    return TimeSpan(seconds: Int64(reading.tv_sec), nanoseconds: Int64(reading.tv_nsec))
}

/// Opens a socket for libcurl if the policy allows the address, closed in child processes; `CURL_SOCKET_BAD` (-1) if not.
func openSocket(_ address: UnsafeMutablePointer<curl_sockaddr>, refusedBecause objection: (IPAddress) -> String?) -> (
    socket: curl_socket_t, objection: String?
) {
    // The system's address begins at the field and is longer than the field's type for IPv6; libcurl allocates the whole.
    let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) ?? 0
    let start = UnsafeRawPointer(address) + offset
    guard let ip = IPAddress(family: address.pointee.family, socketAddress: start, length: Int(address.pointee.addrlen))
    else {
        return (-1, "it leads to an address of an unknown kind")
    }
    if let objection = objection(ip) { return (-1, objection) }
    let kind = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
    return (socket(address.pointee.family, kind, address.pointee.protocol), nil)
}

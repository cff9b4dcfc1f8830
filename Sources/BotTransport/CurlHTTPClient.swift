public import BotCore
import Synchronization
import Values

/// HTTP by libcurl's multi interface: one thread for all transfers, connections kept and shared, HTTP/2 where the server offers it.
///
/// Every request waits for its turn at its host (`HTTPSettings.hosts`); that time does not count against its timeout, and a host that
/// hangs delays no other. Redirects are answers, cookies and passwords are nobody's but the caller's, certificates are verified.
public final class CurlHTTPClient: HTTPClient {
    private let loop: TransferLoop
    private let settings: HTTPSettings
    private let redactor: Redactor

    /// - Throws: `.transient` if the machine has no thread or memory for it.
    public init(_ settings: HTTPSettings = HTTPSettings(), redactor: Redactor = Redactor()) throws(PluginError) {
        self.settings = settings
        self.redactor = redactor
        loop = try TransferLoop(settings)
    }

    deinit { loop.stop() }

    public func send(_ request: HTTPRequest) async throws(PluginError) -> HTTPResponse {
        do throws(PluginError) {
            let address = try WebAddress(request.url)
            let fields = try HeaderFields.checked(request.headers, of: request.method, to: address)
            return try await loop.run(
                request,
                at: address,
                fields: fields,
                proxy: settings.proxy.proxy(for: address)
            )
        } catch {
            throw redactor.mask(error)
        }
    }

    /// Ends all transfers (each `send` under way throws) and closes all connections; returns when that is done. Later requests are
    /// refused.
    public func close() async { await loop.close() }
}

import BotCore
import BotTransport
import Glibc
import Testing
import Values

let opensslProgram = "/usr/bin/openssl"

/// A certificate for `localhost` that vouches for itself, and its key, as files for one test.
func withCertificate(_ body: (_ certificate: String, _ key: String) async throws -> Void) async throws {
    try await withFolder { folder in
        let (certificate, key) = (folder + "/certificate.pem", folder + "/key.pem")
        let options = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost"
        let files = ["-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate]
        let made = try ChildProcess(opensslProgram, options.split(separator: " ").map(String.init) + files)
        #expect(await made.end() == 0)
        try await body(certificate, key)
    }
}

/// Against OpenSSL's own server, with an authority that nobody trusts by default.
@Suite(.enabled(if: access(opensslProgram, X_OK) == 0, "the program openssl is not installed"))
struct TLSTests {
    private func withSecureServer(_ body: (_ port: Int, _ caFile: String) async throws -> Void) async throws {
        try await withCertificate { certificate, key in
            let server = try ChildProcess(
                opensslProgram,
                ["s_server", "-accept", "127.0.0.1:0", "-cert", certificate, "-key", key, "-www"]
            )
            defer { server.stop() }
            // It names the port that it was given: "ACCEPT 127.0.0.1:40123".
            var port: Int?
            while port == nil, let line = await server.line() {
                if line.hasPrefix("ACCEPT") { port = line.split(separator: ":").last.flatMap { Int($0) } }
            }
            try await body(try #require(port), certificate)
        }
    }

    @Test func `a certificate that nobody vouches for is refused for now, with a way to mend it`() async throws {
        try await withSecureServer { port, _ in
            let request = HTTPRequest("GET", "https://localhost:\(port)/secret", headers: [("X-Key", "geheim")])
            let error = try await withClient { await failure(of: $0, request) }
            #expect(error?.disposition == .transient(retryAfter: nil))
            #expect(error?.message.contains("https://localhost:\(port)") == true)
            #expect(error?.message.contains("secret") == false)
        }
    }

    @Test func `a school's own authority can be trusted, its names are still checked`() async throws {
        try await withSecureServer { port, caFile in
            let settings = HTTPSettings(caFile: caFile, hosts: HostPolicies(usual: .unlimited))
            try await withClient(settings) { client in
                let answer = try await client.send(HTTPRequest("GET", "https://localhost:\(port)/"))
                #expect(answer.status == 200)
                let other = await failure(of: client, HTTPRequest("GET", "https://127.0.0.1:\(port)/"))
                #expect(other?.disposition == .transient(retryAfter: nil))
            }
        }
    }

    @Test func `a server without TLS gets nothing`() async throws {
        let seen = Recorder<Bool>()
        try await withServer({ connection, _ in
            connection.send("HTTP/1.1 400 Bad Request\r\n\r\n")
            connection.waitForEnd()
            seen.record(true)
        }) { server in
            let request = HTTPRequest("POST", "https://localhost:\(server.port)/", body: [1])
            let error = try await withClient { await failure(of: $0, request) }
            #expect(error?.disposition == .transient(retryAfter: nil))
        }
        await seen.wait(for: 1)
    }

    @Test func `a proxy is asked to connect and gets none of our headers`() async throws {
        let seen = Recorder<ScriptedRequest>()
        try await withServer({ connection, _ in
            guard let request = connection.request() else { return }
            seen.record(request)
            connection.answer("403 Forbidden")
        }) { proxy in
            let settings = HTTPSettings(
                hosts: HostPolicies(usual: .unlimited),
                proxy: ProxySettings { $0 == "https_proxy" ? "http://127.0.0.1:\(proxy.port)" : nil }
            )
            let request = HTTPRequest(
                "POST",
                "https://school.example/secret",
                headers: [("X-Key", "geheim")],
                body: [1]
            )
            let error = try await withClient(settings) { await failure(of: $0, request) }
            #expect(error?.disposition == .transient(retryAfter: nil))
            #expect(error?.message.contains("secret") == false)
        }
        let request = try #require(seen.all.first)
        #expect(request.line == "CONNECT school.example:443 HTTP/1.1")
        #expect(request.header("x-key") == nil)
    }
}

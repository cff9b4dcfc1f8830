import BotCore
import Foundation
import Synchronization
import Values

/// A school that gives recorded answers, by the end of the path that is asked; `grading/lesson?lessonId=1` also by the query.
final class RecordedSchool: HTTPClient {
    private let answers: Mutex<[String: String]>

    /// - Parameter answers: file names in `Tests/Fixtures/pokyh` by the end of a path, or by `rpc:` and a method.
    init(_ answers: [String: String]) {
        let usual = [
            "rpc:authenticate": "untis_rpc_authenticate_student", "rpc:getSchoolyears": "untis_rpc_getSchoolyears",
            "rpc:getKlassen": "untis_rpc_getKlassen", "rpc:logout": "untis_rpc_logout",
            "app/data": "untis_app_data_student",
        ]
        self.answers = Mutex(usual.merging(answers) { $1 })
    }

    func answer(_ place: String, _ file: String) { answers.withLock { $0[place] = file } }

    func send(_ request: HTTPRequest) async throws(PluginError) -> HTTPResponse {
        let path = request.url.prefix { $0 != "?" }
        if path.hasSuffix("token/new") { return HTTPResponse(status: 200, body: Array("header.claims.signature".utf8)) }
        let body = (try? Value(json: request.body ?? [])) ?? .null
        guard let method = body["method"].string else { return try answer(to: request.url) }
        if method == "getLatestImportTime" {
            return json(["jsonrpc": "2.0", "id": body["id"], "result": .int(Int64(request.url.count))])
        }
        var response = try recorded("rpc:" + method)
        guard var document = (try? Value(json: response.body))?.map else { return response }
        document["id"] = body["id"]
        response = json(.map(document))
        if method == "authenticate" {
            response.headers += [
                ("Set-Cookie", "JSESSIONID=S1; Path=/WebUntis"), ("Set-Cookie", "schoolname=\"_bGJz\"; Path=/"),
            ]
        }
        return response
    }

    private func answer(to url: String) throws(PluginError) -> HTTPResponse {
        let path = url.prefix { $0 != "?" }
        let places = answers.withLock { answers in
            answers.keys.filter { place in
                let parts = place.split(separator: "?")
                return path.hasSuffix(parts[0]) && (parts.count == 1 || url.contains(parts[1]))
            }
        }
        guard let place = places.max(by: { $0.count < $1.count }) else {
            return HTTPResponse(status: 404, body: Array(#"{"errorCode":"NOT_FOUND"}"#.utf8))
        }
        return try recorded(place)
    }

    private func recorded(_ place: String) throws(PluginError) -> HTTPResponse {
        let file = answers.withLock { $0[place] } ?? ""
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        guard let data = try? Data(contentsOf: folder.appending(path: "Fixtures/pokyh/\(file).json")) else {
            throw .permanent("no recorded answer for \(place)")
        }
        return HTTPResponse(status: 200, headers: [("Content-Type", "application/json")], body: Array(data))
    }

    private func json(_ value: Value) -> HTTPResponse {
        HTTPResponse(status: 200, headers: [("Content-Type", "application/json")], body: value.jsonBytes)
    }
}

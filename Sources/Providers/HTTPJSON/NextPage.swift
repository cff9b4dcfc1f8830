import BotCore

/// The address of the next page, where an answer holds only a part of the list (RFC 8288, relation `next`).
enum NextPage {
    /// Nil where the answer is the last page or the only one.
    ///
    /// Header fields hold secrets, so that a page is only followed to the same server.
    /// - Throws: `.permanent` for a page elsewhere: without it the list is not whole.
    static func address(
        in response: HTTPResponse,
        of url: Secret,
        place: String
    ) throws(PluginError) -> Secret? {
        guard let target = response.headers(named: "Link").lazy.compactMap(target).first else { return nil }
        let address = url.reveal()
        if target.hasPrefix("?") { return Secret(String(address.prefix { $0 != "?" && $0 != "#" }) + target) }
        let origin = Self.origin(of: address)
        if target.hasPrefix("/"), !target.hasPrefix("//") { return Secret(origin + target) }
        guard Self.origin(of: target).lowercased() == origin.lowercased(), target.count > origin.count else {
            throw .permanent(
                "\(place): the list goes on at another server, which is not followed; ask for all of it at once in 'url'"
            )
        }
        return Secret(target)
    }

    /// `https://host:port`.
    private static func origin(of url: String) -> String {
        guard let colon = url.firstRange(of: "://") else { return "" }
        let authority = url[colon.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        return String(url[..<colon.upperBound] + authority)
    }

    /// The target of `<…>; rel="next"` in one header field.
    private static func target(in field: String) -> String? {
        for link in field.split(separator: "<") {
            guard let end = link.firstIndex(of: ">") else { continue }
            let isNext = link[link.index(after: end)...].lowercased().split(separator: ";").contains { parameter in
                let words = parameter.split { " \t,\"'=".contains($0) }
                return words.first == "rel" && words.dropFirst().contains("next")
            }
            if isNext { return String(link[..<end]) }
        }
        return nil
    }
}

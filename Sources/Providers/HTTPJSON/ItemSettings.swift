import BotCore
import Digests
import Values

/// The types that a member can be declared with.
enum ItemType: String, CaseIterable, Sendable {
    case text, number, integer, flag, timestamp, date
}

/// The way to a member: `place.city`.
struct MemberPath: Sendable, Hashable {
    let text: String
    private let names: [String]

    /// The value itself.
    static let whole = MemberPath()

    private init() {
        text = ""
        names = []
    }

    /// Nil for a path with an empty name in it.
    init?(_ text: String) {
        names =
            text.utf8.contains(UInt8(ascii: "."))
            ? text.split(separator: ".", omittingEmptySubsequences: false).map(String.init) : [text]
        if names.contains("") { return nil }
        self.text = text
    }

    /// `.null` where there is no such member.
    func value(in entry: Value) -> Value { names.reduce(entry) { $0[$1] } }
}

/// A declared member, and the field of the record it becomes.
struct ItemField: Sendable {
    var path: MemberPath
    /// The path with what cannot stand in a name as an underscore.
    var name: String
    var type: ItemType

    /// Nil where no name can be made of the path: names are letters, digits and underscores, no digit in front.
    init?(_ text: String, _ type: ItemType) {
        guard !text.isEmpty, let path = MemberPath(text) else { return nil }
        self.path = path
        self.type = type
        name = String(text.map { $0 == "." || $0 == "-" ? "_" : $0 })
        let isName = name.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == UInt8(ascii: "_")
        }
        guard isName, let first = name.utf8.first, !(0x30...0x39).contains(first) else { return nil }
    }
}

/// What the settings say of the list and its items.
struct ItemSettings: Sendable {
    var list: MemberPath
    var key: MemberPath
    /// Nil for the usual members.
    var title: MemberPath?
    /// Where a title is looked for, in this order.
    private(set) var titles: [MemberPath] = []
    /// Nil where every scalar counts.
    var fields: [ItemField]?
    var ignored: Set<String>

    /// Where a title is looked for unless `title` says so.
    static let usualTitles = ["title", "name", "subject", "summary"].compactMap { MemberPath($0) }

    init(_ settings: Settings) throws(SettingsError) {
        let pairs = settings["fields"].map?.pairs.map { ($0.key.plainText, $0.value.plainText) }
        for key in ["items", "key", "title"] {
            // Only the list may be the answer itself.
            guard let text = settings.text(key), MemberPath(text) == nil, key != "items" || !text.isEmpty else {
                continue
            }
            throw SettingsError(
                key,
                "'\(key)' is no path to a member",
                cures: ["write names with dots between them: data.events"]
            )
        }
        self.init(lenient: settings)
        var seen: Set<String> = [ItemSchema.key, ItemSchema.title]
        for (path, type) in pairs ?? [] where !isBuiltIn(path, type) {
            guard let type = ItemType(rawValue: type), let field = ItemField(path, type) else {
                throw SettingsError(
                    "fields",
                    "no field can be made of '\(path)'",
                    cures: ["names are letters, digits and underscores, with dots between members: place.city"]
                )
            }
            guard seen.insert(field.name).inserted else {
                throw SettingsError(
                    "fields",
                    "there is already a field 'item.\(field.name)'",
                    cures: ["item.key is always a text made of 'key', item.title one made of 'title'"]
                )
            }
        }
        try checkIgnored(pairs?.map(\.0))
    }

    /// The same of settings that may be wrong, leaving out what is: for the schema, which is asked for before the settings are refused.
    init(lenient settings: Settings) {
        let path = { (key: String) in settings.text(key).flatMap { MemberPath($0) } }
        list = path("items") ?? .whole
        key = path("key") ?? .whole
        title = path("title")
        ignored = Set(settings.texts("ignore"))
        let declared = settings["fields"].map
        if title == nil, declared?["title"]?.plainText == ItemType.text.rawValue { title = MemberPath("title") }
        titles = title.map { [$0] } ?? Self.usualTitles.filter { [ignored] in !ignored.contains($0.text) }
        guard let declared else { return }
        var seen: Set<String> = [ItemSchema.key, ItemSchema.title]
        fields = declared.pairs.compactMap { pair in
            guard let type = ItemType(rawValue: pair.value.plainText), let field = ItemField(pair.key.plainText, type),
                seen.insert(field.name).inserted
            else { return nil }
            return field
        }
    }

    /// Changes with everything that changes the form of the records: what was learnt under another one cannot be compared.
    static func fingerprint(of settings: Settings) -> String {
        ContentID.make([
            settings.text("items") ?? "", settings.text("key") ?? "", settings.text("title") ?? "",
            settings["fields"].map.map { Value.map($0).canonical.json } ?? "",
            Set(settings.texts("ignore")).sorted().joined(separator: "\n"),
        ])
    }

    /// Whether a declared member is one that items have anyway.
    private func isBuiltIn(_ path: String, _ type: String) -> Bool {
        type == ItemType.text.rawValue
            && (path == ItemSchema.key && key.text == path || path == ItemSchema.title && title?.text == path)
    }

    /// Of a misspelt name every change would be told, so only names that are read may be ignored, where they are declared.
    private func checkIgnored(_ declared: [String]?) throws(SettingsError) {
        guard let declared else { return }
        let known = Set(
            declared + [title?.text].compactMap(\.self) + (title == nil ? Self.usualTitles.map(\.text) : [])
        )
        guard let unknown = ignored.subtracting(known).min() else { return }
        throw SettingsError(
            "ignore",
            "'\(unknown)' is not among 'fields', so its changes do not count anyway",
            cures: [Spelling.question(about: unknown, among: declared)].compactMap(\.self)
        )
    }
}

public import BotCore
import Values

/// The plugin's entry in the list of providers.
public enum HTTPJSONPlugin {
    public static let items = ProviderPlugin(
        name: "http.json",
        "Any list in JSON at an address: tells what was added to it, what changed and what is gone.",
        interval: .minutes(30),
        settings: [
            SettingDeclaration(
                "url",
                .url,
                required: true,
                "The address; write {secret: NAME} if whoever knows it can read the list."
            ),
            SettingDeclaration(
                "items",
                .text,
                standard: "",
                "Where the list lies in the answer, such as data.events; left out where the answer is the list."
            ),
            SettingDeclaration(
                "key",
                .text,
                required: true,
                "The member by which an item is known again, such as id; its value is a text or a whole number."
            ),
            SettingDeclaration(
                "title",
                .text,
                "The member that people call an item by; without it title, name, subject or summary, else the key."
            ),
            SettingDeclaration(
                "fields",
                .map(.choice(ItemType.allCases.map(\.rawValue))),
                "The members that count, with their types, such as {start: timestamp, place.city: text}; rules read them as item.start, "
                    + "item.place_city. Without it all texts, numbers and flags count, and rules read them as item.values.NAME."
            ),
            SettingDeclaration(
                "ignore",
                .list(.text),
                "Members whose change alone is no change, such as a counter of views."
            ),
            SettingDeclaration("headers", .map(.text), "Further header fields of each request."),
            SettingDeclaration(
                "secret_headers",
                .map(.secret),
                "Further header fields with secret values, such as {X-API-Key: {secret: CLUB_KEY}}."
            ),
            SettingDeclaration(
                "authorization",
                .secret,
                "The value of the Authorization header, if the far end asks for one: 'Bearer …'."
            ),
        ],
        schema: { settings in ItemSchema.schema(of: ItemSettings(lenient: settings)) },
        make: { settings, _, tools throws(SettingsError) in
            let items = try ItemSettings(settings)
            let wire = try JSONWire(settings, http: tools.http)
            let form = ItemSettings.fingerprint(of: settings)
            return HTTPJSONProvider(wire: wire, reader: ItemReader(settings: items), form: form)
        }
    )
}

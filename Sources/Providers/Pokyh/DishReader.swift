import BotCore
import HTMLText
import Values

/// A dish of one day.
struct Dish: Sendable, Hashable {
    /// The row's id, which survives a rename; newer backends also have an `id` that is made of the name.
    var id: String
    /// The id that ratings go by: that of the dish, where the backend tells it from the row's.
    var ratingID: String
    var date: CalendarDate
    var names: [String: String]
    var descriptions: [String: String]
    var category: String
    var tags: [String]
    var allergens: [String]
    var price: Double?
    var calories: Int64?
    var protein: Double?
    var fat: Double?
    var isVegetarian: Bool
    var isVegan: Bool
    var image: String
    /// Its place on the day's menu, from 1: the backend's order.
    var position = 1
    /// Mean and number of the stars given; nil where they were not asked for or nobody gave any.
    var rating: (mean: Double, count: Int)?

    static func == (left: Dish, right: Dish) -> Bool { left.id == right.id && left.date == right.date }
    func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(date)
    }
}

extension Dish {
    /// Reads one entry of the catalogue; nil where it has no day or no id. 0 stands for unknown in all numbers
    /// (`protocols/pokyh.md` section 1.2).
    init?(_ entry: Value, base: String) {
        let id = [entry["internalId"].line, entry["id"].line].first { !$0.isEmpty }
        guard let id, let date = Self.date(of: entry) else { return nil }
        self.id = id
        ratingID = [entry["id"].line, id].first { !$0.isEmpty } ?? id
        self.date = date
        names = Self.languages(entry["name"])
        descriptions = Self.languages(entry["description"])
        category = entry["category"].line
        tags = (entry["tags"].list ?? []).map(\.line).filter { !$0.isEmpty }
        allergens = (entry["allergens"].list ?? []).map(\.line).filter { !$0.isEmpty }.sorted()
        price = entry["price"].number.flatMap { $0 > 0 && $0 < Self.highestPrice ? $0 : nil }
        calories = entry["calories"].integer.flatMap { $0 > 0 ? $0 : nil }
        protein = entry["protein"].number.flatMap { $0 > 0 ? $0 : nil }
        fat = entry["fat"].number.flatMap { $0 > 0 ? $0 : nil }
        isVegan = entry["isVegan"].bool ?? false
        isVegetarian = entry["isVegetarian"].bool ?? isVegan
        image = Self.absolute(entry["imageUrl"].string ?? "", base: base)
    }

    /// The day of an entry; nil where it tells none.
    static func date(of entry: Value) -> CalendarDate? { CalendarDate(entry["date"].line.prefix(10)) }

    /// Euros that no dish of a canteen costs.
    private static let highestPrice = 1_000.0

    private static let known = ["de", "it", "en"]

    /// One text or one for each language; a missing one falls back to German.
    private static func languages(_ value: Value) -> [String: String] {
        let german = value.map == nil ? value.line : value["de"].line
        return Dictionary(
            uniqueKeysWithValues: known.map { language in
                let text = value[language].line
                return (language, text.isEmpty ? german : text)
            }
        )
    }

    /// Addresses of pictures may be whole, relative to the server, or empty.
    private static func absolute(_ address: String, base: String) -> String {
        if address.hasPrefix("https://") || address.isEmpty { return address }
        return address.hasPrefix("/") && !address.hasPrefix("//") ? base + address : ""
    }

    func record(host: String) -> Record {
        var fields: ValueMap = [
            "id": .string(id), "date": .string(date.description), "name": .string(names["de"] ?? ""),
            "name_it": .string(names["it"] ?? ""),
            "name_en": .string(names["en"] ?? ""), "description": .string(descriptions["de"] ?? ""),
            "description_it": .string(descriptions["it"] ?? ""), "category": .string(category),
            "tags": .list(tags.map { .string($0) }),
            "allergens": .list(allergens.map { .string($0) }), "vegetarian": .bool(isVegetarian),
            "vegan": .bool(isVegan),
            "image": .string(image), "price_text": .string(price.map(Self.money) ?? ""),
            "position": .int(Int64(position)),
        ]
        fields["price"] = price.map { .double($0) }
        fields["calories"] = calories.map { .int($0) }
        fields["protein"] = protein.map { .double($0) }
        fields["fat"] = fat.map { .double($0) }
        fields["rating"] = rating.map { .double($0.mean) }
        fields["rating_count"] = rating.map { .int(Int64($0.count)) }
        return Record(
            key: "\(date)/\(id)",
            type: MensaSchema.dish.name,
            date: date,
            fields: fields,
            likeness: "\(date)|\(category)|\(names["de"] ?? "")",
            worldKey: "\(host)/\(date)/\(id)"
        )
    }

    /// `4,50 €`.
    private static func money(_ price: Double) -> String {
        let cents = Int((price * 100).rounded())
        return "\(cents / 100),\(cents % 100 < 10 ? "0" : "")\(cents % 100) €"
    }
}

extension Value {
    /// A text on one line, entities decoded, in NFC; "" for anything else.
    var line: String {
        guard let text = string else { return integer.map { String($0) } ?? "" }
        return HTMLText.plainText(text).split(separator: "\n").joined(separator: " ").composed
    }
}

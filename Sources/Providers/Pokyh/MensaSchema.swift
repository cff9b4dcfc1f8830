import BotCore
import Values

/// What `pokyh.mensa` says of dishes: fields, events, queries.
enum MensaSchema {
    static let dish = RecordShape(
        "dish",
        "A dish of the canteen on one day.",
        fields: [
            FieldShape("id", .string, "the dish's id"),
            FieldShape("date", .string, "the day it is served, `2026-11-30`"),
            FieldShape("name", .string, "its German name; empty if it has none"),
            FieldShape("name_it", .string, "its Italian name, else the German one"),
            FieldShape("name_en", .string, "its English name, else the German one"),
            FieldShape("description", .string, "its German description"),
            FieldShape("description_it", .string, "its Italian description, else the German one"),
            FieldShape("category", .string, "`Hauptgericht`, `Nachspeise`"),
            FieldShape("price", .double, optional: true, "the price in euros; missing if unknown"),
            FieldShape("price_text", .string, "the same as `4,50 €`; empty if unknown"),
            FieldShape("allergens", .list(.string), "the allergens, in alphabetical order"),
            FieldShape("tags", .list(.string), "marks such as `Vegetarisch`"),
            FieldShape("vegetarian", .bool, "whether it has no meat and no fish"),
            FieldShape("vegan", .bool, "whether nothing in it is of animals"),
            FieldShape("calories", .int, optional: true, "kilocalories; missing if unknown"),
            FieldShape("protein", .double, optional: true, "grams of protein; missing if unknown"),
            FieldShape("fat", .double, optional: true, "grams of fat; missing if unknown"),
            FieldShape("image", .string, "the address of a picture; empty if there is none"),
            FieldShape("position", .int, "its place on the day's menu, from 1"),
            FieldShape("rating", .double, optional: true, "the mean of the stars, 1 to 5; only with `ratings: true`"),
            FieldShape("rating_count", .int, optional: true, "how many gave stars"),
        ]
    )

    static let menu = RecordShape(
        "menu",
        "What the canteen offers on one day.",
        fields: [
            FieldShape("date", .string, "the day, `2026-11-30`"),
            FieldShape("is_empty", .bool, "whether nothing is known for it"),
            FieldShape("dishes", .list(.record(dish)), "the dishes in the canteen's order"),
            FieldShape("text", .string, "their German names, separated by commas"),
            FieldShape("allergens", .list(.string), "all allergens of the day"),
        ]
    )

    private static let week = RecordShape(
        "menu_week",
        "What the canteen offers in the rest of a week.",
        fields: [
            FieldShape("first", .string, "its first day"),
            FieldShape("last", .string, "its last day"),
            FieldShape("is_empty", .bool, "whether nothing is known for it"),
            FieldShape("days", .list(.record(menu)), "the days that have a menu"),
        ]
    )

    static let schema = SourceSchema(
        records: [dish, menu],
        events: [
            EventDeclaration(
                "dish.added",
                of: "dish",
                "A dish was added to a day whose menu was known.",
                opposite: "dish.removed"
            ),
            EventDeclaration(
                "dish.changed",
                of: "dish",
                "A dish of a known menu changed: another name, price or allergen."
            ),
            EventDeclaration("dish.removed", of: "dish", "A dish was taken off a menu.", opposite: "dish.added"),
            EventDeclaration("menu.published", of: "menu", "A day within reach got its menu."),
        ],
        queries: [
            QueryDeclaration("mensa.today", result: menu, "Today's menu; never that of another day.") {
                menu(of: $1.today, $0)
            },
            QueryDeclaration("mensa.tomorrow", result: menu, "Tomorrow's menu.") {
                menu(of: $1.today.adding(days: 1), $0)
            },
            QueryDeclaration(
                "mensa.week",
                result: week,
                "The menus from today to the end of the week; from Saturday on, the next week's."
            ) {
                weekAnswer($0, $1)
            },
        ],
        uncomparedFields: [
            "dish.id", "dish.image", "dish.rating", "dish.rating_count", "dish.price_text", "dish.tags",
            "dish.position",
        ]
    )

    /// The menu of a day, in the canteen's order.
    static func menu(of date: CalendarDate, _ records: [Record]) -> ValueMap {
        let dishes = records.filter { $0.date == date && $0.type == dish.name }
            .sorted { ($0.fields["position"]?.integer ?? 0, $0.key) < ($1.fields["position"]?.integer ?? 0, $1.key) }
        let names = dishes.compactMap { $0.fields["name"]?.string }.filter { !$0.isEmpty }
        let allergens = Set(dishes.flatMap { $0.fields["allergens"]?.list?.compactMap(\.string) ?? [] })
        return [
            "date": .string(date.description), "is_empty": .bool(dishes.isEmpty),
            "dishes": .list(dishes.map { .map($0.fields) }),
            "text": .string(names.joined(separator: ", ")), "allergens": .list(allergens.sorted().map { .string($0) }),
        ]
    }

    private static func weekAnswer(_ records: [Record], _ context: QueryContext) -> ValueMap {
        let today = context.today
        let first = today.weekday >= 6 ? today.monday.adding(days: 7) : today
        let last = first.monday.adding(days: 6)
        let dates = DateWindow(first, through: last).dates.filter { date in records.contains { $0.date == date } }
        return [
            "first": .string(first.description), "last": .string(last.description), "is_empty": .bool(dates.isEmpty),
            "days": .list(dates.map { .map(menu(of: $0, records)) }),
        ]
    }
}

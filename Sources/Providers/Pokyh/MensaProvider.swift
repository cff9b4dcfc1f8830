import BotConfig
import BotCore
import Values

/// `pokyh.mensa`: the canteen's menu from today on.
///
/// The backend sends its whole catalogue, past days included. A day without dishes is not known to be empty, it is not published yet;
/// when its dishes come, that is `menu.published` and not an addition of each.
struct MensaProvider: Provider {
    let wire: PokyhWire
    /// Asks for ratings, if given.
    let account: PokyhAccount?
    /// Days from today on.
    let lookAhead: Int

    func fetch(_ request: FetchRequest) async throws(PluginError) -> Snapshot {
        let response = try await wire.send("GET", PokyhRoutes.dishes)
        let document = try wire.document(of: response, asking: "the menu", at: request.now)
        guard let entries = document["menu"]["dishes"].list ?? document["dishes"].list else {
            throw .permanent("\(wire.place): the answer holds no menu.")
        }
        let window = DateWindow(request.today, through: request.today.adding(days: lookAhead))
        let read = entries.map { Dish($0, base: wire.base) }
        var dishes = numbered(read.compactMap { $0 }.filter { window.contains($0.date) })
        if let account { try await rate(&dishes, account, at: request.now) }
        let published = Set(dishes.map(\.date))
        // The catalogue keeps what is past: only an entry that could be one of the days asked for casts doubt on them.
        let unreadable = zip(entries, read).count { entry, dish in
            dish == nil && Dish.date(of: entry).map(window.contains) ?? true
        }
        return Snapshot(
            records: dishes.map { $0.record(host: wire.base) },
            window: window,
            unknownDates: Set(window.dates).subtracting(published),
            unreadable: unreadable,
            memo: ["last": .string(window.last.description)]
        )
    }

    /// Every dish with its place on its day; ids that come twice on one day are numbered, so that both dishes stay.
    private func numbered(_ dishes: [Dish]) -> [Dish] {
        var seen: [Dish: Int] = [:]
        var places: [CalendarDate: Int] = [:]
        return dishes.map { dish in
            seen[dish, default: 0] += 1
            places[dish.date, default: 0] += 1
            var placed = dish
            placed.position = places[dish.date] ?? 1
            if let count = seen[dish], count > 1 { placed.id += "#\(count)" }
            return placed
        }
    }

    func interpret(_ difference: Difference, in context: InterpretationContext) -> [Occurrence] {
        let changes = difference.changes
        let reach = difference.oldMemo["last"].string.flatMap { CalendarDate($0) }
        let days = Set(changes.filter { $0.kind == .entered }.compactMap(\.new?.date))
        let published = days.filter { date in reach.map { date <= $0 } ?? false }.sorted()
        let menus = published.map { date -> Occurrence in
            let record = Record(
                key: "menu/\(date)",
                type: MensaSchema.menu.name,
                date: date,
                fields: MensaSchema.menu(of: date, difference.after),
                worldKey: "\(wire.base)/menu/\(date)"
            )
            return Occurrence(kind: "menu.published", record: record, revision: 1)
        }
        return changes.compactMap(occurrence) + menus
    }

    private func occurrence(_ change: Change) -> Occurrence? {
        switch change.kind {
        case .added: change.occurrence("dish.added")
        case .removed: change.occurrence("dish.removed")
        case .changed: change.occurrence("dish.changed")
        case .entered, .renumbered: nil
        }
    }

    // MARK: Ratings

    /// Puts the mean of the stars on each dish. Who gave them is not looked at. A menu without stars is better than none.
    private func rate(_ dishes: inout [Dish], _ account: PokyhAccount, at now: Timestamp) async throws(PluginError) {
        let ids = Array(Set(dishes.map(\.ratingID))).sorted()
        var stars: [String: [Double]] = [:]
        do {
            for start in stride(from: 0, to: ids.count, by: PokyhRoutes.ratingsPerRequest) {
                let chunk = ids[start..<min(ids.count, start + PokyhRoutes.ratingsPerRequest)]
                let body: Value = ["dishIds": .list(chunk.map { .string($0) })]
                let answer = try await account.document(
                    PokyhRoutes.ratingsBatch,
                    body: body,
                    asking: "ratings",
                    at: now
                )
                for id in chunk { stars[id] = (answer[id]["ratings"].map ?? [:]).compactMap(\.value.number) }
            }
        } catch  where error.disposition != .unauthorized {
            return
        }
        for index in dishes.indices {
            guard let given = stars[dishes[index].ratingID], !given.isEmpty else { continue }
            dishes[index].rating = (given.reduce(0, +) / Double(given.count), given.count)
        }
    }
}

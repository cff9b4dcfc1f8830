import Values

/// The canteen: dishes, their ratings and comments; comments on reminders too.
extension SimulatorState {
    /// The whole catalogue: by date, then as entered.
    var dishes: Value {
        let sorted = school.community.dishes.sorted { ($0.date, $0.id) < ($1.date, $1.id) }
        return ["menu": ["dishes": .list(sorted.map(Self.dish))]]
    }

    private static func dish(_ dish: Dish) -> Value {
        let tags: [Value] = (dish.isVegetarian ? ["Vegetarisch"] : []) + (dish.isVegan ? ["Vegan"] : [])
        // Whole numbers come without a fraction, as JavaScript writes them.
        let price: Value = Int64(exactly: dish.price).map { .int($0) } ?? .double(dish.price)
        return [
            "id": .string(dish.id), "name": names(dish.name), "description": names(dish.description), "imageUrl": "",
            "category": .string(dish.category), "tags": .list(tags), "prepTime": 0, "calories": .number(dish.calories),
            "price": price, "protein": 0, "fat": 0, "allergens": .list(dish.allergens.map { .string($0) }),
            "isVegetarian": .bool(dish.isVegetarian), "isVegan": .bool(dish.isVegan),
            "date": .string(dish.date.description),
        ]
    }

    private static func names(_ names: Dish.Names) -> Value {
        ["de": .string(names.de), "it": .string(names.it), "en": .string(names.en)]
    }

    mutating func dishRoute(_ call: PokyhCall) throws(PokyhError) -> ServedAnswer {
        switch (call.method, call.parts[0], call.parts.count) {
        case ("POST", "dish-ratings", 2) where call.parts[1] == "batch": return try ratingBatch(call)
        case ("GET", "dish-ratings", 2): return .json(ratings(of: call.parts[1], for: call.uid))
        case ("POST", "dish-ratings", 2):
            guard let stars = call.body["stars"].wholeNumber, (1...5).contains(stars) else {
                throw PokyhError.validation("stars", "Number must be between 1 and 5")
            }
            var given = school.community.ratings[call.parts[1]] ?? []
            given.removeAll { $0.uid == call.uid }
            school.community.ratings[call.parts[1]] = given + [(call.uid, stars)]
            return .json(ratings(of: call.parts[1], for: call.uid))
        case (_, "dish-comments", 2...3):
            let comment = call.parts.count == 3 ? call.parts[2] : nil
            return try commentRoute(call, .dish(call.parts[1]), comment: comment)
        default: throw PokyhError.noRoute
        }
    }

    private func ratingBatch(_ call: PokyhCall) throws(PokyhError) -> ServedAnswer {
        let ids = call.body["dishIds"].list?.compactMap(\.string) ?? []
        guard !ids.isEmpty else { throw PokyhError.validation("dishIds", "Required") }
        guard ids.count <= 100 else {
            throw PokyhError.validation("dishIds", "Array must contain at most 100 element(s)")
        }
        return .json(.map(ValueMap(ids.map { (Value.string($0), ratings(of: $0, for: call.uid)) })))
    }

    /// An unknown dish has no ratings; it is no error.
    func ratings(of dish: String, for uid: String) -> Value {
        let given = school.community.ratings[dish] ?? []
        let stars = given.map { (Value.string($0.uid), Value.number($0.stars)) }
        let mine = given.first { $0.uid == uid }.map { Value.number($0.stars) } ?? .null
        return ["ratings": .map(ValueMap(stars)), "myRating": mine]
    }

    // MARK: Comments

    func comments(where isWanted: (Community.Comment.Subject) -> Bool) -> Value {
        .list(school.community.comments.filter { isWanted($0.subject) }.map(Self.comment))
    }

    /// Editing is the author's alone, and so is deleting.
    mutating func commentRoute(
        _ call: PokyhCall,
        _ subject: Community.Comment.Subject,
        comment id: String?
    ) throws(PokyhError) -> ServedAnswer {
        guard let id else {
            if call.method == "GET" { return .json(comments { $0 == subject }) }
            guard call.method == "POST" else { throw PokyhError.noRoute }
            let comment = Community.Comment(
                id: school.uuid(.comment),
                subject: subject,
                author: call.uid,
                authorName: call.userName,
                body: try text(call.body, "body", 1...2000),
                createdAt: call.now,
                updatedAt: call.now
            )
            school.community.comments.append(comment)
            return .json(Self.comment(comment), status: 201)
        }
        let place = school.community.comments.firstIndex { $0.id == id && $0.subject == subject }
        guard let place else { throw PokyhError(404, "Comment not found") }
        guard school.community.comments[place].author == call.uid else { throw PokyhError(403, "Not your comment") }
        switch call.method {
        case "PATCH":
            school.community.comments[place].body = try text(call.body, "body", 1...2000)
            school.community.comments[place].updatedAt = call.now
            return .json(Self.comment(school.community.comments[place]))
        case "DELETE":
            school.community.comments.remove(at: place)
            return ServedAnswer(204)
        default: throw PokyhError.noRoute
        }
    }

    private static func comment(_ comment: Community.Comment) -> Value {
        var value: ValueMap = ["id": .string(comment.id)]
        switch comment.subject {
        case .reminder(let id, let classID):
            value["reminderId"] = .string(id)
            value["classId"] = .string(classID)
        case .dish(let id): value["dishId"] = .string(id)
        }
        value["stableUid"] = .string(comment.author)
        value["username"] = .string(comment.authorName)
        value["body"] = .string(comment.body)
        value["createdAt"] = .string(comment.createdAt.withMilliseconds)
        value["updatedAt"] = .string(comment.updatedAt.withMilliseconds)
        return .map(value)
    }
}

/// Where the POKYH backend answers, and the limits it sets.
public enum PokyhRoutes {
    /// The public server; a bot file may name another.
    public static let server = "https://api.pokyh.com"
    public static let login = "/auth/login"
    public static let refresh = "/auth/refresh"
    public static let logout = "/auth/logout"
    public static let ownUser = "/auth/me"
    /// The whole catalogue of dishes, past days included; needs no key.
    public static let dishes = "/dishes"
    public static let ratingsBatch = "/dish-ratings/batch"
    public static func todos(of user: String) -> String { "/users/\(user)/todos" }
    public static func reminders(ofClass id: String) -> String { "/classes/\(id)/reminders" }

    /// Access and refresh token both live one hour (the backend's configuration); a login ends older refresh tokens of the same user
    /// everywhere, so the bot logs in again no sooner than this.
    public static let tokenLifeSeconds: Int64 = 3600
    public static let loginGapSeconds: Int64 = 3000
    /// The most dishes that one request for ratings may name.
    public static let ratingsPerRequest = 100
}

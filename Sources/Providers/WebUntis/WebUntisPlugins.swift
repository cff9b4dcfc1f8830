public import BotCore
import Values

/// The account and the sources that speak to WebUntis.
public enum WebUntisPlugins {
    /// The vendor's support asked for no more than one poll an hour (`protocols/webuntis.md` section 0); admins may choose otherwise.
    static let interval = TimeSpan.minutes(60)
    /// Below this a bot is a nuisance to any server.
    static let shortestInterval = TimeSpan.seconds(10)
    /// Other clients poll every 5 to 10 minutes without having been blocked (SchoolUtils/WebUntis issue 29).
    static let bearableInterval = TimeSpan.minutes(5)

    public static let account = AccountPlugin(
        kind: "webuntis",
        "The login of a student or a guardian at a school's WebUntis.",
        needsSchool: true,
        settings: [
            SettingDeclaration("user", .text, required: true, "the user name, exactly as in WebUntis"),
            SettingDeclaration("password", .secret, "the password; or use `app_secret`"),
            SettingDeclaration(
                "app_secret",
                .secret,
                "the key of the mobile app, for schools that log in elsewhere: WebUntis, profile, data access, display"
            ),
        ],
        make: makeAccount
    )

    @Sendable private static func makeAccount(
        _ settings: Settings,
        _ school: School?,
        _ tools: Tools
    ) throws(SettingsError) -> any Account {
        guard let school else { throw SettingsError("school", "a WebUntis account needs a school") }
        return WebUntisAccount(
            name: settings.name,
            address: try ServerAddress(server: school.server, school: school.school, entry: school.name),
            credentials: try credentials(settings),
            gradeScale: school.gradeScale,
            http: tools.http
        )
    }

    private static func credentials(_ settings: Settings) throws(SettingsError) -> Credentials {
        let user = settings.text("user") ?? ""
        switch (settings.secret("password"), settings.secret("app_secret")) {
        case (let password?, nil): return .password(user: user, password: password)
        case (nil, let secret?): return .appSecret(user: user, secret: appKey(in: secret))
        case (nil, nil): throw SettingsError(nil, "the account has neither 'password' nor 'app_secret'")
        case (_?, _?):
            throw SettingsError(
                "app_secret",
                "the account has both 'password' and 'app_secret'",
                cures: ["leave one out"]
            )
        }
    }

    /// The key alone, where somebody gave the whole text of the QR code, `untis://setschool?…&key=…`.
    private static func appKey(in secret: Secret) -> Secret {
        let text = secret.reveal()
        guard text.hasPrefix("untis://"), let query = text.split(separator: "?").last else { return secret }
        let pair = query.split(separator: "&").first { $0.hasPrefix("key=") }
        return pair.map { Secret(ServerAddress.decoded(String($0.dropFirst(4)))) } ?? secret
    }

    /// Sources that are about the account where they name no student; all others need one.
    public static let ofAccount: Set<String> = ["webuntis.messages", "webuntis.news"]

    static let studentSetting = SettingDeclaration(
        "student",
        .text,
        "the student, by name or id; needed where a guardian has several children; families and rules call them so, else as the school does"
    )

    /// A source of a WebUntis account.
    static func source(
        _ name: String,
        _ documentation: String,
        interval: TimeSpan = interval,
        settings: [SettingDeclaration] = [],
        schema: @escaping @Sendable (Settings) -> SourceSchema,
        make: @escaping @Sendable (Settings, WebUntisAccount) throws(SettingsError) -> any Provider
    ) -> ProviderPlugin {
        ProviderPlugin(
            name: "webuntis.\(name)",
            documentation,
            accountKind: "webuntis",
            interval: interval,
            shortestInterval: shortestInterval,
            bearableInterval: bearableInterval,
            settings: [studentSetting] + settings,
            schema: schema
        ) { (settings, account, _) throws(SettingsError) -> any Provider in
            guard let account = account as? WebUntisAccount else {
                throw SettingsError("account", "'webuntis.\(name)' needs an account of kind webuntis")
            }
            return SummerProvider(inner: try make(settings, account))
        }
    }

    public static let timetable = source(
        "timetable",
        "A student's lessons: cancellations, replacements, moves, rooms, teachers.",
        settings: [
            SettingDeclaration(
                "look_ahead",
                .duration,
                standard: .duration(.days(14)),
                "how many days ahead, at most 60"
            ),
            SettingDeclaration(
                "format",
                .integer(1...99),
                standard: 1,
                "the timetable format of the school; 1 suits all schools seen"
            ),
            SettingDeclaration(
                "trust_import",
                .duration,
                standard: .duration(.minutes(30)),
                "how long nothing is asked while the school's import time stays the same; 0 asks every time"
            ),
        ],
        schema: { _ in LessonSchema.schema }
    ) { (settings, account) throws(SettingsError) -> any Provider in
        let days = (settings.duration("look_ahead") ?? .days(14)).seconds / 86_400
        guard (0...60).contains(days) else {
            throw SettingsError("look_ahead", "'look_ahead' must be between 0d and 60d")
        }
        return TimetableProvider(
            account: account,
            student: settings.text("student"),
            lookAhead: Int(days),
            format: settings.integer("format") ?? 1,
            importTrust: settings.duration("trust_import") ?? .zero
        )
    }

    public static let grades = source(
        "grades",
        "A student's grades of the school year.",
        settings: [
            SettingDeclaration(
                "goal",
                .text,
                "the average to reach, such as `7,5`; `grades.averages` then says what it takes"
            )
        ],
        schema: { settings in GradeSchema.schema(goal: settings.text("goal").flatMap { GradeMath.mark($0) }) }
    ) { (settings, account) throws(SettingsError) -> any Provider in
        if let goal = settings.text("goal"), account.gradeScale != .italian || GradeMath.mark(goal) == nil {
            throw SettingsError("goal", "'\(goal)' is not a mark from 1 to 10, the only scale that 'goal' works with")
        }
        return GradesProvider(account: account, student: settings.text("student"))
    }

    public static let messages = source(
        "messages",
        "The account's inbox. Nothing is marked as read.",
        schema: { _ in MessageSchema.schema }
    ) { (settings, account) throws(SettingsError) -> any Provider in
        MessagesProvider(account: account, student: settings.text("student"))
    }

    public static let exams = source(
        "exams",
        "A student's exams, from the school's list and the timetable.",
        interval: .hours(3),
        settings: [
            SettingDeclaration(
                "look_ahead",
                .duration,
                standard: .duration(.days(40)),
                "how many days of timetable are read along, at most 60"
            ),
            SettingDeclaration(
                "unassigned",
                .flag,
                standard: false,
                "whether exams that name no student count for a child among several"
            ),
        ],
        schema: { _ in ExamSchema.schema }
    ) { (settings, account) throws(SettingsError) -> any Provider in
        let days = (settings.duration("look_ahead") ?? .days(40)).seconds / 86_400
        guard (0...60).contains(days) else {
            throw SettingsError("look_ahead", "'look_ahead' must be between 0d and 60d")
        }
        return ExamsProvider(
            account: account,
            student: settings.text("student"),
            lookAhead: Int(days),
            acceptsUnassigned: settings.flag("unassigned")
        )
    }

    public static let absences = list(
        "absences",
        "A student's absences.",
        AbsencesSource.schema,
        AbsencesSource.ask,
        AbsencesSource.tell
    )
    public static let homework = list(
        "homework",
        "A student's homework.",
        HomeworkSource.schema,
        HomeworkSource.ask,
        HomeworkSource.tell
    )
    public static let classEvents = list(
        "class_events",
        "Entries of the class register about a student.",
        ClassEventsSource.schema,
        ClassEventsSource.ask,
        ClassEventsSource.tell
    )
    public static let news = list(
        "news",
        "The school's messages of the day.",
        isPersonal: false,
        NewsSource.schema,
        NewsSource.ask,
        NewsSource.tell
    )

    public static let schoolClass = source(
        "class",
        "The class of a student, or that none is known; looked for once in a school year.",
        interval: .days(1),
        schema: { _ in ClassSchema.schema }
    ) { (settings, account) throws(SettingsError) -> any Provider in
        ClassProvider(account: account, student: settings.text("student"))
    }

    private static func list(
        _ name: String,
        _ documentation: String,
        isPersonal: Bool = true,
        _ schema: SourceSchema,
        _ ask: @escaping ListSource.Ask,
        _ tell: @escaping ListSource.Tell
    ) -> ProviderPlugin {
        source(name, documentation, schema: { _ in schema }) {
            (settings, account) throws(SettingsError) -> any Provider in
            ListSource(
                account: account,
                student: settings.text("student"),
                isPersonal: isPersonal,
                ask: ask,
                tell: tell
            )
        }
    }

    /// All sources, in the order of the reference.
    public static let sources = [
        timetable, grades, messages, absences, exams, homework, classEvents, news, schoolClass,
    ]
}

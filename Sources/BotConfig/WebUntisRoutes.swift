/// Where WebUntis answers, and the constants of its protocols.
///
/// The routes are those that the school's own web and mobile apps call; none is documented by the vendor. All lie under `/WebUntis` of
/// the school's server.
public enum WebUntisRoutes {
    /// The part of every path that names the application.
    public static let root = "/WebUntis"
    /// JSON-RPC: login, school years, classes, import time. Takes `school` in the query.
    public static let rpc = root + "/jsonrpc.do"
    /// JSON-RPC of the mobile app: login by app secret. Takes `school`, `m`, `a`, `s` and `v` in the query.
    public static let mobileRPC = root + "/jsonrpc_intern.do"
    /// A bearer token for a live cookie, as plain text.
    public static let token = root + "/api/token/new"
    /// The user, the roles, the children, the school year and the holidays.
    public static let appData = root + "/api/rest/view/v1/app/data"
    public static let timetable = root + "/api/rest/view/v1/timetable/entries"
    public static let gradedLessons = root + "/api/classreg/grade/grading/list"
    public static let lessonGrades = root + "/api/classreg/grade/grading/lesson"
    public static let messages = root + "/api/rest/view/v1/messages"
    public static let absences = root + "/api/classreg/absences/students"
    public static let exams = root + "/api/exams"
    public static let homework = root + "/api/homeworks/lessons"
    public static let classEvents = root + "/api/classreg/classregevents"
    public static let news = root + "/api/public/news/newsWidgetData"
    /// The same messages of the day as the newer start page shows them, under the same ids (`protocols/webuntis.md` section 2).
    public static let newsCards = root + "/api/rest/view/v1/dashboard/cards"

    /// What the bot calls itself when it logs in; shown to the school's admin.
    public static let clientName = "pokyh-bot"
    /// The version that the mobile interface is told; servers refuse none, and newer ones answer more.
    public static let mobileVersion = "a6.7.0"

    /// The directory of all schools, JSON-RPC `searchSchool`.
    public static let schoolSearch = "https://schoolsearch.webuntis.com/schoolquery2"

    /// 900 s between `iat` and `exp` in every bearer seen; renewed a minute early.
    public static let bearerLifeSeconds: Int64 = 900
    public static let bearerReserveSeconds: Int64 = 60
}

import Values

/// App data and messages of the view API.
extension SimulatorState {
    func appData(_ account: Account, at now: Timestamp) -> Value {
        let children = account.role == .guardian ? account.students.compactMap { school.student($0) } : []
        let students = children.map { student -> Value in
            ["displayName": .string(student.displayName), "id": .number(student.id), "imageUrl": .null]
        }
        let person: Value = [
            "displayName": .string(account.displayName), "id": .number(account.personID), "imageUrl": .null,
        ]
        let user: Value = [
            "id": .number(account.userID), "name": .string(account.userName), "email": .null, "locale": "de",
            "lastLogin": .string(localText(now)), "person": person, "roles": [.string(account.role.rawValue)],
            "students": .list(students), "permissions": ["views": ["TODAY", "MESSAGE_CENTER"]],
        ]
        return [
            "currentSchoolYear": knownYear(at: now).map(currentYear) ?? .null,
            "holidays": .list(school.calendar.holidays.map(Self.viewHoliday)),
            "tenant": [
                "displayName": .string(School.displayName), "id": .string(School.tenant),
                "name": .string(School.loginName),
            ],
            "user": user, "permissions": ["TT_VIEW:R:5:ASSIGNED", "MESSAGES:R:0:ALL"],
            "settings": ["system.firstDayOfWeek:2"], "isPlayground": false, "ui2020": true,
        ]
    }

    private func currentYear(_ year: SchoolYear) -> Value {
        let units = school.calendar.bells.map { bell -> Value in
            [
                "unitOfDay": .number(bell.number), "startTime": .number(bell.start.compactNumber),
                "endTime": .number(bell.end.compactNumber),
            ]
        }
        return [
            "id": .number(year.id), "name": .string(year.name),
            "dateRange": ["start": .string(year.start.description), "end": .string(year.end.description)],
            "timeGrid": ["schoolyearId": .number(year.id), "units": .list(units)],
        ]
    }

    static func viewYear(_ year: SchoolYear) -> Value {
        [
            "id": .number(year.id), "name": .string(year.name),
            "dateRange": ["start": .string(year.start.description), "end": .string(year.end.description)],
        ]
    }

    private static func viewHoliday(_ holiday: Holiday) -> Value {
        [
            "id": .number(holiday.id), "name": .string(holiday.longName), "start": .string("\(holiday.start)T00:00:00"),
            "end": .string("\(holiday.end)T23:59:59"), "bookable": false,
        ]
    }

    func mobileData(_ account: Account, at now: Timestamp) -> Value {
        let children = account.role == .guardian ? account.students.compactMap { school.student($0) } : []
        let referenced = children.map { student -> Value in
            ["id": .number(student.id), "displayName": .string(student.displayName)]
        }
        return [
            "schoolYear": knownYear(at: now).map(Self.viewYear) ?? .null,
            "tenant": [
                "id": .string(School.tenant), "wuVersion": "2027.0.2", "schoolLoginName": .string(School.loginName),
            ],
            "user": [
                "id": .number(account.userID), "username": .string(account.userName),
                "person": ["id": .number(account.personID), "displayName": .string(account.displayName)],
                "referencedStudents": .list(referenced), "role": .string(account.role.rawValue), "permissions": [],
            ],
        ]
    }

    /// `2026-11-27T13:05:09`: local, to the second, without a zone.
    func localText(_ instant: Timestamp) -> String {
        let (date, time) = school.zone.reading(at: instant)
        return "\(date)T\(time)" + (time.second == 0 ? ":00" : "")
    }

    // MARK: Messages

    func inbox(_ account: Account) -> [InboxMessage] {
        school.messages.filter { $0.owner == account.userName }.sorted { ($0.sentAt, $0.id) > ($1.sentAt, $1.id) }
    }

    /// Without `pageSize` the list may come back empty (protocols, POKYH 2.6); here it does.
    func answerInbox(_ request: ServedRequest, _ account: Account) -> ServedAnswer {
        let size = request.argument("pageSize").flatMap { Int($0) } ?? 0
        let start = request.argument("start").flatMap { Int($0) } ?? 0
        let page = inbox(account).dropFirst(max(0, start)).prefix(max(0, size))
        return .json(["incomingMessages": .list(page.map(row)), "readConfirmationMessages": []])
    }

    private func row(_ message: InboxMessage) -> Value {
        [
            "id": .number(message.id), "subject": .string(message.subject),
            "contentPreview": .string(Self.preview(message.body)), "sender": sender(message),
            "sentDateTime": .string(localText(message.sentAt)), "isMessageRead": .bool(message.isRead),
            "isRead": .bool(message.isRead), "hasAttachments": .bool(message.attachment != nil), "isReply": false,
            "isReplyAllowed": true, "allowMessageDeletion": true,
        ]
    }

    private func sender(_ message: InboxMessage) -> Value {
        [
            "userId": .number(message.senderID), "displayName": .string(message.senderName), "imageUrl": .null,
            "className": .null,
        ]
    }

    /// The beginning of a body without its tags; entities stay as they are.
    private static func preview(_ body: String) -> String {
        var text = ""
        var isInTag = false
        for character in body {
            switch character {
            case "<":
                isInTag = true
                if !text.isEmpty, text.last != " " { text.append(" ") }
            case ">" where isInTag: isInTag = false
            default: if !isInTag { text.append(character) }
            }
        }
        let whole = text.trimmed(of: " ")
        return whole.count > 120 ? whole.prefix(119) + "…" : whole
    }

    /// One message by its id. Reading it here does not mark it as read.
    func answerMessage(_ path: String, _ account: Account) -> ServedAnswer {
        guard let id = Int(path), let message = inbox(account).first(where: { $0.id == id }) else {
            return Self.viewError(404, "NOT_FOUND")
        }
        let stored = message.attachment.map { name -> Value in
            [
                "id": .string("3f0c6f0e-0000-4000-8000-\(String(1_000_000_000_000 + id).dropFirst())"),
                "name": .string(name),
            ]
        }
        return .json([
            "id": .number(message.id), "subject": .string(message.subject), "content": .string(message.body),
            "sender": sender(message), "sentDateTime": .string(localText(message.sentAt)), "attachments": [],
            "storageAttachments": .list([stored].compactMap { $0 }), "isReplyAllowed": true, "replyHistory": [],
            "requestConfirmation": .null,
        ])
    }

    // MARK: News

    func dayMessages(on date: CalendarDate) -> [DayMessage] { school.news.filter { $0.date == date } }

    static func card(_ message: DayMessage) -> Value {
        [
            "id": .number(message.id), "title": .string(message.subject), "subtitle": .string(message.text),
            "status": "READ",
        ]
    }

    func answerNews(_ request: ServedRequest, at now: Timestamp) -> ServedAnswer {
        switch Self.day(request, "date") {
        case .failure(let error): return error.answer
        case .success(let date):
            let rows = dayMessages(on: date).map { message -> Value in
                [
                    "id": .number(message.id), "subject": .string(message.subject), "text": .string(message.text),
                    "isExpanded": false, "attachments": [],
                ]
            }
            return .json(["data": ["systemMessage": .null, "messagesOfDay": .list(rows), "rssUrl": ""]])
        }
    }
}

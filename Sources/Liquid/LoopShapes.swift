import Values

/// What `forloop` and `tablerowloop` offer.
enum LoopShapes {
    static func shape(of variable: String) -> RecordShape { variable == "forloop" ? forLoop : tableLoop }

    private static let common = [
        FieldShape("index", .int, "counts from 1"), FieldShape("index0", .int, "counts from 0"),
        FieldShape("rindex", .int, "counts down to 1"), FieldShape("rindex0", .int, "counts down to 0"),
        FieldShape("first", .bool), FieldShape("last", .bool), FieldShape("length", .int),
    ]

    private static let forLoop = RecordShape(
        "forloop",
        "the loop that is running",
        fields: common + [
            FieldShape("name", .string), FieldShape("parentloop", .any, optional: true, "the loop around it"),
        ]
    )

    private static let tableLoop = RecordShape(
        "tablerowloop",
        "the table row loop that is running",
        fields: common + [
            FieldShape("col", .int), FieldShape("col0", .int), FieldShape("row", .int), FieldShape("col_first", .bool),
            FieldShape("col_last", .bool),
        ]
    )
}

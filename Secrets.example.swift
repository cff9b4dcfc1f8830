// Copy to Sources/BotConfig/Secrets.swift (git ignores the copy) to build secrets into the program:
//   cp Secrets.example.swift Sources/BotConfig/Secrets.swift
// The names are those that `{secret: NAME}` uses in the bot file. Prefer a secret file or the environment where you can: whoever has
// the program file can read what is compiled into it.
extension Secrets {
    public static var values: [String: String] {
        [
            "POKYH_API_KEY": ""
        ]
    }
}

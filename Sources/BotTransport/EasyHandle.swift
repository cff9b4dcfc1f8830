import CCurl
import Glibc

/// libcurl as a whole.
enum Libcurl {
    /// Set up once for the process; false where that failed. Thread-safe, as a `static let` is.
    static let isReady: Bool = {
        // Told not to use signals, libcurl leaves it to the program that a connection that has ended kills nobody.
        signal(SIGPIPE, SIG_IGN)
        return curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
    }()

    /// libcurl was built with a file of all the system's certificate authorities, and the file is there.
    static let hasAuthorityFile: Bool = {
        guard let version = curl_version_info(CURLVERSION_SEVENTH), let file = version.pointee.cainfo else {
            return false
        }
        return access(file, R_OK) == 0
    }()

    /// libcurl's own words for an error code; they hold no address.
    static func text(of code: CURLcode) -> String { String(cString: curl_easy_strerror(code)) }
}

/// One libcurl easy handle, used by one thread at a time.
///
/// A setting that this libcurl does not know is remembered instead of passed over: a limit that is not in force is a hole.
final class EasyHandle {
    let raw: UnsafeMutableRawPointer
    private(set) var hasRefusedOption = false

    init?() {
        guard Libcurl.isReady, let raw = curl_easy_init() else { return nil }
        self.raw = raw
    }

    deinit { curl_easy_cleanup(raw) }

    /// Back to libcurl's defaults; connections stay.
    func reset() {
        curl_easy_reset(raw)
        hasRefusedOption = false
    }

    private func note(_ code: CURLcode) {
        if code != CURLE_OK { hasRefusedOption = true }
    }

    func set(_ option: CURLoption, _ number: Int) { note(curl_wall_set_number(raw, option, number)) }
    func set(_ option: CURLoption, _ isOn: Bool) { set(option, isOn ? 1 : 0) }
    func set(_ option: CURLoption, size: Int) { note(curl_wall_set_size(raw, option, curl_off_t(size))) }
    /// libcurl copies the text.
    func set(_ option: CURLoption, _ text: String) { note(curl_wall_set_text(raw, option, text)) }
    func set(_ option: CURLoption, pointer: UnsafeRawPointer?) { note(curl_wall_set_pointer(raw, option, pointer)) }
    /// The list has to outlive the transfer.
    func set(_ option: CURLoption, _ list: TextList) { note(curl_wall_set_list(raw, option, list.first)) }
    func set(_ option: CURLoption, callback: @escaping curl_wall_data_callback) {
        note(curl_wall_set_data_callback(raw, option, callback))
    }
    func setOpenSocket(_ callback: @escaping curl_opensocket_callback) {
        note(curl_wall_set_open_socket(raw, callback))
    }
    func setBeforeRequest(_ callback: @escaping curl_prereq_callback) {
        note(curl_wall_set_before_request(raw, callback))
    }
    func setProgress(_ callback: @escaping curl_xferinfo_callback) {
        note(curl_wall_set_progress(raw, callback))
    }

    /// Demands certificates of the system's authorities, or of those in a file besides.
    ///
    /// libcurl keeps the authorities that it has read for the next connection only if it need not look into a folder too; reading
    /// them was measured to take 24 ms a connection.
    func verifyCertificates(trusting caFile: String?) {
        set(CURLOPT_SSL_VERIFYPEER, true)
        set(CURLOPT_SSL_VERIFYHOST, 2)
        if let caFile {
            set(CURLOPT_CAINFO, caFile)
        } else if Libcurl.hasAuthorityFile {
            set(CURLOPT_CAPATH, pointer: nil)
        }
    }

    func number(_ info: CURLINFO) -> Int {
        var value = 0
        return curl_wall_get_number(raw, info, &value) == CURLE_OK ? value : 0
    }

    func size(_ info: CURLINFO) -> Int {
        var value: curl_off_t = 0
        return curl_wall_get_size(raw, info, &value) == CURLE_OK ? Int(value) : 0
    }

    /// Ends the open connection, if there is one, without a word to the other side and without waiting for one.
    func hangUp() {
        var socket: curl_socket_t = -1
        guard curl_wall_get_socket(raw, CURLINFO_ACTIVESOCKET, &socket) == CURLE_OK, socket >= 0 else { return }
        shutdown(socket, Int32(SHUT_RDWR))
    }

    /// The object that `CURLOPT_PRIVATE` was set to.
    static func owner<Owner: AnyObject>(of raw: UnsafeMutableRawPointer, as type: Owner.Type) -> Owner? {
        var pointer: UnsafeMutableRawPointer?
        guard curl_wall_get_pointer(raw, CURLINFO_PRIVATE, &pointer) == CURLE_OK, let pointer else { return nil }
        return Unmanaged<Owner>.fromOpaque(pointer).takeUnretainedValue()
    }
}

/// A list of texts as libcurl takes them: header fields, recipients.
final class TextList {
    private(set) var first: UnsafeMutablePointer<curl_slist>?

    func append(_ text: String) {
        // Nil means that memory is short: the list so far stays as it was, and remains ours to free.
        if let longer = curl_slist_append(first, text) { first = longer }
    }

    deinit { curl_slist_free_all(first) }
}

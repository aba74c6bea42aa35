# SPDX-License-Identifier: Apache-2.0
# What checks that read C share: code_of() gives a line without comments, strings and character
# constants. Set `in_comment` to 0 at the start of a file; it tells one line from the next.

function code_of(text,    out, two) {
    out = ""
    while (text != "") {
        two = substr(text, 1, 2)
        if (in_comment) {
            if (two == "*/") { in_comment = 0; text = substr(text, 3) }
            else text = substr(text, 2)
        } else if (two == "/*") {
            in_comment = 1
            text = substr(text, 3)
        } else if (two == "//") {
            return out
        } else if (match(text, /^"([^"\\]|\\.)*"/) || match(text, /^\047([^\047\\]|\\.)*\047/)) {
            out = out "\"\""
            text = substr(text, RLENGTH + 1)
        } else {
            out = out substr(text, 1, 1)
            text = substr(text, 2)
        }
    }
    return out
}

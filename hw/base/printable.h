// User text inside messages: bounded and safe for any terminal, whatever the input held.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

/// `text` in single quotes; control bytes become \xNN, long text is cut with "..." at 60 bytes.
std::string quote_text(std::string_view text);

/// "a, b or c"; the empty list gives "".
std::string join_choices(const std::vector<std::string>& choices);

/// "a, b, c".
std::string join_list(const std::vector<std::string>& items);

}  // namespace lockstep

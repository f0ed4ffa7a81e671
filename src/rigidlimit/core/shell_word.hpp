// Words of a shell's command line.
#pragma once

#include <string>
#include <string_view>

namespace rigidlimit {

/// `text` in single quotes for sh, bash and zsh, without expansion.
std::string shell_quoted(std::string_view text);

/// The same, but without quotes if the text needs none.
std::string shell_word(std::string_view text);

}  // namespace rigidlimit

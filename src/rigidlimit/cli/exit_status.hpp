// Exit statuses, for scripts and CI.
#pragma once

namespace rigidlimit::exit_status {

inline constexpr int held = 0;           ///< or nothing was judged
inline constexpr int not_held = 1;       ///< an expectation failed
inline constexpr int could_not = 2;      ///< bad input, or a file that cannot be written
inline constexpr int interrupted = 130;  ///< 128 + SIGINT, as in shells

}  // namespace rigidlimit::exit_status

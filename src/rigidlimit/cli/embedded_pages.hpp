// Pages of docs/ that the build embeds: src/embed_texts.cmake writes the definitions.
#pragma once

namespace rigidlimit {

extern const char* const verdicts_page;  ///< docs/verdicts.md, with a section for each word
extern const char* const help_page;      ///< docs/help.md, with a section for each topic

}  // namespace rigidlimit

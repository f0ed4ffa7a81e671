// Tests of the Markdown reader, and that the embedded pages are the current files in docs/.
#include "rigidlimit/cli/help/markdown.hpp"

#include <gmock/gmock.h>

#include "rigidlimit/cli/help/help_texts.hpp"
#include "support/source_directory.hpp"
#include "support/temporary_directory.hpp"

namespace rigidlimit {
namespace {

using Kind = MarkdownBlock::Kind;
using testing::ElementsAre;

constexpr const char* page =
    "# A `page`\n"
    "\n"
    "Two lines of **bold** text\n"
    "with `[[code]](x)` and a [link](b.md#c).\n"
    "* one bullet\n"
    "  of two lines\n"
    "* another\n"
    "\n"
    "## Code\n"
    "    a = 1\n"
    "\n"
    "      b = 2\n";

TEST(Markdown, IsReadIntoSectionsOfBlocks) {
  const std::vector<MarkdownSection> sections = sections_of(page);
  ASSERT_EQ(sections.size(), 2u);
  EXPECT_EQ(sections[0].level, 1);
  EXPECT_EQ(sections[0].title, "A page");
  EXPECT_THAT(sections[0].blocks,
              ElementsAre(MarkdownBlock{Kind::paragraph,
                                        "Two lines of bold text with [[code]](x) and a link."},
                          MarkdownBlock{Kind::bullet, "one bullet of two lines"},
                          MarkdownBlock{Kind::bullet, "another"}));
  EXPECT_EQ(sections[1].level, 2);
  EXPECT_THAT(sections[1].blocks, ElementsAre(MarkdownBlock{Kind::code, "a = 1\n\n  b = 2\n"}));
}

TEST(Markdown, IsWrittenForATerminal) {
  std::vector<MarkdownBlock> blocks;
  for (const MarkdownSection& section : sections_of(page))
    blocks.insert(blocks.end(), section.blocks.begin(), section.blocks.end());
  EXPECT_EQ(terminal_text(blocks),
            "Two lines of bold text with [[code]](x) and a link.\n\n"
            "* one bullet of two lines\n* another\n\n"
            "  a = 1\n\n    b = 2\n");
}

TEST(EmbeddedPages, AreTheFilesInDocs) {
  EXPECT_EQ(verdicts_page, test::text_of(test::in_repository("docs/verdicts.md")));
  EXPECT_EQ(help_page, test::text_of(test::in_repository("docs/help.md")));
}

// Markdown takes indented lines below a bullet for a part of the bullet, not for code.
TEST(EmbeddedPages, HaveNoCodeAfterABullet) {
  for (const char* text : {verdicts_page, help_page})
    for (const MarkdownSection& section : sections_of(text))
      for (std::size_t k = 1; k < section.blocks.size(); ++k)
        EXPECT_FALSE(section.blocks[k - 1].kind == Kind::bullet &&
                     section.blocks[k].kind == Kind::code)
            << section.title;
}

}  // namespace
}  // namespace rigidlimit

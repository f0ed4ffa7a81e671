#include "rigidlimit/report/latex.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <vector>

#include "rigidlimit/core/printable.hpp"
#include "rigidlimit/report/latex_pieces.hpp"

namespace rigidlimit {

namespace {

/// Joins pieces: a sign between two terms of a formula becomes part of it.
class Setter {
 public:
  explicit Setter(const std::vector<Piece>& pieces) : pieces_(pieces) {}

  LatexText text() {
    for (at_ = 0; at_ < pieces_.size(); ++at_) set();
    close();
    text_.longest = std::max(text_.longest, run_);
    return std::move(text_);
  }

 private:
  /// The next nonblank piece from `k` on in direction `step`; nullptr at the ends.
  const Piece* beside(std::size_t k, int step) const {
    for (k += static_cast<std::size_t>(step); k < pieces_.size();
         k += static_cast<std::size_t>(step))
      if (pieces_[k].kind != Piece::Kind::blank) return &pieces_[k];
    return nullptr;
  }
  bool joins(std::size_t k) const {
    const Piece* left = beside(k, -1);
    const Piece* right = beside(k, +1);
    return left != nullptr && right != nullptr && left->is_term() && right->is_term();
  }

  void open() {
    if (!maths_) text_.tex += '$';
    maths_ = true;
  }
  void close() {
    if (maths_) text_.tex += '$';
    maths_ = false;
  }
  void add(const std::string& tex, double width) {
    // A long run without a blank: from here on, a line may break between any two pieces.
    if (!maths_ && since_blank_ + width > 90.0 && run_ > 0.0 && tex != " ") {
      text_.tex += "\\allowbreak{}";
      text_.longest = std::max(text_.longest, run_);
      run_ = 0.0;
    }
    if (maths_)
      append_maths(text_.tex, tex);
    else
      text_.tex += tex;
    text_.width += width;
    run_ += width;
    since_blank_ += width;
  }

  void set() {
    const Piece& piece = pieces_[at_];
    if (piece.kind == Piece::Kind::blank) return set_blank(piece);
    if (piece.is_sign() && !joins(at_)) return set_sign_alone(piece);
    if (piece.kind == Piece::Kind::word) {
      close();
      return add(piece.tex, piece.width);
    }
    if (maths_ && piece.is_term() && run_ > 200.0) close();  // allows a line break
    open();
    const bool spaced = piece.is_sign() && piece.tex != "/";  // for a reader of the source
    add(spaced ? " " + piece.tex + " " : piece.tex, piece.width);
  }

  void set_sign_alone(const Piece& piece) {
    close();
    const bool as_text = piece.kind == Piece::Kind::loose;
    add(as_text ? piece.tex : "$" + piece.tex + "$", piece.width);
  }

  void set_blank(const Piece& piece) {
    const Piece* left = beside(at_, -1);
    const Piece* right = beside(at_, +1);
    if (maths_ && right != nullptr) {
      const bool to_sign = right->is_sign() && joins(at_ + 1);
      if (left->is_sign() || to_sign) return;  // TeX spaces it
      if (left->is_term() && right->kind == Piece::Kind::symbol) return add("\\,", 1.67);
    }
    close();
    add(piece.tex, piece.width);
    text_.longest = std::max(text_.longest, run_ - piece.width);
    run_ = since_blank_ = 0.0;
  }

  const std::vector<Piece>& pieces_;
  std::size_t at_ = 0;
  bool maths_ = false;
  double since_blank_ = 0.0;
  double run_ = 0.0;  ///< width since the last possible line break
  LatexText text_;
};

}  // namespace

LatexText latex_text(std::string_view plain) {
  if (plain == "-") return {"--", 5.0, 5.0};  // a missing number
  return Setter(latex_pieces(printable(plain))).text();
}

std::string latex_label(std::string_view study, std::string_view table) {
  std::string label = fmt::format("tab:{}:{}", study, table);
  for (char& c : label)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != ':' && c != '.')
      c = '-';
  return label;
}

}  // namespace rigidlimit

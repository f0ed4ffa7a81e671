#include "rigidlimit/report/latex_glyphs.hpp"

#include <array>
#include <string_view>

namespace rigidlimit {

namespace {

/// Widths of cmr10 in points, from ' ' to '~' (its font metrics, tftopl cmr10.tfm). A character at
/// another code than in ASCII, or missing, has the width of its replacement.
constexpr std::array<double, 95> roman_widths{
    3.34, 2.78, 5.00, 8.34, 5.00, 8.34, 7.78, 2.78,  3.89, 3.89, 5.00, 7.78, 2.78, 3.34, 2.78, 5.00,
    5.00, 5.00, 5.00, 5.00, 5.00, 5.00, 5.00, 5.00,  5.00, 5.00, 2.78, 2.78, 7.78, 7.78, 7.78, 4.73,
    7.78, 7.50, 7.09, 7.23, 7.64, 6.81, 6.53, 7.85,  7.50, 3.62, 5.14, 7.78, 6.25, 9.17, 7.50, 7.78,
    6.81, 7.78, 7.37, 5.56, 7.23, 7.50, 7.50, 10.28, 7.50, 7.50, 6.12, 2.78, 5.00, 2.78, 5.00, 3.70,
    5.00, 5.00, 5.56, 4.45, 5.56, 4.45, 3.06, 5.00,  5.56, 2.78, 3.06, 5.28, 2.78, 8.34, 5.56, 5.00,
    5.56, 5.28, 3.92, 3.95, 3.89, 5.56, 5.28, 7.23,  5.28, 5.28, 4.45, 5.00, 2.78, 5.00, 5.00};

}  // namespace

double roman_width(char32_t c) {
  // Accented letters are as wide as without their accents; none is wider than W.
  return c >= ' ' && c <= '~' ? roman_widths[c - U' '] : 7.8;
}

double italic_width(char32_t c) {
  static const std::map<char32_t, double> widths{
      {'h', 5.77}, {'i', 3.45}, {'j', 4.69}, {'k', 5.52}, {'l', 3.18}, {'m', 8.79}, {'q', 4.83},
      {'r', 4.79}, {'t', 3.62}, {'v', 5.21}, {'w', 7.43}, {'x', 5.72}, {'y', 5.27}, {'z', 5.10},
      {'u', 5.73}, {'p', 5.04}, {'n', 6.01}, {'K', 9.21}, {'T', 7.24}, {'P', 7.82}, {'G', 7.87}};
  const auto at = widths.find(c);
  if (at != widths.end()) return at->second;
  return c >= 'A' && c <= 'Z' ? 10.8 : 6.0;
}

const std::map<char32_t, Glyph>& latex_symbols() {
  static const std::map<char32_t, Glyph> known{
      {U'α', {"\\alpha", 6.44}},    {U'β', {"\\beta", 6.19}},       {U'γ', {"\\gamma", 5.74}},
      {U'δ', {"\\delta", 4.83}},    {U'ε', {"\\varepsilon", 4.67}}, {U'ζ', {"\\zeta", 5.12}},
      {U'η', {"\\eta", 5.33}},      {U'θ', {"\\theta", 4.98}},      {U'κ', {"\\kappa", 5.77}},
      {U'λ', {"\\lambda", 5.84}},   {U'μ', {"\\mu", 6.03}},         {U'µ', {"\\mu", 6.03}},
      {U'ν', {"\\nu", 5.57}},       {U'ξ', {"\\xi", 4.84}},         {U'π', {"\\pi", 6.07}},
      {U'ρ', {"\\rho", 5.17}},      {U'σ', {"\\sigma", 6.08}},      {U'τ', {"\\tau", 5.51}},
      {U'φ', {"\\varphi", 6.55}},   {U'ϕ', {"\\phi", 5.97}},        {U'χ', {"\\chi", 6.26}},
      {U'ψ', {"\\psi", 6.87}},      {U'ω', {"\\omega", 6.59}},      {U'Γ', {"\\Gamma", 6.26}},
      {U'Δ', {"\\Delta", 8.34}},    {U'Θ', {"\\Theta", 7.78}},      {U'Λ', {"\\Lambda", 6.95}},
      {U'Ξ', {"\\Xi", 6.67}},       {U'Π', {"\\Pi", 7.50}},         {U'Σ', {"\\Sigma", 7.23}},
      {U'Φ', {"\\Phi", 7.23}},      {U'Ψ', {"\\Psi", 7.78}},        {U'Ω', {"\\Omega", 7.23}},
      {U'∂', {"\\partial", 5.87}},  {U'∇', {"\\nabla", 8.34}},      {U'∞', {"\\infty", 10.0}},
      {U'√', {"\\surd", 8.34}},     {U'∑', {"\\sum", 10.6}},        {U'∫', {"\\int", 6.7}},
      {U'°', {"{}^{\\circ}", 4.9}}, {U'½', {"1/2", 15.0}},          {U'‖', {"\\|", 5.0}},
      {U'|', {"|", 2.78}}};
  return known;
}

const std::map<std::u32string_view, Glyph>& latex_relations() {
  static const std::map<std::u32string_view, Glyph> known{
      {U"±", {"\\pm", 7.78}},    {U"≤", {"\\le", 7.78}},   {U"≥", {"\\ge", 7.78}},
      {U"<=", {"\\le", 7.78}},   {U">=", {"\\ge", 7.78}},  {U"<", {"<", 7.78}},
      {U">", {">", 7.78}},       {U"→", {"\\to", 10.0}},   {U"->", {"\\to", 10.0}},
      {U"≈", {"\\approx", 7.8}}, {U"≠", {"\\ne", 7.78}},   {U"≡", {"\\equiv", 7.78}},
      {U"×", {"\\times", 7.78}}, {U"·", {"\\cdot", 2.78}}, {U"≪", {"\\ll", 10.0}},
      {U"≫", {"\\gg", 10.0}},    {U"∈", {"\\in", 6.67}},   {U"⊥", {"\\perp", 7.78}},
      {U"−", {"-", 7.78}},       {U"÷", {"\\div", 7.78}}};
  return known;
}

const std::map<char32_t, Glyph>& latex_marks() {
  static const std::map<char32_t, Glyph> known{{'\\', {"\\textbackslash{}", 5.0}},
                                               {'&', {"\\&", 7.78}},
                                               {'%', {"\\%", 8.34}},
                                               {'$', {"\\char36{}", 5.0}},
                                               {'#', {"\\#", 8.34}},
                                               {'_', {"\\_", 3.7}},
                                               {'{', {"\\{", 5.0}},
                                               {'}', {"\\}", 5.0}},
                                               {'~', {"\\textasciitilde{}", 5.0}},
                                               {'^', {"\\textasciicircum{}", 5.0}},
                                               {'"', {"''", 5.0}},
                                               {U'–', {"--", 5.0}},
                                               {U'—', {"---", 10.0}},
                                               {U'…', {"\\dots{}", 13.4}},
                                               {U'‘', {"`", 2.78}},
                                               {U'’', {"'", 2.78}},
                                               {U'“', {"``", 5.0}},
                                               {U'”', {"''", 5.0}},
                                               {U'\u00a0', {"~", 3.34}}};
  return known;
}

char32_t lowered(char32_t c) {
  constexpr std::u32string_view raised = U"⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ᵀ";
  constexpr std::u32string_view plain = U"0123456789-+T";
  const std::size_t at = raised.find(c);
  return at == raised.npos ? U'\0' : plain[at];
}

}  // namespace rigidlimit

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "rigidlimit/core/formula.hpp"

namespace rigidlimit {

/// Computes units and texts step by step.
class Formula::TermMachine {
 public:
  TermMachine(const Formula& formula, std::span<const FormulaTerm> slots,
              std::span<const double> constants, std::vector<std::string>& complaints)
      : formula_(formula), slots_(slots), constants_(constants), complaints_(complaints) {}

  FormulaTerm result() {
    for (const Step& step : formula_.steps_) take(step);
    return stack_.back();
  }

 private:
  FormulaTerm pop() {
    FormulaTerm top = std::move(stack_.back());
    stack_.pop_back();
    return top;
  }

  static std::string text_of(const FormulaTerm& term, int rank) {
    return term.rank < rank ? "(" + term.text + ")" : term.text;
  }

  void take(const Step& step) {
    switch (step.code) {
      case Code::number:
        stack_.push_back({.text = fmt::format("{:.6g}", step.value), .is_zero = step.value == 0.0});
        break;
      case Code::slot: stack_.push_back(slots_[step.index]); break;
      case Code::negate: negate(stack_.back()); break;
      case Code::call: stack_.back() = called(step.index, stack_.back()); break;
      case Code::power: raise(formula_.constants_[step.index].value(constants_)); break;
      case Code::table:
        stack_.back() = {.text = "table(" + stack_.back().text + ")",
                         .depends = stack_.back().depends};
        break;
      case Code::no:
      case Code::both:
      case Code::either: break;  // conditions have no unit
      case Code::select: {
        FormulaTerm b = pop(), a = pop();
        stack_.push_back(joined("chooses", a, b, fmt::format("if(…, {}, {})", a.text, b.text)));
        break;
      }
      default: take_two(step); break;
    }
  }

  void negate(FormulaTerm& term) {
    term.text = "-" + text_of(term, 2);
    term.rank = 1;
    for (FormulaTerm& one : term.terms) one.text = "-" + text_of(one, 2);
  }

  /// x^p. Numbers without a name are pure: 2^3.
  void raise(double p) {
    FormulaTerm& x = stack_.back();
    if (x.unit) x.unit = x.unit->power(p);
    x.text = fmt::format("{}^{:.6g}", text_of(x, 3), p);
    x.rank = 3;
    x.terms.clear();
  }

  FormulaTerm called(std::size_t function, const FormulaTerm& x) {
    const std::string name = name_of_function(function);
    FormulaTerm found{.text = name + "(" + x.text + ")", .depends = x.depends};
    if (name == "abs") found.unit = x.unit;
    if (name == "sqrt") {
      if (x.unit) found.unit = x.unit->power(0.5);
    } else if (name != "abs" && name != "sign") {
      if (x.unit && !x.unit->is_convertible_to(Unit()))
        complaints_.push_back(
            fmt::format("{} of '{}', which is in {}", name, x.text, x.unit->text()));
      found.unit = Unit();
    }
    return found;
  }

  void take_two(const Step& step) {
    const FormulaTerm b = pop(), a = pop();
    switch (step.code) {
      case Code::add: stack_.push_back(sum(a, b, " + ")); break;
      case Code::subtract: stack_.push_back(sum(a, b, " - ")); break;
      case Code::multiply: {
        FormulaTerm product{.text = text_of(a, 2) + "*" + text_of(b, 3),
                            .depends = a.depends | b.depends,
                            .rank = 2};
        if (a.unit && b.unit) product.unit = *a.unit * *b.unit;
        if (a.unit.has_value() != b.unit.has_value()) product.unit = a.unit ? a.unit : b.unit;
        if (a.is_zero || b.is_zero) {
          product.is_zero = true;
          product.unit.reset();
        }
        stack_.push_back(std::move(product));
        break;
      }
      case Code::divide: {
        FormulaTerm ratio{.text = text_of(a, 2) + "/" + text_of(b, 3),
                          .depends = a.depends | b.depends,
                          .rank = 2};
        if (b.unit) ratio.unit = a.unit.value_or(Unit()) / *b.unit;
        if (!b.unit) ratio.unit = a.unit;
        if (a.is_zero) {
          ratio.is_zero = true;
          ratio.unit.reset();
        }
        stack_.push_back(std::move(ratio));
        break;
      }
      case Code::atan2: {
        FormulaTerm angle = joined("compares", a, b, fmt::format("atan2({}, {})", a.text, b.text));
        angle.unit = Unit();
        stack_.push_back(std::move(angle));
        break;
      }
      case Code::minimum:
      case Code::maximum: {
        const char* name = step.code == Code::minimum ? "min" : "max";
        stack_.push_back(joined("compares", a, b, fmt::format("{}({}, {})", name, a.text, b.text)));
        break;
      }
      default: joined("compares", a, b, ""); break;  // a comparison
    }
  }

  /// The units must fit; that of the result is the known one.
  FormulaTerm joined(const char* verb, const FormulaTerm& a, const FormulaTerm& b,
                     std::string text) {
    if (a.unit && b.unit && !a.unit->is_convertible_to(*b.unit))
      complaints_.push_back(fmt::format("{} '{}' in {} and '{}' in {}", verb, a.text,
                                        a.unit->text(), b.text, b.unit->text()));
    return {.unit = a.unit ? a.unit : b.unit,
            .text = std::move(text),
            .depends = a.depends | b.depends};
  }

  FormulaTerm sum(const FormulaTerm& a, const FormulaTerm& b, const char* sign) {
    FormulaTerm all = joined("adds", a, b, a.text + sign + text_of(b, 2));
    all.rank = 1;
    all.is_zero = a.is_zero && b.is_zero;
    for (const FormulaTerm* part : {&a, &b}) {
      if (part->terms.empty())
        all.terms.push_back(*part);
      else
        all.terms.insert(all.terms.end(), part->terms.begin(), part->terms.end());
    }
    return all;
  }

  const Formula& formula_;
  std::span<const FormulaTerm> slots_;
  std::span<const double> constants_;
  std::vector<std::string>& complaints_;
  std::vector<FormulaTerm> stack_;
};

FormulaTerm Formula::term(std::span<const FormulaTerm> slots, std::span<const double> constants,
                          std::vector<std::string>& complaints) const {
  return TermMachine(*this, slots, constants, complaints).result();
}

}  // namespace rigidlimit

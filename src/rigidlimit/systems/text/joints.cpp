#include "rigidlimit/systems/text/joints.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

namespace rigidlimit {

namespace {

using Body = SystemText::Body;

// Formulas as texts

/// A formula of a number or a vector. A sum needs parentheses in a product.
struct Written {
  enum Rank { sum, product, atom };
  std::string text;
  Rank rank = atom;

  bool is(const char* number) const { return text == number; }
};

Written::Rank rank_of(const std::string& text) {
  Written::Rank rank = Written::atom;
  int depth = 0;
  for (const char c : text) {
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (depth > 0) continue;
    if (c == '+' || c == '-') return Written::sum;
    if (c == '*' || c == '/' || c == '^') rank = Written::product;
  }
  return rank;
}

std::optional<double> literal(const std::string& text) {
  double value = 0.0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end) return std::nullopt;
  return value;
}

Written written_form(const std::string& given) {
  constexpr const char* blanks = " \t\r\n";
  const std::size_t first = given.find_first_not_of(blanks);
  const std::string text = given.substr(first, given.find_last_not_of(blanks) + 1 - first);
  if (const std::optional<double> value = literal(text)) {
    std::string number = fmt::format("{}", *value + 0.0);  // 0 for −0
    return {number, rank_of(number)};
  }
  return {text, rank_of(text)};
}
Written written_form(double value) {
  return written_form(fmt::format("{}", value));
}
Written written_form(const PlacedText& formula) {
  return written_form(formula.text);
}

std::string enclosed(const Written& a, Written::Rank least) {
  return a.rank < least ? "(" + a.text + ")" : a.text;
}

/// b of −b, unless b is a sum.
std::optional<Written> opposite(const Written& a) {
  if (!a.text.starts_with('-')) return std::nullopt;
  const std::string rest = a.text.substr(1);
  const Written::Rank rank = rank_of(rest);
  if (rank == Written::sum) return std::nullopt;
  return Written{rest, rank};
}

Written negative(const Written& a) {
  if (a.is("0")) return a;
  if (const auto b = opposite(a)) return *b;
  return {"-" + enclosed(a, Written::product), Written::sum};
}
Written minus(const Written& a, const Written& b);
Written plus(const Written& a, const Written& b) {
  if (a.is("0")) return b;
  if (b.is("0")) return a;
  if (const auto c = opposite(b)) return minus(a, *c);
  return {a.text + " + " + b.text, Written::sum};
}
Written minus(const Written& a, const Written& b) {
  if (b.is("0")) return a;
  if (a.is("0")) return negative(b);
  if (const auto c = opposite(b)) return plus(a, *c);
  return {a.text + " - " + enclosed(b, Written::product), Written::sum};
}
Written times(const Written& a, const Written& b) {
  if (a.is("0") || b.is("1")) return a;
  if (b.is("0") || a.is("1")) return b;
  if (const auto c = opposite(a)) return negative(times(*c, b));
  if (const auto c = opposite(b)) return negative(times(a, *c));
  return {enclosed(a, Written::product) + "*" + enclosed(b, Written::product), Written::product};
}
Written over(const Written& a, const Written& b) {
  if (b.is("1") || a.is("0")) return a;
  return {enclosed(a, Written::product) + "/" + enclosed(b, Written::atom), Written::product};
}
Written root_of_squares(const std::vector<Written>& all) {
  std::vector<std::string> squares;
  for (const Written& a : all)
    if (!a.is("0")) squares.push_back(enclosed(a, Written::atom) + "^2");
  return {fmt::format("sqrt({})", fmt::join(squares, " + "))};
}

using Components = std::vector<Written>;

Components components_of(const std::vector<PlacedText>& formulas) {
  Components all;
  for (const PlacedText& formula : formulas) all.push_back(written_form(formula));
  return all;
}

/// [a, b, c]; 0 for the zero vector.
Written vector_of(const Components& a) {
  if (std::ranges::all_of(a, [](const Written& x) { return x.is("0"); })) return {"0"};
  return {fmt::format("[{}, {}, {}]", a[0].text, a[1].text, a[2].text)};
}

/// The numbers, if all are.
std::optional<std::vector<double>> literals(const Components& all) {
  std::vector<double> values;
  for (const Written& a : all) {
    const std::optional<double> value = literal(a.text);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

double length_of(const std::vector<double>& a) {
  double squares = 0.0;
  for (const double x : a) squares += x * x;
  return std::sqrt(squares);
}

/// a/|a|, of any number of components.
Components unit_vector(const Components& a) {
  Components unit;
  if (const auto values = literals(a)) {
    const double length = length_of(*values);
    for (const double x : *values) unit.push_back(written_form(x / length));
    return unit;
  }
  const Written length = root_of_squares(a);
  for (const Written& x : a) unit.push_back(over(x, length));
  return unit;
}

/// Two unit vectors of space across the unit vector u: with s the sign of u.z and k = 1/(s + u.z),
/// (1 − s k u.x², −s k u.x u.y, −s u.x) and (−k u.x u.y, s − k u.y², −u.y) (Duff et al. 2017).
std::array<Components, 2> across(const Components& u) {
  if (const auto values = literals(u)) {
    const double x = (*values)[0], y = (*values)[1], z = (*values)[2];
    const double s = z < 0.0 ? -1.0 : 1.0, k = 1.0 / (s + z);
    return {Components{written_form(1.0 - s * k * x * x), written_form(-s * k * x * y),
                       written_form(-s * x)},
            Components{written_form(-k * x * y), written_form(s - k * y * y), written_form(-y)}};
  }
  const Written &x = u[0], &y = u[1], &z = u[2], one{"1"};
  const Written s{fmt::format("if({} < 0, -1, 1)", z.text)};
  const Written k = over(one, plus(s, z)), sk = times(s, k), xy = times(x, y);
  return {Components{minus(one, times(sk, times(x, x))), negative(times(sk, xy)),
                     negative(times(s, x))},
          Components{negative(times(k, xy)), minus(s, times(k, times(y, y))), negative(y)}};
}

// Bodies

constexpr const char* ground_name = "ground";

const KeyTable<Body>& body_table() {
  using K = Keys<Body>;
  static const KeyTable<Body> table{
      "[system.bodies]",
      {K::text({"name", "", "name in joints"}, &Body::name)
           .needed()
           .checked([](const Body& b) -> std::string {
             if (b.name == ground_name) return "is the name of the fixed frame; choose another";
             return is_name(b.name) ? "" : rule_of_names;
           }),
       K::formulas({"position", "m", "x, y in the plane; x, y, z in space: formulas"},
                   &Body::position)
           .valid("list of 2 or 3 formulas")
           .otherwise(needed()),
       K::formula({"angle", "rad", "angle of a body in the plane; without it, a point"},
                  &Body::angle),
       K::formulas({"orientation", "1",
                    "Euler parameters e0, e1, e2, e3 of a body in space; without them, a point"},
                   &Body::orientation)
           .valid("list of 4 formulas")}};
  return table;
}

bool is_planar(const Body& body) {
  return body.position.size() == 2;
}

void require_shape(Section& section, const Body& body, const std::vector<Body>& before) {
  if (body.position.empty()) section.missing("position", "a list of 2 or 3 formulas");
  if (body.position.size() > 3 || body.position.size() < 2)
    section.fail("position",
                 fmt::format("has {}, but must have 2 or 3 formulas", body.position.size()));
  if (!before.empty() && is_planar(before.front()) != is_planar(body))
    section.fail("position", fmt::format("has {}, but the position of {} has {}; all bodies are "
                                         "in the plane, or all are in space",
                                         body.position.size(), before.front().name,
                                         before.front().position.size()));
  if (is_planar(body) && !body.orientation.empty())
    section.fail("orientation", "is not used in the plane; give angle");
  if (!is_planar(body) && !body.angle.text.empty())
    section.fail("angle", "is not used in space; give orientation, the four Euler parameters");
  if (!body.orientation.empty() && body.orientation.size() != 4)
    section.fail("orientation", fmt::format("has {}, but must have 4 formulas, with the real part "
                                            "first",
                                            body.orientation.size()));
  if (std::ranges::find(before, body.name, &Body::name) != before.end())
    section.fail("name", "two bodies have this name; rename one");
}

// Joints

enum class JointKind { pin, ball, hinge, slider, weld, distance, gear, screw };

constexpr JointKind joint_kinds[] = {JointKind::pin,    JointKind::ball, JointKind::hinge,
                                     JointKind::slider, JointKind::weld, JointKind::distance,
                                     JointKind::gear,   JointKind::screw};

const char* name_of(JointKind kind) {
  constexpr const char* names[] = {"pin",  "ball",     "hinge", "slider",
                                   "weld", "distance", "gear",  "screw"};
  return names[static_cast<std::size_t>(kind)];
}

struct Joint {
  std::string name;
  JointKind kind = JointKind::pin;
  std::string parent = ground_name, child;
  std::vector<PlacedText> parent_anchor, child_anchor, parent_axis, child_axis, orientation;
  PlacedText offset, length, ratio, pitch;
};

/// Refuses a key of a joint of another kind than these.
std::function<std::string(const Joint&)> only_for(std::vector<JointKind> kinds) {
  return [kinds = std::move(kinds)](const Joint& joint) -> std::string {
    if (std::ranges::find(kinds, joint.kind) != kinds.end()) return "";
    std::vector<std::string> names;
    for (const JointKind kind : kinds) names.emplace_back(name_of(kind));
    return fmt::format("is not used by kind = \"{}\", but by {}; remove it", name_of(joint.kind),
                       fmt::join(names, ", "));
  };
}

const KeyTable<Joint>& joint_table() {
  using K = Keys<Joint>;
  using enum JointKind;
  const auto anchored = only_for({pin, ball, hinge, slider, weld, distance, screw});
  static const KeyTable<Joint> table{
      "[system.joints]",
      {K::text({"name", "", "name of the joint; its rows are NAME.x, NAME.angle, ..."},
               &Joint::name)
           .otherwise("joint1, joint2, ...")
           .checked([](const Joint& j) { return is_name(j.name) ? "" : rule_of_names; }),
       K::choice({"kind", "",
                  "plane: pin, slider, weld, distance, gear, screw; space: ball, hinge, slider, "
                  "weld, distance"},
                 &Joint::kind, joint_kinds)
           .needed(),
       K::text({"parent", "", "body, or the fixed frame \"ground\""}, &Joint::parent)
           .valid("name of a body"),
       K::text({"child", "",
                "other body; offset, pitch and axes are of its motion relative to the "
                "parent"},
               &Joint::child)
           .needed()
           .valid("name of a body"),
       K::formulas({"parent_anchor", "m", "point of the joint in the frame of the parent"},
                   &Joint::parent_anchor)
           .valid("list of 2 or 3 formulas")
           .otherwise("the origin")
           .unless(anchored),
       K::formulas({"child_anchor", "m", "point of the joint in the frame of the child"},
                   &Joint::child_anchor)
           .valid("list of 2 or 3 formulas")
           .otherwise("the origin")
           .unless(anchored),
       K::formulas({"parent_axis", "",
                    "axis of a slider, screw or hinge in the frame of the "
                    "parent, of any length"},
                   &Joint::parent_axis)
           .valid("list of 2 or 3 formulas")
           .otherwise(needed("for these kinds"))
           .unless(only_for({slider, hinge, screw})),
       K::formulas({"child_axis", "", "axis of a hinge in the frame of the child"},
                   &Joint::child_axis)
           .valid("list of 3 formulas")
           .otherwise("parent_axis")
           .unless(only_for({hinge})),
       K::formula({"offset", "SI",
                   "in the plane: angle at g = 0 of a slider, weld or gear, rad; "
                   "translation of a screw, m"},
                  &Joint::offset)
           .otherwise("0")
           .unless(only_for({slider, weld, gear, screw})),
       K::formulas({"orientation", "1",
                    "in space: Euler parameters of the child in the parent at "
                    "g = 0 of a slider or weld"},
                   &Joint::orientation)
           .valid("list of 4 formulas")
           .otherwise("[1, 0, 0, 0]")
           .unless(only_for({slider, weld})),
       K::formula({"length", "m", "of a distance"}, &Joint::length)
           .otherwise(needed("for kind = \"distance\""))
           .unless(only_for({distance})),
       K::formula({"ratio", "1", "of a gear: angle of child + ratio * angle of parent = offset"},
                  &Joint::ratio)
           .otherwise(needed("for kind = \"gear\""))
           .unless(only_for({gear})),
       K::formula({"pitch", "m", "of a screw: translation per rad, child relative to parent"},
                  &Joint::pitch)
           .otherwise(needed("for kind = \"screw\""))
           .unless(only_for({screw}))}};
  return table;
}

/// The fixed frame, of this dimension.
Body ground_of(bool planar) {
  const PlacedText zero{.text = "0"}, one{.text = "1"};
  Body ground{.name = ground_name, .position = {zero, zero}, .angle = {}, .orientation = {}};
  if (planar)
    ground.angle = zero;
  else {
    ground.position.push_back(zero);
    ground.orientation = {one, zero, zero, zero};
  }
  return ground;
}

bool is_point(const Body& body) {
  return body.angle.text.empty() && body.orientation.empty();
}

/// A row of a joint; the name is behind that of the joint.
struct JointRow {
  const char* name;
  const char* unit;
  Written value;
};

/// A joint with its bodies, as formulas.
class JointFormulas {
 public:
  JointFormulas(const Joint& joint, const Body& parent, const Body& child)
      : joint_(joint),
        planar_(is_planar(child)),
        parent_(of(parent, joint.parent_anchor)),
        child_(of(child, joint.child_anchor)) {}

  std::vector<JointRow> rows() const { return planar_ ? rows_in_plane() : rows_in_space(); }

 private:
  struct Frame {
    Components position, anchor, orientation;
    Written angle;
    bool is_fixed;
  };
  static Frame of(const Body& body, const std::vector<PlacedText>& anchor) {
    Frame frame{components_of(body.position), components_of(anchor),
                components_of(body.orientation),
                body.angle.text.empty() ? Written{"0"} : written_form(body.angle),
                body.name == ground_name};
    if (anchor.empty()) frame.anchor.assign(body.position.size(), Written{"0"});
    return frame;
  }

  // In the plane.

  /// A a, in the axes of the ground.
  static Components turned(const Frame& frame, const Components& a) {
    if (frame.angle.is("0")) return a;
    const Written c{"cos(" + frame.angle.text + ")"}, s{"sin(" + frame.angle.text + ")"};
    return {minus(times(c, a[0]), times(s, a[1])), plus(times(s, a[0]), times(c, a[1]))};
  }
  /// d.
  Components gap_in_plane() const {
    const Components p = turned(parent_, parent_.anchor), c = turned(child_, child_.anchor);
    Components d;
    for (std::size_t k = 0; k < 2; ++k)
      d.push_back(minus(plus(child_.position[k], c[k]), plus(parent_.position[k], p[k])));
    return d;
  }
  Written offset() const {
    return joint_.offset.text.empty() ? Written{"0"} : written_form(joint_.offset);
  }
  Written relative_angle() const { return minus(child_.angle, parent_.angle); }

  std::vector<JointRow> rows_in_plane() const {
    const Components d = gap_in_plane();
    const JointRow angle{"angle", "rad", minus(relative_angle(), offset())};
    Components u;
    if (!joint_.parent_axis.empty())
      u = turned(parent_, unit_vector(components_of(joint_.parent_axis)));
    switch (joint_.kind) {
      case JointKind::slider:
        return {{"across", "m", minus(times(u[0], d[1]), times(u[1], d[0]))}, angle};
      case JointKind::weld: return {{"x", "m", d[0]}, {"y", "m", d[1]}, angle};
      case JointKind::distance:
        return {{"length", "m", minus(root_of_squares(d), written_form(joint_.length))}};
      case JointKind::gear:
        return {{"angle", "rad",
                 minus(plus(child_.angle, times(written_form(joint_.ratio), parent_.angle)),
                       offset())}};
      case JointKind::screw:
        return {{"along", "m",
                 minus(minus(plus(times(u[0], d[0]), times(u[1], d[1])),
                             times(written_form(joint_.pitch), relative_angle())),
                       offset())}};
      default: return {{"x", "m", d[0]}, {"y", "m", d[1]}};
    }
  }

  // In space.

  /// A a.
  static Written rotated(const Frame& frame, const Components& a) {
    const Written vector = vector_of(a);
    if (vector.is("0") || frame.is_fixed) return vector;
    const Components& e = frame.orientation;
    return {fmt::format("rotate({}, {}, {}, {}, {})", e[0].text, e[1].text, e[2].text, e[3].text,
                        vector.text)};
  }
  static Written point(const Frame& frame) {
    return plus(vector_of(frame.position), rotated(frame, frame.anchor));
  }
  static Written coordinate(const Frame& frame, std::size_t k) {
    const Written arm = rotated(frame, frame.anchor);
    if (arm.is("0") || frame.is_fixed) return plus(frame.position[k], frame.anchor[k]);
    return plus(frame.position[k], {arm.text + "." + "xyz"[k]});
  }
  static Written dot(const Written& a, const Written& b) {
    return {fmt::format("dot({}, {})", a.text, b.text)};
  }

  /// d, by components.
  std::vector<JointRow> point_rows() const {
    std::vector<JointRow> rows;
    constexpr const char* names[] = {"x", "y", "z"};
    for (std::size_t k = 0; k < 3; ++k)
      rows.push_back({names[k], "m", minus(coordinate(child_, k), coordinate(parent_, k))});
    return rows;
  }
  /// a × b.
  static Components cross(const Components& a, const Components& b) {
    Components c;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
      c.push_back(minus(times(a[i], b[j]), times(a[j], b[i])));
    }
    return c;
  }
  /// a ∘ b̄ and ā ∘ b, of quaternions: the vector part, and the real part of both.
  static Components vector_part(const Components& a, const Components& b, bool first_is_conjugate) {
    const Components av(a.begin() + 1, a.end()), bv(b.begin() + 1, b.end());
    const Components c = cross(av, bv);
    Components vector;
    for (std::size_t k = 0; k < 3; ++k) {
      const Written difference = first_is_conjugate ? minus(times(a[0], bv[k]), times(b[0], av[k]))
                                                    : minus(times(b[0], av[k]), times(a[0], bv[k]));
      vector.push_back(minus(difference, c[k]));
    }
    return vector;
  }
  static Written real_part(const Components& a, const Components& b) {
    Written sum{"0"};
    for (std::size_t k = 0; k < 4; ++k) sum = plus(sum, times(a[k], b[k]));
    return sum;
  }
  /// θ, by components.
  std::vector<JointRow> rotation_rows() const {
    Components e = child_.orientation;
    if (!joint_.orientation.empty()) {
      const Components o = unit_vector(components_of(joint_.orientation));
      const Components vector = vector_part(e, o, false);
      e = {real_part(e, o), vector[0], vector[1], vector[2]};
    }
    const Components half = vector_part(parent_.orientation, e, true);
    constexpr const char* names[] = {"angle_x", "angle_y", "angle_z"};
    std::vector<JointRow> rows;
    for (std::size_t k = 0; k < 3; ++k) rows.push_back({names[k], "rad", times({"2"}, half[k])});
    return rows;
  }

  std::vector<JointRow> rows_in_space() const {
    if (joint_.kind == JointKind::distance) {
      const Written d = minus(point(child_), point(parent_));
      return {{"length", "m", minus({"norm(" + d.text + ")"}, written_form(joint_.length))}};
    }
    std::vector<JointRow> rows = point_rows();
    if (joint_.kind == JointKind::ball) return rows;
    if (joint_.kind == JointKind::weld) return joined_rows(rows, rotation_rows());
    const Components axis = components_of(joint_.parent_axis);
    const std::array<Components, 2> b = across(unit_vector(axis));
    const Written b1 = rotated(parent_, b[0]), b2 = rotated(parent_, b[1]);
    if (joint_.kind == JointKind::slider) {
      const Written d = minus(point(child_), point(parent_));
      return joined_rows({{"across1", "m", dot(b1, d)}, {"across2", "m", dot(b2, d)}},
                         rotation_rows());
    }
    const Components own = joint_.child_axis.empty() ? axis : components_of(joint_.child_axis);
    const Written u = rotated(child_, unit_vector(own));
    return joined_rows(rows, {{"axis1", "1", dot(b1, u)}, {"axis2", "1", dot(b2, u)}});
  }
  static std::vector<JointRow> joined_rows(std::vector<JointRow> rows,
                                           const std::vector<JointRow>& last) {
    rows.insert(rows.end(), last.begin(), last.end());
    return rows;
  }

  const Joint& joint_;
  bool planar_;
  Frame parent_, child_;
};

/// Refuses a kind of the other dimension.
void require_dimension(Section& section, JointKind kind, bool planar) {
  switch (kind) {
    case JointKind::pin:
      if (!planar)
        section.fail("kind", "joins bodies in the plane; in space give \"ball\" or \"hinge\"");
      break;
    case JointKind::ball:
    case JointKind::hinge:
      if (planar) section.fail("kind", "joins bodies in space; in the plane give \"pin\"");
      break;
    case JointKind::gear:
    case JointKind::screw:
      if (!planar)
        section.fail("kind",
                     "needs the angle of each body, which Euler parameters give only up to whole "
                     "turns; in space give a row of `constraint`, linear in the velocities");
      break;
    default: break;
  }
}

/// Reads the name of a body; nullptr: the ground.
const Body* body_named(Section& section, const char* key, const std::vector<Body>& bodies,
                       bool or_ground) {
  std::vector<std::string> names;
  for (const Body& body : bodies) names.push_back(body.name);
  if (or_ground) names.emplace_back(ground_name);
  const auto otherwise = or_ground ? std::optional<std::string>(ground_name) : std::nullopt;
  const std::string name = section.choice(key, names, otherwise);
  const auto at = std::ranges::find(bodies, name, &Body::name);
  return at == bodies.end() ? nullptr : &*at;
}

/// Refuses a list of another length, and one of zeros where the length must not vanish.
void require_list(Section& section, const char* key, const std::vector<PlacedText>& list,
                  std::size_t size, bool may_vanish) {
  if (list.empty()) return;
  if (list.size() != size)
    section.fail(key, fmt::format("has {}, but must have {} formulas{}", list.size(), size,
                                  size == 4   ? ", with the real part first"
                                  : size == 2 ? ": the bodies are in the plane"
                                              : ": the bodies are in space"));
  const auto values = literals(components_of(list));
  if (!may_vanish && values && !(length_of(*values) > 0.0))
    section.fail(key, "is zero, so it has no direction");
}

void require_consistent(Section& section, const Joint& joint, const Body& parent,
                        const Body& child) {
  const bool planar = is_planar(child);
  require_dimension(section, joint.kind, planar);
  const std::size_t size = planar ? 2 : 3;
  require_list(section, "parent_anchor", joint.parent_anchor, size, true);
  require_list(section, "child_anchor", joint.child_anchor, size, true);
  require_list(section, "parent_axis", joint.parent_axis, size, false);
  require_list(section, "child_axis", joint.child_axis, size, false);
  if (planar && !joint.orientation.empty())
    section.fail("orientation", "is not used in the plane; give offset, an angle");
  if (!planar && !joint.offset.text.empty())
    section.fail("offset", "is not used in space; give orientation, four Euler parameters");
  require_list(section, "orientation", joint.orientation, 4, false);
  const bool has_axis = joint.kind == JointKind::slider || joint.kind == JointKind::hinge ||
                        joint.kind == JointKind::screw;
  if (has_axis && joint.parent_axis.empty())
    section.missing("parent_axis", fmt::format("a list of {} formulas", size));
  for (const auto& [key, kind] :
       {std::pair("length", JointKind::distance), std::pair("ratio", JointKind::gear),
        std::pair("pitch", JointKind::screw)})
    if (joint.kind == kind) section.formula(key, true);
  for (const auto& [key, formula] :
       {std::pair("length", &joint.length), std::pair("ratio", &joint.ratio),
        std::pair("pitch", &joint.pitch)})
    if (!formula->text.empty() && literal(formula->text) == 0.0)
      section.fail(key, std::string("must not be 0") + (joint.kind == JointKind::distance
                                                            ? "; join the points by a pin, in "
                                                              "space by a ball"
                                                            : ""));
  if (joint.kind == JointKind::gear && parent.name == ground_name)
    section.fail("kind", "connects the angles of two bodies; give a parent");
  const bool for_points = joint.kind == JointKind::pin || joint.kind == JointKind::ball ||
                          joint.kind == JointKind::distance;
  for (const auto& [body, key, anchor] : {std::tuple(&parent, "parent", "parent_anchor"),
                                          std::tuple(&child, "child", "child_anchor")})
    if (is_point(*body)) {
      const char* const missing = planar ? "angle" : "orientation";
      if (!for_points)
        section.fail(key, fmt::format("is a point, as it has no {}; kind = \"{}\" needs it",
                                      missing, name_of(joint.kind)));
      if (section.has(anchor))
        section.fail(anchor, fmt::format("needs the {} of {}", missing, body->name));
    }
}

/// The formulas of a body and of a joint, with their units.
void add_parts(const Body& body, std::vector<SystemText::JointPart>& to) {
  for (const PlacedText& x : body.position) to.push_back({x, "m"});
  if (!body.angle.text.empty()) to.push_back({body.angle, "rad"});
  for (const PlacedText& e : body.orientation) to.push_back({e, "1"});
}
void add_parts(const Joint& joint, std::vector<SystemText::JointPart>& to) {
  for (const auto& [list, unit] :
       {std::pair(&joint.parent_anchor, "m"), std::pair(&joint.child_anchor, "m"),
        std::pair(&joint.parent_axis, ""), std::pair(&joint.child_axis, ""),
        std::pair(&joint.orientation, "1")})
    for (const PlacedText& formula : *list) to.push_back({formula, unit});
  for (const auto& [formula, unit] :
       {std::pair(&joint.offset, joint.kind == JointKind::screw ? "m" : "rad"),
        std::pair(&joint.length, "m"), std::pair(&joint.ratio, "1"), std::pair(&joint.pitch, "m")})
    if (!formula->text.empty()) to.push_back({*formula, unit});
}

}  // namespace

KeyTableInfo body_keys() {
  return body_table().info();
}

KeyTableInfo joint_keys() {
  return joint_table().info();
}

std::vector<SystemText::Body> read_bodies(Section& system) {
  std::vector<Body> all;
  for (Section& section :
       system.sections("bodies", "{name = \"crank\", position = [\"x\", \"y\"], angle = \"a\"}")) {
    Body body;
    body_table().read(section, body);
    section.finish();
    require_shape(section, body, all);
    all.push_back(std::move(body));
  }
  return all;
}

void read_joints(Section& system, SystemText& text,
                 const std::function<void(const Section& joint, SystemText::Contact row)>& add) {
  std::vector<std::string> names;
  for (Section& section :
       system.sections("joints", "{kind = \"pin\", parent = \"ground\", child = \"crank\"}")) {
    Joint joint;
    joint.name = fmt::format("joint{}", names.size() + 1);
    joint_table().read(section, joint);
    section.finish();
    if (std::ranges::find(names, joint.name) != names.end())
      section.fail("name", "two joints have this name; rename one");
    names.push_back(joint.name);
    const Body& child = *body_named(section, "child", text.bodies, false);
    const Body ground = ground_of(is_planar(child));
    const Body* const found = body_named(section, "parent", text.bodies, true);
    const Body& parent = found ? *found : ground;
    if (parent.name == child.name)
      section.fail("child", "is the parent too; a joint connects two bodies");
    require_consistent(section, joint, parent, child);
    add_parts(joint, text.joint_parts);
    PlacedText at = section.formula("kind");
    at.key.resize(at.key.size() - std::string(".kind").size());
    const std::vector<JointRow> rows = JointFormulas(joint, parent, child).rows();
    for (const JointRow& row : rows) {
      at.text = row.value.text;
      add(section, {fmt::format("{}.{}", joint.name, row.name), row.unit, at, true});
    }
  }
  for (const Body& body : text.bodies) add_parts(body, text.joint_parts);
}

}  // namespace rigidlimit

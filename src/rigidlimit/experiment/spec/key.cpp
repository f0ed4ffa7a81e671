#include "rigidlimit/experiment/spec/key.hpp"

#include <algorithm>
#include <utility>

namespace rigidlimit {

Key Key::otherwise(const char* words) const {
  Key key = *this;
  key.default_words = words;
  return key;
}

Key Key::valid(const char* words) const {
  Key key = *this;
  key.valid_words = words;
  return key;
}

void KeyLog::declare(DeclaredKey key) {
  auto at = std::ranges::find(declared_, key);
  if (at == declared_.end()) {
    const bool follows = next_ > 0 && declared_[next_ - 1].table == key.table;
    at = declared_.begin() + static_cast<std::ptrdiff_t>(follows ? next_ : declared_.size());
    at = declared_.insert(at, std::move(key));
  }
  next_ = static_cast<std::size_t>(at - declared_.begin()) + 1;
}

void KeyLog::ask(Name name) {
  if (std::ranges::find(asked_, name) == asked_.end()) asked_.push_back(std::move(name));
}

std::vector<KeyLog::Name> KeyLog::undeclared() const {
  std::vector<Name> names;
  for (const Name& name : asked_) {
    const auto declares = [&](const DeclaredKey& key) {
      return key.table == name.table && key.name == name.name;
    };
    if (std::ranges::none_of(declared_, declares)) names.push_back(name);
  }
  return names;
}

KeyLog KeyLog::of_tables(bool (*wanted)(const std::string& table)) const {
  KeyLog part;
  for (const DeclaredKey& key : declared_)
    if (wanted(key.table)) part.declared_.push_back(key);
  for (const Name& name : asked_)
    if (wanted(name.table)) part.asked_.push_back(name);
  return part;
}

}  // namespace rigidlimit

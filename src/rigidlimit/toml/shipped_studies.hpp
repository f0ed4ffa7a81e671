// The studies and systems that come with the program, and the files that users name.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/core/error.hpp"

namespace rigidlimit {

/// Their folder: the value of the environment variable RIGIDLIMIT_EXPERIMENTS; without it the
/// nearest `experiments` or `share/rigidlimit/experiments` beside or above the program, or the
/// Python module, that contains this code. Empty: there is none.
std::string shipped_folder();

/// A file of this folder.
struct ShippedFile {
  std::string name;  ///< "knife_edge", its stem
  std::string path;
};
/// Studies, sweeps and benchmarks, sorted by name.
std::vector<ShippedFile> shipped_studies();
/// Systems written as text, sorted by name.
std::vector<ShippedFile> shipped_systems();

std::vector<std::string> names_of(const std::vector<ShippedFile>& files);

/// A name without ending is neither that of a file nor of a shipped study.
struct UnknownStudy : InputError {
  using InputError::InputError;
};

/// The file that a user names.
struct NamedFile {
  std::string path;
  std::string notice;  ///< if a file of the user hides a shipped one of that name; else empty
};
/// `word` is a path; or a name without ending, "knife_edge": then knife_edge.toml of the current
/// folder, or else the shipped study. Throws UnknownStudy for a name of neither, with similar
/// names, and InputError for a missing path that is the name of other files or shipped studies.
NamedFile named_study(const std::string& word);
/// The same with shipped systems. A name of neither is returned as it is: the catalogue may have
/// it.
NamedFile named_system(const std::string& word);

/// The kind of file that a key of a file names.
enum class ShippedKind {
  study,   ///< a study, sweep or benchmark
  system,  ///< a system written as text
  base,    ///< a study or a part of studies, for `base` of a study
};
/// The path of the file that `word` names in a file of `folder`: a path relative to `folder`; or a
/// name without ending, "knife_edge": then knife_edge.toml of `folder`, or else the shipped file of
/// this kind. Throws InputError, at the word or the path, for a name of neither, with similar
/// names, and for a missing path with the name of a shipped file. Reading any other path reports
/// its error.
std::string file_named_in(const std::string& folder, const std::string& word, ShippedKind kind);

}  // namespace rigidlimit

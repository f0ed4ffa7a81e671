// Metadata of a result as a research object: RO-Crate 1.1, profile Process Run Crate 0.5.
//
// Sources: https://w3id.org/ro/crate/1.1, https://w3id.org/ro/wfrun/process/0.5
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace rigidlimit {

struct CrateFile {
  std::string name;   ///< relative to the root: "figures/convergence.pdf"
  std::string about;  ///< one sentence; empty: none
  std::size_t size = 0;
  std::string sha256 = {};  ///< in hexadecimal
};

/// A run of the program that solved something.
struct CrateRun {
  std::string started, ended;  ///< ISO 8601, UTC
  std::string provenance;      ///< JSON object: version, commit, compiler, …
  std::string place = {};      ///< of the provenance, for messages
};

struct Crate {
  std::string name;
  std::string about;
  std::string source;                ///< publication behind the experiment; empty: none
  std::string date = {};             ///< ISO 8601
  std::string licence;               ///< address or text; empty: not stated
  std::vector<std::string> authors;  ///< "Name" or "Name <https://orcid.org/…>"
  std::vector<CrateFile> files = {};
  std::vector<CrateRun> runs;
};

/// The text of ro-crate-metadata.json.
std::string crate_metadata(const Crate& crate);

/// The files of ro-crate-metadata.json that have a size and a checksum. Throws InputError with
/// `where` for another text (report/bounded_json.hpp), and for a name that leaves the archive.
std::vector<CrateFile> files_in_crate(const std::string& text, const std::string& where);

/// The sentence about a file of results/NAME; empty for an unknown name.
std::string about_file(const std::string& name);

}  // namespace rigidlimit

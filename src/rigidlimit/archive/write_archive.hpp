// A result as one file that others can read, cite and repeat.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rigidlimit/archive/crate.hpp"
#include "rigidlimit/systems/system_entry.hpp"

namespace rigidlimit {

struct ArchiveRequest {
  std::string store;                 ///< results/NAME/results.db
  std::string output;                ///< the zip file; empty: NAME.zip
  std::string pages = {};            ///< folder of `rigidlimit report`; empty: results/report
  std::string licence = {};          ///< of the archive: an address or a text
  std::vector<std::string> authors;  ///< "Name" or "Name <https://orcid.org/…>"
};

struct WrittenArchive {
  std::string path = {};
  std::vector<CrateFile> files = {};
  bool has_study = false;    ///< the experiment file as written, which only `run` leaves
  bool has_figures = false;  ///< a page or figures of `rigidlimit report`
};

/// Writes the archive of a store: the experiment as written and with all defaults, the judged
/// result in every format, the store, the page and figures if `rigidlimit report` made them, and
/// the metadata. Replaces an older archive. Throws InputError if request.output exists and is
/// anything else, if the store lacks solves of its experiment, or if this program
/// does not have its system.
WrittenArchive write_archive(const ArchiveRequest& request, const SystemCatalogue& systems);

/// The part of an archive that a repetition needs.
struct ArchivedResult {
  std::string name;      ///< of the archive, for messages
  std::string resolved;  ///< resolved.toml
  std::string result;    ///< result.json
};

/// Reads an archive, an unpacked one, or a folder results/NAME. Throws InputError if a part is
/// missing, and if `stop_requested`, which is called now and then, is true.
ArchivedResult read_archive(const std::string& path,
                            const std::function<bool()>& stop_requested = {});

}  // namespace rigidlimit

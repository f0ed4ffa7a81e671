// Zip files, by libarchive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

struct archive;

namespace rigidlimit {

/// Writes a zip file under a new random name. finish() renames it into place; without finish()
/// nothing is left.
class ZipWriter {
 public:
  /// `time`: modification time of every entry, in seconds since 1970, so that equal contents make
  /// equal files. Throws InputError, here and below, if the file cannot be written.
  ZipWriter(const std::string& path, std::int64_t time);
  ~ZipWriter();
  ZipWriter(const ZipWriter&) = delete;
  ZipWriter& operator=(const ZipWriter&) = delete;

  void add_text(const std::string& name, const std::string& text);
  void add_file(const std::string& name, const std::string& file);
  void finish();

 private:
  void begin_entry(const std::string& name, std::size_t size);
  void add_data(const char* data, std::size_t size);
  void check(long status) const;

  std::string path_, part_;
  std::int64_t time_;
  int file_ = -1;
  std::unique_ptr<archive, int (*)(archive*)> writer_;
};

/// The entries `names` of a zip file as texts; names that it does not have are left out. Throws
/// InputError for a file that is not a zip file or is damaged, and for an entry of more than
/// `longest` bytes.
std::map<std::string, std::string> texts_in_zip(const std::string& path,
                                                const std::vector<std::string>& names,
                                                std::size_t longest);

/// The size and SHA-256 of those entries of a zip file that `sizes` names, by name. Nothing else is
/// unpacked: neither other entries nor what an entry has beyond its size there, whose digest then
/// has no SHA-256 and a larger size. Throws InputError as texts_in_zip(), for an entry twice, for
/// more entries than `most`, and if `stop_requested`, which is called now and then, is true.
struct EntryDigest {
  std::size_t size = 0;
  std::string sha256;
};
std::map<std::string, EntryDigest> digests_in_zip(const std::string& path,
                                                  const std::map<std::string, std::size_t>& sizes,
                                                  std::size_t most,
                                                  const std::function<bool()>& stop_requested);

}  // namespace rigidlimit

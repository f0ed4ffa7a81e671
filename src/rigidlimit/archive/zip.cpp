#include "rigidlimit/archive/zip.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "rigidlimit/archive/sha256.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/input_file.hpp"
#include "rigidlimit/core/printable.hpp"

namespace rigidlimit {

namespace {

using ZipEntry = std::unique_ptr<archive_entry, void (*)(archive_entry*)>;

std::string reason_of(archive* of) {
  const char* text = archive_error_string(of);
  return text == nullptr ? "unknown error" : printable(text);
}

}  // namespace

ZipWriter::ZipWriter(const std::string& path, std::int64_t time)
    : path_(path),
      part_(path + ".XXXXXX"),
      time_(time),
      writer_(archive_write_new(), archive_write_free) {
  check(archive_write_set_format_zip(writer_.get()));
  check(archive_write_zip_set_compression_deflate(writer_.get()));
  file_ = mkostemp(part_.data(), O_CLOEXEC);  // follows no link
  if (file_ < 0)
    throw InputError(fmt::format("cannot be written: {}", std::strerror(errno)), path_);
  fchmod(file_, 0644);
  check(archive_write_open_fd(writer_.get(), file_));
}

ZipWriter::~ZipWriter() {
  writer_.reset();
  if (file_ >= 0) close(file_);
  std::error_code ignored;
  std::filesystem::remove(part_, ignored);
}

void ZipWriter::check(long status) const {
  if (status < ARCHIVE_WARN)
    throw InputError("cannot be written: " + reason_of(writer_.get()), path_);
}

void ZipWriter::begin_entry(const std::string& name, std::size_t size) {
  const ZipEntry entry(archive_entry_new(), archive_entry_free);
  archive_entry_set_pathname(entry.get(), name.c_str());
  archive_entry_set_size(entry.get(), static_cast<la_int64_t>(size));
  archive_entry_set_filetype(entry.get(), AE_IFREG);
  archive_entry_set_perm(entry.get(), 0644);
  archive_entry_set_mtime(entry.get(), time_, 0);
  check(archive_write_header(writer_.get(), entry.get()));
}

void ZipWriter::add_data(const char* data, std::size_t size) {
  while (size > 0) {
    const la_ssize_t written = archive_write_data(writer_.get(), data, size);
    check(written);
    if (written <= 0) throw InputError("cannot be written", path_);
    data += written;
    size -= static_cast<std::size_t>(written);
  }
}

void ZipWriter::add_text(const std::string& name, const std::string& text) {
  begin_entry(name, text.size());
  add_data(text.data(), text.size());
}

void ZipWriter::add_file(const std::string& name, const std::string& file) {
  require_regular_file(file);
  std::ifstream in(file, std::ios::binary);
  std::error_code failure;
  std::size_t left = std::filesystem::file_size(file, failure);
  if (!in || failure) throw InputError("cannot be read", file);
  begin_entry(name, left);
  std::array<char, 1 << 16> buffer{};
  while (left > 0) {
    in.read(buffer.data(), static_cast<std::streamsize>(std::min(buffer.size(), left)));
    const auto size = static_cast<std::size_t>(in.gcount());
    if (size == 0) throw InputError("became shorter while it was read", file);
    add_data(buffer.data(), size);
    left -= size;
  }
}

void ZipWriter::finish() {
  check(archive_write_close(writer_.get()));
  std::error_code failure;
  std::filesystem::rename(part_, path_, failure);
  if (failure) throw InputError("cannot be written: " + failure.message(), path_);
}

namespace {

/// The text of the present entry.
std::string text_of_entry(archive* reader, const std::string& path, const std::string& name,
                          std::size_t longest) {
  std::string text;
  std::array<char, 1 << 16> buffer{};
  for (;;) {
    const la_ssize_t size = archive_read_data(reader, buffer.data(), buffer.size());
    if (size == 0) return text;
    if (size < 0) throw InputError(fmt::format("{} is damaged: {}", name, reason_of(reader)), path);
    text.append(buffer.data(), static_cast<std::size_t>(size));
    if (text.size() > longest)
      throw InputError(fmt::format("{} has more than {} bytes, the limit", name, longest), path);
  }
}

}  // namespace

namespace {

/// Calls take(reader, name) for every entry of a zip file.
template <class Take>
void each_entry(const std::string& path, const Take& take) {
  require_regular_file(path);
  const std::unique_ptr<archive, int (*)(archive*)> reader(archive_read_new(), archive_read_free);
  archive_read_support_format_zip(reader.get());
  if (archive_read_open_filename(reader.get(), path.c_str(), 1 << 16) != ARCHIVE_OK)
    throw InputError("is not a readable zip file: " + reason_of(reader.get()), path);
  for (;;) {
    archive_entry* entry = nullptr;
    const int status = archive_read_next_header(reader.get(), &entry);
    if (status == ARCHIVE_EOF) return;
    if (status < ARCHIVE_WARN)
      throw InputError("is not a readable zip file: " + reason_of(reader.get()), path);
    if (const char* name = archive_entry_pathname(entry); name != nullptr) take(reader.get(), name);
  }
}

}  // namespace

std::map<std::string, std::string> texts_in_zip(const std::string& path,
                                                const std::vector<std::string>& names,
                                                std::size_t longest) {
  std::map<std::string, std::string> texts;
  each_entry(path, [&](archive* reader, const std::string& name) {
    if (std::ranges::find(names, name) == names.end()) return;
    if (!texts.emplace(name, text_of_entry(reader, path, name, longest)).second)
      throw InputError(fmt::format("has two entries {}", name), path);
  });
  return texts;
}

std::map<std::string, EntryDigest> digests_in_zip(const std::string& path,
                                                  const std::map<std::string, std::size_t>& sizes,
                                                  std::size_t most,
                                                  const std::function<bool()>& stop_requested) {
  std::map<std::string, EntryDigest> digests;
  std::array<char, 1 << 16> buffer{};
  std::size_t entries = 0;
  each_entry(path, [&](archive* reader, const std::string& name) {
    if (entries++ == most)
      throw InputError(fmt::format("has more than {} entries, the limit", most), path);
    const auto stated = sizes.find(name);
    if (stated == sizes.end()) return;
    EntryDigest digest;
    Sha256 hash;
    while (digest.size <= stated->second) {
      if (stop_requested && stop_requested())
        throw InputError("the check of its files was interrupted", path);
      const la_ssize_t size = archive_read_data(reader, buffer.data(), buffer.size());
      if (size == 0) break;
      if (size < 0)
        throw InputError(
            fmt::format("{} is damaged: {}", shortened(printable(name), 200), reason_of(reader)),
            path);
      digest.size += static_cast<std::size_t>(size);
      hash.add(buffer.data(), static_cast<std::size_t>(size));
    }
    if (digest.size <= stated->second) digest.sha256 = hash.text();
    if (!digests.emplace(name, std::move(digest)).second)
      throw InputError(fmt::format("has two entries {}", shortened(printable(name), 200)), path);
  });
  return digests;
}

}  // namespace rigidlimit

#include "rigidlimit/experiment/plan/program_code.hpp"

#include <elf.h>
#include <link.h>
#include <sys/utsname.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string_view>

#include "rigidlimit/experiment/plan/content_hash.hpp"

namespace rigidlimit {

namespace {

constexpr const char* own_file = "/proc/self/exe";
constexpr std::string_view gnu("GNU", 4);  // including its NUL

/// Notes begin at multiples of four bytes.
std::size_t padded(std::size_t size) {
  return (size + 3) / 4 * 4;
}

/// The note of the linker's --build-id in a segment of notes; empty: none.
std::string build_id_in(const char* notes, std::size_t size) {
  ElfW(Nhdr) note;
  while (size >= sizeof note) {
    std::memcpy(&note, notes, sizeof note);
    const std::size_t name = padded(note.n_namesz), content = padded(note.n_descsz);
    if (name + content > size - sizeof note) return {};
    const char* const text = notes + sizeof note;
    if (note.n_type == NT_GNU_BUILD_ID && std::string_view(text, note.n_namesz) == gnu)
      return {text + name, note.n_descsz};
    notes += sizeof note + name + content;
    size -= sizeof note + name + content;
  }
  return {};
}

/// As loaded into memory: the file may have been replaced since.
std::string build_id_of(const dl_phdr_info& object) {
  for (int k = 0; k < object.dlpi_phnum; ++k) {
    const auto& segment = object.dlpi_phdr[k];
    if (segment.p_type != PT_NOTE) continue;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the loader gives addresses as numbers
    const auto* notes = reinterpret_cast<const char*>(object.dlpi_addr + segment.p_vaddr);
    if (std::string id = build_id_in(notes, segment.p_memsz); !id.empty()) return id;
  }
  return {};
}

std::string file_bytes(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// System libraries are known by their versions or contain no equations; the vDSO, which the kernel
/// maps, has no file.
bool is_of_the_system(std::string_view path) {
  return path.find('/') == std::string_view::npos || path.starts_with("/lib") ||
         path.starts_with("/usr/lib");
}

int collect_object(dl_phdr_info* object, std::size_t, void* all) {
  const bool is_program = *object->dlpi_name == '\0';
  if (!is_program && is_of_the_system(object->dlpi_name)) return 0;
  std::string id = build_id_of(*object);
  if (id.empty()) id = file_bytes(is_program ? own_file : object->dlpi_name);
  static_cast<std::set<std::string>*>(all)->insert(content_hash(id));
  return 0;
}

}  // namespace

std::string program_name() {
  std::error_code failure;
  const auto file = std::filesystem::read_symlink(own_file, failure);
  return failure ? "unknown" : file.filename().string();
}

const std::string& program_code() {
  static const std::string code = [] {
    std::set<std::string> objects;  // sorted: independent of the order of loading
    dl_iterate_phdr(collect_object, &objects);
    std::string text;
    for (const std::string& hash : objects) text += hash + "\n";
    return content_hash(text);
  }();
  return code;
}

std::string host_name() {
  utsname system{};
  return uname(&system) == 0 ? system.nodename : "unknown";
}

}  // namespace rigidlimit

// Classical problems that are written as text: the build embeds classical/NAME.toml as NAME_toml.
#pragma once

namespace rigidlimit {

extern const char* const prothero_robinson_toml;
extern const char* const kaps_toml;
extern const char* const van_der_pol_toml;
extern const char* const robertson_toml;
extern const char* const robertson_40_toml;
extern const char* const hires_toml;
extern const char* const orego_toml;
extern const char* const e5_toml;
extern const char* const pollution_toml;
extern const char* const ring_modulator_toml;

}  // namespace rigidlimit

// Systems of the catalogue that are written as text: the build embeds systems/*/NAME.toml as
// NAME_toml.
#pragma once

namespace rigidlimit {

extern const char* const knife_edge_toml;
extern const char* const chaplygin_sleigh_toml;
extern const char* const rolling_coin_toml;
extern const char* const wheel_toml;
extern const char* const wheel_euler_toml;
extern const char* const turntable_ball_toml;
extern const char* const v_groove_ball_toml;
extern const char* const chaplygin_sphere_toml;
extern const char* const rolling_disk_quaternion_toml;
extern const char* const rattleback_toml;
extern const char* const spinning_disk_toml;
extern const char* const snakeboard_toml;
extern const char* const race_roller_toml;
extern const char* const epicyclic_gear_toml;
extern const char* const two_blade_dumbbell_toml;
extern const char* const wheel_and_curb_toml;
extern const char* const two_point_ball_toml;
extern const char* const sliding_sphere_toml;
extern const char* const bouncing_ball_toml;
extern const char* const painleve_rod_toml;
extern const char* const tilted_turntable_ball_toml;
extern const char* const coin_on_plate_toml;
extern const char* const belt_roller_toml;
extern const char* const driven_bearing_toml;
extern const char* const belt_oscillator_toml;
extern const char* const shaken_ball_toml;

}  // namespace rigidlimit

#!/usr/bin/env bash
# Tests that only builds with a sanitizer run: tests/sanitized.sh use|python|extension BUILD
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD build=$2
export RIGIDLIMIT_PROGRAM=$build/src/rigidlimit

# The program in use. Studies are shortened, so that all lines take some minutes.
use() {
  rm -rf "$build/use" && mkdir "$build/use" && cd "$build/use"
  local wheel=$root/experiments/convergence/wheel.toml edge=$root/experiments/convergence/knife_edge.toml wrong=0
  expect() { # STATUSES WORDS...
    local status=0
    "$RIGIDLIMIT_PROGRAM" "${@:2}" || status=$?
    [[ " $1 " == *" $status "* ]] || { echo "status $status: ${*:2}" && wrong=1; }
  }
  expect 0 run "$edge" --set epsilon.count=4 --set 'expect=[]' --set 'bound=[]' --jobs 2
  expect 0 run "$root/experiments/friction/wheel_slip_to_roll.toml" --jobs 2
  expect '0 1' run "$wheel" --set 'sweep.contact.damping_ratio=[0.5,1]' --set 'study.name="swept"' --jobs 2
  expect '0 1' run "$root/experiments/benchmarks/contact_work_precision.toml" --quick --jobs 2
  expect 0 run "$wheel" --shard 1/2 --results parts --jobs 2
  expect 0 run "$wheel" --shard 2/2 --results parts --jobs 2
  expect 0 merge parts/wheel
  expect 0 check "$wheel" --results parts
  expect 0 export parts/wheel --format latex
  expect 0 archive parts/wheel
  expect 0 reproduce wheel.zip --jobs 2
  expect 0 stiffness "$wheel" --error q=1e-3
  expect 0 expand "$edge"
  expect 2 run "$wheel" --set time.end=-1
  return "$wrong"
}

venv_python() {
  # shellcheck source=scripts/setup.sh
  . scripts/setup.sh
  make_venv
  python=$root/$venv/bin/python
}

python() {
  venv_python
  have_package
  "$python" -m pytest -q -p no:cacheprovider tests/analysis tests/scripts tests/guests
}

# The tests of tests/python that call the compiled part, which is built like $build; the others test Python
# code, run notebooks or need a wheel.
extension() {
  venv_python
  local site=$build/site tests=()
  RIGIDLIMIT_BUILD="$build" cmake -S python -B "$build/python" -G Ninja -DCMAKE_BUILD_TYPE=Debug \
    -DCMAKE_CXX_FLAGS="-fsanitize=address,undefined -fno-sanitize=vptr" \
    -DPython_EXECUTABLE="$python" # Eigen allocates otherwise with ASan
  cmake --build "$build/python" --target _core
  rm -rf "$site" && mkdir "$site" && cp -r python/rigidlimit "$site" && cp -r analysis "$site/rigidlimit"
  cp "$build"/python/_core*.so "$site/rigidlimit"
  for name in executors formulas judge own_method predicted problem solve_ivps stiffness study system; do
    tests+=("tests/python/test_$name.py")
  done
  # Python itself and its packages are not instrumented: the runtime comes first, and leaks are theirs. The
  # base interpreter, unlike that of build/venv, does not import the installed package.
  local runtimes
  runtimes=$(for name in asan ubsan stdc++; do c++ "-print-file-name=lib$name.so"; done)
  PYTHONPATH=$site:$("$python" -c "import sysconfig; print(sysconfig.get_path('purelib'))") \
    ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0 \
    LD_PRELOAD=${runtimes//$'\n'/ } \
    "$("$python" -c 'import sys; print(sys._base_executable)')" -m pytest -q -p no:cacheprovider "${tests[@]}"
}

"$1"

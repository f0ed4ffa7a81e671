# shellcheck shell=bash
# Common set-up of the scripts: find and install missing packages, configure,
# build. Source it with the root of the repository as the current directory.

readonly logs=build/log
readonly venv=build/venv

if [[ -t 1 ]]; then
  readonly bold=$'\e[1m' red=$'\e[31m' plain=$'\e[0m'
else
  readonly bold='' red='' plain=''
fi

say() { printf '%s==> %s%s\n' "$bold" "$*" "$plain"; }
note() { printf '    %s\n' "$@"; }
list() { # TITLE WORDS
  say "$1"
  fold -s -w 94 <<<"$2" | sed 's/^/    /; s/ *$//'
}
complain() { printf '%serror:%s %s\n' "$red" "$plain" "$*" >&2; }

# Paths on the command line are relative to the caller's directory, although the scripts run in the root
# of the repository. `called` holds the words of a command line. A path that exists only in the repository
# becomes absolute; the path after -o is unchanged, because it need not exist.
callers_paths() { # WORDS
  local word last=''
  called=()
  for word in "$@"; do
    if [[ $word != -* && $last != -o && $last != --output && ! -e $OLDPWD/$word && -e $PWD/$word &&
      $word == */* ]]; then
      word=$PWD/$word
    fi
    called+=("$word")
    last=$word
  done
}

# The default folder of results: that of the caller's directory, or else that of the repository.
callers_results() {
  if [[ -d $OLDPWD/results ]]; then echo "$OLDPWD/results"; else echo "$PWD/results"; fi
}

# Checks a count from the command line.
count() { # OPTION VALUE
  [[ $2 =~ ^[1-9][0-9]*$ ]] && echo "$2" && return
  complain "$1 takes a number, not '$2'"
  return 2
}

# Required packages with their names in each package manager; '-' if another row includes it. The scripts
# install from the column `debian` and test it on bare systems (scripts/check_bare); the other columns are
# untested advice. scripts/recipes writes the columns debian, conda and spack into recipes. ccache is used if it is installed.
package_table() {
  cat <<'TABLE'
need        debian              fedora                  arch           suse                    alpine            brew              conda             spack
compiler    g++                 gcc-c++                 gcc            gcc-c++                 g++               -                 cxx-compiler      cxx
cmake       cmake               cmake                   cmake          cmake                   cmake             cmake             cmake             cmake
ninja       ninja-build         ninja-build             ninja          ninja                   samurai           ninja             ninja             ninja
git         git                 git                     git            git                     git               git               git               git
eigen       libeigen3-dev       eigen3-devel            eigen          eigen3-devel            eigen-dev         eigen             eigen             eigen
xsimd       libxsimd-dev        xsimd-devel             xsimd          xsimd-devel             xsimd-dev         xsimd             xsimd             xsimd
boost       libboost-dev        boost-devel             boost          libboost_headers-devel  boost-dev         boost             libboost-headers  boost
sundials    libsundials-dev     sundials-devel          sundials       sundials-devel          sundials-dev      sundials          sundials          sundials+klu
suitesparse libsuitesparse-dev  suitesparse-devel       suitesparse    suitesparse-devel       suitesparse-dev   suite-sparse      suitesparse       suite-sparse
cli11       libcli11-dev        cli11-devel             cli11          cli11-devel             cli11-dev         cli11             cli11             cli11
toml++      libtomlplusplus-dev tomlplusplus-devel      tomlplusplus   tomlplusplus-devel      tomlplusplus-dev  tomlplusplus      tomlplusplus      tomlplusplus
fmt         libfmt-dev          fmt-devel               fmt            fmt-devel               fmt-dev           fmt               fmt               fmt
json        nlohmann-json3-dev  json-devel              nlohmann-json  nlohmann_json-devel     nlohmann-json     nlohmann-json     nlohmann_json     nlohmann-json
sqlite      libsqlite3-dev      sqlite-devel            sqlite         sqlite3-devel           sqlite-dev        sqlite            sqlite            sqlite
sqlitecpp   libsqlitecpp-dev    SQLiteCpp-devel         -              -                       -                 sqlitecpp         sqlitecpp         sqlitecpp
openssl     libssl-dev          openssl-devel           openssl        libopenssl-devel        openssl-dev       openssl           openssl           openssl
libarchive  libarchive-dev      libarchive-devel        libarchive     libarchive-devel        libarchive-dev    libarchive        libarchive        libarchive
udunits     libudunits2-dev     udunits2-devel          udunits        udunits2-devel          udunits-dev       udunits           udunits2          udunits
arb         libflint-arb-dev    flint-devel             flint          flint-devel             flint-dev         flint             libflint          flint
gtest       libgtest-dev        gtest-devel             gtest          gtest                   gtest-dev         googletest        gtest             googletest
gmock       libgmock-dev        gmock-devel             -              gmock                   -                 -                 gmock             -
benchmark   libbenchmark-dev    google-benchmark-devel  benchmark      benchmark-devel         benchmark-dev     google-benchmark  benchmark         benchmark
python      python3-venv        python3                 python         python3                 python3           python            python            python
TABLE
}

# Rows of the table that a script does not need.
left_out=()

package_names() { # FAMILY
  package_table | awk -v family="$1" -v left_out=" ${left_out[*]-} " '
    NR == 1 { for (i = 1; i <= NF; i++) if ($i == family) column = i; next }
    $column != "-" && !index(left_out, " " $1 " ") { print $column }'
}

install_command() { # FAMILY
  case $1 in
    debian) echo "apt-get install --no-install-recommends" ;;
    fedora) echo "dnf install" ;;
    arch) echo "pacman -S --needed" ;;
    suse) echo "zypper install" ;;
    alpine) echo "apk add" ;;
    brew) echo "brew install" ;;
    conda) echo "conda install -c conda-forge" ;;
  esac
}

# The column of the table for this system, or nothing.
system_family() {
  local word
  if [[ $(uname -s) == Darwin ]]; then
    echo brew
    return
  fi
  for word in $(. /etc/os-release 2>/dev/null && echo "${ID:-} ${ID_LIKE:-}"); do
    case $word in
      debian | ubuntu) echo debian ;;
      fedora | rhel | centos) echo fedora ;;
      arch) echo arch ;;
      suse | opensuse*) echo suse ;;
      alpine) echo alpine ;;
      *) continue ;;
    esac
    return
  done
}

# Debian itself, 12 or later, where the scripts may install. testing and sid have no version number.
is_debian() {
  command -v apt-get >/dev/null && command -v dpkg-query >/dev/null &&
    (. /etc/os-release && [[ ${ID:-} == debian ]] && ((${VERSION_ID:-99} >= 12))) 2>/dev/null
}

# This system's Debian archives with another suite in place of its own, one "URI suite" per line, from the
# configuration of apt. Without package lists apt knows its archives, but no ORIGIN of them.
debian_archives() { # SUITE
  local own uri release component origin known ask=(apt-get indextargets)
  own=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
  # shellcheck disable=SC2016 # placeholders of apt
  ask+=(--format '$(REPO_URI) $(RELEASE) $(COMPONENT) $(ORIGIN)' 'Created-By: Packages')
  known=$("${ask[@]}") && [[ -n $known ]] || known=$("${ask[@]}" --no-release-info) || return
  sort -u <<<"$known" | while read -r uri release component origin; do
    [[ $component == main && ($origin == Debian || $origin == *ORIGIN*) ]] || continue
    case $release in
      "$own" | "$own"-updates | "$own"-security) echo "$uri ${release/#$own/$1}" ;;
    esac
  done
}

# Settings of apt for the access to an archive (proxies, repetitions, clocks), one per line.
apt_access() {
  apt-config dump | grep -E '^Acquire::(https?|socks|Retries|ForceIPv[46]|Check-Valid-Until|Check-Date)\b.* "..*";$' || true
}

# Further Debian packages, set by a script: those that only tests need.
extra_packages=()

wanted_debian_packages() {
  # From Debian 13 on, Arb is a part of FLINT.
  if (. /etc/os-release && ((${VERSION_ID:-99} >= 13))) 2>/dev/null; then
    package_names debian | sed 's/^libflint-arb-dev$/libflint-dev/'
  else
    package_names debian
  fi
  printf '%s\n' ${extra_packages[@]+"${extra_packages[@]}"}
}

missing_debian_packages() {
  local installed
  # shellcheck disable=SC2046 # one word per package
  installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' $(wanted_debian_packages) \
    2>/dev/null | sed -n 's/^installed //p') || true
  wanted_debian_packages | grep -Fxv -e "$installed" -e '' || true
}

# Prints the commands that install all packages on this system, once.
advise() {
  local family
  [[ -z ${advised:-} ]] || return 0
  advised=yes
  note "if packages are missing, this command installs all of them:"
  family=$(system_family)
  for family in ${family:-debian fedora arch suse alpine brew} conda; do
    printf '      %s %s\n' "$(install_command "$family")" \
      "$(package_names "$family" | tr '\n' ' ')" | fold -s -w 88 | sed '2,$s/^/          /; s/ *$//'
  done
}

# Runs a command with its output in LOG; if it fails, shows the end of LOG and returns the status.
quietly() { # WHAT LOG COMMAND...
  local what=$1 log=$2 start=$SECONDS status=0
  shift 2
  say "$what"
  mkdir -p "${log%/*}"
  "$@" >"$log" 2>&1 </dev/null || status=$?
  tell_end "$what" "$log" "$start" "$status"
}

# Prints the time of a step, or the end of its log if it failed. Returns its status.
tell_end() { # WHAT LOG START STATUS
  if (($4 != 0)); then
    tail -n 40 "$2" | sed 's/^/    | /' >&2
    complain "$1 failed (status $4); the full log is $2"
    return "$4"
  fi
  note "done in $(duration $((SECONDS - $3)))"
}

duration() { # SECONDS
  if (($1 < 100)); then echo "$1 s"; elif (($1 < 6000)); then echo "$((($1 + 30) / 60)) min"; else
    printf '%d h %02d min\n' $(($1 / 3600)) $(($1 % 3600 / 60))
  fi
}

on_terminal() { [[ -t 1 ]]; }

# Prints a line that the next one replaces, cut to the width of the terminal so that it never wraps; without
# text, clears the line. Prints nothing without a terminal.
replaceable() { # [TEXT]
  on_terminal || return 0
  local text=${1-} width
  width=$(stty size 2>/dev/null </dev/tty | cut -d ' ' -f 2) || true
  ((${width:-0} > 1)) || width=80
  printf '\r\e[K%s' "${text:0:width-1}"
}

# Writes the output of ninja to LOG. On a terminal one line shows the progress "[done/total] ..."; otherwise
# a line is printed after each tenth, at least ten seconds after the last one.
show_steps() { # LOG
  local line start=$SECONDS told=$SECONDS tenth=0 total=0 text
  while IFS= read -r line || [[ -n $line ]]; do
    printf '%s\n' "$line" >>"$1"
    [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\ *(.*) ]] || continue
    if ((BASH_REMATCH[2] != total)); then  # at first ninja looks for new files in two steps
      total=${BASH_REMATCH[2]} start=$SECONDS tenth=0
      tell_cost "$total"
    fi
    text=$(steps_so_far "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" $((SECONDS - start)))
    if on_terminal; then
      replaceable "    $text  ${BASH_REMATCH[3]##*/}"
    elif ((10 * BASH_REMATCH[1] / BASH_REMATCH[2] > tenth && SECONDS - told >= 10)); then
      tenth=$((10 * BASH_REMATCH[1] / BASH_REMATCH[2])) told=$SECONDS
      note "$text"
    fi
  done
  replaceable
}

# Estimates the remaining time from the steps done, after at least five, because steps take similar times.
steps_so_far() { # DONE TOTAL SECONDS
  local text="[$1/$2] $((100 * $1 / $2)) %"
  (($1 < 5 || $3 < 5)) ||
    text+=", $(duration "$3") so far, about $(duration $(($3 * ($2 - $1) / $1))) to go"
  echo "$text"
}

# Runs a build with its output in LOG and shows the progress.
watched() { # WHAT LOG COMMAND...
  local what=$1 log=$2 start=$SECONDS status=0
  shift 2
  say "$what"
  mkdir -p "${log%/*}"
  : >"$log"
  "$@" 2>&1 </dev/null | show_steps "$log" || status=${PIPESTATUS[0]}
  tell_end "$what" "$log" "$start" "$status"
}

why_long() { # PACKAGES, one per line
  if grep -q '^libsundials' <<<"$1"; then
    echo " (SUNDIALS depends on MPI and PETSc, so this takes minutes)"
  fi
}

install_packages() {
  local missing as_root=() apt names
  missing=$(missing_debian_packages)
  [[ -n $missing ]] || return 0
  names=$(tr '\n' ' ' <<<"$missing")
  list "missing Debian packages:" "$names"
  apt="apt-get update && apt-get install -y --no-install-recommends ${names% }"
  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
      complain "the installation needs root, and sudo is not installed; as root, run"
      note "$apt" >&2
      return 2
    fi
    as_root=(sudo)
  fi
  as_root+=(env DEBIAN_FRONTEND=noninteractive)
  local options=(-q -y -o DPkg::Lock::Timeout=120 -o Dpkg::Use-Pty=0)
  # shellcheck disable=SC2086 # one word per package
  if ! quietly "reading the package lists" "$logs/apt-update.log" \
    "${as_root[@]}" apt-get "${options[@]}" update ||
    ! quietly "installing them$(why_long "$missing")" \
      "$logs/apt-install.log" "${as_root[@]}" apt-get "${options[@]}" \
      install --no-install-recommends $missing; then
    complain "the installation failed; to install by hand, run as root"
    note "$apt" >&2
    return 2
  fi
}

# Installs missing packages on Debian, prints advice on other systems; --no-install only reports.
find_packages() { # yes|no: whether to install
  local missing
  if ! is_debian; then
    [[ $1 == yes ]] || return 0
    say "this is not Debian 12 or later, so nothing is installed"
    advise
  elif [[ $1 == yes ]]; then
    install_packages
  else
    missing=$(missing_debian_packages | tr '\n' ' ')
    [[ -z $missing ]] || list "missing Debian packages, not installed (--no-install):" "$missing"
  fi
}

find_tools() {
  local tool absent=()
  for tool in cmake ninja; do
    command -v "$tool" >/dev/null || absent+=("$tool")
  done
  ((${#absent[@]} == 0)) && return
  complain "not found: ${absent[*]}"
  advise >&2
  return 2
}

# One compiler per core and per 2 GB of free memory: a unit of eight files with Eigen and derivatives may need
# that much.
default_jobs() {
  local jobs free
  jobs=$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
  free=$(awk '/^MemAvailable:/ { print int($2 / 2e6) }' /proc/meminfo 2>/dev/null || true)
  [[ -z $free ]] || ((free >= jobs)) || jobs=$((free > 0 ? free : 1))
  echo "$jobs"
}

# Makes the virtual environment build/venv with the packages of analysis/requirements.lock (scripts/lock), whose files
# must have the hashes there. A change of the list rebuilds it; the file made_from, written last, marks it as complete.
make_venv() {
  local wanted=analysis/requirements.lock
  cmp -s "$wanted" "$venv/made_from" && return
  if ! command -v python3 >/dev/null; then
    complain "not found: python3"
    return 2
  fi
  if ! quietly "making $venv" "$logs/venv.log" python3 -m venv --clear "$venv" ||
    ! quietly "installing the Python packages of $wanted into it" \
      "$logs/pip.log" "$venv/bin/python" -m pip install --disable-pip-version-check --require-hashes -r "$wanted"; then
    complain "this needs Debian's package python3-venv and access to PyPI or a mirror"
    return 2
  fi
  cp "$wanted" "$venv/made_from"
}

# Installs the package into build/venv from the sources in place. Its compiled part links build/release, which is built
# first; without this build directory pip builds the library in its own.
install_package() {
  local build=''
  if [[ -e build/release/build.ninja ]]; then
    build=$PWD/build/release
    quietly "building the library of build/release" "$logs/library.log" \
      cmake --build "$build" --target rigidlimit || return
  fi
  RIGIDLIMIT_BUILD=$build quietly "installing the Python package rigidlimit" "$logs/python.log" \
    "$venv/bin/python" -m pip install --disable-pip-version-check --no-deps --no-build-isolation -e . || return
  touch "$venv/package_made"
}

# The same if it is missing, if the program has been built since, or if files were added or removed.
have_package() {
  local made=$venv/package_made
  [[ ! -e $made || build/release/src/rigidlimit -nt $made ||
    -n $(find analysis python -type d ! -name __pycache__ -newer "$made" -print -quit) ]] || return 0
  if ! "$venv/bin/python" -c 'import os, sysconfig as s; os.stat(s.get_path("include") + "/Python.h")' 2>/dev/null; then
    extra_packages+=(python3-dev)
    find_packages yes || return
  fi
  install_package
}

# Builds the program from a fresh clone, with the additional options in the array cmake_options. Returns 2 on
# failure.
cmake_options=()
# The targets to build; empty: the default ones.
targets=()
set_up() { # PRESET yes|no JOBS
  local preset=$1 install=$2 jobs=${3:-$(default_jobs)}
  find_packages "$install" || return 2
  find_tools || return 2
  if ! quietly "configuring ($preset)" "$logs/configure-$preset.log" \
    cmake --preset "$preset" ${cmake_options[@]+"${cmake_options[@]}"}; then
    if ! is_debian || [[ -n $(missing_debian_packages) ]]; then advise >&2; fi
    return 2
  fi
  watched "building ($preset, $jobs at a time)" "$logs/build-$preset.log" \
    cmake --build --preset "$preset" --parallel "$jobs" \
    ${targets[@]+--target "${targets[@]}"} || return 2
}

# Prints the size of a build before its first step unless it is short. The progress tells the time. Measured: a unit of
# eight files needs at most 1.8 GB (g++ 12, -O2).
readonly step_memory="2 GB" short_build=20
tell_cost() { # STEPS
  ((${1:-0} >= short_build)) || return 0
  replaceable
  note "$1 steps, each with up to $step_memory of memory"
}

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh [--device N] [--only PATTERN] [--seconds N] [--no-bench]: runs every GPU test in a process of its own, the validation layer on, then the
# benchmarks, on the best Vulkan device or on the one that `wb devices` lists as N, and ends in one summary, which is also in
# results/summary.txt. The exit status is 1 where a test failed. PATTERN is a regular expression for program:Suite.Test; a test may take
# --seconds (300).
set -u
kit=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
device='' only='' seconds=300 bench=true
while [ $# -gt 0 ]; do
    case $1 in
    --device) device=$2 && shift 2 ;;
    --only) only=$2 && shift 2 ;;
    --seconds) seconds=$2 && shift 2 ;;
    --no-bench) bench=false && shift ;;
    *) sed -n '3,6s/^# //p' "$0" && exit 2 ;;
    esac
done
results=$kit/results
rm -rf "$results"
mkdir -p "$results/logs"

# Version $1 is at least $2.
atLeast() { [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -1)" = "$2" ]; }
libc=$(ldd --version 2>/dev/null | head -1 | grep -oE '[0-9]+\.[0-9]+$' || echo 0)
hasCxx=$(for file in /usr/lib/x86_64-linux-gnu/libstdc++.so.6 /usr/lib64/libstdc++.so.6 /usr/lib/libstdc++.so.6; do
    [ ! -f "$file" ] || grep -qa 'GLIBCXX_3\.4\.30' "$file" && [ -f "$file" ] && echo yes && break
done)
ours=false
atLeast "$libc" 2.36 && [ "$hasCxx" = yes ] || ours=true
export VK_LAYER_PATH=$kit/layers WEIGHBRIDGE_SHARED=$kit/shared WEIGHBRIDGE_TEST_DATA=$kit/data
export XDG_CACHE_HOME=$results/cache XDG_CONFIG_HOME=$results/config XDG_DATA_HOME=$results/data
export WEIGHBRIDGE_GPU_ALL=1 CI=true
[ -z "$device" ] || export WEIGHBRIDGE_GPU_TEST_DEVICE=$device BENCH_DEVICE=$device

# begin PROGRAM ARGUMENT …: with the kit's libraries, and its C library where the machine's is older, which then must not reach the shell's
# tools. At most $limit seconds.
begin() {
    local program=$1 preload= start
    shift
    # Software Vulkan is made a device that flushes subnormal numbers; other drivers do not notice.
    [ "$program" != gpu_flushing_test ] || preload=$kit/lib/libflush_subnormals.so
    if $ours; then start=("$kit/libc/ld-linux-x86-64.so.2" --library-path "$kit/lib:$kit/libc" ${preload:+--preload "$preload"})
    else start=(env LD_LIBRARY_PATH="$kit/lib" LD_PRELOAD="$preload")
    fi
    timeout --kill-after=10 "$limit" "${start[@]}" "$kit/bin/$program" "$@"
}

limit=60
{
    echo "Weighbridge GPU kit $(cat "$kit/VERSION"), $(date -u +%Y-%m-%d)"
    echo "$(uname -sr), glibc $libc ($($ours && echo "the kit's is used" || echo "it is used")), $(nproc) processors,$(sed -n 's/^model name.*:/ /p' /proc/cpuinfo | head -1)"
    begin wb devices
} >"$results/machine.txt" 2>&1
cat "$results/machine.txt"

passed=0 skipped=0 failures=()
for program in "$kit"/bin/gpu_*_test; do
    program=${program##*/} begun=$SECONDS before=$((passed + skipped + ${#failures[@]}))
    limit=60
    tests=$(begin "$program" --gtest_list_tests 2>/dev/null | awk '/^[^ ].*\.( |$)/ { suite = $1 } /^  / { print suite $1 }')
    [ -n "$tests" ] || failures+=("$program (lists no test)")
    for test in $tests; do
        [ -z "$only" ] || [[ $program:$test =~ $only ]] || continue
        log=$results/logs/$program.${test//\//_}.txt limit=$seconds
        WEIGHBRIDGE_GPU_VALIDATION=1 begin "$program" --gtest_filter="$test" >"$log" 2>&1
        status=$?
        if [ $status -eq 0 ] && grep -q '^\[  SKIPPED \]' "$log"; then skipped=$((skipped + 1))
        elif [ $status -eq 0 ] && grep -q '^\[  PASSED  \] 1 test' "$log"; then passed=$((passed + 1))
        else failures+=("$program $test ($([ $status -eq 124 ] && echo "longer than $seconds s" || echo "status $status"))")
        fi
    done
    echo "$program: $((passed + skipped + ${#failures[@]} - before)) tests in $((SECONDS - begun)) s, ${#failures[@]} failures so far"
done

if $bench; then
    for program in "$kit"/bin/bench_*; do
        [ -x "$program" ] || continue
        program=${program##*/} limit=600
        echo "$program"
        begin "$program" >"$results/$program.txt" 2>&1 || failures+=("$program (status $?)")
    done
fi

{
    echo
    cat "$results/machine.txt"
    echo "tests: $passed passed, $skipped skipped, ${#failures[@]} failed"
    for failure in "${failures[@]}"; do echo "  failed: $failure"; done
    for file in "$results"/bench_*.txt; do
        [ -f "$file" ] || continue
        echo "${file##*/}:"
        grep -E '_per_second|MB/s|^[^ ]+/.* (ns|us|ms) ' "$file" | sed 's/^/  /'
    done
} | tee "$results/summary.txt"
[ ${#failures[@]} -eq 0 ]

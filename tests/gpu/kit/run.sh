#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh [--device N] [--only PATTERN] [--seconds N] [--minutes N] [--no-bench]: measures the best Vulkan device, or the one that `wb devices`
# lists as N, times generated models on it beside llama.cpp, runs every GPU test in a process of its own, the validation layer on, those of
# inference first, then the benchmarks, and ends in one summary, which is also in results/summary.txt. Nothing begins after --minutes (10); the
# summary counts what did not. The exit status is 1 where a test failed. PATTERN is a regular expression for program:Suite.Test; a test may
# take --seconds (300).
set -u
kit=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
device='' only='' seconds=300 minutes=10 bench=true
while [ $# -gt 0 ]; do
    case $1 in
    --device) device=$2 && shift 2 ;;
    --only) only=$2 && shift 2 ;;
    --seconds) seconds=$2 && shift 2 ;;
    --minutes) minutes=$2 && shift 2 ;;
    --no-bench) bench=false && shift ;;
    *) sed -n '3,8s/^# //p' "$0" && exit 2 ;;
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

# Seconds that are left, at least 1.
left() { echo $((minutes * 60 > SECONDS ? minutes * 60 - SECONDS : 1)); }
isOver() { [ $SECONDS -ge $((minutes * 60)) ]; }

# What `auto` would choose, and why forms of kernels are refused.
limit=120
begin wb devices --measure --device "gpu${device:+:$device}" >"$results/speed.txt" 2>&1
grep -E '^(Fast kernels|Speed) of|^wb:' "$results/speed.txt" | grep -v 'not measured'

# compare TITLE FILE PROMPT GENERATE: tokens a second of `wb bench` on the device and the CPU, and of llama.cpp on the device.
number() { sed -nE "s/.*\"$1\": *\{\"median\": *([0-9]+\.?[0-9]?).*/\1/p" "$2" | head -1; }
compare() {
    local title=$1 file=$2 prompt=$3 generate=$4 where rates line="$1, $3 and $4 tokens:"
    for where in "gpu${device:+:$device}" cpu; do
        begin wb bench "$file" --device "$where" --prompt "$prompt" --generate "$generate" --repeat 2 --json >"$results/bench.json" 2>>"$results/bench.log"
        rates=$(number prompt_tps "$results/bench.json")
        [ -z "$rates" ] || rates+=" and $(number generate_tps "$results/bench.json")"
        line+=" ${where%%:*} ${rates:-nothing within $limit s};"
    done
    if [ -x "$kit/peer/llama-bench" ]; then
        # A software device must be named; numbers of other cards are llama.cpp's own.
        LD_LIBRARY_PATH=$kit/peer:$kit/lib GGML_VK_VISIBLE_DEVICES=$($isSoftware && echo 0) timeout "$limit" "$kit/peer/llama-bench" -m "$file" -ngl 99 \
            -p "$prompt" -n "$generate" -r 2 -o csv >"$results/peer.csv" 2>>"$results/bench.log"
        # The rates are the one before the last of each line.
        rates=$(awk -F'","' 'NR > 1 { printf "%s%.1f", (NR > 2 ? " and " : ""), $(NF - 1) }' "$results/peer.csv")
        line+=" llama.cpp ${rates:-nothing within $limit s}"
    else
        line+=" llama.cpp is not in the kit"
    fi
    echo "$line" | tee -a "$results/infer.txt"
}

isSoftware=false
[[ $(grep -E "^ *${device:-1} " "$results/machine.txt") == *"(software)"* ]] && isSoftware=true
if $bench && ! command -v python3 >/dev/null; then echo "models are not generated: there is no python3" | tee "$results/infer.txt"
elif $bench; then
    mkdir -p "$results/models"
    # Software Vulkan reads some tokens a second of a model that a card reads thousands of.
    sizes=(--layers 11 --vocab 32000) prompt=512 generate=128
    $isSoftware && sizes=(--layers 1 --vocab 2048) prompt=16 generate=4
    for kind in llama experts; do
        python3 "$kit/make_llama.py" "$results/models/f16.gguf" --kind $kind "${sizes[@]}" >>"$results/bench.log" 2>&1
        for type in Q4_K_M Q8_0; do
            [ $kind = llama ] || [ $type = Q4_K_M ] || continue
            limit=120
            begin wb quantize "$results/models/f16.gguf" "$results/models/$type.gguf" $type >>"$results/bench.log" 2>&1 ||
                echo "$kind $type: the model could not be generated" | tee -a "$results/infer.txt"
            [ ! -f "$results/models/$type.gguf" ] || isOver || compare "$kind $type" "$results/models/$type.gguf" $prompt $generate
        done
        rm -f "$results"/models/*.gguf
    done
fi

notRun=0
passed=0 skipped=0 failures=()
for program in "$kit"/bin/gpu_infer_test $(printf '%s\n' "$kit"/bin/gpu_*_test | grep -v gpu_infer_test); do
    program=${program##*/} begun=$SECONDS before=$((passed + skipped + ${#failures[@]}))
    limit=60
    # Without those of models that are not in the kit, and the one that wants every family.
    tests=$(begin "$program" --gtest_list_tests 2>/dev/null | awk -v names="$(tr '\n' ' ' <"$kit/shared/arch/left_out")" '
        BEGIN { split(names, list, " "); for (i in list) out[list[i]] }
        /^[^ ].*\.( |$)/ { suite = $1 }
        /EveryFamilyRunsOnTheDevice/ { next }
        /^  / { keep = 1; for (name in out) if (index($0, "\"" name "\"")) keep = 0; if (keep) print suite $1 }')
    [ -n "$tests" ] || failures+=("$program (lists no test)")
    for test in $tests; do
        [ -z "$only" ] || [[ $program:$test =~ $only ]] || continue
        if isOver; then
            notRun=$((notRun + 1))
            continue
        fi
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
        program=${program##*/} limit=$(left)
        isOver && continue
        echo "$program"
        begin "$program" >"$results/$program.txt" 2>&1 || failures+=("$program (status $?)")
    done
fi

{
    echo
    cat "$results/machine.txt"
    grep -E '^(Fast kernels|Speed) of|^wb:' "$results/speed.txt" | grep -v 'not measured'
    [ ! -f "$results/infer.txt" ] || { echo "tokens per second of prompt and response:" && sed 's/^/  /' "$results/infer.txt"; }
    echo "tests: $passed passed, $skipped skipped, ${#failures[@]} failed, $notRun not run, in $((SECONDS / 60)) minutes and $((SECONDS % 60)) seconds"
    for failure in "${failures[@]}"; do echo "  failed: $failure"; done
    for file in "$results"/bench_*.txt; do
        [ -f "$file" ] || continue
        echo "${file##*/}:"
        grep -E '_per_second|MB/s|^[^ ]+/.* (ns|us|ms) ' "$file" | sed 's/^/  /'
    done
} | tee "$results/summary.txt"
[ ${#failures[@]} -eq 0 ]

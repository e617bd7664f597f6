#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# pack.sh BIN PRELOAD SHARED OUT.tar.xz: puts the programs, GPU tests and GPU benchmarks of BIN, the shared libraries they need, the Vulkan
# loader and its validation layer, and test data into one archive that runs on another x86-64 Linux machine: unpack it, ./run.sh.
# WEIGHBRIDGE_LLAMA_VULKAN is a folder with llama.cpp's llama-bench and its libraries, Vulkan among them (docs/performance.md says where they
# come from); without it the kit has no peer.
set -euo pipefail
bin=$1 preload=$2 shared=$3 out=$4
here=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
root=$(CDPATH='' cd -- "$here/../../.." && pwd)
limit=64000000
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
kit=$work/weighbridge-gpu-kit
mkdir -p "$kit"/{bin,lib,libc,layers,data,shared}

# Without the window, whose libraries would take a quarter of the archive: what it draws with is tested by gpu_imview_test.
for program in "$bin"/wb "$bin"/gpu_*_test "$bin"/bench_gpu_* "$bin"/bench_imview; do
    # Compiler statistics are of cards that are not there.
    [ ! -x "$program" ] || [ "${program##*/}" = gpu_statistics_test ] || cp "$program" "$kit/bin/"
done
[ -x "$kit/bin/wb" ] || { echo "pack.sh: $bin has no wb; build first" >&2; exit 1; }
strip --strip-unneeded "$kit"/bin/*
cp "$preload" "$kit/lib/"

# Libraries that programs load by name, not by linking.
folder=/usr/lib/x86_64-linux-gnu
loaded=("$folder/libvulkan.so.1" "$folder/libVkLayer_khronos_validation.so")

# The C library is its own loader's, so it lies apart: run.sh takes it only where the machine's is older.
ofLibc='^(ld-linux-x86-64|libc|libm|libdl|libpthread|librt|libresolv|libstdc\+\+|libgcc_s)\.so'
ldd "$kit"/bin/* "${loaded[@]}" | awk '$2 == "=>" && $3 ~ /^\// { print $3 } $1 ~ /^\/.*ld-linux/ { print $1 }' |
    sort -u | while read -r library; do
    if [[ ${library##*/} =~ $ofLibc ]]; then cp -L "$library" "$kit/libc/"; else cp -L "$library" "$kit/lib/"; fi
done
for library in "${loaded[@]}"; do cp -L "$library" "$kit/lib/"; done
strip --strip-unneeded "$kit"/lib/*.so* 2>/dev/null || true
sed 's#"library_path": *"[^"]*"#"library_path": "../lib/libVkLayer_khronos_validation.so"#' \
    /usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json >"$kit/layers/VkLayer_khronos_validation.json"

cp -r "$root/tests/data/quant" "$kit/data/"
# The tests of the largest model, moe-8x.gguf, skip: its weights are random and do not shrink.
for one in golden/quant golden/quantize_files/dense-gqa.gguf golden/quantize_files/odd-rows.gguf corpus/llm/stories260K.gguf; do
    [ -e "$shared/$one" ] || continue
    mkdir -p "$kit/shared/$(dirname "$one")"
    cp -rL "$shared/$one" "$kit/shared/$one"
done
# Models of some families, whose random weights do not shrink; left_out lists the others, whose tests run.sh leaves out.
models="llama llama-k256 gemma3 gemma4 qwen2 qwen3 qwen3moe qwen35 qwen35moe qwen4exp lfm2 gpt-oss nemotron_h phi2 phi3 mistral4 glm-dsa granite"
mkdir -p "$kit/shared/arch" "$kit/peer"
for folder in "$shared"/arch/*/; do
    name=$(basename "$folder")
    case " $models " in
    *" $name "*)
        mkdir "$kit/shared/arch/$name"
        cp -L "$folder"model.gguf "$folder"logits.f32 "$folder"hidden.f32 "$folder"reference.json "$kit/shared/arch/$name/"
        ;;
    *) echo "$name" >>"$kit/shared/arch/left_out" ;;
    esac
done
[ -z "${WEIGHBRIDGE_LLAMA_VULKAN:-}" ] || cp -P "$WEIGHBRIDGE_LLAMA_VULKAN"/{llama-bench,*.so} "$kit/peer/"
cp "$root/tests/bench/make_llama.py" "$kit/"
chmod -R u+w "$kit"
cp "$here/run.sh" "$kit/run.sh"
git -C "$root" describe --always --dirty >"$kit/VERSION" 2>/dev/null || echo unknown >"$kit/VERSION"

mkdir -p "$(dirname "$out")"
# Most of it is code of x86, which a filter makes smaller.
tar -C "$work" --sort=name --owner=0 --group=0 -cf - weighbridge-gpu-kit | xz -T1 --x86 --lzma2=preset=9 >"$out"
size=$(stat -c %s "$out")
echo "$out: $((size / 1000000)) MB, $(find "$kit" -type f | wc -l) files"
[ "$size" -le "$limit" ] || { echo "pack.sh: the archive is larger than 64 MB" >&2; exit 1; }

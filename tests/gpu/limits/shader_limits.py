#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""No shader needs more than Macs offer: shader_limits.py FOLDER reads every FOLDER/*.spv.

MoltenVK translates to Metal, which has neither 64-bit floats nor more than 1,024 invocations and 32 KiB of shared memory in a workgroup.
The capabilities below are those of Vulkan 1.1 and of extensions that MoltenVK lists on Apple's processors:
https://github.com/KhronosGroup/MoltenVK/blob/main/Docs/MoltenVK_Runtime_UserGuide.md and
https://developer.apple.com/metal/Metal-Feature-Set-Tables.pdf. The layout of SPIR-V is that of its specification, sections 2.3 and 3.
"""
import math
import pathlib
import struct
import sys

# Numbers of SPIR-V's section 3.31, by the names there.
CAPABILITIES = {1: "Shader", 9: "Float16", 11: "Int64", 22: "Int16", 39: "Int8", 61: "GroupNonUniform", 62: "GroupNonUniformVote",
                63: "GroupNonUniformArithmetic", 64: "GroupNonUniformBallot", 65: "GroupNonUniformShuffle", 4433: "StorageBuffer16BitAccess",
                4448: "StorageBuffer8BitAccess", 6016: "DotProductInputAll", 6017: "DotProductInput4x8Bit", 6018: "DotProductInput4x8BitPacked",
                6019: "DotProduct"}
# For these the program has a form without them, and chooses it where the device offers less (gpu/device/feature_chain.cpp).
OPTIONAL = {6022: "CooperativeMatrixKHR", 5345: "VulkanMemoryModel"}
SHARED_BYTES, INVOCATIONS = 32 * 1024, 1024
WORKGROUP = 4  # the storage class of shared memory
LOCAL_SIZE = 17  # the execution mode


def instructions(words):
    at = 5
    while at < len(words):
        count = words[at] >> 16
        yield words[at] & 0xFFFF, words[at + 1:at + count]
        at += max(count, 1)


class Module:
    def __init__(self, words):
        self.capabilities, self.sizes, self.constants, self.pointers = set(), {}, {}, {}
        self.shared_bytes, self.invocations = 0, 0
        for code, rest in instructions(words):
            self.take(code, rest)

    def take(self, code, rest):
        if code == 17:  # OpCapability
            self.capabilities.add(rest[0])
        elif code == 16 and rest[1] == LOCAL_SIZE:  # OpExecutionMode; a size that is chosen at run time is checked there
            self.invocations = math.prod(rest[2:5])
        elif code == 20:  # OpTypeBool
            self.sizes[rest[0]] = 4
        elif code in (21, 22):  # OpTypeInt, OpTypeFloat
            self.sizes[rest[0]] = rest[1] // 8
        elif code in (23, 24):  # OpTypeVector, OpTypeMatrix
            self.sizes[rest[0]] = self.sizes[rest[1]] * rest[2]
        elif code == 28:  # OpTypeArray
            self.sizes[rest[0]] = self.sizes.get(rest[1], 0) * self.constants.get(rest[2], 0)
        elif code == 30:  # OpTypeStruct
            self.sizes[rest[0]] = sum(self.sizes.get(member, 0) for member in rest[1:])
        elif code in (43, 50):  # OpConstant, OpSpecConstant
            self.constants[rest[1]] = rest[2]
        elif code == 32:  # OpTypePointer
            self.pointers[rest[0]] = rest[2]
        elif code == 59 and rest[2] == WORKGROUP:  # OpVariable
            self.shared_bytes += self.sizes[self.pointers[rest[0]]]


def errors(path):
    raw = path.read_bytes()
    words = struct.unpack(f"<{len(raw) // 4}I", raw)
    if words[:1] != (0x07230203,):
        return [f"{path.name} is not SPIR-V"]
    module = Module(words)
    unknown = sorted(module.capabilities - CAPABILITIES.keys() - OPTIONAL.keys())
    found = [f"{path.name} needs the capability {number}, which Macs may not have" for number in unknown]
    if module.shared_bytes > SHARED_BYTES:
        found.append(f"{path.name} needs {module.shared_bytes} bytes of shared memory; Macs have {SHARED_BYTES}")
    if module.invocations > INVOCATIONS:
        found.append(f"{path.name} has {module.invocations} invocations a workgroup; Macs have at most {INVOCATIONS}")
    return found


def main():
    paths = sorted(pathlib.Path(sys.argv[1]).glob("*.spv"))
    found = [error for path in paths for error in errors(path)]
    print(*(found or [f"{len(paths)} shaders need no more than Macs offer"]), sep="\n")
    return 1 if found or not paths else 0


if __name__ == "__main__":
    sys.exit(main())

# Writes the SPIR-V file IN as the array NAME into the header OUT.
file(READ "${IN}" hex HEX)
string(REGEX REPLACE "(..)(..)(..)(..)" "0x\\4\\3\\2\\1," words "${hex}")
string(REPEAT "0x[0-9a-f]+," 8 line)
string(REGEX REPLACE "(${line})" "\\1\n" words "${words}")
file(WRITE "${OUT}" "#pragma once\n#include <cstdint>\nnamespace wb::gpu::shaders {\n"
     "inline constexpr std::uint32_t ${NAME}[] = {\n${words}};\n}\n")

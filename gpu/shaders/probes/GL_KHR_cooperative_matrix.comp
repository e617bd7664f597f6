// SPDX-License-Identifier: MIT
#version 450
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#pragma use_vulkan_memory_model

layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Values { float values[]; };

void main() {
    coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> matrix;
    coopMatLoad(matrix, values, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
    coopMatStore(matrix, values, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
}

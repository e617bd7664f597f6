// SPDX-License-Identifier: MIT
#version 450
// The product of two f16 matrices, summed in f32 by a whole subgroup, for the CPU to compare. The shape is one of the device's own.
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_16bit_storage : require
#pragma use_vulkan_memory_model

layout(constant_id = 0) const uint subgroup = 32;
layout(constant_id = 1) const uint rows = 16;
layout(constant_id = 2) const uint columns = 16;
layout(constant_id = 3) const uint depth = 16;

layout(local_size_x_id = 0) in;
layout(set = 0, binding = 0) readonly buffer Left { float16_t values[]; } left;   // rows × depth
layout(set = 0, binding = 1) readonly buffer Right { float16_t values[]; } right; // depth × columns
layout(set = 0, binding = 2) writeonly buffer Product { float values[]; } product;

void main() {
    coopmat<float16_t, gl_ScopeSubgroup, rows, depth, gl_MatrixUseA> a;
    coopmat<float16_t, gl_ScopeSubgroup, depth, columns, gl_MatrixUseB> b;
    coopMatLoad(a, left.values, 0, depth, gl_CooperativeMatrixLayoutRowMajor);
    coopMatLoad(b, right.values, 0, columns, gl_CooperativeMatrixLayoutRowMajor);
    coopmat<float, gl_ScopeSubgroup, rows, columns, gl_MatrixUseAccumulator> sum =
        coopmat<float, gl_ScopeSubgroup, rows, columns, gl_MatrixUseAccumulator>(0.0);
    sum = coopMatMulAdd(a, b, sum);
    coopMatStore(sum, product.values, 0, columns, gl_CooperativeMatrixLayoutRowMajor);
}

<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>ComputeRest</name>
    <message>
        <source>Compute the rest</source>
        <translation>计算其余的统计</translation>
    </message>
    <message>
        <source>Compute the statistics of every tensor that has none yet</source>
        <translation>计算所有尚无统计的张量</translation>
    </message>
</context>
<context>
    <name>Confirm</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>Copy</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy cell</source>
        <translation>复制单元格</translation>
    </message>
    <message>
        <source>Copy rows</source>
        <translation>复制所选行</translation>
    </message>
</context>
<context>
    <name>FitWords</name>
    <message>
        <source>fits</source>
        <translation>放得下</translation>
    </message>
    <message>
        <source>tight</source>
        <translation>勉强</translation>
    </message>
    <message>
        <source>no</source>
        <translation>放不下</translation>
    </message>
    <message>
        <source>main memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Fits in %1: with a context of %2 tokens it needs %3 of %4.</source>
        <translation>放得下（%1）：上下文为 %2 个词元时需要 %3，可用 %4。</translation>
    </message>
    <message>
        <source>Tight in %1: with a context of %2 tokens it needs %3 of %4.</source>
        <translation>勉强放得下（%1）：上下文为 %2 个词元时需要 %3，可用 %4。</translation>
    </message>
    <message>
        <source>Does not fit in %1: with a context of %2 tokens it needs %3 of %4.</source>
        <translation>放不下（%1）：上下文为 %2 个词元时需要 %3，可用 %4。</translation>
    </message>
    <message>
        <source>damaged</source>
        <translation>已损坏</translation>
    </message>
    <message>
        <source>not supported</source>
        <translation>不支持</translation>
    </message>
</context>
<context>
    <name>Glossary</name>
    <message>
        <source>A type this program does not know: the tensor is listed, its values cannot be shown.</source>
        <translation>本程序不认识的类型：张量会列出，但无法显示其数值。</translation>
    </message>
    <message>
        <source>F64: floating point in 64 bits, about 16 decimal digits.</source>
        <translation>F64：64 位浮点数，约 16 位十进制精度。</translation>
    </message>
    <message>
        <source>F32: floating point in 32 bits, about 7 decimal digits; the usual precision of training.</source>
        <translation>F32：32 位浮点数，约 7 位十进制精度；训练时常用的精度。</translation>
    </message>
    <message>
        <source>F16: floating point in 16 bits, about 3 decimal digits up to 65,504; larger values overflow.</source>
        <translation>F16：16 位浮点数，约 3 位十进制精度，最大 65,504；更大的数会溢出。</translation>
    </message>
    <message>
        <source>BF16: the upper half of an F32, with its full range but only 2 to 3 decimal digits.</source>
        <translation>BF16：F32 的高 16 位，范围与之相同，但只有 2 到 3 位十进制精度。</translation>
    </message>
    <message>
        <source>F8_E4M3: floating point in 8 bits with 3 bits of fraction, up to 448; no infinity.</source>
        <translation>F8_E4M3：8 位浮点数，尾数 3 位，最大 448；没有无穷大。</translation>
    </message>
    <message>
        <source>F8_E5M2: floating point in 8 bits with 2 bits of fraction, up to 57,344; the range of F16 with less precision.</source>
        <translation>F8_E5M2：8 位浮点数，尾数 2 位，最大 57,344；范围与 F16 相当，精度更低。</translation>
    </message>
    <message>
        <source>F8_E4M3FNUZ: floating point in 8 bits with 3 bits of fraction, up to 240; neither infinity nor negative zero.</source>
        <translation>F8_E4M3FNUZ：8 位浮点数，尾数 3 位，最大 240；没有无穷大，也没有负零。</translation>
    </message>
    <message>
        <source>F8_E5M2FNUZ: floating point in 8 bits with 2 bits of fraction, up to 57,344; neither infinity nor negative zero.</source>
        <translation>F8_E5M2FNUZ：8 位浮点数，尾数 2 位，最大 57,344；没有无穷大，也没有负零。</translation>
    </message>
    <message>
        <source>F8_E8M0: a power of two in 8 bits, used as the shared scale of a block.</source>
        <translation>F8_E8M0：用 8 位表示的 2 的幂，作为一个块共用的缩放系数。</translation>
    </message>
    <message>
        <source>F6_E2M3: floating point in 6 bits with 3 bits of fraction, up to 7.5.</source>
        <translation>F6_E2M3：6 位浮点数，尾数 3 位，最大 7.5。</translation>
    </message>
    <message>
        <source>F6_E3M2: floating point in 6 bits with 2 bits of fraction, up to 28.</source>
        <translation>F6_E3M2：6 位浮点数，尾数 2 位，最大 28。</translation>
    </message>
    <message>
        <source>F4: floating point in 4 bits, 15 different values up to 6; useful only with scales beside it.</source>
        <translation>F4：4 位浮点数，15 个不同的值，最大 6；须配合缩放系数使用。</translation>
    </message>
    <message>
        <source>I64: whole numbers in 64 bits with sign.</source>
        <translation>I64：64 位有符号整数。</translation>
    </message>
    <message>
        <source>I32: whole numbers in 32 bits with sign.</source>
        <translation>I32：32 位有符号整数。</translation>
    </message>
    <message>
        <source>I16: whole numbers in 16 bits with sign.</source>
        <translation>I16：16 位有符号整数。</translation>
    </message>
    <message>
        <source>I8: whole numbers in 8 bits with sign.</source>
        <translation>I8：8 位有符号整数。</translation>
    </message>
    <message>
        <source>U64: whole numbers in 64 bits without sign.</source>
        <translation>U64：64 位无符号整数。</translation>
    </message>
    <message>
        <source>U32: whole numbers in 32 bits without sign; often packed quantized values.</source>
        <translation>U32：32 位无符号整数；常用来存放打包的量化值。</translation>
    </message>
    <message>
        <source>U16: whole numbers in 16 bits without sign.</source>
        <translation>U16：16 位无符号整数。</translation>
    </message>
    <message>
        <source>U8: whole numbers in 8 bits without sign; often packed quantized values.</source>
        <translation>U8：8 位无符号整数；常用来存放打包的量化值。</translation>
    </message>
    <message>
        <source>BOOL: true or false, one byte each.</source>
        <translation>BOOL：真或假，每个占一个字节。</translation>
    </message>
    <message>
        <source>C64: complex numbers of two F32.</source>
        <translation>C64：由两个 F32 组成的复数。</translation>
    </message>
    <message>
        <source>C128: complex numbers of two F64.</source>
        <translation>C128：由两个 F64 组成的复数。</translation>
    </message>
    <message>
        <source>Q4_0: 4-bit codes with one scale for 32 elements, 4.5 bits per weight; simple and fast, replaced by Q4_K in most uses.</source>
        <translation>Q4_0：4 位编码，每 32 个元素一个缩放系数，每权重 4.5 位；简单快速，多数场合已被 Q4_K 取代。</translation>
    </message>
    <message>
        <source>Q4_1: 4-bit codes with a scale and a minimum for 32 elements, 5 bits per weight.</source>
        <translation>Q4_1：4 位编码，每 32 个元素一个缩放系数和一个最小值，每权重 5 位。</translation>
    </message>
    <message>
        <source>Q5_0: 5-bit codes with one scale for 32 elements, 5.5 bits per weight.</source>
        <translation>Q5_0：5 位编码，每 32 个元素一个缩放系数，每权重 5.5 位。</translation>
    </message>
    <message>
        <source>Q5_1: 5-bit codes with a scale and a minimum for 32 elements, 6 bits per weight.</source>
        <translation>Q5_1：5 位编码，每 32 个元素一个缩放系数和一个最小值，每权重 6 位。</translation>
    </message>
    <message>
        <source>Q8_0: 8-bit codes with one scale for 32 elements, 8.5 bits per weight; hardly different from F16.</source>
        <translation>Q8_0：8 位编码，每 32 个元素一个缩放系数，每权重 8.5 位；与 F16 几乎没有差别。</translation>
    </message>
    <message>
        <source>Q8_1: 8-bit codes with a scale and a sum for 32 elements, 9 bits per weight; used for intermediate results, not for files.</source>
        <translation>Q8_1：8 位编码，每 32 个元素一个缩放系数和一个总和，每权重 9 位；用于中间结果，不用于文件。</translation>
    </message>
    <message>
        <source>Q2_K: 2-bit codes in super-blocks of 256 with scales and minimums for 16, 2.625 bits per weight; noticeable loss.</source>
        <translation>Q2_K：2 位编码，256 个元素为一个超级块，每 16 个有缩放系数和最小值，每权重 2.625 位；损失明显。</translation>
    </message>
    <message>
        <source>Q3_K: 3-bit codes in super-blocks of 256 with scales for 16, 3.4375 bits per weight.</source>
        <translation>Q3_K：3 位编码，256 个元素为一个超级块，每 16 个有缩放系数，每权重 3.4375 位。</translation>
    </message>
    <message>
        <source>Q4_K: 4-bit codes in super-blocks of 256 with scales and minimums for 32, 4.5 bits per weight; the common balance of size and quality.</source>
        <translation>Q4_K：4 位编码，256 个元素为一个超级块，每 32 个有缩放系数和最小值，每权重 4.5 位；体积与质量的常用折中。</translation>
    </message>
    <message>
        <source>Q5_K: 5-bit codes in super-blocks of 256 with scales and minimums for 32, 5.5 bits per weight; small loss.</source>
        <translation>Q5_K：5 位编码，256 个元素为一个超级块，每 32 个有缩放系数和最小值，每权重 5.5 位；损失很小。</translation>
    </message>
    <message>
        <source>Q6_K: 6-bit codes in super-blocks of 256 with scales for 16, 6.5625 bits per weight; very small loss.</source>
        <translation>Q6_K：6 位编码，256 个元素为一个超级块，每 16 个有缩放系数，每权重 6.5625 位；损失极小。</translation>
    </message>
    <message>
        <source>Q8_K: 8-bit codes with one scale for 256 elements, 9.125 bits per weight; used for intermediate results, not for files.</source>
        <translation>Q8_K：8 位编码，每 256 个元素一个缩放系数，每权重 9.125 位；用于中间结果，不用于文件。</translation>
    </message>
    <message>
        <source>IQ1_S: groups of eight elements chosen from a table, 1.5625 bits per weight; heavy loss, needs an importance matrix.</source>
        <translation>IQ1_S：每八个元素一组从码表中选取，每权重 1.5625 位；损失很大，需要重要性矩阵。</translation>
    </message>
    <message>
        <source>IQ1_M: like IQ1_S with finer scales, 1.75 bits per weight; heavy loss, needs an importance matrix.</source>
        <translation>IQ1_M：与 IQ1_S 类似，缩放系数更细，每权重 1.75 位；损失很大，需要重要性矩阵。</translation>
    </message>
    <message>
        <source>IQ2_XXS: groups of eight elements chosen from a table, 2.0625 bits per weight; needs an importance matrix.</source>
        <translation>IQ2_XXS：每八个元素一组从码表中选取，每权重 2.0625 位；需要重要性矩阵。</translation>
    </message>
    <message>
        <source>IQ2_XS: like IQ2_XXS with a larger table, 2.3125 bits per weight; needs an importance matrix.</source>
        <translation>IQ2_XS：与 IQ2_XXS 类似，码表更大，每权重 2.3125 位；需要重要性矩阵。</translation>
    </message>
    <message>
        <source>IQ2_S: like IQ2_XS with a larger table still, 2.5625 bits per weight; an importance matrix is advised.</source>
        <translation>IQ2_S：与 IQ2_XS 类似，码表再大一些，每权重 2.5625 位；建议使用重要性矩阵。</translation>
    </message>
    <message>
        <source>IQ3_XXS: groups of four elements chosen from a table, 3.0625 bits per weight; an importance matrix is advised.</source>
        <translation>IQ3_XXS：每四个元素一组从码表中选取，每权重 3.0625 位；建议使用重要性矩阵。</translation>
    </message>
    <message>
        <source>IQ3_S: like IQ3_XXS with a larger table, 3.4375 bits per weight.</source>
        <translation>IQ3_S：与 IQ3_XXS 类似，码表更大，每权重 3.4375 位。</translation>
    </message>
    <message>
        <source>IQ4_NL: 4-bit codes into 16 unevenly spaced values with one scale for 32 elements, 4.5 bits per weight.</source>
        <translation>IQ4_NL：4 位编码对应 16 个间距不等的值，每 32 个元素一个缩放系数，每权重 4.5 位。</translation>
    </message>
    <message>
        <source>IQ4_XS: the values of IQ4_NL in super-blocks of 256, 4.25 bits per weight; close to Q4_K and smaller.</source>
        <translation>IQ4_XS：以 256 个元素的超级块存放 IQ4_NL 的值，每权重 4.25 位；接近 Q4_K 且更小。</translation>
    </message>
    <message>
        <source>TQ1_0: ternary weights, five in a byte, 1.6875 bits per weight; for models trained with the values -1, 0 and 1.</source>
        <translation>TQ1_0：三值权重，五个存于一个字节，每权重 1.6875 位；用于以 -1、0、1 训练的模型。</translation>
    </message>
    <message>
        <source>TQ2_0: ternary weights in 2 bits, 2.0625 bits per weight; for models trained with the values -1, 0 and 1.</source>
        <translation>TQ2_0：用 2 位存放的三值权重，每权重 2.0625 位；用于以 -1、0、1 训练的模型。</translation>
    </message>
    <message>
        <source>MXFP4: 4-bit floating point with a power of two as scale for 32 elements, 4.25 bits per weight.</source>
        <translation>MXFP4：4 位浮点数，每 32 个元素以一个 2 的幂为缩放系数，每权重 4.25 位。</translation>
    </message>
    <message>
        <source>NVFP4: 4-bit floating point with an 8-bit scale for 16 elements, 4.5 bits per weight.</source>
        <translation>NVFP4：4 位浮点数，每 16 个元素一个 8 位缩放系数，每权重 4.5 位。</translation>
    </message>
    <message>
        <source>Q1_0: one bit an element with one scale for 128 elements, 1.125 bits per weight; only the sign is kept.</source>
        <translation>Q1_0：每个元素一位，每 128 个元素一个缩放系数，每权重 1.125 位；只保留符号。</translation>
    </message>
    <message>
        <source>Q2_0: 2-bit codes with one scale for 64 elements, 2.25 bits per weight.</source>
        <translation>Q2_0：2 位编码，每 64 个元素一个缩放系数，每权重 2.25 位。</translation>
    </message>
    <message>
        <source>Embedding</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>Turns a token into the vector the first layer reads.</source>
        <translation>把词元变成第一层读取的向量。</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>Lets every position read from the others: query, key, value and output projections.</source>
        <translation>让每个位置读取其他位置：查询、键、值和输出投影。</translation>
    </message>
    <message>
        <source>MLP</source>
        <translation>MLP</translation>
    </message>
    <message>
        <source>The feed-forward part of a layer, applied to every position alone.</source>
        <translation>层中的前馈部分，对每个位置单独计算。</translation>
    </message>
    <message>
        <source>Experts</source>
        <translation>专家</translation>
    </message>
    <message>
        <source>Feed-forward parts of which only a few work on each token (mixture of experts).</source>
        <translation>前馈部分，每个词元只由其中少数几个处理（混合专家）。</translation>
    </message>
    <message>
        <source>Router</source>
        <translation>路由</translation>
    </message>
    <message>
        <source>Chooses the experts that work on a token.</source>
        <translation>选择处理词元的专家。</translation>
    </message>
    <message>
        <source>Recurrent</source>
        <translation>循环</translation>
    </message>
    <message>
        <source>Carries a state from token to token (state-space and linear-attention layers).</source>
        <translation>在词元之间传递状态（状态空间层和线性注意力层）。</translation>
    </message>
    <message>
        <source>Convolution</source>
        <translation>卷积</translation>
    </message>
    <message>
        <source>Slides a small filter over an image, a sound or a sequence.</source>
        <translation>用小滤波器滑过图像、声音或序列。</translation>
    </message>
    <message>
        <source>Norm</source>
        <translation>归一化</translation>
    </message>
    <message>
        <source>Keeps the scale of the values steady between the parts of a layer.</source>
        <translation>使层内各部分之间数值的尺度保持稳定。</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Turns the last layer&apos;s vector into a score for every token.</source>
        <translation>把最后一层的向量变成每个词元的得分。</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>The name does not tell what the tensor is for.</source>
        <translation>从名称看不出张量的用途。</translation>
    </message>
    <message>
        <source>I4: whole numbers from -8 to 7, usually two in a byte.</source>
        <translation>I4：-8 到 7 的整数，通常一个字节存两个。</translation>
    </message>
    <message>
        <source>U4: whole numbers from 0 to 15, usually two in a byte.</source>
        <translation>U4：0 到 15 的整数，通常一个字节存两个。</translation>
    </message>
    <message>
        <source>I2: whole numbers from -2 to 1, usually four in a byte.</source>
        <translation>I2：-2 到 1 的整数，通常一个字节存四个。</translation>
    </message>
    <message>
        <source>U2: whole numbers from 0 to 3, usually four in a byte.</source>
        <translation>U2：0 到 3 的整数，通常一个字节存四个。</translation>
    </message>
    <message>
        <source>C32: complex numbers of two F16.</source>
        <translation>C32：由两个 F16 组成的复数。</translation>
    </message>
</context>
<context>
    <name>Help</name>
    <message>
        <source>Action</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Shortcut</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Take a file off the list of recent files</source>
        <translation>从最近的文件列表中移除文件</translation>
    </message>
    <message>
        <source>&lt;h3&gt;Weighbridge %1&lt;/h3&gt;&lt;p&gt;A model workbench: it opens model files and shows what is in them. It works offline.&lt;/p&gt;&lt;p&gt;MIT licence. Made with Qt %2 (LGPL), Highway and fmt.&lt;/p&gt;</source>
        <translation>&lt;h3&gt;Weighbridge %1&lt;/h3&gt;&lt;p&gt;模型工作台：打开模型文件并展示其中的内容，可完全离线工作。&lt;/p&gt;&lt;p&gt;MIT 许可证。使用 Qt %2 (LGPL)、Highway 和 fmt 构建。&lt;/p&gt;</translation>
    </message>
    <message>
        <source>About Weighbridge</source>
        <translation>关于 Weighbridge</translation>
    </message>
</context>
<context>
    <name>Histogram</name>
    <message>
        <source>There is no histogram: no element is finite.</source>
        <translation>没有直方图：没有有限的元素。</translation>
    </message>
    <message>
        <source>Histogram of %1 finite elements from %2 to %3 in %4 bins; most elements lie between %5 and %6.</source>
        <translation>%1 个有限元素的直方图，从 %2 到 %3，共 %4 个区间；%5 到 %6 之间的元素最多。</translation>
    </message>
    <message>
        <source>%1 to %2: %3 elements (%4)</source>
        <translation>%1 到 %2：%3 个元素（%4）</translation>
    </message>
    <message>
        <source>Histogram of %1 groups from %2 to %3 in %4 bins; most groups lie between %5 and %6.</source>
        <translation>%1 个组的直方图，从 %2 到 %3，共 %4 个区间；%5 到 %6 之间的组最多。</translation>
    </message>
    <message>
        <source>Histogram of %1 codes from %2 to %3 in %4 bins; most codes lie between %5 and %6.</source>
        <translation>%1 个编码的直方图，从 %2 到 %3，共 %4 个区间；%5 到 %6 之间的编码最多。</translation>
    </message>
    <message>
        <source>%1 to %2: %3 groups (%4)</source>
        <translation>%1 到 %2：%3 个组（%4）</translation>
    </message>
    <message>
        <source>%1 to %2: %3 codes (%4)</source>
        <translation>%1 到 %2：%3 个编码（%4）</translation>
    </message>
</context>
<context>
    <name>InspectMap</name>
    <message>
        <source>Outlier</source>
        <translation>离群</translation>
    </message>
    <message>
        <source>Dead</source>
        <translation>失效</translation>
    </message>
    <message>
        <source>Row</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Column</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Largest</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>Rms</source>
        <translation>均方根</translation>
    </message>
    <message>
        <source>To median</source>
        <translation>与中位数之比</translation>
    </message>
    <message>
        <source>Mark</source>
        <translation>标记</translation>
    </message>
    <message>
        <source>Element</source>
        <translation>元素</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Stored bytes</source>
        <translation>存储字节</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>编码</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>级别</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>缩放系数</translation>
    </message>
    <message>
        <source>Minimum</source>
        <translation>最小值</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>度量</translation>
    </message>
    <message>
        <source>Mean absolute error</source>
        <translation>平均绝对误差</translation>
    </message>
    <message>
        <source>Root mean square error</source>
        <translation>均方根误差</translation>
    </message>
    <message>
        <source>Largest error</source>
        <translation>最大误差</translation>
    </message>
    <message>
        <source>Where it is</source>
        <translation>所在位置</translation>
    </message>
    <message>
        <source>Signal to noise, dB</source>
        <translation>信噪比（dB）</translation>
    </message>
    <message>
        <source>exact</source>
        <translation>完全相同</translation>
    </message>
    <message>
        <source>Cosine</source>
        <translation>余弦相似度</translation>
    </message>
    <message>
        <source>Changed elements</source>
        <translation>改变的元素</translation>
    </message>
    <message>
        <source>Compared elements</source>
        <translation>比较的元素</translation>
    </message>
    <message>
        <source>Bits per weight</source>
        <translation>每个权重的位数</translation>
    </message>
    <message>
        <source>Entropy of the codes, bits</source>
        <translation>编码的熵（位）</translation>
    </message>
    <message>
        <source>Code efficiency</source>
        <translation>编码效率</translation>
    </message>
    <message>
        <source>At the extreme levels</source>
        <translation>位于极端级别</translation>
    </message>
    <message>
        <source>Unused codes</source>
        <translation>未使用的编码</translation>
    </message>
    <message>
        <source>Groups with a scale</source>
        <translation>有缩放系数的组</translation>
    </message>
    <message>
        <source>Scales of zero</source>
        <translation>为零的缩放系数</translation>
    </message>
    <message>
        <source>Scales that are no number</source>
        <translation>不是数的缩放系数</translation>
    </message>
    <message>
        <source>Median scale</source>
        <translation>缩放系数的中位数</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>计数</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Stored as %1</source>
        <translation>存储为 %1</translation>
    </message>
    <message>
        <source>Block %1, element %2 of %3</source>
        <translation>第 %1 块，第 %2 个元素（共 %3 个）</translation>
    </message>
    <message>
        <source>Scale %1</source>
        <translation>缩放系数 %1</translation>
    </message>
    <message>
        <source>Minimum %1</source>
        <translation>最小值 %1</translation>
    </message>
    <message>
        <source>Code %1, level %2</source>
        <translation>编码 %1，级别 %2</translation>
    </message>
    <message>
        <source>Relative error, of the other&apos;s rms</source>
        <translation>相对误差（以另一张量的均方根为准）</translation>
    </message>
    <message>
        <source>Relative error, of this tensor&apos;s rms</source>
        <translation>相对误差（以此张量的均方根为准）</translation>
    </message>
    <message>
        <source>Colours show</source>
        <translation>颜色表示</translation>
    </message>
    <message>
        <source>this tensor minus the other</source>
        <translation>此张量减去另一张量</translation>
    </message>
    <message>
        <source>%1 here, %2 in the other</source>
        <translation>此处 %1，另一张量 %2</translation>
    </message>
    <message>
        <source>Elements whose bits differ after decoding: −0 differs from 0.</source>
        <translation>解码后二进制位不同的元素：−0 与 0 不同。</translation>
    </message>
</context>
<context>
    <name>InspectModelMap</name>
    <message>
        <source>Part</source>
        <translation>部件</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>Deviations</source>
        <translation>偏差倍数</translation>
    </message>
</context>
<context>
    <name>InspectTables</name>
    <message>
        <source>Statistic</source>
        <translation>统计量</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Elements</source>
        <translation>元素数</translation>
    </message>
    <message>
        <source>Minimum</source>
        <translation>最小值</translation>
    </message>
    <message>
        <source>Maximum</source>
        <translation>最大值</translation>
    </message>
    <message>
        <source>Largest magnitude</source>
        <translation>最大绝对值</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>Standard deviation</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>Root mean square</source>
        <translation>均方根</translation>
    </message>
    <message>
        <source>Skew</source>
        <translation>偏度</translation>
    </message>
    <message>
        <source>Beyond 6 σ</source>
        <translation>超出 6 σ</translation>
    </message>
    <message>
        <source>Zeros</source>
        <translation>零</translation>
    </message>
    <message>
        <source>Subnormal</source>
        <translation>次正规数</translation>
    </message>
    <message>
        <source>NaN</source>
        <translation>NaN</translation>
    </message>
    <message>
        <source>Infinite</source>
        <translation>无穷</translation>
    </message>
    <message>
        <source>Percentile</source>
        <translation>百分位</translation>
    </message>
    <message>
        <source>Coordinates</source>
        <translation>坐标</translation>
    </message>
    <message>
        <source>σ from mean</source>
        <translation>距均值 σ</translation>
    </message>
    <message>
        <source>From</source>
        <translation>从</translation>
    </message>
    <message>
        <source>To</source>
        <translation>到</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>个数</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Severity</source>
        <translation>严重程度</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Computed on</source>
        <translation>计算设备</translation>
    </message>
</context>
<context>
    <name>JobText</name>
    <message>
        <source>Quantizing</source>
        <translation>正在量化</translation>
    </message>
    <message>
        <source>Merging</source>
        <translation>正在合并</translation>
    </message>
    <message>
        <source>Converting</source>
        <translation>正在转换</translation>
    </message>
    <message>
        <source>Quantizing %1 to %2</source>
        <translation>正在将 %1 量化为 %2</translation>
    </message>
    <message>
        <source>Merging into %1</source>
        <translation>正在合并到 %1</translation>
    </message>
    <message>
        <source>Converting %1</source>
        <translation>正在转换 %1</translation>
    </message>
</context>
<context>
    <name>Numbers</name>
    <message>
        <source>%1/s</source>
        <translation>%1/秒</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 min %2 s</source>
        <translation>%1 分 %2 秒</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 小时 %2 分</translation>
    </message>
</context>
<context>
    <name>Problems</name>
    <message>
        <source>Error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>byte %1</source>
        <translation>第 %1 字节</translation>
    </message>
</context>
<context>
    <name>QTableView</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
</context>
<context>
    <name>Quality</name>
    <message>
        <source>Not quantized: as good as the source, and as large as models come.</source>
        <translation>未量化：与源模型一样好，也是模型最大的形式。</translation>
    </message>
    <message>
        <source>Practically indistinguishable from the source.</source>
        <translation>与源模型几乎无法区分。</translation>
    </message>
    <message>
        <source>Very close to the source; the loss is hard to measure in use.</source>
        <translation>非常接近源模型；使用中很难察觉损失。</translation>
    </message>
    <message>
        <source>The usual choice: a third of the size for a loss few notice.</source>
        <translation>常用选择：大小约为三分之一，损失几乎察觉不到。</translation>
    </message>
    <message>
        <source>An old form: fast everywhere, but Q4_K_S loses less at the same size.</source>
        <translation>较旧的格式：在各种硬件上都快，但同样大小下 Q4_K_S 损失更小。</translation>
    </message>
    <message>
        <source>A noticeable loss; for a model that does not fit otherwise.</source>
        <translation>损失明显；只适合用更大类型就放不下的模型。</translation>
    </message>
    <message>
        <source>A heavy loss; only large models stay useful. An importance matrix helps much.</source>
        <translation>损失很大；只有大模型仍然可用。重要性矩阵很有帮助。</translation>
    </message>
    <message>
        <source>An extreme loss; for experiments with very large models.</source>
        <translation>损失极大；供超大模型的实验使用。</translation>
    </message>
    <message>
        <source>Only for models that were trained for so few bits; any other becomes useless.</source>
        <translation>仅适合专为如此低位数训练的模型；其他模型会失去作用。</translation>
    </message>
    <message>
        <source>Published for Llama 3 8B with an importance matrix: mean KL divergence %1, perplexity %2 (f16: 6.233). Source: llama.cpp, tools/perplexity/README.md.</source>
        <translation>Llama 3 8B 使用重要性矩阵的公开数据：平均 KL 散度 %1，困惑度 %2（f16：6.233）。来源：llama.cpp，tools/perplexity/README.md。</translation>
    </message>
    <message>
        <source>Published for Llama 3 8B: mean KL divergence %1, perplexity %2 (f16: 6.233). Source: llama.cpp, tools/perplexity/README.md.</source>
        <translation>Llama 3 8B 的公开数据：平均 KL 散度 %1，困惑度 %2（f16：6.233）。来源：llama.cpp，tools/perplexity/README.md。</translation>
    </message>
    <message>
        <source>Not quantized, and half as large as F32. An F32 source loses its last bits, and what is beyond 65504.</source>
        <translation>未量化，大小为 F32 的一半。F32 来源会失去末尾的若干位，超出 65504 的数值也会丢失。</translation>
    </message>
    <message>
        <source>Not quantized, and half as large as F32. A source in F32 or F16 loses its last bits.</source>
        <translation>未量化，大小为 F32 的一半。F32 或 F16 来源会失去末尾的若干位。</translation>
    </message>
    <message>
        <source>High quality; a good choice where there is enough memory.</source>
        <translation>质量高；内存充足时是好选择。</translation>
    </message>
    <message>
        <source>Good quality at a small size, a step below Q4_K_M.</source>
        <translation>体积小而质量好，比 Q4_K_M 低一级。</translation>
    </message>
    <message>
        <source>Needs an importance matrix.</source>
        <translation>需要重要性矩阵。</translation>
    </message>
</context>
<context>
    <name>Queue</name>
    <message>
        <source>%1 becomes %2: %3 % done.</source>
        <translation>%1 正在转为 %2：已完成 %3 %。</translation>
    </message>
    <message numerus="yes">
        <source>Then the queue stops; %n more run(s) wait.</source>
        <translation>
            <numerusform>之后队列停止；还有 %n 个任务在等待。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more run(s) wait.</source>
        <translation>
            <numerusform>还有 %n 个任务在等待。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 was cancelled; %2 % of it is kept.</source>
        <translation>%1 已取消；保留了其中的 %2 %。</translation>
    </message>
    <message>
        <source>%1 was cancelled.</source>
        <translation>%1 已取消。</translation>
    </message>
    <message numerus="yes">
        <source>The queue stands still; %n run(s) wait.</source>
        <translation>
            <numerusform>队列已停下；%n 个任务在等待。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) are done.</source>
        <translation>
            <numerusform>%n 个任务已完成。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) failed.</source>
        <translation>
            <numerusform>%n 个任务失败。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RunCheck</name>
    <message>
        <source>Choose a file to write to.</source>
        <translation>请选择要写入的文件。</translation>
    </message>
    <message>
        <source>%1 is a folder; add the name of a file.</source>
        <translation>%1 是文件夹；请加上文件名。</translation>
    </message>
    <message>
        <source>%1 is the model that is read; choose another name for the result.</source>
        <translation>%1 就是正在读取的模型；请为结果另选一个名称。</translation>
    </message>
    <message>
        <source>The folder %1 does not exist; choose another one.</source>
        <translation>文件夹 %1 不存在；请另选一个。</translation>
    </message>
    <message>
        <source>The folder %1 takes no new files; choose another one.</source>
        <translation>无法在文件夹 %1 中新建文件；请另选一个。</translation>
    </message>
</context>
<context>
    <name>SearchHelp</name>
    <message>
        <source>the name contains “attn_k”</source>
        <translation>名称包含“attn_k”</translation>
    </message>
    <message>
        <source>BF16 tensors above ten million bytes</source>
        <translation>超过一千万字节的 BF16 张量</translation>
    </message>
    <message>
        <source>the whole name fits a pattern</source>
        <translation>整个名称符合模式</translation>
    </message>
    <message>
        <source>attention in the first four layers</source>
        <translation>前四层的注意力</translation>
    </message>
    <message>
        <source>one of two types</source>
        <translation>两种类型之一</translation>
    </message>
    <message>
        <source>4,096 rows, and no “norm” in the name</source>
        <translation>4,096 行，且名称中没有“norm”</translation>
    </message>
    <message>
        <source>statistics, as far as they are computed</source>
        <translation>已算出的统计</translation>
    </message>
</context>
<context>
    <name>Synonyms</name>
    <message>
        <source>heat map, heatmap, picture, image, matrix, compare with, difference, diff</source>
        <translation>热力图, 图像, 矩阵, 比较, 差异</translation>
    </message>
    <message>
        <source>distribution, histogram, density, values</source>
        <translation>分布, 直方图, 密度, 数值</translation>
    </message>
    <message>
        <source>what if, compare types, type comparison, quantization error, mixes</source>
        <translation>类型对比, 比较类型, 量化误差</translation>
    </message>
    <message>
        <source>layer trend, layers, ridge, statistics over layers</source>
        <translation>逐层趋势, 层, 统计</translation>
    </message>
    <message>
        <source>model map, overview, outliers</source>
        <translation>模型图, 概览, 离群值</translation>
    </message>
    <message>
        <source>storage, bytes, offset, layout, hex, file position</source>
        <translation>存储, 字节, 偏移, 布局, 十六进制</translation>
    </message>
    <message>
        <source>safety, security, scan, pickle, opcodes, disassembly, malware, code</source>
        <translation>安全, 扫描, 操作码, 反汇编, 恶意代码</translation>
    </message>
    <message>
        <source>metadata, keys, header, config, chat template, tokenizer</source>
        <translation>元数据, 键, 配置, 对话模板, 分词器</translation>
    </message>
    <message>
        <source>problems, errors, warnings, issues, damage</source>
        <translation>问题, 错误, 警告, 损坏</translation>
    </message>
    <message>
        <source>totals, sizes, parameters, types</source>
        <translation>合计, 大小, 参数, 类型</translation>
    </message>
    <message>
        <source>npy, numpy, export, save values</source>
        <translation>导出, 保存数值</translation>
    </message>
    <message>
        <source>merge, adapter, LoRA, combine, SLERP, TIES, DARE</source>
        <translation>合并, 适配器</translation>
    </message>
    <message>
        <source>quantize, quantise, shrink, compress, imatrix, Q4_K_M, convert</source>
        <translation>量化, 压缩, 转换, 重要性矩阵</translation>
    </message>
    <message>
        <source>safetensors, Hugging Face folder, shards</source>
        <translation>分片, 文件夹</translation>
    </message>
    <message>
        <source>memory, VRAM, RAM, fit, KV cache, context</source>
        <translation>内存, 显存, 放得下, KV 缓存, 上下文</translation>
    </message>
    <message>
        <source>chat, talk, conversation, prompt</source>
        <translation>对话, 聊天, 提示词</translation>
    </message>
    <message>
        <source>browse, hub, download, Hugging Face, ModelScope</source>
        <translation>浏览, 模型社区, 下载, 魔搭</translation>
    </message>
    <message>
        <source>library, models, disk, duplicates, Ollama, LM Studio</source>
        <translation>模型库, 模型, 磁盘, 重复</translation>
    </message>
    <message>
        <source>settings, preferences, options, language, theme, dark</source>
        <translation>设置, 选项, 语言, 主题, 深色</translation>
    </message>
    <message>
        <source>jobs, queue, progress, tasks</source>
        <translation>任务, 队列, 进度</translation>
    </message>
</context>
<context>
    <name>TensorColumn</name>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>The tensor&apos;s name as the file stores it.</source>
        <translation>文件中存储的张量名称。</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>How the elements are stored.</source>
        <translation>元素的存储方式。</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>The dimensions, outermost first.</source>
        <translation>各维大小，最外层在前。</translation>
    </message>
    <message>
        <source>Elements</source>
        <translation>元素数</translation>
    </message>
    <message>
        <source>How many numbers the tensor holds.</source>
        <translation>张量包含多少个数。</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>The stored bytes without padding.</source>
        <translation>存储的字节数，不含填充。</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>The tensor&apos;s part of all stored bytes.</source>
        <translation>张量占全部存储字节的比例。</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>作用</translation>
    </message>
    <message>
        <source>What the tensor is for, told by its name.</source>
        <translation>由名称得知的张量用途。</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>The number of the block the tensor belongs to.</source>
        <translation>张量所属块的编号。</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>The file that holds the bytes.</source>
        <translation>存放字节的文件。</translation>
    </message>
    <message>
        <source>Min</source>
        <translation>最小</translation>
    </message>
    <message>
        <source>The smallest finite element.</source>
        <translation>最小的有限元素。</translation>
    </message>
    <message>
        <source>Max</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>The largest finite element.</source>
        <translation>最大的有限元素。</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>The mean of the finite elements.</source>
        <translation>有限元素的均值。</translation>
    </message>
    <message>
        <source>Std</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>The standard deviation of the finite elements.</source>
        <translation>有限元素的标准差。</translation>
    </message>
    <message>
        <source>Abs max</source>
        <translation>最大绝对值</translation>
    </message>
    <message>
        <source>The largest magnitude among the finite elements.</source>
        <translation>有限元素中最大的绝对值。</translation>
    </message>
    <message>
        <source>Zeros</source>
        <translation>零</translation>
    </message>
    <message>
        <source>How many elements are exactly zero.</source>
        <translation>恰好为零的元素个数。</translation>
    </message>
    <message>
        <source>NaN</source>
        <translation>NaN</translation>
    </message>
    <message>
        <source>How many elements are not a number.</source>
        <translation>不是数的元素个数。</translation>
    </message>
    <message>
        <source>Outliers</source>
        <translation>离群</translation>
    </message>
    <message>
        <source>How many elements lie more than six standard deviations from the mean.</source>
        <translation>与均值相差超过六个标准差的元素个数。</translation>
    </message>
    <message>
        <source>scalar</source>
        <translation>标量</translation>
    </message>
    <message>
        <source>Excess kurtosis</source>
        <translation>超额峰度</translation>
    </message>
    <message>
        <source>0 for a normal distribution, large where a few elements stand far out.</source>
        <translation>正态分布为 0，少数元素远离其余时很大。</translation>
    </message>
</context>
<context>
    <name>TensorPanel</name>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Tensors by name</source>
        <translation>按名称排列的张量</translation>
    </message>
</context>
<context>
    <name>core</name>
    <message>
        <source>Cancelled.</source>
        <translation>已取消。</translation>
    </message>
    <message>
        <source>{} has {} values in {} for {} tokens; its tokenizer cannot be trusted.</source>
        <translation>{} 有 {} 个值在 {} 中，而词元有 {} 个；其分词器不可信。</translation>
    </message>
    <message>
        <source>{} says it has {} blocks, but its tensors are numbered up to block {}.</source>
        <translation>{} 声称有 {} 个块，但其张量编号到了第 {} 块。</translation>
    </message>
    <message>
        <source>{} calls itself {}, but none of its tensors is {}; most of its bytes are {}.</source>
        <translation>{} 自称为 {}，但没有任何张量是 {}；其大部分字节是 {}。</translation>
    </message>
    <message>
        <source>{} does not say its architecture (general.architecture).</source>
        <translation>{} 未说明其架构 (general.architecture)。</translation>
    </message>
    <message>
        <source>{} holds quantized tensors but no general.quantization_version.</source>
        <translation>{} 含有量化张量，但没有 general.quantization_version。</translation>
    </message>
    <message>
        <source>{} is not loadable: it can be looked at, but it breaks rules that every loader enforces; get an intact copy to chat with it, convert or quantize it.</source>
        <translation>{} 无法加载：可以查看，但它违反了所有加载器都要求的规则；若要对话、转换或量化，请获取完好的副本。</translation>
    </message>
    <message>
        <source>{} says GGUF version 0, which does not exist; get an intact copy.</source>
        <translation>{} 声称是 GGUF 版本 0，该版本不存在；请获取完好的副本。</translation>
    </message>
    <message>
        <source>{} says GGUF version {}; this program reads versions 1 to 3.</source>
        <translation>{} 声称是 GGUF 版本 {}；本程序读取版本 1 到 3。</translation>
    </message>
    <message>
        <source>{} is in the wrong byte order (big endian) for this machine; get the little-endian file.</source>
        <translation>{} 的字节序（大端）与本机不符；请获取小端文件。</translation>
    </message>
    <message>
        <source>{} is GGUF version 1, which loaders no longer read; get a newer conversion.</source>
        <translation>{} 是 GGUF 版本 1，加载器已不再读取；请获取较新的转换版本。</translation>
    </message>
    <message>
        <source>{} promises {} metadata pairs, which cannot fit its {} bytes; get an intact copy.</source>
        <translation>{} 声明有 {} 个元数据键值对，但其 {} 字节容纳不下；请获取完好的副本。</translation>
    </message>
    <message>
        <source>{} promises {} tensors, which cannot fit its {} bytes; get an intact copy.</source>
        <translation>{} 声明有 {} 个张量，但其 {} 字节容纳不下；请获取完好的副本。</translation>
    </message>
    <message>
        <source>{} does not begin with the letters GGUF; it is not a GGUF file.</source>
        <translation>{} 的开头不是字母 GGUF；它不是 GGUF 文件。</translation>
    </message>
    <message>
        <source>{} holds a metadata pair without a key at byte {}; get an intact copy.</source>
        <translation>{} 有一个没有键的元数据键值对，位于字节 {}；请获取完好的副本。</translation>
    </message>
    <message>
        <source>{} gives the key {} the unknown value type {}; get an intact copy.</source>
        <translation>{} 为键 {} 给出了未知的值类型 {}；请获取完好的副本。</translation>
    </message>
    <message>
        <source>{} holds the key {} more than once; get an intact copy.</source>
        <translation>{} 中的键 {} 出现了不止一次；请获取完好的副本。</translation>
    </message>
    <message>
        <source>{} has the unusable alignment {} ({}); it must be a power of two of type u32. Get an intact copy.</source>
        <translation>{} 的对齐值 {} ({}) 不可用；它必须是 u32 类型的 2 的幂。请获取完好的副本。</translation>
    </message>
    <message>
        <source>{} stores the tensor {} over {} bytes of another one; get an intact copy.</source>
        <translation>{} 将张量 {} 存储在与另一个张量重叠 {} 字节的位置；请获取完好的副本。</translation>
    </message>
    <message>
        <source>{} stores the tensor {} at offset {}, which is not a multiple of {}; get an intact copy.</source>
        <translation>{} 将张量 {} 存储在偏移 {} 处，该偏移不是 {} 的倍数；请获取完好的副本。</translation>
    </message>
    <message>
        <source>{} has a gap of {} bytes before the tensor {}; get an intact copy.</source>
        <translation>{} 有 {} 字节的空隙，位于张量 {} 之前；请获取完好的副本。</translation>
    </message>
    <message>
        <source>{} lets the tensor {} end beyond every possible file; get an intact copy.</source>
        <translation>{} 使张量 {} 的结尾超出任何可能的文件；请获取完好的副本。</translation>
    </message>
    <message>
        <source>{} stores its tensors in another order than it lists them; get an intact copy.</source>
        <translation>{} 存储张量的顺序与列出的顺序不同；请获取完好的副本。</translation>
    </message>
    <message>
        <source>{} is cut short: it ends at byte {}, its tensors at byte {}; {} of {} are incomplete. Get a complete copy.</source>
        <translation>{} 被截断：文件结束于字节 {}，而张量结束于字节 {}；有 {} 个（共 {} 个）不完整。请获取完整的副本。</translation>
    </message>
    <message>
        <source>{} has {} bytes after its data that belong to no tensor.</source>
        <translation>{} 在数据之后有 {} 字节不属于任何张量。</translation>
    </message>
    <message>
        <source>{} asks for an impossible alignment; get an intact copy.</source>
        <translation>{} 要求不可能的对齐；请获取完好的副本。</translation>
    </message>
    <message>
        <source>{} has no array named {}.</source>
        <translation>{} 中没有名为 {} 的数组。</translation>
    </message>
    <message>
        <source>{} has only {} values in {}.</source>
        <translation>{} 只有 {} 个值在 {} 中。</translation>
    </message>
    <message>
        <source>{} does not store all of {}.</source>
        <translation>{} 没有完整存储 {}。</translation>
    </message>
    <message>
        <source>{} has another byte order than the first part.</source>
        <translation>{} 的字节序与第一部分不同。</translation>
    </message>
    <message>
        <source>{} says it is part {} of {}, but its name says {} of {}; get the right file.</source>
        <translation>{} 声称是第 {} 部分（共 {} 部分），但其文件名表示第 {} 部分（共 {} 部分）；请获取正确的文件。</translation>
    </message>
    <message>
        <source>{} brings the model beyond {} tensors.</source>
        <translation>{} 使模型的张量数超过了 {} 个。</translation>
    </message>
    <message>
        <source>{} promises {} tensors in all its parts, but they hold {}; get all parts of one and the same model.</source>
        <translation>{} 声明各部分共有 {} 个张量，但实际有 {} 个；请获取同一模型的所有部分。</translation>
    </message>
    <message>
        <source>{} has the tensor {} in two parts, {} and {}; get all parts of one and the same model.</source>
        <translation>{} 的张量 {} 同时出现在两个部分 {} 和 {} 中；请获取同一模型的所有部分。</translation>
    </message>
    <message>
        <source>{} is incomplete without its part {}, whose tensors are unknown: {}</source>
        <translation>{} 缺少第 {} 部分而不完整，该部分的张量未知：{}</translation>
    </message>
    <message>
        <source>{} says it is one of {} parts; get an intact copy.</source>
        <translation>{} 声称是 {} 个部分之一；请获取完好的副本。</translation>
    </message>
    <message>
        <source>{} is part {} of {}; open the first part instead, whose name ends in {}.</source>
        <translation>{} 是第 {} 部分（共 {} 部分）；请改为打开第一部分，其文件名以 {} 结尾。</translation>
    </message>
    <message>
        <source>{} is part {} of {} and shows only its own tensors; open the first part, whose name ends in {}.</source>
        <translation>{} 是第 {} 部分（共 {} 部分），只显示其自身的张量；请打开第一部分，其文件名以 {} 结尾。</translation>
    </message>
    <message>
        <source>{} is the first of {} parts; the others cannot be looked for here, so their tensors are unknown.</source>
        <translation>{} 是 {} 个部分中的第一部分；此处无法查找其他部分，因此它们的张量未知。</translation>
    </message>
    <message>
        <source>{} is the first of {} parts, but the others cannot be found from its name, which should end in {}; rename it back.</source>
        <translation>{} 是 {} 个部分中的第一部分，但无法根据其文件名找到其他部分，文件名应以 {} 结尾；请将其改回原名。</translation>
    </message>
    <message>
        <source>{} names a tensor with {} bytes, where loaders allow 63: {}</source>
        <translation>{} 中有一个张量名长达 {} 字节，而加载器只允许 63 字节：{}</translation>
    </message>
    <message>
        <source>{} names a tensor with control characters: {}</source>
        <translation>{} 中有一个张量名含有控制字符：{}</translation>
    </message>
    <message>
        <source>{} gives the tensor {} {} dimensions; get an intact copy.</source>
        <translation>{} 为张量 {} 给出了 {} 个维度；请获取完好的副本。</translation>
    </message>
    <message>
        <source>{} gives the tensor {} {} dimensions, where loaders allow 4.</source>
        <translation>{} 为张量 {} 给出了 {} 个维度，而加载器只允许 4 个。</translation>
    </message>
    <message>
        <source>{} gives the tensor {} an impossible size; get an intact copy.</source>
        <translation>{} 为张量 {} 给出了不可能的大小；请获取完好的副本。</translation>
    </message>
    <message>
        <source>{} holds the tensor {}, which this program cannot decode: {}; get another quantization.</source>
        <translation>{} 含有张量 {}，本程序无法解码：{}；请获取其他量化版本。</translation>
    </message>
    <message>
        <source>{} gives the tensor {} rows of {} elements, which are not whole {} blocks; get an intact copy.</source>
        <translation>{} 为张量 {} 给出了每行 {} 个元素，不是 {} 块的整数倍；请获取完好的副本。</translation>
    </message>
    <message>
        <source>{} places the tensor {} at the impossible offset {}; get an intact copy.</source>
        <translation>{} 将张量 {} 放在不可能的偏移 {} 处；请获取完好的副本。</translation>
    </message>
    <message>
        <source>{} holds the tensor {} more than once; get an intact copy.</source>
        <translation>{} 中的张量 {} 出现了不止一次；请获取完好的副本。</translation>
    </message>
    <message>
        <source>{} ends at byte {} inside its list of {} tensors; the first {} are shown. Get a complete copy.</source>
        <translation>{} 结束于字节 {}，位于其 {} 个张量的列表之内；只显示前 {} 个。请获取完整的副本。</translation>
    </message>
    <message>
        <source>{} promises a text of {} bytes at byte {}, more than the {} allowed; get an intact copy.</source>
        <translation>{} 声明了 {} 字节的文本，位于字节 {}，超过了允许的 {} 字节；请获取完好的副本。</translation>
    </message>
    <message>
        <source>{} promises a text of {} bytes at byte {}, but ends {} bytes later; get a complete copy.</source>
        <translation>{} 声明了 {} 字节的文本，位于字节 {}，但 {} 字节之后文件就结束了；请获取完整的副本。</translation>
    </message>
    <message>
        <source>{} holds a text of {} bytes; only its beginning is shown.</source>
        <translation>{} 含有 {} 字节的文本；只显示其开头。</translation>
    </message>
    <message>
        <source>{} holds a text that is not UTF-8: &quot;{}&quot;</source>
        <translation>{} 含有不是 UTF-8 的文本：“{}”</translation>
    </message>
    <message>
        <source>{} stores a truth value as {} where only 0 and 1 are meant.</source>
        <translation>{} 将布尔值存储为 {}，而只应为 0 或 1。</translation>
    </message>
    <message>
        <source>{} holds an array of the unknown value type {} at byte {}; get an intact copy.</source>
        <translation>{} 含有未知值类型 {} 的数组，位于字节 {}；请获取完好的副本。</translation>
    </message>
    <message>
        <source>{} promises an array of {} values at byte {}, which cannot fit the file; get an intact copy.</source>
        <translation>{} 声明了 {} 个值的数组，位于字节 {}，文件容纳不下；请获取完好的副本。</translation>
    </message>
    <message>
        <source>{} nests arrays deeper than {} at byte {}; get an intact copy.</source>
        <translation>{} 的数组嵌套超过 {} 层，位于字节 {}；请获取完好的副本。</translation>
    </message>
    <message>
        <source>{} holds an array of arrays at byte {}, which loaders do not read; convert it without that key.</source>
        <translation>{} 含有数组的数组，位于字节 {}，加载器不读取它；请去掉该键后重新转换。</translation>
    </message>
    <message>
        <source>{} promises a text of {} bytes before byte {}; get an intact copy.</source>
        <translation>{} 声明了 {} 字节的文本，位于字节 {} 之前；请获取完好的副本。</translation>
    </message>
    <message>
        <source>The model runs repository code when it is loaded with trust ({}); this program never runs it.</source>
        <translation>以信任方式加载时，该模型会运行仓库中的代码 ({})；本程序从不运行它。</translation>
    </message>
    <message>
        <source>The component {} that model_index.json names is missing.</source>
        <translation>缺少 model_index.json 中指明的组件 {}。</translation>
    </message>
    <message>
        <source>{} holds more than {} files; open the model&apos;s own folder.</source>
        <translation>{} 含有超过 {} 个文件；请打开模型自己的文件夹。</translation>
    </message>
    <message>
        <source>{} cannot be listed ({}); check its permissions.</source>
        <translation>无法列出 {} ({})；请检查其权限。</translation>
    </message>
    <message>
        <source>Not read, because other files are the model: {}.</source>
        <translation>未读取，因为模型由其他文件构成：{}。</translation>
    </message>
    <message>
        <source>{} is not valid JSON: {} (byte {}).</source>
        <translation>{} 不是有效的 JSON：{}（字节 {}）。</translation>
    </message>
    <message>
        <source>{} holds the same key twice in one object.</source>
        <translation>{} 的一个对象中同一个键出现了两次。</translation>
    </message>
    <message>
        <source>{} holds text that is not UTF-8; it is shown with replacement characters.</source>
        <translation>{} 含有不是 UTF-8 的文本；以替换字符显示。</translation>
    </message>
    <message>
        <source>{} holds more than is kept of one file; only the beginning is shown.</source>
        <translation>{} 的内容超过单个文件的保留上限；只显示其开头。</translation>
    </message>
    <message>
        <source>{} is a Git LFS pointer and not the file itself, which has {} bytes; fetch it with &quot;git lfs pull&quot;.</source>
        <translation>{} 是 Git LFS 指针而不是文件本身，文件有 {} 字节；请用 &quot;git lfs pull&quot; 获取。</translation>
    </message>
    <message>
        <source>{} is {}, which this program does not read yet; open a safetensors or GGUF version of it.</source>
        <translation>{} 是 {}，本程序尚不读取；请打开它的 safetensors 或 GGUF 版本。</translation>
    </message>
    <message>
        <source>{} is {}, not a model; open a GGUF or safetensors file or a model&apos;s folder.</source>
        <translation>{} 是 {}，不是模型；请打开 GGUF 或 safetensors 文件，或模型文件夹。</translation>
    </message>
    <message>
        <source>{} is in no format that this program knows; open a GGUF or safetensors file or a model&apos;s folder.</source>
        <translation>{} 不是本程序认识的格式；请打开 GGUF 或 safetensors 文件，或模型文件夹。</translation>
    </message>
    <message>
        <source>{} is a JSON file that names no weights; open its folder instead.</source>
        <translation>{} 是未指明任何权重的 JSON 文件；请改为打开其所在文件夹。</translation>
    </message>
    <message>
        <source>{} is empty; download or copy it again.</source>
        <translation>{} 是空的；请重新下载或复制。</translation>
    </message>
    <message>
        <source>{}: the tensor name {} holds control characters.</source>
        <translation>{}：张量名 {} 含有控制字符。</translation>
    </message>
    <message>
        <source>{}: the tensor name {} holds combining marks; another name may look the same.</source>
        <translation>{}：张量名 {} 含有组合记号；另一个名称可能看起来相同。</translation>
    </message>
    <message>
        <source>{}: the tensor {} lies beyond any file (data_offsets {} to {}).</source>
        <translation>{}：张量 {} 超出任何文件的范围（data_offsets {} 到 {}）。</translation>
    </message>
    <message>
        <source>{}: the tensor {} ends at {}, before it begins at {}.</source>
        <translation>{}：张量 {} 结束于 {}，早于其起点 {}。</translation>
    </message>
    <message>
        <source>{}: the tensor {} of type {} and shape {} does not fill whole bytes.</source>
        <translation>{}：张量 {}（类型 {}，形状 {}）不能填满整数个字节。</translation>
    </message>
    <message>
        <source>{}: the tensor {} of type {} and shape {} needs {} bytes and has {}.</source>
        <translation>{}：张量 {}（类型 {}，形状 {}）需要 {} 字节，而实际有 {} 字节。</translation>
    </message>
    <message>
        <source>{}: the bytes {} to {} belong to no tensor.</source>
        <translation>{}：字节 {} 到 {} 不属于任何张量。</translation>
    </message>
    <message>
        <source>{}: the bytes {} to {} belong to two tensors.</source>
        <translation>{}：字节 {} 到 {} 属于两个张量。</translation>
    </message>
    <message>
        <source>{} is not a safetensors file: it has {} bytes, fewer than the 8 of the header&apos;s length.</source>
        <translation>{} 不是 safetensors 文件：它只有 {} 字节，少于头部长度所占的 8 字节。</translation>
    </message>
    <message>
        <source>{} is cut short or not a safetensors file: the header length {} at byte 0 exceeds the file ({} bytes).</source>
        <translation>{} 被截断或不是 safetensors 文件：字节 0 处的头部长度 {} 超出了文件（{} 字节）。</translation>
    </message>
    <message>
        <source>{}: the header length {} at byte 0 exceeds the {} bytes that the format allows.</source>
        <translation>{}：字节 0 处的头部长度 {} 超过了该格式允许的 {} 字节。</translation>
    </message>
    <message>
        <source>{} is not a valid safetensors file: the tensor {} is listed twice.</source>
        <translation>{} 不是有效的 safetensors 文件：张量 {} 被列出了两次。</translation>
    </message>
    <message>
        <source>{}: the bytes {} to {} after the last tensor belong to none.</source>
        <translation>{}：最后一个张量之后的字节 {} 到 {} 不属于任何张量。</translation>
    </message>
    <message>
        <source>{} is cut short: it has {} bytes of the {} that its header promises.</source>
        <translation>{} 被截断：它有 {} 字节，而头部声明有 {} 字节。</translation>
    </message>
    <message>
        <source>{}: the header holds text that is not UTF-8 (byte {}).</source>
        <translation>{}：头部含有不是 UTF-8 的文本（字节 {}）。</translation>
    </message>
    <message>
        <source>{} is not a valid safetensors file: in its header, {} (byte {}).</source>
        <translation>{} 不是有效的 safetensors 文件：其头部中，{}（字节 {}）。</translation>
    </message>
    <message>
        <source>{} is not a valid safetensors file: in its header, {} is missing (byte {}).</source>
        <translation>{} 不是有效的 safetensors 文件：其头部中缺少 {}（字节 {}）。</translation>
    </message>
    <message>
        <source>{} is not a valid safetensors file: in its header, the key {} appears twice (byte {}).</source>
        <translation>{} 不是有效的 safetensors 文件：其头部中键 {} 出现了两次（字节 {}）。</translation>
    </message>
    <message>
        <source>{}: the header begins with {} blanks.</source>
        <translation>{}：头部以 {} 个空白开头。</translation>
    </message>
    <message>
        <source>{} is not a valid safetensors file: its header is padded with something else than blanks (byte {}).</source>
        <translation>{} 不是有效的 safetensors 文件：其头部用空白以外的内容填充（字节 {}）。</translation>
    </message>
    <message>
        <source>{}: __metadata__ takes {} bytes.</source>
        <translation>{}：__metadata__ 占 {} 字节。</translation>
    </message>
    <message>
        <source>{}: {} in __metadata__ is not a string.</source>
        <translation>{}：__metadata__ 中的 {} 不是字符串。</translation>
    </message>
    <message>
        <source>{}: the tensor name at byte {} is longer than {} bytes.</source>
        <translation>{}：字节 {} 处的张量名超过 {} 字节。</translation>
    </message>
    <message>
        <source>{} lists more than {} tensors.</source>
        <translation>{} 列出的张量超过 {} 个。</translation>
    </message>
    <message>
        <source>{}: the tensor {} has no dtype, shape or data_offsets (byte {}).</source>
        <translation>{}：张量 {} 没有 dtype、shape 或 data_offsets（字节 {}）。</translation>
    </message>
    <message>
        <source>{}: the tensor {} has the type {}, which this program does not know.</source>
        <translation>{}：张量 {} 的类型是 {}，本程序不认识。</translation>
    </message>
    <message>
        <source>{} is not a valid safetensors file: the number {} in its header is not allowed (byte {}).</source>
        <translation>{} 不是有效的 safetensors 文件：其头部中的数字 {} 不被允许（字节 {}）。</translation>
    </message>
    <message>
        <source>{}: the shape of {} has more elements than can be counted (byte {}).</source>
        <translation>{}：{} 的形状的元素数多到无法计数（字节 {}）。</translation>
    </message>
    <message>
        <source>{}: the shape of the empty tensor {} overflows before its zero.</source>
        <translation>{}：空张量 {} 的形状在遇到零之前就已溢出。</translation>
    </message>
    <message>
        <source>{}: the tensor {} has the unknown member {}.</source>
        <translation>{}：张量 {} 有未知的成员 {}。</translation>
    </message>
    <message>
        <source>{}: the tensor {} has more than {} unknown members.</source>
        <translation>{}：张量 {} 有超过 {} 个未知的成员。</translation>
    </message>
    <message>
        <source>{} is not an index of safetensors files: it has no weight_map.</source>
        <translation>{} 不是 safetensors 文件的索引：它没有 weight_map。</translation>
    </message>
    <message>
        <source>{} is not a valid index: {} (byte {}).</source>
        <translation>{} 不是有效的索引：{}（字节 {}）。</translation>
    </message>
    <message>
        <source>{}: the file name {} leads out of the model&apos;s folder; it is not followed (byte {}).</source>
        <translation>{}：文件名 {} 指向模型文件夹之外；不予跟随（字节 {}）。</translation>
    </message>
    <message>
        <source>{} names more than {} files.</source>
        <translation>{} 指明的文件超过 {} 个。</translation>
    </message>
    <message>
        <source>{}: the tensor {} is listed twice.</source>
        <translation>{}：张量 {} 被列出了两次。</translation>
    </message>
    <message>
        <source>{}: the tensor {} of {} is not listed.</source>
        <translation>{}：张量 {}（位于 {}）未被列出。</translation>
    </message>
    <message>
        <source>{}: the tensor {} is said to be in {} and lies in {}.</source>
        <translation>{}：张量 {} 据称在 {} 中，实际在 {} 中。</translation>
    </message>
    <message>
        <source>{}: the tensor {} is not in {}.</source>
        <translation>{}：张量 {} 不在 {} 中。</translation>
    </message>
    <message>
        <source>{}: total_size is {}, the tensors take {} bytes.</source>
        <translation>{}：total_size 为 {}，而张量占 {} 字节。</translation>
    </message>
    <message>
        <source>{}: {} more problems of the same kind ({}) are not listed.</source>
        <translation>{}：还有 {} 个同类问题 ({}) 未列出。</translation>
    </message>
    <message>
        <source>The file {} is missing; what the index places in it cannot be read.</source>
        <translation>缺少文件 {}；索引放在其中的内容无法读取。</translation>
    </message>
    <message>
        <source>{} names {} files; {} are read for one model.</source>
        <translation>{} 指明了 {} 个文件；一个模型最多读取 {} 个。</translation>
    </message>
    <message>
        <source>{}: the tensor {} lies in {} and again in {}.</source>
        <translation>{}：张量 {} 在 {} 中，又在 {} 中。</translation>
    </message>
    <message>
        <source>The name &quot;{}&quot; found in the model leads out of its folder; it is not followed.</source>
        <translation>模型中的名称“{}”指向其文件夹之外；不予跟随。</translation>
    </message>
    <message>
        <source>{} ends at byte {}, before byte {} that it promises.</source>
        <translation>{} 结束于字节 {}，未达到它声明的字节 {}。</translation>
    </message>
    <message>
        <source>{} ends at byte {}, but {} more bytes should follow byte {}; get a complete copy.</source>
        <translation>{} 结束于字节 {}，但还应有 {} 字节跟在字节 {} 之后；请获取完整的副本。</translation>
    </message>
    <message>
        <source>{} does not exist; check the path.</source>
        <translation>{} 不存在；请检查路径。</translation>
    </message>
    <message>
        <source>{} is a link that leads out of the model&apos;s folder; open the file it points to instead.</source>
        <translation>{} 是指向模型文件夹之外的链接；请改为打开它所指的文件。</translation>
    </message>
    <message>
        <source>{} cannot be read ({}); check its permissions.</source>
        <translation>无法读取 {} ({})；请检查其权限。</translation>
    </message>
    <message>
        <source>{} is a folder where a file is expected.</source>
        <translation>{} 是文件夹，而此处需要文件。</translation>
    </message>
    <message>
        <source>{} is not a regular file; copy its content into one first.</source>
        <translation>{} 不是普通文件；请先将其内容复制到普通文件中。</translation>
    </message>
    <message>
        <source>{} cannot be read at byte {} ({}); check the disk.</source>
        <translation>无法读取 {} 的字节 {} 处 ({})；请检查磁盘。</translation>
    </message>
    <message>
        <source>{} became shorter while it was read; open it again when it is complete.</source>
        <translation>{} 在读取期间变短了；请在其完整后重新打开。</translation>
    </message>
    <message>
        <source>{} changed on disk since it was opened; open it again.</source>
        <translation>{} 打开后在磁盘上发生了变化；请重新打开。</translation>
    </message>
    <message>
        <source>The values of {} in {} cannot be read: {}.</source>
        <translation>无法读取 {} 的值（位于 {}）：{}。</translation>
    </message>
    <message>
        <source>The values of {} in {} cannot be read: its type {} is not known to this program.</source>
        <translation>无法读取 {} 的值（位于 {}）：本程序不认识其类型 {}。</translation>
    </message>
    <message>
        <source>The values of {} do not lie inside {}.</source>
        <translation>{} 的值不在 {} 之内。</translation>
    </message>
    <message>
        <source>A read of {} left the tensor or split a block.</source>
        <translation>对 {} 的读取超出了张量或拆分了块。</translation>
    </message>
    <message>
        <source>{} holds values of type {}, which have no single number each.</source>
        <translation>{} 含有类型 {} 的值，每个值不是单个数字。</translation>
    </message>
    <message>
        <source>&quot;{}&quot; is not a regular expression ({}).</source>
        <translation>“{}”不是正则表达式 ({})。</translation>
    </message>
    <message>
        <source>The rows of {} have {} elements, which {} cannot hold and for which it has no substitute; choose another type for this tensor.</source>
        <translation>{} 的每行有 {} 个元素，{} 无法容纳且没有替代类型；请为此张量选择其他类型。</translation>
    </message>
    <message>
        <source>The &quot;)&quot; at position {} closes nothing.</source>
        <translation>位置 {} 处的“)”没有对应的左括号。</translation>
    </message>
    <message>
        <source>A search term is missing at position {}.</source>
        <translation>位置 {} 处缺少搜索词。</translation>
    </message>
    <message>
        <source>The search is nested more than {} levels deep at position {}.</source>
        <translation>搜索的嵌套超过 {} 层，位于位置 {}。</translation>
    </message>
    <message>
        <source>The &quot;(&quot; at position {} is not closed.</source>
        <translation>位置 {} 处的“(”没有闭合。</translation>
    </message>
    <message>
        <source>There is no field &quot;{}&quot; to search for (position {}); did you mean {}?</source>
        <translation>没有可搜索的字段“{}”（位置 {}）；您是否想用 {}？</translation>
    </message>
    <message>
        <source>The quotation mark at position {} is not closed.</source>
        <translation>位置 {} 处的引号没有闭合。</translation>
    </message>
    <message>
        <source>A value for &quot;{}&quot; is missing at position {}.</source>
        <translation>缺少“{}”的值，位于位置 {}。</translation>
    </message>
    <message>
        <source>The regular expression at position {} is not valid: {}.</source>
        <translation>位置 {} 处的正则表达式无效：{}。</translation>
    </message>
    <message>
        <source>There is no role &quot;{}&quot; (position {}); the roles are {}.</source>
        <translation>没有角色“{}”（位置 {}）；可用的角色有 {}。</translation>
    </message>
    <message>
        <source>&quot;{}&quot; cannot be compared by &quot;{}&quot; (position {}); use &quot;:&quot;, &quot;=&quot; or &quot;!=&quot;.</source>
        <translation>“{}”不能用“{}”比较（位置 {}）；请使用“:”、“=”或“!=”。</translation>
    </message>
    <message>
        <source>&quot;{}&quot; at position {} is not a shape; write it as 4096x14336, with * for any dimension.</source>
        <translation>“{}”（位置 {}）不是形状；请写成 4096x14336 的形式，用 * 表示任意维度。</translation>
    </message>
    <message>
        <source>&quot;{}&quot; at position {} is not a number for &quot;{}&quot;; write it as 12, 1.5e-3, 10M or 0-3.</source>
        <translation>“{}”（位置 {}）不是“{}”可用的数字；请写成 12、1.5e-3、10M 或 0-3 的形式。</translation>
    </message>
    <message>
        <source>The range &quot;{}&quot; at position {} ends before it begins.</source>
        <translation>范围“{}”（位置 {}）的终点在起点之前。</translation>
    </message>
    <message>
        <source>The search is longer than {} characters.</source>
        <translation>搜索超过 {} 个字符。</translation>
    </message>
    <message>
        <source>A histogram of {} bins is not possible; ask for 1 to 65,536.</source>
        <translation>无法生成 {} 个区间的直方图；请指定 1 到 65,536。</translation>
    </message>
    <message>
        <source>The tensor {} has {} channels; at most {} are kept, so ask for the other axis.</source>
        <translation>张量 {} 有 {} 个通道；最多保留 {} 个，请选择另一个轴。</translation>
    </message>
    <message>
        <source>Stored statistics cannot be read; they will be computed again.</source>
        <translation>无法读取已保存的统计数据；将重新计算。</translation>
    </message>
    <message>
        <source>There is not enough memory for this job; close other models and try again.</source>
        <translation>内存不足，无法执行此任务；请关闭其他模型后重试。</translation>
    </message>
    <message>
        <source>The job stopped because of a defect in this program: {}</source>
        <translation>任务因本程序的缺陷而中止：{}</translation>
    </message>
    <message>
        <source>{} has no tensor named {}; run wb inspect on it to see the names.</source>
        <translation>{} 中没有名为 {} 的张量；请对其运行 wb inspect 查看名称。</translation>
    </message>
    <message>
        <source>{} cannot be written ({}); choose another folder or free some space.</source>
        <translation>无法写入 {} ({})；请选择其他文件夹或腾出空间。</translation>
    </message>
    <message>
        <source>The SHA-256 checksum cannot be computed: OpenSSL refuses; check its installation.</source>
        <translation>无法计算 SHA-256 校验和：OpenSSL 拒绝执行；请检查其安装。</translation>
    </message>
    <message>
        <source>{}: {}</source>
        <translation>{}：{}</translation>
    </message>
    <message>
        <source>{} cannot be quantized: {} holds a value that is not finite; repair the model first.</source>
        <translation>{} 无法量化：{} 含有非有限值；请先修复模型。</translation>
    </message>
    <message>
        <source>{} cannot be quantized: {} holds values beyond the range of {}; choose BF16 or F32 for it.</source>
        <translation>{} 无法量化：{} 的值超出了 {} 的范围；请为它选择 BF16 或 F32。</translation>
    </message>
    <message>
        <source>The importance matrix {} has {} values for {}, which needs {}; it was made for another model.</source>
        <translation>重要性矩阵 {} 中有 {} 个值对应 {}，而后者需要 {} 个；它是为其他模型生成的。</translation>
    </message>
    <message>
        <source>The importance matrix does not fit {} and is not used for it.</source>
        <translation>重要性矩阵与 {} 不匹配，因此不用于该张量。</translation>
    </message>
    <message>
        <source>{} cannot be quantized, because the values of {} cannot be read.</source>
        <translation>{} 无法量化，因为 {} 的值无法读取。</translation>
    </message>
    <message>
        <source>{} becomes {} instead of {}, whose blocks do not divide its rows of {} elements.</source>
        <translation>{} 改用 {} 而不是 {}，因为后者的块不能整除它每行的 {} 个元素。</translation>
    </message>
    <message>
        <source>{} cannot become {} without importance data for it; give an importance matrix.</source>
        <translation>{} 在没有重要性数据时无法转为 {}；请提供重要性矩阵。</translation>
    </message>
    <message>
        <source>{} is not a GGUF file; only GGUF can be quantized so far.</source>
        <translation>{} 不是 GGUF 文件；目前只能量化 GGUF。</translation>
    </message>
    <message>
        <source>{} holds no tensors, so there is nothing to quantize.</source>
        <translation>{} 不含张量，没有可量化的内容。</translation>
    </message>
    <message>
        <source>{} was not written as planned; please report this.</source>
        <translation>{} 未按计划写出；请报告此问题。</translation>
    </message>
    <message>
        <source>{} with rows of {} elements cannot be stored as {} in a GGUF file.</source>
        <translation>{} 每行有 {} 个元素，无法以 {} 存入 GGUF 文件。</translation>
    </message>
    <message>
        <source>The metadata of {} take {} bytes, more than can be copied into another file.</source>
        <translation>{} 的元数据占 {} 字节，超出了可复制到其他文件的上限。</translation>
    </message>
    <message>
        <source>The tensor name {} is longer than the 63 bytes GGUF allows.</source>
        <translation>张量名称 {} 超过了 GGUF 允许的 63 字节。</translation>
    </message>
    <message>
        <source>The tensors up to {} are too large for one file.</source>
        <translation>到 {} 为止的张量对单个文件来说过大。</translation>
    </message>
    <message>
        <source>There is not enough space on the disk for {}; free some or choose another folder.</source>
        <translation>磁盘空间不足以存放 {}；请释放空间或选择其他位置。</translation>
    </message>
    <message>
        <source>The importance matrix {} has no matching sums and counts for {}; make it again.</source>
        <translation>重要性矩阵 {} 中没有与 {} 匹配的总和与计数；请重新生成。</translation>
    </message>
    <message>
        <source>{} is a GGUF file but not an importance matrix; its imatrix.* keys are missing.</source>
        <translation>{} 是 GGUF 文件，但不是重要性矩阵；它缺少 imatrix.* 键。</translation>
    </message>
    <message>
        <source>The importance matrix {} holds a value for {} that is not finite; make it again.</source>
        <translation>重要性矩阵 {} 中 {} 的某个值为非有限值；请重新生成。</translation>
    </message>
    <message>
        <source>{} is not an importance matrix (byte {} breaks its form); make it again with llama-imatrix.</source>
        <translation>{} 不是重要性矩阵（第 {} 字节不符合格式）；请用 llama-imatrix 重新生成。</translation>
    </message>
    <message>
        <source>{} belongs to the model itself; export to another file.</source>
        <translation>{} 属于模型本身；请导出到其他文件。</translation>
    </message>
    <message>
        <source>{} is not a type tensors can be quantized to.</source>
        <translation>{} 不是张量可以量化到的类型。</translation>
    </message>
    <message>
        <source>{} is not of the form REGEX=TYPE.</source>
        <translation>{} 不符合 REGEX=TYPE 的形式。</translation>
    </message>
    <message>
        <source>{} is a type of activations, which no file stores; choose another type.</source>
        <translation>{} 用于激活值，从不存入文件；请选择其他类型。</translation>
    </message>
    <message>
        <source>{} is not a type a model can be quantized to; try Q4_K_M, Q8_0 or IQ4_XS.</source>
        <translation>{} 不是模型可以量化到的类型；请尝试 Q4_K_M、Q8_0 或 IQ4_XS。</translation>
    </message>
    <message>
        <source>--include-weights and --exclude-weights cannot be used together.</source>
        <translation>--include-weights 与 --exclude-weights 不能同时使用。</translation>
    </message>
    <message>
        <source>Of the {} parts of {} these are missing, so their tensors are not known: {}.</source>
        <translation>{} 个部分（{}）中缺少以下部分，因此其张量未知：{}。</translation>
    </message>
    <message>
        <source>{}: the tensor {} of type {} and shape {} has more bytes than can be counted.</source>
        <translation>{}：张量 {}（类型 {}，形状 {}）的字节数大得无法计数。</translation>
    </message>
    <message>
        <source>The graphics device {} stopped working; the CPU can go on.</source>
        <translation>图形设备 {} 已停止工作；可以由 CPU 继续。</translation>
    </message>
    <message>
        <source>The graphics device {} has no memory left for this; the CPU can do it.</source>
        <translation>图形设备 {} 没有足够的显存；可以改用 CPU。</translation>
    </message>
    <message>
        <source>The driver of the graphics device {} refused a request ({}); the CPU can do it.</source>
        <translation>图形设备 {} 的驱动程序拒绝了一个请求（{}）；可以改用 CPU。</translation>
    </message>
    <message>
        <source>This system has no Vulkan, so there is no graphics device to compute on; the CPU can do it.</source>
        <translation>此系统没有 Vulkan，因此没有可用于计算的图形设备；可以改用 CPU。</translation>
    </message>
    <message>
        <source>There is no graphics device here that can compute; the CPU can do it.</source>
        <translation>这里没有可用于计算的图形设备；可以改用 CPU。</translation>
    </message>
    <message>
        <source>The graphics device {} cannot be used, it lacks {}; choose another one or the CPU.</source>
        <translation>无法使用图形设备 {}，它缺少 {}；请选择其他设备或 CPU。</translation>
    </message>
    <message>
        <source>There is no graphics device with the number {}; wb devices lists what there is.</source>
        <translation>没有编号为 {} 的图形设备；wb devices 会列出现有设备。</translation>
    </message>
    <message>
        <source>The shader {} was given the wrong buffers; this is a defect of the program.</source>
        <translation>着色器 {} 收到了错误的缓冲区；这是程序的缺陷。</translation>
    </message>
    <message>
        <source>The graphics device {} computes wrongly ({}); the CPU does its work.</source>
        <translation>图形设备 {} 计算有误（{}）；其工作由 CPU 完成。</translation>
    </message>
    <message>
        <source>{} is not stored in blocks, so it has no codes and scales.</source>
        <translation>{} 不是分块存储的，因此没有编码和缩放系数。</translation>
    </message>
    <message>
        <source>A picture asked for elements that the tensor does not have.</source>
        <translation>图像请求了该张量中不存在的元素。</translation>
    </message>
    <message>
        <source>Only tensors of equal shape can be compared; these are {} and {}.</source>
        <translation>只能比较形状相同的张量；这两个的形状是 {} 和 {}。</translation>
    </message>
    <message>
        <source>Statistics of {} are computed by the CPU.</source>
        <translation>{} 的统计由 CPU 计算。</translation>
    </message>
    <message>
        <source>{} is not a valid plan file: its member &quot;{}&quot; is missing or wrong; save the plan again.</source>
        <translation>{} 不是可用的方案：其成员“{}”缺失或有误；请重新保存方案。</translation>
    </message>
    <message>
        <source>{} is a plan of version {}, which this program does not know; update it.</source>
        <translation>{} 是版本 {} 的方案，本程序不认识；请更新程序。</translation>
    </message>
    <message>
        <source>{} is not a valid plan file: what it says about {} is not valid; save the plan again.</source>
        <translation>{} 不是可用的方案：其中关于 {} 的内容不明确；请重新保存方案。</translation>
    </message>
    <message>
        <source>{} is not the model this plan was made for ({}); make a new plan for it.</source>
        <translation>{} 不是该方案所针对的模型（{}）；请为它重新制定方案。</translation>
    </message>
    <message>
        <source>{} has another alignment than {}; the new file has the usual one.</source>
        <translation>{} 的对齐方式不是 {}；新文件采用通常的对齐方式。</translation>
    </message>
    <message>
        <source>{} is never quantized and cannot become {}.</source>
        <translation>{} 从不量化，不能变为 {}。</translation>
    </message>
    <message>
        <source>{} cannot become {}, whose blocks do not divide its rows of {} elements.</source>
        <translation>{} 不能变为 {}，因为其块无法整除每行 {} 个元素。</translation>
    </message>
    <message>
        <source>{} needs {} on the disk, but only {} are free; free some space or choose another folder.</source>
        <translation>{} 需要 {} 磁盘空间，但只剩 {}；请腾出空间或另选位置。</translation>
    </message>
    <message>
        <source>{} belongs to another run that is not finished; wait for it or choose another name.</source>
        <translation>{} 属于另一个尚未完成的任务；请等待其完成或另选名称。</translation>
    </message>
    <message>
        <source>Row {} holds a value that is not finite, which cannot be quantized.</source>
        <translation>第 {} 行含有非有限值，无法量化。</translation>
    </message>
    <message>
        <source>Rows of {} elements cannot become {}.</source>
        <translation>每行 {} 个元素的张量不能变为 {}。</translation>
    </message>
    <message>
        <source>The values are beyond the range of {}.</source>
        <translation>数值超出了 {} 的范围。</translation>
    </message>
    <message>
        <source>--plan decides about types and importance data; leave the other options about them out.</source>
        <translation>--plan 已决定类型和重要性数据；请去掉与之相关的其他选项。</translation>
    </message>
    <message>
        <source>Give one of TYPE, --plan FILE and --budget SIZE.</source>
        <translation>请在 TYPE、--plan FILE 和 --budget SIZE 中给出一个。</translation>
    </message>
    <message>
        <source>{} is not a size; write it like 4.2GB or 3900MiB.</source>
        <translation>{} 不是大小；请写成 4.2GB 或 3900MiB 这样的形式。</translation>
    </message>
    <message>
        <source>--budget chooses the types itself; leave --pure and --tensor-type out.</source>
        <translation>--budget 会自行选择类型；请去掉 --pure 和 --tensor-type。</translation>
    </message>
    <message>
        <source>The graphics device {} quantizes {} wrongly; the CPU does it.</source>
        <translation>图形设备 {} 对 {} 的量化结果有误；改由 CPU 完成。</translation>
    </message>
    <message>
        <source>The graphics device {} does not keep numbers below 1.2e-38, so the CPU quantized {} of {} blocks again, in which such numbers may arise.</source>
        <translation>图形设备 {} 不保留小于 1.2e-38 的数，因此 CPU 重新量化了 {} 个块（共 {} 个），这些块中可能出现这样的数。</translation>
    </message>
    <message>
        <source>Of {}, the graphics device did {} and the CPU {} GB a second.</source>
        <translation>处理 {} 时，图形设备每秒 {} GB，CPU 每秒 {} GB。</translation>
    </message>
    <message>
        <source>Values of {} need more than 32 bits, so the CPU computes their statistics.</source>
        <translation>{} 的数值需要超过 32 位，因此由 CPU 计算其统计。</translation>
    </message>
    <message>
        <source>The CPU is faster with tensors of less than a million elements.</source>
        <translation>对于不足一百万个元素的张量，CPU 更快。</translation>
    </message>
    <message>
        <source>The CPU computed the statistics of rows and columns.</source>
        <translation>行和列的统计由 CPU 计算。</translation>
    </message>
    <message>
        <source>The tensor has no element {}.</source>
        <translation>该张量没有第 {} 个元素。</translation>
    </message>
    <message>
        <source>{} is quantized already ({} is {}); start from the float model, or accept tensors that are quantized already.</source>
        <translation>{} 已经量化过（{} 为 {}）；请从浮点模型开始，或接受已量化的张量。</translation>
    </message>
    <message>
        <source>{} exists already; choose another name, or let it be replaced.</source>
        <translation>{} 已存在；请换一个名称，或允许替换它。</translation>
    </message>
    <message>
        <source>{} does not belong to one of the model&apos;s {} layers; such a model can be quantized to one type only, not to a mix.</source>
        <translation>{} 不属于模型的 {} 个层中的任何一层；这样的模型只能整体量化为一种类型，不能使用混合方案。</translation>
    </message>
    <message>
        <source>--budget-exact says how --budget measures; give a size with --budget.</source>
        <translation>--budget-exact 决定 --budget 如何测量；请用 --budget 给出大小。</translation>
    </message>
    <message>
        <source>The disk became full while {} was written; free some space and start it again, and it goes on where it stopped.</source>
        <translation>写入 {} 时磁盘已满；请腾出空间后重新开始，将从中断处继续。</translation>
    </message>
    <message>
        <source>The tensor has no element at row {}, column {}.</source>
        <translation>张量在第 {} 行第 {} 列没有元素。</translation>
    </message>
    <message>
        <source>{} is read for this and would be overwritten; choose another name for the result.</source>
        <translation>{} 是本次要读取的文件，会被覆盖；请为结果另选名称。</translation>
    </message>
    <message>
        <source>{} is a device or a pipe, which no file can replace; choose another name.</source>
        <translation>{} 是设备或管道，不能被文件替换；请另选名称。</translation>
    </message>
    <message>
        <source>The importance matrix {} holds no values; make it again.</source>
        <translation>重要性矩阵 {} 不含任何数值；请重新生成。</translation>
    </message>
    <message>
        <source>--include-weights and --exclude-weights choose from importance data; give --imatrix too.</source>
        <translation>--include-weights 和 --exclude-weights 是从重要性数据中挑选；请同时给出 --imatrix。</translation>
    </message>
    <message>
        <source>The filter leaves nothing of the importance matrix {}; the model is quantized without it.</source>
        <translation>过滤后重要性矩阵 {} 中不剩任何内容；模型将在不使用它的情况下量化。</translation>
    </message>
    <message>
        <source>The importance matrix {} has nothing for {} of {} tensors; it may be of another model.</source>
        <translation>重要性矩阵 {} 缺少 {} 个张量的数据（共 {} 个）；它可能属于另一个模型。</translation>
    </message>
    <message>
        <source>{} cannot become as small as {}; its smallest types take {}.</source>
        <translation>{} 无法缩小到 {}；最小的可用类型也需要 {}。</translation>
    </message>
    <message>
        <source>{} cannot become as small as {}; its smallest types take {}, and those for which an importance matrix is needed take less.</source>
        <translation>{} 无法缩小到 {}；最小的可用类型也需要 {}，需要重要性矩阵的类型会更小。</translation>
    </message>
    <message>
        <source>{} is not a plan saved by Weighbridge; choose another file.</source>
        <translation>{} 不是 Weighbridge 保存的方案；请选择其他文件。</translation>
    </message>
    <message>
        <source>{} cannot be written, because there is no folder {}; make it or choose another one.</source>
        <translation>无法写入 {}，因为文件夹 {} 不存在；请创建它或另选一个。</translation>
    </message>
    <message>
        <source>{} cannot be finished, because {} was removed meanwhile; start it again.</source>
        <translation>无法完成 {}，因为 {} 在此期间被删除；请重新开始。</translation>
    </message>
    <message>
        <source>{} is not of the form KEY=int:N, KEY=float:X, KEY=bool:true or KEY=str:TEXT.</source>
        <translation>{} 的形式不是 KEY=int:N、KEY=float:X、KEY=bool:true 或 KEY=str:TEXT。</translation>
    </message>
    <message>
        <source>{} says how the new file is written and cannot be set.</source>
        <translation>{} 说明新文件如何写入，不能设置。</translation>
    </message>
    <message>
        <source>{} stores one number for each layer in {}; layers cannot be left out of it.</source>
        <translation>{} 在 {} 中为每一层存储一个数；不能去掉其中的层。</translation>
    </message>
    <message>
        <source>{} stores {} as {} instead of {}; make the file again.</source>
        <translation>{} 把 {} 存储为 {} 而不是 {}；请重新制作此文件。</translation>
    </message>
    <message>
        <source>{} stores {} as {}, where loaders read a number of type u32; make the file again.</source>
        <translation>{} 把 {} 存储为 {}，而加载器读取的是 u32 类型的数；请重新制作此文件。</translation>
    </message>
    <message>
        <source>{} gives {} as {}, but loaders take only {} to {}; make the file again.</source>
        <translation>{} 给出的 {} 为 {}，但加载器只接受 {} 到 {}；请重新制作此文件。</translation>
    </message>
    <message>
        <source>{} lists {} numbers as {} but has {} layers; make the file again.</source>
        <translation>{} 列出 {} 个数作为 {}，但有 {} 层；请重新制作此文件。</translation>
    </message>
    <message>
        <source>{} is not a list of layers like 3,4,5.</source>
        <translation>{} 不是像 3,4,5 这样的层列表。</translation>
    </message>
    <message>
        <source>{} is an importance matrix, not a model; choose the model that it was made for.</source>
        <translation>{} 是重要性矩阵而不是模型；请选择它所属的模型。</translation>
    </message>
    <message>
        <source>The new file has {}, as asked for.</source>
        <translation>按要求，新文件中有 {}。</translation>
    </message>
    <message>
        <source>These layers of {} are left out, as asked for: {}.</source>
        <translation>按要求，不包含 {} 的以下层：{}。</translation>
    </message>
    <message>
        <source>{} has no tensor {}, for which a type was chosen; make a new plan for it.</source>
        <translation>{} 中没有张量 {}，却为它选择了类型；请为该模型重新制定方案。</translation>
    </message>
    <message>
        <source>{} holds more than 256 MiB of names up to byte {}; get an intact copy.</source>
        <translation>{} 到第 {} 字节为止的名称已超过 256 MiB；请获取完整的副本。</translation>
    </message>
    <message>
        <source>The CPU quantizes {} faster than the graphics device {}; it does it.</source>
        <translation>CPU 量化 {} 比图形设备 {} 更快，因此由 CPU 完成。</translation>
    </message>
    <message>
        <source>There is not enough memory; close other programs or use fewer threads.</source>
        <translation>这台机器的内存不够；请关闭其他程序，或使用更少的线程。</translation>
    </message>
    <message>
        <source>A plan for {} cannot be saved, because {} tensors are more than a plan can keep; quantize without saving it.</source>
        <translation>无法保存 {} 的方案，因为 {} 个张量超过了方案所能保存的数量；请不保存方案而直接量化。</translation>
    </message>
    <message>
        <source>A plan for {} cannot be saved, because several tensors are called {}; quantize without saving it.</source>
        <translation>无法保存 {} 的方案，因为有多个张量名为 {}；请不保存方案而直接量化。</translation>
    </message>
    <message>
        <source>The plan cannot be saved, because the place of the importance matrix {} is not UTF-8; rename its file or folder.</source>
        <translation>无法保存方案，因为重要性矩阵 {} 的路径不是 UTF-8；请重命名其文件或文件夹。</translation>
    </message>
    <message>
        <source>{} cannot be quantized, because {} holds values of type {}; make it again with F32, F16 or BF16 there.</source>
        <translation>{} 无法量化，因为 {} 保存的是 {} 类型的值；请重新制作该文件，在那里使用 F32、F16 或 BF16。</translation>
    </message>
    <message>
        <source>No loader takes {} with {}, as asked for; set another value.</source>
        <translation>没有任何加载器接受 {} 按要求设置 {}；请设置其他值。</translation>
    </message>
    <message>
        <source>{} has none of these layers, which were to be left out: {}.</source>
        <translation>{} 没有这些要去掉的层：{}。</translation>
    </message>
    <message>
        <source>{} is text of {} bytes, more than the {} bytes this program reads; make sure that it is the right file.</source>
        <translation>{} 是 {} 字节的文本，超过了本程序读取的 {} 字节上限；请确认它是正确的文件。</translation>
    </message>
    <message>
        <source>The importance matrix {} holds a negative value for {}, but means of squares are never negative; make it again.</source>
        <translation>重要性矩阵 {} 中 {} 的某个值为负，而平方的平均值不会为负；请重新生成。</translation>
    </message>
    <message>
        <source>The importance matrix {} holds {} values, more than any model has columns; make it again.</source>
        <translation>重要性矩阵 {} 含有 {} 个值，超过任何模型的列数；请重新生成。</translation>
    </message>
    <message>
        <source>The importance matrix {} was changed while it was in use; start again.</source>
        <translation>重要性矩阵 {} 在使用期间被更改；请重新开始。</translation>
    </message>
    <message>
        <source>{} holds a rule that cannot be used. {}</source>
        <translation>{} 中有一条无法使用的规则。{}</translation>
    </message>
    <message>
        <source>A plan cannot keep words that are not UTF-8; leave --save-plan out.</source>
        <translation>方案无法保存不是 UTF-8 的词；请去掉 --save-plan。</translation>
    </message>
    <message>
        <source>{} cannot become {}, which is not a type to quantize to.</source>
        <translation>{} 不能变为 {}，因为该类型不是量化目标。</translation>
    </message>
    <message>
        <source>The graphics device {} does not answer any more; restart the program to use it again.</source>
        <translation>图形设备 {} 已无响应；请重新启动本程序后再使用它。</translation>
    </message>
    <message>
        <source>The graphics device {} has no memory left for quantizing to {}; the CPU does it.</source>
        <translation>图形设备 {} 的显存不足，无法量化为 {}；改由 CPU 完成。</translation>
    </message>
    <message>
        <source>The driver of the graphics device {} refused to quantize to {}; the CPU does it.</source>
        <translation>图形设备 {} 的驱动程序拒绝量化为 {}；改由 CPU 完成。</translation>
    </message>
    <message>
        <source>The chosen graphics device is not here; choose another one or the CPU.</source>
        <translation>所选的图形设备不在此处；请选择其他设备或 CPU。</translation>
    </message>
    <message>
        <source>The importance matrix of the plan is neither {} nor {}; put it there, or save the plan again.</source>
        <translation>方案所用的重要性矩阵既不是 {} 也不是 {}；请把它放到那里，或重新保存方案。</translation>
    </message>
    <message>
        <source>The unfinished work of another job on {} was dropped.</source>
        <translation>另一个任务在 {} 上未完成的工作已被丢弃。</translation>
    </message>
    <message>
        <source>This model does not say how large its cache is; choose a size of the file instead.</source>
        <translation>该模型没有说明其缓存大小；请改为选择文件大小。</translation>
    </message>
    <message>
        <source>The cache ({}) and the buffers ({}) alone fill this memory; choose fewer tokens or more memory.</source>
        <translation>仅缓存（{}）和缓冲区（{}）就占满了这些内存；请减少词元数或增加内存。</translation>
    </message>
    <message>
        <source>{} describes a model of the type &quot;{}&quot;, which this program does not know.</source>
        <translation>{} 描述的模型类型为“{}”，本程序不认识该类型。</translation>
    </message>
    <message>
        <source>{} stores {} as {}, where loaders read a finite number; make the file again.</source>
        <translation>{} 将 {} 存为 {}，而加载器在此处读取有限的数值；请重新生成该文件。</translation>
    </message>
    <message>
        <source>{} says nothing about the model&apos;s layers; open a GGUF file or a folder with config.json.</source>
        <translation>{} 没有说明模型的层；请打开 GGUF 文件或含有 config.json 的文件夹。</translation>
    </message>
    <message>
        <source>The expressions of the pre-tokenizer &quot;{}&quot; do not compile; report this defect.</source>
        <translation>预分词器“{}”的正则表达式无法编译；请报告此缺陷。</translation>
    </message>
    <message>
        <source>The pre-tokenizer &quot;{}&quot; is not known; choose one that cuts text the same way, such as {}.</source>
        <translation>不认识预分词器“{}”；请选择以相同方式切分文本的预分词器，例如 {}。</translation>
    </message>
    <message>
        <source>Tokenizing was cancelled.</source>
        <translation>分词已取消。</translation>
    </message>
    <message>
        <source>{}: the normalisation table of its vocabulary is damaged; get an intact copy.</source>
        <translation>{}：其词表的规范化表已损坏；请获取完好的副本。</translation>
    </message>
    <message>
        <source>{} holds no vocabulary; use the model&apos;s file that has one.</source>
        <translation>{} 不含词表；请使用模型中含有词表的文件。</translation>
    </message>
    <message>
        <source>{} has a vocabulary of the kind &quot;{}&quot;; known are llama, gpt2, gemma4, bert, t5 and rwkv.</source>
        <translation>{} 的词表类型为“{}”；已知的类型有 llama、gpt2、gemma4、bert、t5 和 rwkv。</translation>
    </message>
    <message>
        <source>{} does not say how its text is cut before merging; the default is taken.</source>
        <translation>{} 没有说明合并前如何切分文本；将采用默认方式。</translation>
    </message>
    <message>
        <source>{}: tokenizer.ggml.{} is no list of a size that vocabularies have.</source>
        <translation>{}：tokenizer.ggml.{} 不是词表应有长度的列表。</translation>
    </message>
    <message>
        <source>{} has no tokens in its vocabulary; get an intact copy.</source>
        <translation>{} 的词表中没有词元；请获取完好的副本。</translation>
    </message>
    <message>
        <source>{} has {} tokens that are spelled like another; the last of each is used.</source>
        <translation>{} 有 {} 个词元与其他词元拼写相同；各取最后一个。</translation>
    </message>
    <message>
        <source>{}: tokenizer.ggml.{} has {} values for {} tokens; get an intact copy.</source>
        <translation>{}：tokenizer.ggml.{} 有 {} 个值，但词元有 {} 个；请获取完好的副本。</translation>
    </message>
    <message>
        <source>{} has no merges, which its vocabulary needs; get a complete copy.</source>
        <translation>{} 没有其词表所需的合并规则；请获取完整的副本。</translation>
    </message>
    <message>
        <source>{}: tokenizer.ggml.{} names no token of the vocabulary; it is ignored.</source>
        <translation>{}：tokenizer.ggml.{} 没有指向词表中的词元；已忽略。</translation>
    </message>
    <message>
        <source>The driver of the graphics device {} offers no memory of the needed kind; the CPU can do it.</source>
        <translation>图形设备 {} 的驱动程序不提供所需类型的内存；可以改用 CPU。</translation>
    </message>
    <message>
        <source>&quot;{}&quot; takes too many steps to compare with the name {}; write a simpler pattern.</source>
        <translation>将“{}”与名称 {} 比较所需的步骤过多；请写一个更简单的模式。</translation>
    </message>
    <message>
        <source>{} has a name that is not UTF-8, so its run is not remembered.</source>
        <translation>{} 的名称不是 UTF-8，因此不会记住对它的运行。</translation>
    </message>
    <message>
        <source>{} has no unfinished run; check its name.</source>
        <translation>{} 没有未完成的运行；请检查其名称。</translation>
    </message>
    <message>
        <source>{} has a context of {} tokens, fewer than the {} asked for.</source>
        <translation>{} 的上下文为 {} 个词元，少于所要求的 {} 个。</translation>
    </message>
    <message>
        <source>The system does not start {} threads; ask for fewer.</source>
        <translation>系统无法启动 {} 个线程；请减少线程数。</translation>
    </message>
    <message>
        <source>The prompt has {} tokens; the context of {} tokens must have room for it and an answer.</source>
        <translation>提示有 {} 个词元；{} 个词元的上下文必须能容纳提示和回答。</translation>
    </message>
    <message>
        <source>{} has the architecture {}, which this program cannot run; it runs {}.</source>
        <translation>{} 的架构是 {}，本程序无法运行；可运行的架构有 {}。</translation>
    </message>
    <message>
        <source>{} has {}, which this program cannot run yet.</source>
        <translation>{} 含有 {}，本程序目前还无法运行。</translation>
    </message>
    <message>
        <source>{} lacks the tensor {}, which its architecture needs.</source>
        <translation>{} 缺少其架构所需的张量 {}。</translation>
    </message>
    <message>
        <source>{} has the tensor {} with the shape {}, where its architecture needs {}.</source>
        <translation>{} 中张量 {} 的形状是 {}，而其架构要求 {}。</translation>
    </message>
    <message>
        <source>{} has the tensor {} of the type {}, which cannot be computed with.</source>
        <translation>{} 中张量 {} 的类型是 {}，无法用于计算。</translation>
    </message>
    <message>
        <source>{} cannot be run: the value of {} is missing or impossible.</source>
        <translation>{} 无法运行：{} 的值缺失或不可能成立。</translation>
    </message>
    <message>
        <source>The token {} is outside the vocabulary, which ends with {}.</source>
        <translation>词元 {} 超出词表范围，词表止于 {}。</translation>
    </message>
    <message>
        <source>{} tokens do not fit into the context of {} tokens.</source>
        <translation>{} 个词元放不进 {} 个词元的上下文。</translation>
    </message>
    <message>
        <source>{} is no logit bias; write ID=VALUE.</source>
        <translation>{} 不是有效的 logit 偏置；请写成 ID=值。</translation>
    </message>
    <message>
        <source>The vocabulary of the model has no token to begin with; give a prompt that is not empty.</source>
        <translation>模型的词表没有起始词元；请给出非空的提示。</translation>
    </message>
    <message>
        <source>A piece of {} does not lie inside its file.</source>
        <translation>{} 的一个分片不在其文件之内。</translation>
    </message>
    <message>
        <source>The pieces of {} hold {} elements, but its shape {} needs {}.</source>
        <translation>{} 的各分片共有 {} 个元素，但其形状 {} 需要 {} 个。</translation>
    </message>
    <message>
        <source>The values of {} are computed from themselves.</source>
        <translation>{} 的值由其自身计算得出，形成循环。</translation>
    </message>
    <message>
        <source>The values of {} are computed from others in more than {} steps.</source>
        <translation>{} 的值由其他张量计算得出，但步骤超过 {} 层。</translation>
    </message>
    <message>
        <source>The values of {} are computed from {}, which the model does not hold.</source>
        <translation>{} 的值由 {} 计算得出，但模型中没有该张量。</translation>
    </message>
    <message>
        <source>The values of {} are computed from more than {} tensors.</source>
        <translation>{} 的值由超过 {} 个张量计算得出。</translation>
    </message>
    <message>
        <source>The strides of {} do not fit its type {} and shape {}.</source>
        <translation>{} 的步幅与其类型 {} 和形状 {} 不符。</translation>
    </message>
    <message>
        <source>The strides of {} lead out of its file.</source>
        <translation>{} 的步幅超出了其文件的范围。</translation>
    </message>
    <message>
        <source>The chat template of {} fails with {}: {}</source>
        <translation>{} 的对话模板出错（{}）：{}</translation>
    </message>
    <message>
        <source>The chat template of {} fails with {} in line {}: {}</source>
        <translation>{} 的对话模板出错（{}，第 {} 行）：{}</translation>
    </message>
    <message>
        <source>The chat template of {} is no text; get an intact copy.</source>
        <translation>{} 的对话模板不是文本；请获取完好的副本。</translation>
    </message>
    <message>
        <source>Rendering was cancelled.</source>
        <translation>渲染已取消。</translation>
    </message>
    <message>
        <source>{} is larger than such a file may be.</source>
        <translation>{} 超过此类文件允许的大小。</translation>
    </message>
    <message>
        <source>{} is no conversation: an object with &quot;messages&quot; in JSON is needed, or an array of such.</source>
        <translation>{} 不是对话：需要含有“messages”的 JSON 对象，或由这类对象组成的数组。</translation>
    </message>
    <message>
        <source>{} is too large to be read as one text.</source>
        <translation>{} 太大，无法作为一段文本读取。</translation>
    </message>
    <message>
        <source>The standard input is no JSON array of texts.</source>
        <translation>标准输入不是由文本组成的 JSON 数组。</translation>
    </message>
    <message>
        <source>{} has no token {}; its ids end at {}.</source>
        <translation>{} 没有词元 {}；其编号到 {} 为止。</translation>
    </message>
    <message>
        <source>The plan could not be saved to {}.</source>
        <translation>无法将方案保存到 {}。</translation>
    </message>
    <message>
        <source>Caches and state: the file does not say the model&apos;s layers.</source>
        <translation>缓存与状态：文件没有说明模型的层。</translation>
    </message>
    <message>
        <source>Buffers of the architecture {}, which were never compared.</source>
        <translation>架构 {} 的缓冲区，从未与实际运行比较过。</translation>
    </message>
    <message>
        <source>Buffers of the computation: the file does not say enough of the layers.</source>
        <translation>计算缓冲区：文件对各层的说明不足。</translation>
    </message>
    <message>
        <source>Logits: the file does not say its vocabulary.</source>
        <translation>Logits：文件没有说明词表大小。</translation>
    </message>
    <message>
        <source>The layers that predict further tokens, which are not loaded unless asked for.</source>
        <translation>预测后续词元的层，除非要求，否则不加载。</translation>
    </message>
    <message>
        <source>What the driver of the graphics device takes, and its scratch memory at run time.</source>
        <translation>图形设备驱动占用的内存，以及运行时的临时内存。</translation>
    </message>
    <message>
        <source>The buffers of a device that has part of the layers: plans differ from the formula by up to nine tenths.</source>
        <translation>只承担部分层的设备的缓冲区：实际规划与公式最多相差九成。</translation>
    </message>
    <message>
        <source>Scores of attention above 1 GiB or of quantized keys without flash attention: the device may count them twice or leave them to main memory.</source>
        <translation>不用 flash attention 时，超过 1 GiB 的注意力分数或量化的 K：设备可能占用两份，也可能放到主内存。</translation>
    </message>
    <message>
        <source>{} with these settings needs more bytes than can be counted; its numbers cannot be true.</source>
        <translation>{} 在这些设置下需要的字节数多到无法计数；它的数字不可能是真的。</translation>
    </message>
    <message>
        <source>{} parameters × {} bits on average / 8, as stored</source>
        <translation>{} 个参数 × 平均 {} 位 / 8，按文件中的类型</translation>
    </message>
    <message>
        <source>{} parameters × {} bits on average / 8, as {}</source>
        <translation>{} 个参数 × 平均 {} 位 / 8，类型 {}</translation>
    </message>
    <message>
        <source>the last {} of {} blocks and the output</source>
        <translation>最后 {} 个块（共 {} 个）和输出层</translation>
    </message>
    <message>
        <source>the token embeddings and the first {} of {} blocks</source>
        <translation>词嵌入和前 {} 个块（共 {} 个）</translation>
    </message>
    <message>
        <source>{} layers × {} cells × {} elements × {} bytes ({})</source>
        <translation>{} 层 × {} 个单元 × {} 个元素 × {} 字节（{}）</translation>
    </message>
    <message>
        <source>feed-forward at its highest: {} tokens × {} elements × 4 bytes</source>
        <translation>前馈网络峰值：{} 个词元 × {} 个元素 × 4 字节</translation>
    </message>
    <message>
        <source>experts at their highest: {} tokens × {} elements × 4 bytes</source>
        <translation>专家峰值：{} 个词元 × {} 个元素 × 4 字节</translation>
    </message>
    <message>
        <source>latent attention at its highest: {} tokens × {} elements × 4 bytes</source>
        <translation>潜在注意力峰值：{} 个词元 × {} 个元素 × 4 字节</translation>
    </message>
    <message>
        <source>state space at its highest: {} tokens × {} elements × 4 bytes</source>
        <translation>状态空间峰值：{} 个词元 × {} 个元素 × 4 字节</translation>
    </message>
    <message>
        <source>time mixing at its highest: {} tokens × {} elements × 4 bytes</source>
        <translation>时间混合峰值：{} 个词元 × {} 个元素 × 4 字节</translation>
    </message>
    <message>
        <source>scores of attention: {} tokens × {} elements × 4 bytes</source>
        <translation>注意力分数：{} 个词元 × {} 个元素 × 4 字节</translation>
    </message>
    <message>
        <source>logits at their highest: {} rows × {} elements × 4 bytes</source>
        <translation>logits 峰值：{} 行 × {} 个元素 × 4 字节</translation>
    </message>
    <message>
        <source>mask of attention: {} tokens × {} cells × {} bytes</source>
        <translation>注意力掩码：{} 个词元 × {} 个单元 × {} 字节</translation>
    </message>
    <message>
        <source>{} bytes beside them</source>
        <translation>另外 {} 字节</translation>
    </message>
    <message>
        <source>inputs: {} tokens × {} elements × 8 bytes</source>
        <translation>输入：{} 个词元 × {} 个元素 × 8 字节</translation>
    </message>
    <message>
        <source>mask and indices: {} bytes</source>
        <translation>掩码与索引：{} 字节</translation>
    </message>
    <message>
        <source>{} tokens of the vocabulary × 4 bytes × {} slots</source>
        <translation>词表 {} 个词元 × 4 字节 × {} 个会话槽</translation>
    </message>
    <message>
        <source>A weight takes {} bits instead of {}: blocks carry scales, and some tensors have better types.</source>
        <translation>一个权重占 {} 位而不是 {} 位：每块带有缩放系数，部分张量用了更好的类型。</translation>
    </message>
    <message>
        <source>The rule knows no context: the cache of {} tokens takes {}, {} bytes for each further token.</source>
        <translation>经验法则不考虑上下文：{} 个词元的缓存占 {}，每多一个词元再加 {} 字节。</translation>
    </message>
    <message>
        <source>Recurrent layers keep {} whatever the context.</source>
        <translation>循环层保存 {}，与上下文长度无关。</translation>
    </message>
    <message>
        <source>Buffers and logits take {}, which depends on how many tokens are computed at once, not on the weights.</source>
        <translation>缓冲区和 logits 占 {}，取决于一次计算多少词元，与权重无关。</translation>
    </message>
    <message>
        <source>The embeddings are the output too, and lie in both memories: {} more.</source>
        <translation>词嵌入同时是输出层，两边内存各有一份：多 {}。</translation>
    </message>
    <message>
        <source>The {} must be between 1 and {}, not {}.</source>
        <translation>{} 必须在 1 到 {} 之间，不能是 {}。</translation>
    </message>
    <message>
        <source>The {} of this model&apos;s cache have rows of {} elements, which {} cannot hold; choose f16.</source>
        <translation>此模型缓存的 {} 每行 {} 个元素，{} 无法存放；请选择 f16。</translation>
    </message>
    <message>
        <source>{} slots cannot share {} tokens of context; choose fewer slots or a longer context.</source>
        <translation>{} 个会话槽无法分用 {} 个词元的上下文；请减少会话槽或加长上下文。</translation>
    </message>
    <message>
        <source>Values of the cache can be stored as {} with flash attention only; choose f16 or turn it on.</source>
        <translation>缓存的 V 只有在开启 flash attention 时才能存为 {}；请选择 f16 或将其开启。</translation>
    </message>
    <message>
        <source>A size says nothing of the layers; they are taken to be those of {} ({} parameters), and the verdicts allow for 10 %.</source>
        <translation>仅凭大小无法得知各层；这里按 {}（{} 个参数）的层计算，判断时留出 10 % 的余量。</translation>
    </message>
    <message>
        <source>{} is no file, no size such as 7B, 8x7B or 235B-A22B, and no model known by name; give a path or a size.</source>
        <translation>{} 既不是文件，也不是 7B、8x7B、235B-A22B 这样的大小，也不是已知的模型名；请给出路径或大小。</translation>
    </message>
    <message>
        <source>{} has neither tensors nor layers that could be counted; choose a model file, a folder or a config.json.</source>
        <translation>{} 既没有可计数的张量，也没有可计数的层；请选择模型文件、文件夹或 config.json。</translation>
    </message>
    <message>
        <source>The tensors of this model are not those of a plain transformer; its weights are counted as stored, and no other types are offered.</source>
        <translation>此模型的张量不同于普通 Transformer；权重按文件中的类型计算，不提供其他类型。</translation>
    </message>
    <message>
        <source>Which types the tensors of {} would get is not known; only its weights as stored can be counted.</source>
        <translation>无法得知 {} 的张量会得到什么类型；只能按文件中的权重计算。</translation>
    </message>
    <message>
        <source>{} says nothing about the model&apos;s layers; open a GGUF file, a folder with config.json or a config.json.</source>
        <translation>{} 没有说明模型的层；请打开 GGUF 文件、带 config.json 的文件夹或 config.json。</translation>
    </message>
    <message>
        <source>The layers are those of {} ({} parameters).</source>
        <translation>各层与 {}（{} 个参数）相同。</translation>
    </message>
    <message>
        <source>{} is no JSON object; choose the config.json of a model.</source>
        <translation>{} 不是 JSON 对象；请选择模型的 config.json。</translation>
    </message>
    <message>
        <source>{} in config.json is not a number that a GGUF file can hold.</source>
        <translation>config.json 中的 {} 不是 GGUF 文件能保存的数字。</translation>
    </message>
    <message>
        <source>config.json lacks {}, which models of the family {} state.</source>
        <translation>config.json 缺少 {}，而 {} 系列的模型都会给出它。</translation>
    </message>
    <message>
        <source>RoPE scaling of the type {} cannot be written; the new file works up to the context that the model was trained with.</source>
        <translation>无法写入 {} 类型的 RoPE 缩放；新文件只能用到模型训练时的上下文长度。</translation>
    </message>
    <message>
        <source>{} holds values that are not finite, which {} cannot store.</source>
        <translation>{} 含有非有限数值，{} 无法保存。</translation>
    </message>
    <message>
        <source>config.json names no model class under &quot;architectures&quot;; known are {}.</source>
        <translation>config.json 的 &quot;architectures&quot; 没有给出模型类；已知的有 {}。</translation>
    </message>
    <message>
        <source>The weights are quantized already ({}), which cannot be converted yet.</source>
        <translation>权重已经量化（{}），目前还不能转换。</translation>
    </message>
    <message>
        <source>config.json describes a model without layers or without attention heads.</source>
        <translation>config.json 描述的模型没有层或没有注意力头。</translation>
    </message>
    <message>
        <source>{} values of {} are beyond the range of {} and became infinite.</source>
        <translation>有 {} 个值（{}）超出 {} 的范围，已变为无穷大。</translation>
    </message>
    <message>
        <source>{} is not a SentencePiece model, or it is damaged.</source>
        <translation>{} 不是 SentencePiece 模型，或者已损坏。</translation>
    </message>
    <message>
        <source>{} has more than {} pieces.</source>
        <translation>{} 的词片超过 {} 个。</translation>
    </message>
    <message>
        <source>{} has {} bytes, more than such a file can have.</source>
        <translation>{} 有 {} 字节，超过这类文件的上限。</translation>
    </message>
    <message>
        <source>{} is not a JSON object.</source>
        <translation>{} 不是 JSON 对象。</translation>
    </message>
    <message>
        <source>{} is not a Hugging Face folder with config.json and safetensors, which is what can be converted so far.</source>
        <translation>{} 不是含有 config.json 和 safetensors 的 Hugging Face 文件夹，目前只能转换这种文件夹。</translation>
    </message>
    <message>
        <source>The tensor {} is none that models of the family {} have, so the folder cannot be converted.</source>
        <translation>张量 {} 不属于 {} 系列的模型，因此无法转换该文件夹。</translation>
    </message>
    <message>
        <source>The values of {} are of the type {}, which cannot be converted.</source>
        <translation>{} 的值是 {} 类型，无法转换。</translation>
    </message>
    <message>
        <source>The tensor {} is too large for one file.</source>
        <translation>张量 {} 太大，一个文件放不下。</translation>
    </message>
    <message>
        <source>The tensor {} has the shape {}, but config.json asks for [{}].</source>
        <translation>张量 {} 的形状是 {}，而 config.json 要求 [{}]。</translation>
    </message>
    <message>
        <source>The tensor {} is missing, which models of the family {} have.</source>
        <translation>缺少张量 {}，而 {} 系列的模型都有它。</translation>
    </message>
    <message>
        <source>{} lists more than {} tokens or merges.</source>
        <translation>{} 列出的词元或合并规则超过 {} 个。</translation>
    </message>
    <message>
        <source>{} is not a tokenizer of the tokenizers library, or it is damaged.</source>
        <translation>{} 不是 tokenizers 库的分词器，或者已损坏。</translation>
    </message>
    <message>
        <source>The pre-tokenizer of tokenizer.json is of a kind that is not known; choose one that cuts text the same way.</source>
        <translation>tokenizer.json 的预分词器种类未知；请选择切分方式相同的预分词器。</translation>
    </message>
    <message>
        <source>tokenizer.json cuts text by a rule that is not known; choose the pre-tokenizer of a model that cuts it the same way, such as llama-bpe, qwen2 or gpt-2.</source>
        <translation>tokenizer.json 切分文本的规则未知；请选择切分方式相同的模型的预分词器，例如 llama-bpe、qwen2 或 gpt-2。</translation>
    </message>
    <message>
        <source>The ids of tokenizer.json do not fit into the vocabulary of {} tokens that config.json states.</source>
        <translation>tokenizer.json 的编号超出 config.json 给出的 {} 个词元的词表。</translation>
    </message>
    <message>
        <source>tokenizer.json holds a {} vocabulary; so far only BPE can be converted.</source>
        <translation>tokenizer.json 的词表是 {} 类型；目前只能转换 BPE。</translation>
    </message>
    <message>
        <source>config.json states a vocabulary of {} tokens; at most {} can be converted.</source>
        <translation>config.json 给出的词表有 {} 个词元；最多能转换 {} 个。</translation>
    </message>
    <message>
        <source>The folder has neither tokenizer.model nor tokenizer.json, so there is no vocabulary to convert.</source>
        <translation>文件夹中既没有 tokenizer.model 也没有 tokenizer.json，因此没有可转换的词表。</translation>
    </message>
    <message>
        <source>--type and --outtype choose types by different rules; give one of them.</source>
        <translation>--type 和 --outtype 按不同规则选择类型；请只给出其中一个。</translation>
    </message>
    <message>
        <source>{} is a zip archive of {} members; at most {} are read.</source>
        <translation>{} 是含 {} 个成员的 zip 归档；最多读取 {} 个。</translation>
    </message>
    <message>
        <source>{} is a zip archive with a directory of {} bytes; at most {} are read.</source>
        <translation>{} 是目录长 {} 字节的 zip 归档；最多读取 {} 字节。</translation>
    </message>
    <message>
        <source>{}: the directory promises {} members and breaks off after {}.</source>
        <translation>{}：目录声称有 {} 个成员，但在第 {} 个之后中断。</translation>
    </message>
    <message>
        <source>{}: the member {} lies outside the archive; it cannot be read.</source>
        <translation>{}：成员 {} 位于归档之外，无法读取。</translation>
    </message>
    <message>
        <source>{} is one part of a zip archive in several files; join them with the program that divided them.</source>
        <translation>{} 是分卷 zip 归档的一部分；请用当初分卷的程序将各部分合并。</translation>
    </message>
    <message>
        <source>{}: the member {} has {} bytes packed and {} unpacked in the directory, {} and {} in its own header.</source>
        <translation>{}：目录中成员 {} 压缩后为 {} 字节、解压后为 {} 字节，而其自身头部记为 {} 和 {}。</translation>
    </message>
    <message>
        <source>{}: the checksum of the member {} is {} in the directory and {} in its own header.</source>
        <translation>{}：成员 {} 的校验和在目录中为 {}，在其自身头部中为 {}。</translation>
    </message>
    <message>
        <source>{}: the member {} is called {} in its own header; programs differ in which name they believe.</source>
        <translation>{}：成员 {} 在其自身头部中名为 {}；不同程序采信的名称不同。</translation>
    </message>
    <message>
        <source>{}: the member {} is packed with method {} in the directory and {} in its own header.</source>
        <translation>{}：成员 {} 的压缩方法在目录中为 {}，在其自身头部中为 {}。</translation>
    </message>
    <message>
        <source>{}: the member {} has the flags {} in the directory and {} in its own header.</source>
        <translation>{}：成员 {} 的标志在目录中为 {}，在其自身头部中为 {}。</translation>
    </message>
    <message>
        <source>{}: the flags of the member {} ({}) say that it is encrypted or patched; some loaders refuse it, PyTorch does not look.</source>
        <translation>{}：成员 {} 的标志（{}）表明它已加密或打过补丁；有些加载程序会拒绝，PyTorch 则不检查。</translation>
    </message>
    <message>
        <source>{} has more than one directory of a zip archive; programs differ in which one they read.</source>
        <translation>{} 含有多个 zip 归档目录；不同程序读取的目录不同。</translation>
    </message>
    <message>
        <source>{}: the two records at the end of the zip archive contradict each other.</source>
        <translation>{}：zip 归档末尾的两条记录互相矛盾。</translation>
    </message>
    <message>
        <source>{}: {} bytes stand before the zip archive.</source>
        <translation>{}：zip 归档之前有 {} 字节。</translation>
    </message>
    <message>
        <source>{}: {} bytes follow the zip archive.</source>
        <translation>{}：zip 归档之后有 {} 字节。</translation>
    </message>
    <message>
        <source>{}: two members are called {}; programs differ in which one they read.</source>
        <translation>{}：有两个成员都名为 {}；不同程序读取的成员不同。</translation>
    </message>
    <message>
        <source>{}: the names {} and {} differ only by case; programs differ in which one they read.</source>
        <translation>{}：名称 {} 与 {} 仅大小写不同；不同程序读取的成员不同。</translation>
    </message>
    <message>
        <source>{}: the name {} leads out of the folder that the archive is unpacked into.</source>
        <translation>{}：名称 {} 会指向解压目标文件夹之外。</translation>
    </message>
    <message>
        <source>{}: the members {} and {} share bytes; no honest program writes that.</source>
        <translation>{}：成员 {} 与 {} 共用字节；正常程序不会这样写。</translation>
    </message>
    <message>
        <source>{}: the bytes {} to {} belong to no member.</source>
        <translation>{}：字节 {} 到 {} 不属于任何成员。</translation>
    </message>
    <message>
        <source>{}: the member {} cannot be unpacked; its data are damaged.</source>
        <translation>{}：成员 {} 无法解压；其数据已损坏。</translation>
    </message>
    <message>
        <source>{}: the member {} of {} bytes would have {} unpacked; that is more than is read.</source>
        <translation>{}：成员 {} 有 {} 字节，解压后将达 {} 字节，超出可读取的上限。</translation>
    </message>
    <message>
        <source>{}: the checksum of the member {} does not match its content.</source>
        <translation>{}：成员 {} 的校验和与其内容不符。</translation>
    </message>
    <message>
        <source>{} begins like a zip archive but has no directory at its end; it is cut short, get a complete copy.</source>
        <translation>{} 的开头像 zip 归档，但末尾没有目录；文件不完整，请获取完整副本。</translation>
    </message>
    <message>
        <source>{} has no file {} at this revision; look at its list of files.</source>
        <translation>{} 在此版本中没有文件 {}；请查看其文件列表。</translation>
    </message>
    <message>
        <source>{} has no such branch, tag or commit; leave @revision away for its main branch.</source>
        <translation>{} 没有这个分支、标签或提交；去掉 @revision 即使用其主分支。</translation>
    </message>
    <message>
        <source>{} was not found on {}, or your token may not see it; check the name.</source>
        <translation>找不到 {}：{} 上没有它，或者你的令牌无权查看；请检查名称。</translation>
    </message>
    <message>
        <source>{} was not found on {}, or it is not visible without a token; check the name, or log in.</source>
        <translation>找不到 {}：{} 上没有它，或者没有令牌就看不到它；请检查名称或登录。</translation>
    </message>
    <message>
        <source>{} is given only to people who accept its terms; open {}, accept them, set your token and try again.</source>
        <translation>{} 只提供给接受其条款的人；请打开 {}，接受条款，设置令牌后重试。</translation>
    </message>
    <message>
        <source>{} refuses the token; it has expired, was revoked or is mistyped.</source>
        <translation>{} 拒绝该令牌；它已过期、被撤销或输入有误。</translation>
    </message>
    <message>
        <source>{} was switched off by the hub and cannot be read.</source>
        <translation>{} 已被模型站停用，无法读取。</translation>
    </message>
    <message>
        <source>{} does not let {} be read: {}</source>
        <translation>{} 不允许读取 {}：{}</translation>
    </message>
    <message>
        <source>{} answered with a web page instead of data; a login page of your network may stand in between: open it in a browser.</source>
        <translation>{} 返回的是网页而不是数据；中间可能有你所在网络的登录页面：请在浏览器中打开它。</translation>
    </message>
    <message>
        <source>{} gave an answer that cannot be read ({}); try again later.</source>
        <translation>{} 的应答无法读取（{}）；请稍后再试。</translation>
    </message>
    <message>
        <source>{} gave an answer that is too large to be one page; ask for less.</source>
        <translation>{} 的应答过大，不可能是一页；请缩小请求范围。</translation>
    </message>
    <message>
        <source>{} refuses the request: {}</source>
        <translation>{} 拒绝该请求：{}</translation>
    </message>
    <message>
        <source>{} is refused: the hub gives it no possible size.</source>
        <translation>{} 被拒绝：模型站给出的大小不可能成立。</translation>
    </message>
    <message>
        <source>{} gives a list that does not end; it was given up.</source>
        <translation>{} 给出的列表没有尽头；已放弃。</translation>
    </message>
    <message>
        <source>{} sends from one address to the next without an end; try again later.</source>
        <translation>{} 不停地从一个地址转到下一个地址；请稍后再试。</translation>
    </message>
    <message>
        <source>{} is not asked, because this program is told to stay offline.</source>
        <translation>没有访问 {}，因为本程序被要求保持离线。</translation>
    </message>
    <message>
        <source>{} does not answer itself but sends to another hub; set the endpoint to that hub to go on there.</source>
        <translation>{} 自己不应答，而是转到另一个模型站；如要在那里继续，请把端点设为那个站。</translation>
    </message>
    <message>
        <source>{} is refused: the name is too long or too deep.</source>
        <translation>{} 被拒绝：名称过长或层级过深。</translation>
    </message>
    <message>
        <source>{} is refused: the name holds characters that hide what it is.</source>
        <translation>{} 被拒绝：名称中含有掩盖其真实面目的字符。</translation>
    </message>
    <message>
        <source>{} is refused: the name leads out of the folder or is not safe on every system.</source>
        <translation>{} 被拒绝：名称指向文件夹之外，或者并非在所有系统上都安全。</translation>
    </message>
    <message>
        <source>{} is refused: the name belongs to files that other programs trust.</source>
        <translation>{} 被拒绝：该名称属于其他程序所信任的文件。</translation>
    </message>
    <message>
        <source>{} is refused: another file of the repository has the same name where case does not count.</source>
        <translation>{} 被拒绝：在不区分大小写时，仓库中另一个文件与它同名。</translation>
    </message>
    <message>
        <source>{} gave an answer of a shape that this program does not know; it may not be a hub.</source>
        <translation>{} 的应答格式本程序不认识；它可能不是模型站。</translation>
    </message>
    <message>
        <source>{} is no id of a hub; it has the form hf:owner/name or ms:owner/name, with @revision behind it where one is meant.</source>
        <translation>{} 不是模型站的标识；其形式为 hf:所有者/名称 或 ms:所有者/名称，需要指定版本时在后面加 @版本。</translation>
    </message>
    <message>
        <source>{} is no address of a hub that this program goes to; it begins with https:// (http:// only on this machine) and has no password in it.</source>
        <translation>{} 不是本程序会访问的模型站地址；地址应以 https:// 开头（http:// 仅限本机），且不含密码。</translation>
    </message>
    <message>
        <source>{} was not found; check the connection to the internet and the address.</source>
        <translation>找不到 {}；请检查网络连接和地址。</translation>
    </message>
    <message>
        <source>{} does not accept connections; check the network, the proxy and the address, and try again.</source>
        <translation>{} 不接受连接；请检查网络、代理和地址后重试。</translation>
    </message>
    <message>
        <source>{} has no certificate that this machine trusts; a network that replaces certificates needs its own authority named (--ca).</source>
        <translation>{} 没有本机信任的证书；在会替换证书的网络中，需要指定该网络自己的证书颁发机构（--ca）。</translation>
    </message>
    <message>
        <source>The proxy on the way to {} refuses the connection; check its address and password.</source>
        <translation>通往 {} 的代理拒绝连接；请检查代理的地址和密码。</translation>
    </message>
    <message>
        <source>{} did not answer in time; try again later.</source>
        <translation>{} 没有及时应答；请稍后再试。</translation>
    </message>
    <message>
        <source>{} closed the connection before its answer was whole; try again.</source>
        <translation>{} 在应答完整之前关闭了连接；请重试。</translation>
    </message>
    <message>
        <source>{} gave an answer that is not valid HTTP; try again, or use another address.</source>
        <translation>{} 的应答不是有效的 HTTP；请重试，或改用其他地址。</translation>
    </message>
    <message>
        <source>The system gives no thread for the network; close other programs.</source>
        <translation>系统没有为网络提供线程；请关闭其他程序。</translation>
    </message>
    <message>
        <source>The proxy is no address; it has the form http://host:port or socks5://host:port.</source>
        <translation>代理不是有效地址；其形式为 http://主机:端口 或 socks5://主机:端口。</translation>
    </message>
    <message>
        <source>{} holds no certificate; it is a text file that begins with -----BEGIN CERTIFICATE-----.</source>
        <translation>{} 中没有证书；证书文件是以 -----BEGIN CERTIFICATE----- 开头的文本文件。</translation>
    </message>
    <message>
        <source>The SHA-1 checksum cannot be computed: OpenSSL refuses; check its installation.</source>
        <translation>无法计算 SHA-1 校验和：OpenSSL 拒绝计算；请检查其安装。</translation>
    </message>
    <message>
        <source>{} is no JSON object; download it again.</source>
        <translation>{} 不是 JSON 对象；请重新下载。</translation>
    </message>
    <message>
        <source>The manifest of {} is damaged; pull the model again with Ollama.</source>
        <translation>{} 的清单已损坏；请用 Ollama 重新拉取该模型。</translation>
    </message>
    <message>
        <source>{} has no model file here: it runs elsewhere, or was not fetched.</source>
        <translation>{} 在此没有模型文件：它在别处运行，或尚未下载。</translation>
    </message>
    <message>
        <source>{} stays: another model uses it.</source>
        <translation>保留 {}：另一个模型在使用它。</translation>
    </message>
    <message>
        <source>{} stays: other models of the cache may share it.</source>
        <translation>保留 {}：缓存中的其他模型可能共用它。</translation>
    </message>
    <message>
        <source>{} stays: another revision needs it.</source>
        <translation>保留 {}：另一个版本需要它。</translation>
    </message>
    <message>
        <source>{} cannot be removed ({}); check the permissions of its folder.</source>
        <translation>无法移除 {}（{}）；请检查其文件夹的权限。</translation>
    </message>
    <message>
        <source>{} is no model of the library; wb library lists them.</source>
        <translation>{} 不是模型库中的模型；wb library 会列出它们。</translation>
    </message>
    <message>
        <source>{} is not there; connect its disk, or remove the folder from the library.</source>
        <translation>{} 不存在；请连接其磁盘，或将该文件夹从模型库中移除。</translation>
    </message>
    <message>
        <source>{} holds more than {} files; the rest is not listed. Choose a folder further in.</source>
        <translation>{} 含有超过 {} 个文件；其余的未列出。请选择更里层的文件夹。</translation>
    </message>
    <message>
        <source>{} lies more than {} folders deep and is not listed.</source>
        <translation>{} 位于超过 {} 层的文件夹中，未列出。</translation>
    </message>
    <message>
        <source>{} is a link out of its folder and is not followed; add the folder it leads to.</source>
        <translation>{} 是指向其文件夹之外的链接，不会跟随；请添加它所指向的文件夹。</translation>
    </message>
    <message>
        <source>{} in config.json is neither true nor false.</source>
        <translation>config.json 中的 {} 既不是 true 也不是 false。</translation>
    </message>
    <message>
        <source>The folder is of the class {}, whose {} cannot be converted yet.</source>
        <translation>该文件夹的模型类是 {}，其中的 {} 目前还不能转换。</translation>
    </message>
    <message>
        <source>The folder is of the class {}, which cannot be converted yet; the nearest known are {}.</source>
        <translation>该文件夹的模型类是 {}，目前还不能转换；最接近的已知类有 {}。</translation>
    </message>
    <message>
        <source>{} tensors of the parts for images and sound are left out, {} among them; the new file is of the text model alone.</source>
        <translation>图像和声音部分的 {} 个张量被略去，其中包括 {}；新文件只包含文本模型。</translation>
    </message>
    <message>
        <source>{} in config.json is not a part of a head between 0 and 1.</source>
        <translation>config.json 中的 {} 不是 0 到 1 之间的注意力头比例。</translation>
    </message>
    <message>
        <source>The tensor {} holds blocks whose scales are missing.</source>
        <translation>张量 {} 存放的块缺少对应的缩放系数。</translation>
    </message>
    <message>
        <source>The blocks of {} and their scales are not of the shape that config.json asks for.</source>
        <translation>{} 的块及其缩放系数的形状与 config.json 的要求不符。</translation>
    </message>
    <message>
        <source>The tensor {} is of an expert or head beyond the {} of config.json, or stands there twice.</source>
        <translation>张量 {} 所属的专家或注意力头超出了 config.json 所述的 {} 个，或者重复出现。</translation>
    </message>
    <message>
        <source>The tensor {} has another type or shape than that of the first expert or head.</source>
        <translation>张量 {} 的类型或形状与第一个专家或注意力头的不同。</translation>
    </message>
    <message>
        <source>The tensor {} of shape {} is not stored in a way that can be converted.</source>
        <translation>张量 {}（形状 {}）的存储方式无法转换。</translation>
    </message>
    <message>
        <source>A tensor of this kind cannot be sent.</source>
        <translation>无法传送此类张量。</translation>
    </message>
    <message>
        <source>The process that read {} answered nonsense; the file may be made to deceive programs.</source>
        <translation>读取 {} 的进程返回了无意义的内容；该文件可能被用来欺骗程序。</translation>
    </message>
    <message>
        <source>The process that reads such files apart from this program cannot be started: {}.</source>
        <translation>无法启动在本程序之外读取此类文件的进程：{}。</translation>
    </message>
    <message>
        <source>Such files are read by a process of the program wb, which is not beside this program; install it there.</source>
        <translation>此类文件由 wb 程序的进程读取，但它不在本程序旁边；请将其安装在同一位置。</translation>
    </message>
    <message>
        <source>The process that read {} took too long and was ended; the file may be made to stop programs.</source>
        <translation>读取 {} 的进程耗时过长，已被终止；该文件可能被用来使程序停滞。</translation>
    </message>
    <message>
        <source>The process that read {} ended unexpectedly; the file may be damaged or made to attack programs.</source>
        <translation>读取 {} 的进程意外结束；该文件可能已损坏，或被用来攻击程序。</translation>
    </message>
    <message>
        <source>On this system files are taken apart in a process of their own, which the system keeps from using more memory and time than it may but not from opening other files.</source>
        <translation>在此系统上，文件在单独的进程中解析；系统会限制该进程的内存和时间，但不会阻止它打开其他文件。</translation>
    </message>
    <message>
        <source>The reader process does not know its work; both programs of Weighbridge must be of the same version.</source>
        <translation>读取进程不认识交给它的任务；Weighbridge 的两个程序必须是同一版本。</translation>
    </message>
    <message>
        <source>No Vulkan device of this machine can draw; the processor draws the plots.</source>
        <translation>这台机器上没有能绘图的 Vulkan 设备；图表由处理器绘制。</translation>
    </message>
    <message>
        <source>The types or shapes of the parts of {} do not fit its scheme ({}), so only the parts are listed.</source>
        <translation>{} 各部分的类型或形状与其方案（{}）不符，因此只列出这些部分。</translation>
    </message>
    <message>
        <source>{} more problems of the same kind ({}).</source>
        <translation>另有 {} 个同类问题（{}）。</translation>
    </message>
    <message>
        <source>{} names a group that has no scale.</source>
        <translation>{} 指向一个没有缩放因子的组。</translation>
    </message>
    <message>
        <source>The configuration says {} bits, but by its shape {} has {} bits a weight.</source>
        <translation>配置写的是 {} 位，但按形状 {} 每个权重为 {} 位。</translation>
    </message>
    <message>
        <source>{} of the zero points of {} are stored as {}: it is read as 0 here, but some programs take it for {}.</source>
        <translation>有 {} 个零点（属于 {}）存为 {}：此处读作 0，但有些程序将其当作 {}。</translation>
    </message>
    <message>
        <source>The parts of the weight that {} belongs to are not those that were found when the model was opened.</source>
        <translation>{} 所属权重的各部分与打开模型时找到的不同。</translation>
    </message>
    <message>
        <source>The weights are quantized as {}, which this program does not decode; their parts are listed as they are stored.</source>
        <translation>权重以 {} 方式量化，本程序无法解码；其各部分按存储原样列出。</translation>
    </message>
    <message>
        <source>No configuration names the scheme of the quantized weights; it was inferred from the names, types and shapes of their parts.</source>
        <translation>没有配置说明量化权重的方案；该方案是根据各部分的名称、类型和形状推断的。</translation>
    </message>
    <message>
        <source>{} is not a matrix stored in one piece, so it cannot be read column by column.</source>
        <translation>{} 不是连续存储的矩阵，因此无法按列读取。</translation>
    </message>
    <message>
        <source>The name of {} is not valid text; rename the folder and add it again.</source>
        <translation>{} 的名称不是有效文本；请重命名该文件夹后再添加。</translation>
    </message>
    <message>
        <source>{} cannot be moved to the trash; check its permissions, or delete it with a file manager.</source>
        <translation>无法将 {} 移到回收站；请检查其权限，或用文件管理器删除。</translation>
    </message>
    <message>
        <source>{} was written by a newer version of this program; use that one.</source>
        <translation>{} 由本程序的较新版本写入；请使用该版本。</translation>
    </message>
    <message>
        <source>This conversation is not there any more.</source>
        <translation>此对话已不存在。</translation>
    </message>
    <message>
        <source>{} is damaged.</source>
        <translation>{} 已损坏。</translation>
    </message>
    <message>
        <source>{} is damaged and could not be set aside; see whether its folder is writable.</source>
        <translation>{} 已损坏，且无法移到一旁；请检查其文件夹是否可写。</translation>
    </message>
    <message>
        <source>The stored conversations were damaged: {} of them could be read, the damaged file is {}.</source>
        <translation>保存的对话已损坏：其中 {} 个可以读出，损坏的文件是 {}。</translation>
    </message>
    <message>
        <source>The disk is full, so {} could not be written; make space on it.</source>
        <translation>磁盘已满，无法写入 {}；请腾出空间。</translation>
    </message>
    <message>
        <source>{} could not be read or written; see whether its folder is writable.</source>
        <translation>无法读写 {}；请检查其文件夹是否可写。</translation>
    </message>
    <message>
        <source>The text has {} tokens; {} are needed, two windows of {}.</source>
        <translation>文本有 {} 个词元；需要 {} 个，即两个 {} 词元的窗口。</translation>
    </message>
    <message>
        <source>{} is no file of saved logits, or it is cut short; make it anew with --save-logits or llama-perplexity.</source>
        <translation>{} 不是保存的 logits 文件，或者文件不完整；请用 --save-logits 或 llama-perplexity 重新生成。</translation>
    </message>
    <message>
        <source>{} holds an array; an object with &quot;messages&quot; is needed here.</source>
        <translation>{} 包含一个数组；这里需要带有 &quot;messages&quot; 的对象。</translation>
    </message>
    <message>
        <source>{} is larger than a text may be here.</source>
        <translation>{} 超过了此处文本允许的大小。</translation>
    </message>
    <message>
        <source>{} was saved for a vocabulary of {} words, and the model has {}.</source>
        <translation>{} 是为 {} 个词的词表保存的，而模型有 {} 个。</translation>
    </message>
    <message>
        <source>{} was saved for another text than {}, or for another vocabulary.</source>
        <translation>{} 是为 {} 以外的文本保存的，或者使用了别的词表。</translation>
    </message>
    <message>
        <source>{} has {} tokens; {} are needed, two windows of {}.</source>
        <translation>{} 有 {} 个词元；需要 {} 个，即两个 {} 词元的窗口。</translation>
    </message>
    <message>
        <source>scores: {} sequences × {} heads × {}² tokens × {} bytes</source>
        <translation>注意力分数：{} 个序列 × {} 个头 × {}² 个词元 × {} 字节</translation>
    </message>
    <message>
        <source>checkpoints: {} layers × {} sequences × {} tokens × {} elements × {} bytes</source>
        <translation>检查点：{} 层 × {} 个序列 × {} 个词元 × {} 个元素 × {} 字节</translation>
    </message>
    <message>
        <source>one layer: {} sequences × {} tokens × {} elements × {} bytes</source>
        <translation>一层：{} 个序列 × {} 个词元 × {} 个元素 × {} 字节</translation>
    </message>
    <message>
        <source>all layers: {} sequences × {} tokens × {} elements × {} bytes</source>
        <translation>全部层：{} 个序列 × {} 个词元 × {} 个元素 × {} 字节</translation>
    </message>
    <message>
        <source>logits: {} sequences × {} tokens × {} words × {} bytes</source>
        <translation>logits：{} 个序列 × {} 个词元 × 词表 {} 项 × {} 字节</translation>
    </message>
    <message>
        <source>Store the weights as {}.</source>
        <translation>把权重存为 {}。</translation>
    </message>
    <message>
        <source>Weights become less exact: {} bits each.</source>
        <translation>权重精度降低：每个 {} 位。</translation>
    </message>
    <message>
        <source>Use flash attention.</source>
        <translation>使用 Flash Attention。</translation>
    </message>
    <message>
        <source>Nothing is lost.</source>
        <translation>没有损失。</translation>
    </message>
    <message>
        <source>Keep only the window in layers that have one.</source>
        <translation>带窗口的层只保留窗口内的词元。</translation>
    </message>
    <message>
        <source>A conversation cannot be cut back to an earlier turn without reading it again.</source>
        <translation>对话退回到较早的一轮时需要重新读取。</translation>
    </message>
    <message>
        <source>Compute {} tokens at once.</source>
        <translation>每次计算 {} 个词元。</translation>
    </message>
    <message>
        <source>Prompts are read more slowly.</source>
        <translation>读取提示词会变慢。</translation>
    </message>
    <message>
        <source>Serve one conversation at a time.</source>
        <translation>同一时间只进行一个对话。</translation>
    </message>
    <message>
        <source>Others wait.</source>
        <translation>其他对话需要等待。</translation>
    </message>
    <message>
        <source>Store the cache as q8_0.</source>
        <translation>把缓存存为 q8_0。</translation>
    </message>
    <message>
        <source>Hardly any loss was measured.</source>
        <translation>实测几乎没有损失。</translation>
    </message>
    <message>
        <source>Halve the context to {} tokens.</source>
        <translation>把上下文减半到 {} 个词元。</translation>
    </message>
    <message>
        <source>Conversations end earlier.</source>
        <translation>对话会更早用完上下文。</translation>
    </message>
    <message>
        <source>Leave half of the layers to the processor: {} on the graphics device.</source>
        <translation>把一半的层留给处理器：图形设备上保留 {} 层。</translation>
    </message>
    <message>
        <source>Answers come more slowly.</source>
        <translation>回答会变慢。</translation>
    </message>
    <message>
        <source>Compute the loss in chunks, as Liger and torchtune do.</source>
        <translation>像 Liger 和 torchtune 那样分块计算损失。</translation>
    </message>
    <message>
        <source>Use checkpointing.</source>
        <translation>使用激活检查点。</translation>
    </message>
    <message>
        <source>A step takes about a third longer.</source>
        <translation>每一步大约慢三分之一。</translation>
    </message>
    <message>
        <source>Let the reference of DPO share the base.</source>
        <translation>让 DPO 的参考模型共用基座。</translation>
    </message>
    <message>
        <source>Train one sequence at a time, and accumulate gradients over {} steps.</source>
        <translation>每次训练一个序列，并在 {} 步内累积梯度。</translation>
    </message>
    <message>
        <source>A step takes longer.</source>
        <translation>每一步更慢。</translation>
    </message>
    <message>
        <source>Keep the optimizer&apos;s states in 8 bits.</source>
        <translation>用 8 位保存优化器状态。</translation>
    </message>
    <message>
        <source>Use ZeRO stage {}.</source>
        <translation>使用 ZeRO 阶段 {}。</translation>
    </message>
    <message>
        <source>GPUs exchange more.</source>
        <translation>GPU 之间的通信增加。</translation>
    </message>
    <message>
        <source>Halve the rank to {}.</source>
        <translation>把秩减半到 {}。</translation>
    </message>
    <message>
        <source>The adapter can learn less.</source>
        <translation>适配器能学到的内容变少。</translation>
    </message>
    <message>
        <source>Halve the sequence to {} tokens.</source>
        <translation>把序列减半到 {} 个词元。</translation>
    </message>
    <message>
        <source>Longer texts are cut.</source>
        <translation>更长的文本会被截断。</translation>
    </message>
    <message>
        <source>Train the adapter over a base of 4 bits (QLoRA).</source>
        <translation>在 4 位基座上训练适配器（QLoRA）。</translation>
    </message>
    <message>
        <source>The base becomes less exact, and a step takes longer.</source>
        <translation>基座精度降低，每一步也更慢。</translation>
    </message>
    <message>
        <source>Train an adapter (LoRA) instead of all weights.</source>
        <translation>训练适配器（LoRA），而不是全部权重。</translation>
    </message>
    <message>
        <source>The model can change less.</source>
        <translation>模型能改变的范围变小。</translation>
    </message>
    <message>
        <source>{} has one type for keys and values, not {}.</source>
        <translation>{} 的键和值只能用同一种类型，不能是 {}。</translation>
    </message>
    <message>
        <source>{} has no cache of type {}; choose f16 or q8_0.</source>
        <translation>{} 没有类型为 {} 的缓存；请选择 f16 或 q8_0。</translation>
    </message>
    <message>
        <source>{} has one cache of type f16, q8_0 or q4_0 for keys and values, not {}.</source>
        <translation>{} 的键和值共用一种缓存类型：f16、q8_0 或 q4_0，不能是 {}。</translation>
    </message>
    <message>
        <source>{} trains models; choose how with {}.</source>
        <translation>{} 用来训练模型；请用 {} 选择训练方式。</translation>
    </message>
    <message>
        <source>{} does not train models; choose {}.</source>
        <translation>{} 不能训练模型；请选择 {}。</translation>
    </message>
    <message>
        <source>In a shape, {} must be tied=yes or tied=no.</source>
        <translation>形状中的 {} 必须是 tied=yes 或 tied=no。</translation>
    </message>
    <message>
        <source>In a shape, {} is no number that a model can have.</source>
        <translation>形状中的 {} 不是模型可能有的数值。</translation>
    </message>
    <message>
        <source>A shape has no part {}; write layers=, hidden=, heads=, kv-heads=, head=, ffn=, vocab=, context=, experts=, used= and tied=.</source>
        <translation>形状没有 {} 这一项；可以写 layers=、hidden=、heads=、kv-heads=、head=、ffn=、vocab=、context=、experts=、used= 和 tied=。</translation>
    </message>
    <message>
        <source>A shape needs its {}, at least 1.</source>
        <translation>形状必须给出 {}，至少为 1。</translation>
    </message>
    <message>
        <source>In a shape, {} must divide heads, and heads must not exceed hidden.</source>
        <translation>形状中的 {} 必须整除 heads，并且 heads 不能超过 hidden。</translation>
    </message>
    <message>
        <source>In a shape, {} must be between 1 and experts where there are experts, else 0.</source>
        <translation>形状中有专家时，{} 必须在 1 和 experts 之间，否则为 0。</translation>
    </message>
    <message>
        <source>Training {} cannot be estimated, because the tensors of its layers are not known; choose a GGUF file or a plain transformer.</source>
        <translation>无法估计训练 {} 所需的内存，因为不知道各层的张量；请选择 GGUF 文件或普通的 Transformer。</translation>
    </message>
    <message>
        <source>{} trained parameters × 4 bytes</source>
        <translation>{} 个训练参数 × 4 字节</translation>
    </message>
    <message>
        <source>what CUDA and PyTorch take themselves</source>
        <translation>CUDA 和 PyTorch 自身占用</translation>
    </message>
    <message>
        <source>the same for each of {} processes</source>
        <translation>{} 个进程各有一份</translation>
    </message>
    <message>
        <source>{} linear parameters × {} bytes with their scales</source>
        <translation>{} 个线性层参数 × {} 字节（含缩放因子）</translation>
    </message>
    <message>
        <source>{} others × 4 bytes</source>
        <translation>其余 {} 个 × 4 字节</translation>
    </message>
    <message>
        <source>{} linear parameters × 1 byte</source>
        <translation>{} 个线性层参数 × 1 字节</translation>
    </message>
    <message>
        <source>{} scales of rows × 4 bytes</source>
        <translation>{} 个行缩放因子 × 4 字节</translation>
    </message>
    <message>
        <source>{} parameters × {} bytes</source>
        <translation>{} 个参数 × {} 字节</translation>
    </message>
    <message>
        <source>and the same again for the reference of DPO</source>
        <translation>DPO 的参考模型再加同样的一份</translation>
    </message>
    <message>
        <source>{} trained parameters × {} bytes</source>
        <translation>{} 个训练参数 × {} 字节</translation>
    </message>
    <message>
        <source>states of {}: {} trained parameters × {} bytes</source>
        <translation>{} 的状态：{} 个训练参数 × {} 字节</translation>
    </message>
    <message>
        <source>weights in 32 bits: {} × 4 bytes</source>
        <translation>32 位权重：{} × 4 字节</translation>
    </message>
    <message>
        <source>{} buckets × {} elements × {} bytes</source>
        <translation>{} 个通信桶 × {} 个元素 × {} 字节</translation>
    </message>
    <message>
        <source>{} layers × {} parameters × {} bytes</source>
        <translation>{} 层 × {} 个参数 × {} 字节</translation>
    </message>
    <message>
        <source>{} % of {} that the allocator keeps</source>
        <translation>分配器另外保留 {} %，已分配 {}</translation>
    </message>
    <message>
        <source>Fused kernels and torch.compile, which need less.</source>
        <translation>融合内核和 torch.compile，它们需要的更少。</translation>
    </message>
    <message>
        <source>What routing of experts keeps: activations were compared with dense models only.</source>
        <translation>专家路由保留的内容：激活值只与稠密模型对照过。</translation>
    </message>
    <message>
        <source>What recurrent layers keep: activations were compared with transformers only.</source>
        <translation>循环层保留的内容：激活值只与 Transformer 对照过。</translation>
    </message>
    <message>
        <source>The buckets of data-parallel training without ZeRO.</source>
        <translation>不使用 ZeRO 的数据并行训练的通信桶。</translation>
    </message>
    <message>
        <source>That paged states may leave the device when memory is short: they are counted on it.</source>
        <translation>分页的状态在内存不足时可以移出设备；这里按在设备上计算。</translation>
    </message>
    <message>
        <source>{} has no {} tuning; only peft itself does.</source>
        <translation>{} 没有 {} 微调；只有 peft 自身支持。</translation>
    </message>
    <message>
        <source>{} does not know the optimizer {}; choose adamw, for instance.</source>
        <translation>{} 不认识优化器 {}；可以选择 adamw 等。</translation>
    </message>
    <message>
        <source>{} cannot take a {} reference of DPO from its settings; choose shared.</source>
        <translation>{} 的设置中无法使用 DPO 的 {} 参考方式；请选择 shared。</translation>
    </message>
    <message>
        <source>{} moves states and sums gradients in 32 bits with DeepSpeed only, but ZeRO has stage {}; choose 1, 2 or 3.</source>
        <translation>{} 只有通过 DeepSpeed 才能移出状态并以 32 位累加梯度，但 ZeRO 的阶段是 {}；请选择 1、2 或 3。</translation>
    </message>
    <message>
        <source>{} always quantizes the scales of {} again; choose double quantization.</source>
        <translation>{} 总是对 {} 的缩放因子再次量化；请选择双重量化。</translation>
    </message>
    <message>
        <source>less than {}, whatever the model</source>
        <translation>不论哪个模型都小于 {}</translation>
    </message>
    <message>
        <source>The rule knows no sequence: {} sequences of {} tokens keep {} for the way back.</source>
        <translation>经验法则不考虑序列：{} 个 {} 词元的序列要为反向传播保留 {}。</translation>
    </message>
    <message>
        <source>Adapters, their gradients and AdamW&apos;s states are kept in 32 bits: 16 bytes for each trained parameter, not 12.</source>
        <translation>适配器、其梯度和 AdamW 的状态都以 32 位保存：每个训练参数 16 字节，而不是 12 字节。</translation>
    </message>
    <message>
        <source>What is trained takes next to nothing; the frozen base takes {}, and the gradient travels through all of it.</source>
        <translation>训练的部分几乎不占内存；冻结的基座占 {}，梯度要穿过整个基座。</translation>
    </message>
    <message>
        <source>Without checkpointing every layer keeps its activations; with it only their borders are kept.</source>
        <translation>不用激活检查点时每一层都保留激活值；使用时只保留层与层的边界。</translation>
    </message>
    <message>
        <source>Without flash attention the scores of every head are stored.</source>
        <translation>不用 Flash Attention 时要保存每个头的注意力分数。</translation>
    </message>
    <message>
        <source>The optimizer {} keeps {} instead of AdamW&apos;s 8 bytes a parameter and 4 for the weights in 32 bits.</source>
        <translation>优化器 {} 保存 {}，而 AdamW 每个参数保存 8 字节，32 位权重另加 4 字节。</translation>
    </message>
    <message>
        <source>ZeRO shares weights, gradients and states, never activations, logits and the context of CUDA.</source>
        <translation>ZeRO 分摊权重、梯度和状态，从不分摊激活值、logits 和 CUDA 上下文。</translation>
    </message>
    <message>
        <source>The allocator keeps {} more, and CUDA with PyTorch {}.</source>
        <translation>分配器另外保留 {}，CUDA 和 PyTorch 占用 {}。</translation>
    </message>
    <message>
        <source>ZeRO has the stages 0 to 3, not {}.</source>
        <translation>ZeRO 只有 0 到 3 阶段，没有 {}。</translation>
    </message>
    <message>
        <source>Full training changes the weights, which {} cannot hold; choose bf16, fp16 or fp32, or train an adapter.</source>
        <translation>全参数训练会改变权重，而 {} 无法保存；请选择 bf16、fp16 或 fp32，或者训练适配器。</translation>
    </message>
    <message>
        <source>QLoRA needs a quantized base, not {}; choose nf4 or int8, or LoRA.</source>
        <translation>QLoRA 需要量化的基座，而不是 {}；请选择 nf4 或 int8，或者改用 LoRA。</translation>
    </message>
    <message>
        <source>Only the scales of nf4 are quantized again, and the base is {}.</source>
        <translation>只有 nf4 的缩放因子会再次量化，而基座是 {}。</translation>
    </message>
    <message>
        <source>DoRA belongs to adapters, and {} trains none.</source>
        <translation>DoRA 用于适配器，而 {} 不训练适配器。</translation>
    </message>
    <message>
        <source>The base can leave the device with ZeRO stage 3 only, not with stage {}; choose offload optimizer.</source>
        <translation>只有 ZeRO 阶段 3 才能把基座移出设备，阶段 {} 不行；请只移出优化器。</translation>
    </message>
    <message>
        <source>{} could not be written; choose another file.</source>
        <translation>{} 无法写入；请选择其他文件。</translation>
    </message>
    <message>
        <source>The checksum of a download cannot be computed: OpenSSL refuses; check its installation.</source>
        <translation>无法计算下载内容的校验和：OpenSSL 拒绝执行；请检查其安装。</translation>
    </message>
    <message>
        <source>{} exists already with other bytes; move it away, or choose another folder.</source>
        <translation>{} 已存在，但内容不同；请把它移走，或选择其他文件夹。</translation>
    </message>
    <message>
        <source>{} has other bytes than the hub says, twice over; try again later, or take it from another source.</source>
        <translation>{} 两次下载的内容都与模型站所说的不同；请稍后再试，或换一个来源。</translation>
    </message>
    <message>
        <source>{} is not the file that the hub lists; start it again to see what is there now.</source>
        <translation>{} 已不是模型站所列的文件；请重新开始，以查看现在的内容。</translation>
    </message>
    <message>
        <source>The disk became full while {} was downloaded; free some space and start it again, and it goes on where it stopped.</source>
        <translation>下载 {} 时磁盘已满；请腾出一些空间后重新开始，它会从停下的地方继续。</translation>
    </message>
    <message>
        <source>{} has another file there than when the download began; start it again to see what is there now.</source>
        <translation>{} 上的文件与下载开始时已不同；请重新开始，以查看现在的内容。</translation>
    </message>
    <message>
        <source>{} sends the file in another form than was asked for.</source>
        <translation>{} 发送文件的形式与所请求的不同。</translation>
    </message>
    <message>
        <source>{} sends other bytes than were asked for.</source>
        <translation>{} 发送的字节不是所请求的字节。</translation>
    </message>
    <message>
        <source>{} sends to an address that is not followed; use another endpoint, or try again later.</source>
        <translation>{} 转到一个不会跟随的地址；请改用其他端点，或稍后再试。</translation>
    </message>
    <message>
        <source>{} refuses the address that the hub gave for the file; try again later.</source>
        <translation>{} 拒绝模型站为该文件给出的地址；请稍后再试。</translation>
    </message>
    <message>
        <source>{} is a link, and downloads write through none; choose another folder.</source>
        <translation>{} 是一个链接，而下载不会经由链接写入；请选择其他文件夹。</translation>
    </message>
    <message>
        <source>No folder for models is known, because the environment names no home; choose one (--to DIR).</source>
        <translation>不知道模型文件夹在哪里，因为环境中没有主目录；请指定一个（--to DIR）。</translation>
    </message>
    <message>
        <source>{} is no speed; it has the form 5MB, in bytes a second.</source>
        <translation>{} 不是速度；其形式为 5MB，单位是字节每秒。</translation>
    </message>
    <message>
        <source>This build has no network; use one that was built with Qt.</source>
        <translation>此版本没有网络功能；请使用带 Qt 构建的版本。</translation>
    </message>
    <message>
        <source>{}: {} cannot be unpacked.</source>
        <translation>{}：无法解压 {}。</translation>
    </message>
    <message>
        <source>{}: {} is no NumPy array that this program can read.</source>
        <translation>{}：{} 不是本程序可读取的 NumPy 数组。</translation>
    </message>
    <message>
        <source>{}: {} holds Python objects in a pickle, which may run code when NumPy loads it; it is never loaded here.</source>
        <translation>{}：{} 以 pickle 存放 Python 对象，NumPy 加载时可能运行代码；本程序从不加载它。</translation>
    </message>
    <message>
        <source>{}: {} holds no numbers but elements of the type {}, so it has no tensor.</source>
        <translation>{}：{} 的元素不是数字而是 {} 类型，因此没有张量。</translation>
    </message>
    <message>
        <source>{}: {} has the shape {} but only {} bytes of elements.</source>
        <translation>{}：{} 的形状为 {}，但元素只有 {} 字节。</translation>
    </message>
    <message>
        <source>{}: {} bytes follow the elements of {}.</source>
        <translation>{}：有 {} 字节位于 {} 的元素之后。</translation>
    </message>
    <message>
        <source>{}: the elements of {} are two bytes without a type; they are read as BF16, as ml_dtypes writes it.</source>
        <translation>{}：{} 的元素是没有类型的两个字节；按 ml_dtypes 的写法读作 BF16。</translation>
    </message>
    <message>
        <source>{} begins like a NumPy array, but its header cannot be read.</source>
        <translation>{} 开头像 NumPy 数组，但其文件头无法读取。</translation>
    </message>
    <message>
        <source>{} is a NumPy array of the version {}.{}, which this program does not know.</source>
        <translation>{} 是版本 {}.{} 的 NumPy 数组，本程序不认识该版本。</translation>
    </message>
    <message>
        <source>{} says that its header has {} bytes; more than {} are not read.</source>
        <translation>{} 声称其文件头有 {} 字节；超过 {} 字节的不予读取。</translation>
    </message>
    <message>
        <source>{} does not unpack to the size that its archive names.</source>
        <translation>{} 解压后的大小与压缩包所写不符。</translation>
    </message>
    <message>
        <source>{} ends before what was to be read of it.</source>
        <translation>{} 在要读取的内容之前就结束了。</translation>
    </message>
    <message>
        <source>{} begins like an ONNX model but has no graph; get a complete copy.</source>
        <translation>{} 开头像 ONNX 模型，但没有计算图；请获取完整的副本。</translation>
    </message>
    <message>
        <source>{} holds more than {} tensors.</source>
        <translation>{} 含有超过 {} 个张量。</translation>
    </message>
    <message>
        <source>{} keeps its values in {} other files; at most {} are opened.</source>
        <translation>{} 的数值存放在另外 {} 个文件中；最多打开 {} 个。</translation>
    </message>
    <message>
        <source>{}: the values of {} cannot be read: {}.</source>
        <translation>{}：{} 的数值无法读取：{}。</translation>
    </message>
    <message>
        <source>{} is damaged: its protobuf message breaks off or is wrong before byte {} ({}).</source>
        <translation>{} 已损坏：其 protobuf 消息在第 {} 字节之前中断或有误（{}）。</translation>
    </message>
    <message>
        <source>{} nests its protobuf messages more than {} levels deep.</source>
        <translation>{} 的 protobuf 消息嵌套超过 {} 层。</translation>
    </message>
    <message>
        <source>{} holds a text of {} bytes where at most {} are read.</source>
        <translation>{} 含有 {} 字节的文本，而最多读取 {} 字节。</translation>
    </message>
    <message>
        <source>{} lists more than {} numbers in one place.</source>
        <translation>{} 在一处列出了超过 {} 个数字。</translation>
    </message>
    <message>
        <source>{} is a tar archive of more than {} members.</source>
        <translation>{} 是含有超过 {} 个成员的 tar 归档。</translation>
    </message>
    <message>
        <source>{}: the tar archive is damaged or cut short at byte {}.</source>
        <translation>{}：tar 归档在第 {} 字节处损坏或不完整。</translation>
    </message>
    <message>
        <source>{}: the member {} is a link or a device.</source>
        <translation>{}：成员 {} 是链接或设备。</translation>
    </message>
    <message>
        <source>{}: the list of tensors in {} is damaged or too long; not all of them are listed.</source>
        <translation>{}：{} 中的张量列表已损坏或过长；未全部列出。</translation>
    </message>
    <message>
        <source>{} is of the first form of torch.export, whose tensors this program does not list.</source>
        <translation>{} 采用 torch.export 的最初格式，本程序不列出其张量。</translation>
    </message>
    <message>
        <source>{}: {} is native code, which runs when the model is loaded.</source>
        <translation>{}：{} 是本机代码，加载模型时会运行。</translation>
    </message>
    <message>
        <source>{}: the storage {} is missing or of no known type; it and those after it cannot be read.</source>
        <translation>{}：存储 {} 缺失或类型未知；它及其后的存储无法读取。</translation>
    </message>
    <message>
        <source>{} is cut short: the storage {} and those after it are not complete.</source>
        <translation>{} 不完整：存储 {} 及其后的存储缺少数据。</translation>
    </message>
    <message>
        <source>{}: {} bytes follow the last storage.</source>
        <translation>{}：最后一个存储之后还有 {} 字节。</translation>
    </message>
    <message>
        <source>{} is cut short or damaged: its pickle number {} of {} makes no sense.</source>
        <translation>{} 不完整或已损坏：第 {} 个 pickle（共 {} 个）无法解读。</translation>
    </message>
    <message>
        <source>{}: the tensor {} has more dimensions or elements than can be counted; it is not listed.</source>
        <translation>{}：张量 {} 的维数或元素数超出可计数范围，未列出。</translation>
    </message>
    <message>
        <source>{}: the tensor {} reaches beyond its storage {}.</source>
        <translation>{}：张量 {} 超出了其存储 {} 的范围。</translation>
    </message>
    <message>
        <source>{}: the parts of the nested tensor {} do not fit together; its buffer is listed as it is.</source>
        <translation>{}：嵌套张量 {} 的各部分不匹配；按原样列出其缓冲区。</translation>
    </message>
    <message>
        <source>{} has more tensors than {}; the rest is not listed.</source>
        <translation>{} 的张量多于 {} 个；其余未列出。</translation>
    </message>
    <message>
        <source>{}: no tensor uses {} of the {} bytes of the storage {}.</source>
        <translation>{}：有 {} 字节（共 {} 字节）没有被任何张量使用，位于存储 {}。</translation>
    </message>
    <message>
        <source>Nothing to read was named.</source>
        <translation>没有指定要读取的内容。</translation>
    </message>
    <message>
        <source>The parts of a sparse tensor do not fit together.</source>
        <translation>稀疏张量的各部分不匹配。</translation>
    </message>
    <message>
        <source>Sparse tensors of the type {} are not added up by this program.</source>
        <translation>本程序不对类型为 {} 的稀疏张量求和。</translation>
    </message>
    <message>
        <source>Values of the type {} have no sign to be changed.</source>
        <translation>类型为 {} 的值没有可更改的符号。</translation>
    </message>
    <message>
        <source>{} is a tar archive without the members pickle and storages of a PyTorch file.</source>
        <translation>{} 是 tar 归档，但缺少 PyTorch 文件的成员 pickle 和 storages。</translation>
    </message>
    <message>
        <source>{}: the member {} breaks off or makes no sense at its byte {}.</source>
        <translation>{}：成员 {} 在其第 {} 字节处中断或无法解读。</translation>
    </message>
    <message>
        <source>{}: the values under {} are nested too deep or too often; some are not listed.</source>
        <translation>{}：{} 之下的值嵌套过深或过多；部分未列出。</translation>
    </message>
    <message>
        <source>{}: the storage {} should have {} elements of {} bytes and has {} bytes.</source>
        <translation>{}：存储 {} 应有 {} 个 {} 字节的元素，实际为 {} 字节。</translation>
    </message>
    <message>
        <source>{}: the list of tensors in {} breaks off or makes no sense at its byte {}.</source>
        <translation>{}：{} 中的张量列表在其第 {} 字节处中断或无法解读。</translation>
    </message>
    <message>
        <source>{} is a zip archive without the record data.pkl, where PyTorch keeps its list of tensors.</source>
        <translation>{} 是 zip 归档，但缺少 PyTorch 存放张量列表的记录 data.pkl。</translation>
    </message>
    <message>
        <source>{} is encrypted; nothing is proved about it.</source>
        <translation>{} 已加密；无法对其作出任何判断。</translation>
    </message>
    <message>
        <source>{} is empty.</source>
        <translation>{} 是空的。</translation>
    </message>
    <message>
        <source>{} lies in too many archives inside each other; it was not looked at.</source>
        <translation>{} 位于层层嵌套过多的归档中，未被检查。</translation>
    </message>
    <message>
        <source>{} is a Git LFS pointer and not the file itself.</source>
        <translation>{} 是 Git LFS 指针，而非文件本身。</translation>
    </message>
    <message>
        <source>{} is an archive that this program cannot look into; nothing is proved about it.</source>
        <translation>{} 是本程序无法打开的归档；无法对其作出任何判断。</translation>
    </message>
    <message>
        <source>{} contains native code, which cannot be judged.</source>
        <translation>{} 含有本机代码，无法判断。</translation>
    </message>
    <message>
        <source>{} carries a pickle at byte {} that would run code if it were loaded; nothing in this file loads it.</source>
        <translation>{} 在第 {} 字节处带有一个 pickle，若被加载会运行代码；此文件中没有内容会加载它。</translation>
    </message>
    <message>
        <source>{}: a loader fails at byte {} of the pickle; what stands before it has run by then.</source>
        <translation>{}：加载程序会在 pickle 的第 {} 字节处失败；在此之前的内容届时已经运行。</translation>
    </message>
    <message>
        <source>{}: {} bytes follow the pickle.</source>
        <translation>{}：pickle 之后还有 {} 字节。</translation>
    </message>
    <message>
        <source>{} holds Python objects, which are a pickle behind its header.</source>
        <translation>{} 含有 Python 对象，即其头部之后的 pickle。</translation>
    </message>
    <message>
        <source>{}: a Lambda layer holds code that runs when the model is loaded.</source>
        <translation>{}：某个 Lambda 层含有加载模型时会运行的代码。</translation>
    </message>
    <message>
        <source>{} cannot be read: {}.</source>
        <translation>无法读取 {}：{}。</translation>
    </message>
    <message>
        <source>The buffers in which pictures and sound are encoded.</source>
        <translation>编码图像和声音所用的缓冲区。</translation>
    </message>
    <message>
        <source>the last {} of {} blocks and the output, without the experts of the first {} blocks</source>
        <translation>最后 {} 个块（共 {} 个）和输出，不含前 {} 个块的专家</translation>
    </message>
    <message>
        <source>the token embeddings, the first {} of {} blocks and {} of experts</source>
        <translation>词元嵌入、前 {} 个块（共 {} 个）以及 {} 的专家</translation>
    </message>
    <message>
        <source>the tensors of its file</source>
        <translation>其文件中的张量</translation>
    </message>
    <message>
        <source>weights, cache and buffers of the draft model with the same settings</source>
        <translation>草稿模型在相同设置下的权重、缓存和缓冲区</translation>
    </message>
    <message>
        <source>{} does not come as it was asked for; try again later, or download it first.</source>
        <translation>{} 返回的内容与请求不符；请稍后重试，或先下载它。</translation>
    </message>
    <message>
        <source>{} has another size than its list says; open the page again.</source>
        <translation>{} 的大小与列表中的不同；请重新打开页面。</translation>
    </message>
    <message>
        <source>{} ends before what its header names; it is damaged.</source>
        <translation>{} 在其文件头所述内容之前结束；它已损坏。</translation>
    </message>
    <message>
        <source>The header of {} is too long to be read from a hub; download the file first.</source>
        <translation>{} 的文件头太长，无法从社区读取；请先下载该文件。</translation>
    </message>
    <message>
        <source>{} uses {} of JSON Schema, which this program cannot enforce; leave it out.</source>
        <translation>{} 使用了 JSON Schema 的 {}，本程序无法保证它；请去掉。</translation>
    </message>
    <message>
        <source>{} is no JSON Schema: {} has another form.</source>
        <translation>{} 不是 JSON Schema：{} 的形式不对。</translation>
    </message>
    <message>
        <source>{} asks for a {} of {}; at most {} can be counted.</source>
        <translation>{} 要求 {} 为 {}；最多只能计到 {}。</translation>
    </message>
    <message>
        <source>The vocabulary has no token that ends a text, so a grammar could never be complete.</source>
        <translation>词表中没有结束文本的词元，因此语法永远无法完成。</translation>
    </message>
    <message>
        <source>{}, line {}: the text is not UTF-8.</source>
        <translation>{} 第 {} 行：文本不是 UTF-8。</translation>
    </message>
    <message>
        <source>{} has no rule root.</source>
        <translation>{} 没有规则 root。</translation>
    </message>
    <message>
        <source>{} uses the rule {}, which it does not define.</source>
        <translation>{} 使用了规则 {}，但没有定义它。</translation>
    </message>
    <message>
        <source>{} has the left-recursive rule {}: it would begin with itself.</source>
        <translation>{} 有左递归的规则 {}：它会以自身开头。</translation>
    </message>
    <message>
        <source>{} has more than {} elements once its repetitions are written out.</source>
        <translation>{} 在展开重复之后有超过 {} 个元素。</translation>
    </message>
    <message>
        <source>{}, line {}: the name of a rule is missing.</source>
        <translation>{} 第 {} 行：缺少规则名。</translation>
    </message>
    <message>
        <source>{}, line {}: ::= is missing behind the name of a rule.</source>
        <translation>{} 第 {} 行：规则名后缺少 ::=。</translation>
    </message>
    <message>
        <source>{}, line {}: something stands here that no rule can hold.</source>
        <translation>{} 第 {} 行：此处有规则无法容纳的内容。</translation>
    </message>
    <message>
        <source>{}, line {}: brackets are nested too deeply.</source>
        <translation>{} 第 {} 行：括号嵌套过深。</translation>
    </message>
    <message>
        <source>{}, line {}: a bracket is not closed.</source>
        <translation>{} 第 {} 行：括号没有闭合。</translation>
    </message>
    <message>
        <source>{}, line {}: a quote is not closed.</source>
        <translation>{} 第 {} 行：引号没有闭合。</translation>
    </message>
    <message>
        <source>{}, line {}: a range of characters ends before it begins.</source>
        <translation>{} 第 {} 行：字符范围的结尾在开头之前。</translation>
    </message>
    <message>
        <source>{}, line {}: an escape is not known.</source>
        <translation>{} 第 {} 行：未知的转义。</translation>
    </message>
    <message>
        <source>{}, line {}: a token is written &lt;[id]&gt; or &lt;text&gt;.</source>
        <translation>{} 第 {} 行：词元写作 &lt;[id]&gt; 或 &lt;text&gt;。</translation>
    </message>
    <message>
        <source>{}, line {}: the vocabulary has no such token.</source>
        <translation>{} 第 {} 行：词表中没有这个词元。</translation>
    </message>
    <message>
        <source>{}, line {}: one repetition follows another; use brackets.</source>
        <translation>{} 第 {} 行：重复接着重复；请使用括号。</translation>
    </message>
    <message>
        <source>{}, line {}: a repetition is written {m}, {m,} or {m,n}, m at most n.</source>
        <translation>{} 第 {} 行：重复写作 {m}、{m,} 或 {m,n}，m 不大于 n。</translation>
    </message>
    <message>
        <source>{} needs {} with a context of {} tokens, and {} of memory are free; a context of {} tokens fits.</source>
        <translation>{} 需要 {}（{} 个词元的上下文），可用内存为 {}；{} 个词元的上下文放得下。</translation>
    </message>
    <message>
        <source>{} needs {}, and {} of memory are free; close other programs or take a smaller type of it.</source>
        <translation>{} 需要 {}，可用内存为 {}；请关闭其他程序，或选用更小的类型。</translation>
    </message>
    <message>
        <source>{} pairs of the adapter are listed as stored only: their shapes or patterns are not understood.</source>
        <translation>适配器中有 {} 对张量只按存储原样列出：无法理解其形状或模式。</translation>
    </message>
    <message>
        <source>The adapter is of the kind {}; its tensors are listed as stored.</source>
        <translation>该适配器的类型是 {}；其张量按存储原样列出。</translation>
    </message>
    <message>
        <source>{} and {} are not the factors that were found when the adapter was opened.</source>
        <translation>{} 和 {} 不是打开适配器时找到的因子。</translation>
    </message>
    <message>
        <source>The tensors in {} are not listed: of a folder only safetensors and GGUF files and pytorch_model.bin are read.</source>
        <translation>未列出 {} 中的张量：文件夹中只读取 safetensors 文件、GGUF 文件和 pytorch_model.bin。</translation>
    </message>
    <message>
        <source>{} is not a type that --outtype has; it is one of auto, f32, f16, bf16, q8_0, tq1_0 and tq2_0.</source>
        <translation>{} 不是 --outtype 支持的类型；可用的有 auto、f32、f16、bf16、q8_0、tq1_0 和 tq2_0。</translation>
    </message>
    <message>
        <source>Options about importance data and types of tensors go with a type; give --type too.</source>
        <translation>关于重要性数据和张量类型的选项需要与类型一起使用；请同时给出 --type。</translation>
    </message>
    <message>
        <source>--plan decides about types, pairs and names; leave the other options about them out.</source>
        <translation>--plan 已决定类型、键值对和名称；请去掉其他相关选项。</translation>
    </message>
    <message>
        <source>{} is on a hub, where only its header is read; download it first to look at its values.</source>
        <translation>{} 位于社区中，只能读取其文件头；请先下载再查看其数值。</translation>
    </message>
    <message>
        <source>{} has no file {}; wb download {} --dry-run lists them.</source>
        <translation>{} 没有文件 {}；wb download {} --dry-run 会列出它们。</translation>
    </message>
    <message>
        <source>{} holds no GGUF or safetensors file; choose another repository.</source>
        <translation>{} 没有 GGUF 或 safetensors 文件；请选择另一个仓库。</translation>
    </message>
    <message>
        <source>{} holds {} models; name one of its files, as in {}:{}.</source>
        <translation>{} 含有 {} 个模型；请指定其中一个文件，例如 {}:{}。</translation>
    </message>
    <message>
        <source>{} is neither GGUF nor safetensors; download it first to look into it.</source>
        <translation>{} 既不是 GGUF 也不是 safetensors；请先下载再查看。</translation>
    </message>
    <message>
        <source>The list of downloads cannot be read; it begins anew.</source>
        <translation>无法读取下载列表，将重新开始。</translation>
    </message>
    <message>
        <source>{} runs on the CPU: the graphics device {} has not enough memory left for a part of it.</source>
        <translation>{} 在 CPU 上运行：图形设备 {} 剩余的显存连它的一部分也放不下。</translation>
    </message>
    <message>
        <source>The graphics device {} computes models wrongly; they run on the CPU.</source>
        <translation>图形设备 {} 计算模型的结果有误；模型在 CPU 上运行。</translation>
    </message>
    <message>
        <source>{} runs on the CPU: it has {}, which graphics devices do not compute yet.</source>
        <translation>{} 在 CPU 上运行：它含有图形设备目前还不能计算的部分（{}）。</translation>
    </message>
    <message>
        <source>{} runs on the CPU: it has weights of the type {}, which graphics devices do not multiply yet.</source>
        <translation>{} 在 CPU 上运行：它含有类型为 {} 的权重，图形设备目前还不能计算。</translation>
    </message>
    <message>
        <source>{} runs on the CPU: a context of {} tokens is too long for the graphics device {}.</source>
        <translation>{} 在 CPU 上运行：{} 个词元的上下文对图形设备 {} 来说太长。</translation>
    </message>
    <message>
        <source>{} is no MessagePack map of parameters.</source>
        <translation>{} 不是由参数组成的 MessagePack 映射。</translation>
    </message>
    <message>
        <source>{} is damaged: its MessagePack breaks off or makes no sense; get a complete copy.</source>
        <translation>{} 已损坏：其 MessagePack 中断或没有意义；请获取完整的副本。</translation>
    </message>
    <message>
        <source>{}: something follows the parameters.</source>
        <translation>{}：参数之后还有其他内容。</translation>
    </message>
    <message>
        <source>{} nests its parameters more than {} levels deep.</source>
        <translation>{} 的参数嵌套超过 {} 层。</translation>
    </message>
    <message>
        <source>{}: the leaf {} is of a kind that is not known.</source>
        <translation>{}：叶子 {} 的种类未知。</translation>
    </message>
    <message>
        <source>{} is damaged: a chunk of it does not unpack to its size; get a complete copy.</source>
        <translation>{} 已损坏：其中一个分块解压后的大小不符；请获取完整的副本。</translation>
    </message>
    <message>
        <source>{} is damaged: its HDF5 superblock cannot be read; get a complete copy.</source>
        <translation>{} 已损坏：无法读取其 HDF5 超级块；请获取完整的副本。</translation>
    </message>
    <message>
        <source>{} holds more than {} objects.</source>
        <translation>{} 包含超过 {} 个对象。</translation>
    </message>
    <message>
        <source>{}: the object {} is damaged and was left out.</source>
        <translation>{}：对象 {} 已损坏，未列出。</translation>
    </message>
    <message>
        <source>{} is damaged: its HDF5 root group cannot be read; get a complete copy.</source>
        <translation>{} 已损坏：无法读取其 HDF5 根组；请获取完整的副本。</translation>
    </message>
    <message>
        <source>{}: a part of {} is damaged.</source>
        <translation>{}：{} 的一部分已损坏。</translation>
    </message>
    <message>
        <source>{}: {} only points to another place and is not followed.</source>
        <translation>{}：{} 只指向别处，不会跟随。</translation>
    </message>
    <message>
        <source>{}: the groups at {} are nested too deep.</source>
        <translation>{}：{} 处的组嵌套过深。</translation>
    </message>
    <message>
        <source>{}: attributes of {} cannot be read.</source>
        <translation>{}：无法读取 {} 的属性。</translation>
    </message>
    <message>
        <source>{}: loading it needs the class {}, which is not Keras&apos; own.</source>
        <translation>{}：加载它需要类 {}，而该类不属于 Keras 本身。</translation>
    </message>
    <message>
        <source>{}: a member does not unpack to its size.</source>
        <translation>{}：一个成员解压后的大小不符。</translation>
    </message>
    <message>
        <source>{} is a Keras archive without readable weights; get a complete copy.</source>
        <translation>{} 是没有可读权重的 Keras 归档；请获取完整的副本。</translation>
    </message>
    <message>
        <source>None of the files that {} names can be opened.</source>
        <translation>{} 所指的文件都无法打开。</translation>
    </message>
    <message>
        <source>The parts of a block-quantized weight do not fit together.</source>
        <translation>一个分块量化权重的各部分不相配。</translation>
    </message>
    <message>
        <source>{}: the weight {} of an operator MatMulNBits does not fit its description, so only its parts are listed.</source>
        <translation>{}：运算符 MatMulNBits 的权重 {} 与其描述不符，因此只列出各部分。</translation>
    </message>
    <message>
        <source>{} is damaged: a place in it leads out of the file; get a complete copy.</source>
        <translation>{} 已损坏：其中一个位置指向文件之外；请获取完整的副本。</translation>
    </message>
    <message>
        <source>{} nests its graphs too deep.</source>
        <translation>{} 的图嵌套过深。</translation>
    </message>
    <message>
        <source>{} holds {} sparse tensors, which are not read.</source>
        <translation>{} 包含 {} 个稀疏张量，它们不会被读取。</translation>
    </message>
    <message>
        <source>{} holds more than {} arrays; the others are left out.</source>
        <translation>{} 包含超过 {} 个数组；其余的未列出。</translation>
    </message>
    <message>
        <source>{} is no pickle that makes sense.</source>
        <translation>{} 不是有意义的 pickle。</translation>
    </message>
    <message>
        <source>{}: the pickle breaks off or makes no sense at its byte {}.</source>
        <translation>{}：pickle 在第 {} 字节处中断或没有意义。</translation>
    </message>
    <message>
        <source>{} is compressed, and what it unpacks to is no pickle; unpack it and open that.</source>
        <translation>{} 是压缩文件，解压后的内容不是 pickle；请解压后再打开。</translation>
    </message>
    <message>
        <source>{} unpacks to less than when it was opened.</source>
        <translation>{} 解压后的内容比打开时少。</translation>
    </message>
    <message>
        <source>{} is compressed with {}, but its data are damaged or end early; get a complete copy.</source>
        <translation>{} 以 {} 压缩，但数据已损坏或提前结束；请获取完整的副本。</translation>
    </message>
    <message>
        <source>{} unpacks to more than {} bytes, which this program does not hold.</source>
        <translation>{} 解压后超过 {} 字节，本程序不保存这么多。</translation>
    </message>
    <message>
        <source>{} is damaged: the index of its table cannot be read.</source>
        <translation>{} 已损坏：无法读取其表的索引。</translation>
    </message>
    <message>
        <source>{} is damaged: it does not end like a TensorFlow table; get a complete copy.</source>
        <translation>{} 已损坏：其结尾不像 TensorFlow 表；请获取完整的副本。</translation>
    </message>
    <message>
        <source>{} is damaged: a block of its table cannot be read, and its entries are missing.</source>
        <translation>{} 已损坏：其表的一个块无法读取，缺少其中的条目。</translation>
    </message>
    <message>
        <source>{} holds more than {} entries.</source>
        <translation>{} 包含超过 {} 个条目。</translation>
    </message>
    <message>
        <source>{} is longer than a text of a graph may be.</source>
        <translation>{} 超过了图文本允许的长度。</translation>
    </message>
    <message>
        <source>{} uses the operator {}, which reaches out of the model when it runs.</source>
        <translation>{} 使用运算符 {}，它在运行时会访问模型之外。</translation>
    </message>
    <message>
        <source>{} belongs to a model of more than {} files.</source>
        <translation>{} 属于一个超过 {} 个文件的模型。</translation>
    </message>
    <message>
        <source>{} lists more values in one tensor than this program copies.</source>
        <translation>{} 在一个张量中列出的值多于本程序可复制的数量。</translation>
    </message>
    <message>
        <source>{} is no graph in protobuf&apos;s text form: it makes no sense at its byte {}.</source>
        <translation>{} 不是 protobuf 文本形式的图：在第 {} 字节处没有意义。</translation>
    </message>
    <message>
        <source>{} is no TensorFlow Lite model.</source>
        <translation>{} 不是 TensorFlow Lite 模型。</translation>
    </message>
    <message>
        <source>{} uses the operator {}, which is not TensorFlow Lite&apos;s own: running it needs a library.</source>
        <translation>{} 使用运算符 {}，它不属于 TensorFlow Lite 本身：运行它需要一个库。</translation>
    </message>
    <message>
        <source>{} names other files to load values from; they are not opened.</source>
        <translation>{} 指定从其他文件加载值；这些文件不会被打开。</translation>
    </message>
    <message>
        <source>{} lies on a hub, and enough of it was fetched for a look; download it to see the rest.</source>
        <translation>{} 位于模型社区，已取得足够内容供查看；请下载后查看其余部分。</translation>
    </message>
    <message>
        <source>{} is not the tensor that was found when the file was opened.</source>
        <translation>{} 不是打开文件时找到的张量。</translation>
    </message>
    <message>
        <source>A GGUF adapter has no place for {}; merge the adapter into its base instead (wb merge).</source>
        <translation>GGUF 适配器无法容纳 {}；请改为将适配器合并到其基础模型中（wb merge）。</translation>
    </message>
    <message>
        <source>The adapter changes {}, which models of the family {} do not have; is that its base?</source>
        <translation>该适配器修改 {}，而 {} 系列的模型没有它；这是它的基础模型吗？</translation>
    </message>
    <message>
        <source>Files of the architecture {} cannot be turned into a folder yet.</source>
        <translation>架构为 {} 的文件目前还不能转换为文件夹。</translation>
    </message>
    <message>
        <source>These members of config.json are not said by the file and follow from its family alone: {}.</source>
        <translation>config.json 的以下成员在文件中没有说明，仅由其模型系列推出：{}。</translation>
    </message>
    <message>
        <source>Files of the architecture {} cannot be turned into a folder yet; --to safetensors keeps the tensors as they are called.</source>
        <translation>架构为 {} 的文件目前还不能转换为文件夹；--to safetensors 会保留张量原来的名称。</translation>
    </message>
    <message>
        <source>{} describes a model without layers.</source>
        <translation>{} 描述的模型没有层。</translation>
    </message>
    <message>
        <source>The tensor {} of the type {} and the shape {} cannot be turned back into what it was made of.</source>
        <translation>张量 {}（类型 {}、形状 {}）无法还原为其来源。</translation>
    </message>
    <message>
        <source>The tensor {} is none that models of the family {} have, so the file cannot be turned into a folder; --to safetensors keeps its names.</source>
        <translation>张量 {} 不属于 {} 系列的模型，因此该文件不能转换为文件夹；--to safetensors 会保留其名称。</translation>
    </message>
    <message>
        <source>{} tensors stay F32, as {} would not hold their values: {}.</source>
        <translation>{} 个张量保持 F32，因为 {} 无法精确保存其数值：{}。</translation>
    </message>
    <message>
        <source>A vocabulary of the kind {} cannot be written as tokenizer files yet; take them from the original model.</source>
        <translation>{} 类型的词表目前还不能写成分词器文件；请从原始模型中获取。</translation>
    </message>
    <message>
        <source>The splitting rule {} has no expressions for tokenizer.json; the new one cuts as GPT-2 does, so take tokenizer.json from the original model.</source>
        <translation>切分规则 {} 没有可用于 tokenizer.json 的表达式；新文件按 GPT-2 的方式切分，因此请从原始模型中获取 tokenizer.json。</translation>
    </message>
    <message>
        <source>The weights of this folder are quantized already; they can be copied, divided and joined, but not cast yet.</source>
        <translation>该文件夹的权重已经量化；它们可以复制、拆分和合并，但目前还不能转换类型。</translation>
    </message>
    <message>
        <source>{} holds no tensor that a safetensors file can take, or none was chosen.</source>
        <translation>{} 中没有 safetensors 文件可以保存的张量，或者没有选择任何张量。</translation>
    </message>
    <message>
        <source>{} tensors are left out, {} among them: their values cannot be read, or safetensors has no type for them.</source>
        <translation>有 {} 个张量未写入，其中包括 {}：它们的数值无法读取，或 safetensors 没有相应的类型。</translation>
    </message>
    <message>
        <source>{} tensors are decoded from a quantized type: their values are those of the quantized file, not of the model that it was made of.</source>
        <translation>有 {} 个张量由量化类型解码而来：其数值来自量化后的文件，而不是原来的模型。</translation>
    </message>
    <message>
        <source>{} tensors are the same bytes as others and are written once; the metadata of the file name them.</source>
        <translation>有 {} 个张量与其他张量字节相同，只写入一次；文件的元数据列出了它们的名称。</translation>
    </message>
    <message>
        <source>Two tensors of the new file would be called {}.</source>
        <translation>新文件中会有两个名为 {} 的张量。</translation>
    </message>
    <message>
        <source>{} values of {} are too small for {} and became zero.</source>
        <translation>有 {} 个 {} 的数值对 {} 来说太小，变成了零。</translation>
    </message>
    <message>
        <source>The folder {} cannot be made; choose another place or name.</source>
        <translation>无法创建文件夹 {}；请选择其他位置或名称。</translation>
    </message>
    <message>
        <source>{} is of the type {}, which a safetensors file cannot hold.</source>
        <translation>{} 的类型为 {}，safetensors 文件无法保存。</translation>
    </message>
    <message>
        <source>The tensors are too many or too large for one safetensors file; divide them among several.</source>
        <translation>张量太多或太大，一个 safetensors 文件放不下；请分成多个文件。</translation>
    </message>
    <message>
        <source>The adapter {} uses {}, which cannot be merged yet; LoRA and rsLoRA can.</source>
        <translation>适配器 {} 使用 {}，目前还不能合并；LoRA 和 rsLoRA 可以。</translation>
    </message>
    <message>
        <source>The tensor {} of the adapter {} is none that LoRA has, so it cannot be merged.</source>
        <translation>张量 {}（属于适配器 {}）不是 LoRA 的张量，因此无法合并。</translation>
    </message>
    <message>
        <source>The adapter {} holds nothing that could be merged.</source>
        <translation>适配器 {} 中没有可以合并的内容。</translation>
    </message>
    <message>
        <source>The tensor {} of the base is of the type {}, to which nothing can be added.</source>
        <translation>基础模型的张量 {} 类型为 {}，无法在其上相加。</translation>
    </message>
    <message>
        <source>The adapter {} changes {}, which {} does not have; it was made for another model.</source>
        <translation>适配器 {} 修改 {}，而 {} 没有它；该适配器是为其他模型制作的。</translation>
    </message>
    <message>
        <source>The adapter {} changes {} of the shape {}, but {} has it in the shape {}; it was made for another model.</source>
        <translation>适配器 {} 修改 {}，其形状为 {}，但 {} 中它的形状为 {}；该适配器是为其他模型制作的。</translation>
    </message>
    <message>
        <source>{} does not fit the tensor that it is to be added to.</source>
        <translation>{} 与要相加的张量不匹配。</translation>
    </message>
    <message>
        <source>--vocab-only writes no tensors, so there are no types to choose.</source>
        <translation>--vocab-only 不写入张量，因此没有可选的类型。</translation>
    </message>
    <message>
        <source>{} is an adapter; name the folder of the model that it was made for.</source>
        <translation>{} 是适配器；请指定它所对应模型的文件夹。</translation>
    </message>
    <message>
        <source>{} is an adapter, which is written as F32; leave the type out.</source>
        <translation>{} 是适配器，以 F32 写入；请不要指定类型。</translation>
    </message>
    <message>
        <source>{} does not end in .gguf, as the name of such a file does.</source>
        <translation>{} 不以 .gguf 结尾，而这类文件的名称应以此结尾。</translation>
    </message>
    <message>
        <source>{} cannot be written yet; --to takes gguf, safetensors and huggingface.</source>
        <translation>目前还不能写入 {}；--to 可取 gguf、safetensors 和 huggingface。</translation>
    </message>
    <message>
        <source>{} is neither a .gguf nor a .safetensors file nor a folder, which is what can be written so far.</source>
        <translation>{} 既不是 .gguf 或 .safetensors 文件，也不是文件夹；目前只能写入这些。</translation>
    </message>
    <message>
        <source>{} is not a size like 5GB or 300M, nor none.</source>
        <translation>{} 不是 5GB 或 300M 这样的大小，也不是 none。</translation>
    </message>
    <message>
        <source>{} is not a JSON object of texts, which is what --metadata takes.</source>
        <translation>{} 不是由文本组成的 JSON 对象，而 --metadata 需要这样的文件。</translation>
    </message>
    <message>
        <source>{} is not a type that safetensors are cast to here; it is one of auto, F32, F16, BF16 and F8_E4M3.</source>
        <translation>{} 不是这里 safetensors 可转换的类型；可用的有 auto、F32、F16、BF16 和 F8_E4M3。</translation>
    </message>
    <message>
        <source>{} is not of the form REGEX=TEXT.</source>
        <translation>{} 不是 REGEX=TEXT 的形式。</translation>
    </message>
    <message>
        <source>{} is not a regular expression.</source>
        <translation>{} 不是正则表达式。</translation>
    </message>
    <message>
        <source>{} is for GGUF files; leave it out, or write one.</source>
        <translation>{} 用于 GGUF 文件；请去掉它，或改为写入 GGUF 文件。</translation>
    </message>
    <message>
        <source>{} has its text cut as &quot;{}&quot; before merging, which is not known; choose a pre-tokenizer that cuts it the same way, such as {}.</source>
        <translation>{} 在合并前按“{}”切分文本，但不认识这种方式；请选择切分方式相同的预分词器，例如 {}。</translation>
    </message>
    <message>
        <source>the alignment of the file is unusable</source>
        <translation>该文件的对齐方式不可用</translation>
    </message>
    <message>
        <source>the file ends before its data</source>
        <translation>文件在其数据之前就结束了</translation>
    </message>
    <message>
        <source>the file ends before its last byte</source>
        <translation>文件在其最后一个字节之前就结束了</translation>
    </message>
    <message>
        <source>its rows are not whole blocks</source>
        <translation>它的行不是整数个块</translation>
    </message>
    <message>
        <source>a PyTorch checkpoint of the old kind</source>
        <translation>旧式 PyTorch 检查点</translation>
    </message>
    <message>
        <source>a tar archive</source>
        <translation>tar 归档</translation>
    </message>
    <message>
        <source>an HDF5 file (Keras)</source>
        <translation>HDF5 文件（Keras）</translation>
    </message>
    <message>
        <source>a TensorFlow Lite model</source>
        <translation>TensorFlow Lite 模型</translation>
    </message>
    <message>
        <source>a PyTorch mobile model</source>
        <translation>PyTorch 移动端模型</translation>
    </message>
    <message>
        <source>an ExecuTorch model</source>
        <translation>ExecuTorch 模型</translation>
    </message>
    <message>
        <source>an ONNX Runtime model</source>
        <translation>ONNX Runtime 模型</translation>
    </message>
    <message>
        <source>a Circle model</source>
        <translation>Circle 模型</translation>
    </message>
    <message>
        <source>a GGML model of the time before GGUF</source>
        <translation>GGUF 之前的 GGML 模型</translation>
    </message>
    <message>
        <source>a GGML adapter of the time before GGUF</source>
        <translation>GGUF 之前的 GGML 适配器</translation>
    </message>
    <message>
        <source>a saved inference state</source>
        <translation>保存的推理状态</translation>
    </message>
    <message>
        <source>a llama2.c model</source>
        <translation>llama2.c 模型</translation>
    </message>
    <message>
        <source>an OCDBT manifest of a JAX checkpoint</source>
        <translation>JAX 检查点的 OCDBT 清单</translation>
    </message>
    <message>
        <source>an ncnn network</source>
        <translation>ncnn 网络</translation>
    </message>
    <message>
        <source>a PyTorch file of a preview of 2018</source>
        <translation>2018 年预览版的 PyTorch 文件</translation>
    </message>
    <message>
        <source>a TensorRT engine</source>
        <translation>TensorRT 引擎</translation>
    </message>
    <message>
        <source>a LiteRT-LM bundle</source>
        <translation>LiteRT-LM 包</translation>
    </message>
    <message>
        <source>a PNG image</source>
        <translation>PNG 图像</translation>
    </message>
    <message>
        <source>a JPEG image</source>
        <translation>JPEG 图像</translation>
    </message>
    <message>
        <source>a GIF image</source>
        <translation>GIF 图像</translation>
    </message>
    <message>
        <source>a WebP image</source>
        <translation>WebP 图像</translation>
    </message>
    <message>
        <source>a WAV recording</source>
        <translation>WAV 录音</translation>
    </message>
    <message>
        <source>an MP4 video</source>
        <translation>MP4 视频</translation>
    </message>
    <message>
        <source>a program (ELF)</source>
        <translation>程序（ELF）</translation>
    </message>
    <message>
        <source>a Windows program</source>
        <translation>Windows 程序</translation>
    </message>
    <message>
        <source>a PDF document</source>
        <translation>PDF 文档</translation>
    </message>
    <message>
        <source>an SQLite database</source>
        <translation>SQLite 数据库</translation>
    </message>
    <message>
        <source>a 7z archive</source>
        <translation>7z 归档</translation>
    </message>
    <message>
        <source>a RAR archive</source>
        <translation>RAR 归档</translation>
    </message>
    <message>
        <source>a gzip-compressed file</source>
        <translation>gzip 压缩文件</translation>
    </message>
    <message>
        <source>a Zstandard-compressed file</source>
        <translation>Zstandard 压缩文件</translation>
    </message>
    <message>
        <source>a bzip2-compressed file</source>
        <translation>bzip2 压缩文件</translation>
    </message>
    <message>
        <source>an xz-compressed file</source>
        <translation>xz 压缩文件</translation>
    </message>
    <message>
        <source>an LZ4-compressed file</source>
        <translation>LZ4 压缩文件</translation>
    </message>
    <message>
        <source>a web page</source>
        <translation>网页</translation>
    </message>
    <message>
        <source>an XML file</source>
        <translation>XML 文件</translation>
    </message>
    <message>
        <source>an OpenVINO network</source>
        <translation>OpenVINO 网络</translation>
    </message>
    <message>
        <source>a PMML model</source>
        <translation>PMML 模型</translation>
    </message>
    <message>
        <source>a zip archive</source>
        <translation>zip 归档</translation>
    </message>
    <message>
        <source>a Keras archive</source>
        <translation>Keras 归档</translation>
    </message>
    <message>
        <source>a PyTorch archive</source>
        <translation>PyTorch 归档</translation>
    </message>
    <message>
        <source>a TensorFlow checkpoint</source>
        <translation>TensorFlow 检查点</translation>
    </message>
    <message>
        <source>a Python pickle</source>
        <translation>Python pickle</translation>
    </message>
    <message>
        <source>a text file</source>
        <translation>文本文件</translation>
    </message>
    <message>
        <source>it is cut short</source>
        <translation>它被截断了</translation>
    </message>
    <message>
        <source>too much would have to be copied out of the file</source>
        <translation>需要从文件中复制的内容过多</translation>
    </message>
    <message>
        <source>its place in the other file is no number</source>
        <translation>它在另一个文件中的位置不是数字</translation>
    </message>
    <message>
        <source>its length in the other file does not fit its shape</source>
        <translation>它在另一个文件中的长度与形状不符</translation>
    </message>
    <message>
        <source>their number does not fit the shape</source>
        <translation>其数量与形状不符</translation>
    </message>
    <message>
        <source>its shape is impossible</source>
        <translation>它的形状不可能存在</translation>
    </message>
    <message>
        <source>it is sparse in a form that is not read</source>
        <translation>它以不支持读取的稀疏形式存储</translation>
    </message>
    <message>
        <source>an index leads out of it</source>
        <translation>有索引超出其范围</translation>
    </message>
    <message>
        <source>it ends before it begins</source>
        <translation>它的终点在起点之前</translation>
    </message>
    <message>
        <source>its bytes do not fit its shape</source>
        <translation>它的字节数与形状不符</translation>
    </message>
    <message>
        <source>the file ends before it does</source>
        <translation>文件在它结束之前就结束了</translation>
    </message>
    <message>
        <source>its type is not known to this program</source>
        <translation>本程序不认识它的类型</translation>
    </message>
    <message>
        <source>The queue could not be saved to {}; it runs, but is lost when the program ends.</source>
        <translation>无法将队列保存到 {}；队列会继续运行，但程序结束后会丢失。</translation>
    </message>
    <message>
        <source>{} lacks the part {} of the model.</source>
        <translation>{} 缺少模型的分卷 {}。</translation>
    </message>
    <message>
        <source>Weighbridge stores its cache as f16, f32 or q8_0, not as {}.</source>
        <translation>Weighbridge 的缓存只能存为 f16、f32 或 q8_0，不能存为 {}。</translation>
    </message>
    <message>
        <source>Weighbridge&apos;s own plan is that of the processor; leave out layers on a graphics device.</source>
        <translation>Weighbridge 自身的计划针对处理器；请不要把层放到图形设备上。</translation>
    </message>
    <message>
        <source>Weighbridge holds one conversation at a time, not {}.</source>
        <translation>Weighbridge 一次只保留一个对话，而不是 {} 个。</translation>
    </message>
    <message>
        <source>matrices in panels of 16 rows, as the engine reads them</source>
        <translation>按引擎的读取方式，矩阵以 16 行为一组排列</translation>
    </message>
    <message>
        <source>{} positions in tiles of 16, as {}</source>
        <translation>{} 个位置，每 16 个一组，类型为 {}</translation>
    </message>
    <message>
        <source>the state of recurrent layers</source>
        <translation>循环层的状态</translation>
    </message>
    <message>
        <source>activations of 256 tokens, and scratch of every thread</source>
        <translation>256 个词元的激活值，以及每个线程的临时空间</translation>
    </message>
    <message>
        <source>{} tokens of the vocabulary × 4 bytes</source>
        <translation>词表的 {} 个词元 × 4 字节</translation>
    </message>
    <message>
        <source>The program itself, its tokenizer and the pages of the file that it reads.</source>
        <translation>程序本身、其分词器以及所读文件的内存页。</translation>
    </message>
    <message>
        <source>The cache expanded to f16, which these builds take at run time as it fills.</source>
        <translation>展开为 f16 的缓存：这些版本在运行时随缓存填充而占用。</translation>
    </message>
    <message>
        <source>What differs when several devices compute: their buffers follow from the formula of one, and were never compared with a plan.</source>
        <translation>多个设备一起计算时的差别：它们的缓冲区按单个设备的公式得出，从未与实际计划比较过。</translation>
    </message>
    <message>
        <source>blocks {} to {} of {}</source>
        <translation>第 {} 到 {} 块（共 {} 块）</translation>
    </message>
    <message>
        <source>the output</source>
        <translation>输出层</translation>
    </message>
    <message>
        <source>without the experts of the first {} blocks</source>
        <translation>不含前 {} 块的专家</translation>
    </message>
    <message>
        <source>cache of a layer expanded to f16: {} cells × {} bytes</source>
        <translation>展开为 f16 的单层缓存：{} 个单元 × {} 字节</translation>
    </message>
    <message>
        <source>{} copies of what comes from the device before: {} bytes</source>
        <translation>来自前一设备的数据的 {} 份副本：{} 字节</translation>
    </message>
    <message>
        <source>less what {} measured loads took below their estimates</source>
        <translation>减去 {} 次实测加载低于估计的部分</translation>
    </message>
    <message>
        <source>the context of CUDA and the code of kernels, as measured on other cards</source>
        <translation>CUDA 上下文与内核代码，取自其他显卡的实测值</translation>
    </message>
    <message>
        <source>the median of {} measured loads</source>
        <translation>{} 次实测加载的中位数</translation>
    </message>
    <message>
        <source>Line {} of {} is no measured load; clear the measured loads or mend the line.</source>
        <translation>第 {} 行（文件 {}）不是实测加载记录；请清除实测记录或修正该行。</translation>
    </message>
    <message>
        <source>{} is too large for measured loads; clear them.</source>
        <translation>{} 作为实测记录过大；请将其清除。</translation>
    </message>
    <message>
        <source>{} could not be removed; remove it by hand.</source>
        <translation>无法删除 {}；请手动删除。</translation>
    </message>
    <message>
        <source>{} names no buffers of llama.cpp; choose the log of a load, printed with -v where it is llama-server&apos;s.</source>
        <translation>{} 中没有 llama.cpp 的缓冲区信息；请选择一次加载的日志，llama-server 需用 -v 输出。</translation>
    </message>
    <message>
        <source>{} tokens × {} bytes in all layers</source>
        <translation>{} 个词元 × 所有层共 {} 字节</translation>
    </message>
    <message>
        <source>{} tokens × {} bytes in all layers / {} devices</source>
        <translation>{} 个词元 × 所有层共 {} 字节 / {} 个设备</translation>
    </message>
    <message>
        <source>{} that fill {} % of the device</source>
        <translation>另有 {} 用于填满设备的 {} %</translation>
    </message>
    <message>
        <source>The activations of the profiling run of vLLM, which depend on --max-num-batched-tokens.</source>
        <translation>vLLM 试运行时的激活值，取决于 --max-num-batched-tokens。</translation>
    </message>
    <message>
        <source>What newer builds save in layers with a window: every layer is counted in full.</source>
        <translation>较新版本在滑动窗口层中节省的内存：此处每层都按完整长度计算。</translation>
    </message>
    <message>
        <source>What one step of transformers takes besides: on a T4 it was 2.8 % with one sequence, 8.9 % with 8 and 23 % with 16.</source>
        <translation>transformers 每一步额外占用的内存：在 T4 上，1 个序列为 2.8 %，8 个为 8.9 %，16 个为 23 %。</translation>
    </message>
    <message>
        <source>{} parameters × {} bits on average / 8 / {} devices</source>
        <translation>{} 个参数 × 平均 {} 位 / 8 / {} 个设备</translation>
    </message>
    <message>
        <source>{} parameters × {} bits on average / 8</source>
        <translation>{} 个参数 × 平均 {} 位 / 8</translation>
    </message>
    <message>
        <source>{} of CUDA and its libraries</source>
        <translation>CUDA 及其库占用 {}</translation>
    </message>
    <message>
        <source>{} of graphs</source>
        <translation>计算图占用 {}</translation>
    </message>
    <message>
        <source>the context of CUDA</source>
        <translation>CUDA 上下文</translation>
    </message>
    <message>
        <source>{} cannot store its cache in this type; choose f16, or q8_0 for the FP8 of vLLM.</source>
        <translation>{} 不能用此类型存储缓存；请选择 f16，或用 q8_0 表示 vLLM 的 FP8。</translation>
    </message>
    <message>
        <source>{} computes all layers on its graphics devices; choose all.</source>
        <translation>{} 在图形设备上计算所有层；请选择全部。</translation>
    </message>
    <message>
        <source>{} keeps no experts in main memory; choose 0.</source>
        <translation>{} 不会把专家留在主内存中；请选择 0。</translation>
    </message>
    <message>
        <source>The backend {} contradicts {} layers on a graphics device.</source>
        <translation>后端 {} 与图形设备上的 {} 层相矛盾。</translation>
    </message>
    <message>
        <source>The utilization must be above 0 and at most 1, not {}.</source>
        <translation>利用率必须大于 0 且不超过 1，不能是 {}。</translation>
    </message>
    <message>
        <source>{} is too large for a log; cut it to the lines of one load.</source>
        <translation>{} 作为日志过大；请只保留一次加载的那些行。</translation>
    </message>
    <message>
        <source>A log says what one model took; type or open that model first.</source>
        <translation>日志记录的是某个模型的占用；请先输入或打开该模型。</translation>
    </message>
    <message>
        <source>Weighbridge&apos;s own plan is of the file as stored; leave out --type.</source>
        <translation>Weighbridge 自身的计划针对文件的原样；请去掉 --type。</translation>
    </message>
    <message>
        <source>a piece of them is missing or of another type</source>
        <translation>其中一块缺失或类型不同</translation>
    </message>
    <message>
        <source>its chunks are listed in an extensible array, which is not read</source>
        <translation>其分块列在可扩展数组中，本程序不读取</translation>
    </message>
    <message>
        <source>they are put together from other datasets</source>
        <translation>其数值由其他数据集拼成</translation>
    </message>
    <message>
        <source>its shape is out of all proportion to its bytes</source>
        <translation>其形状与字节数完全不成比例</translation>
    </message>
    <message>
        <source>the file does not say where they are</source>
        <translation>文件没有说明其位置</translation>
    </message>
    <message>
        <source>they are cut short</source>
        <translation>其数值被截断</translation>
    </message>
    <message>
        <source>its chunks do not fit its shape</source>
        <translation>其分块与形状不符</translation>
    </message>
    <message>
        <source>a part of its description is shared in a way that is not read</source>
        <translation>其描述有一部分以本程序不读取的方式共享</translation>
    </message>
    <message>
        <source>they are in another file, which is not opened</source>
        <translation>其数值在另一个不会打开的文件中</translation>
    </message>
    <message>
        <source>something follows the closing bracket</source>
        <translation>右括号之后还有内容</translation>
    </message>
    <message>
        <source>the text ends early</source>
        <translation>文本提前结束</translation>
    </message>
    <message>
        <source>a comma or closing bracket is missing</source>
        <translation>缺少逗号或右括号</translation>
    </message>
    <message>
        <source>the nesting is too deep</source>
        <translation>嵌套过深</translation>
    </message>
    <message>
        <source>a value is missing</source>
        <translation>缺少一个值</translation>
    </message>
    <message>
        <source>a number begins with 0</source>
        <translation>有数字以 0 开头</translation>
    </message>
    <message>
        <source>a number ends in its point</source>
        <translation>有数字以小数点结尾</translation>
    </message>
    <message>
        <source>a number ends in its exponent</source>
        <translation>有数字在指数处中断</translation>
    </message>
    <message>
        <source>there is a NUL byte</source>
        <translation>有 NUL 字节</translation>
    </message>
    <message>
        <source>there is a control character in a string</source>
        <translation>字符串中有控制字符</translation>
    </message>
    <message>
        <source>there is an unknown escape in a string</source>
        <translation>字符串中有未知的转义</translation>
    </message>
    <message>
        <source>the file ends before them</source>
        <translation>文件在其数值之前就结束了</translation>
    </message>
    <message>
        <source>weights of an ncnn network</source>
        <translation>ncnn 网络的权重</translation>
    </message>
    <message>
        <source>data of an ExecuTorch model</source>
        <translation>ExecuTorch 模型的数据</translation>
    </message>
    <message>
        <source>an MNN model</source>
        <translation>MNN 模型</translation>
    </message>
    <message>
        <source>a Core ML model</source>
        <translation>Core ML 模型</translation>
    </message>
    <message>
        <source>a TensorFlow SavedModel</source>
        <translation>TensorFlow SavedModel</translation>
    </message>
    <message>
        <source>a Caffe model</source>
        <translation>Caffe 模型</translation>
    </message>
    <message>
        <source>a TensorFlow graph</source>
        <translation>TensorFlow 计算图</translation>
    </message>
    <message>
        <source>the file that should hold them cannot be opened</source>
        <translation>应当存放其数值的文件无法打开</translation>
    </message>
    <message>
        <source>the file that holds them is too short</source>
        <translation>存放其数值的文件太短</translation>
    </message>
    <message>
        <source>they are in another file</source>
        <translation>其数值在另一个文件中</translation>
    </message>
    <message>
        <source>a PyTorch distributed checkpoint</source>
        <translation>PyTorch 分布式检查点</translation>
    </message>
    <message>
        <source>a Megatron checkpoint</source>
        <translation>Megatron 检查点</translation>
    </message>
    <message>
        <source>a JAX checkpoint</source>
        <translation>JAX 检查点</translation>
    </message>
    <message>
        <source>a DeepSpeed checkpoint</source>
        <translation>DeepSpeed 检查点</translation>
    </message>
    <message>
        <source>a zarr array</source>
        <translation>zarr 数组</translation>
    </message>
    <message>
        <source>a compiled Core ML model</source>
        <translation>已编译的 Core ML 模型</translation>
    </message>
    <message>
        <source>a Core ML package</source>
        <translation>Core ML 包</translation>
    </message>
    <message>
        <source>the object __metadata__</source>
        <translation>对象 __metadata__</translation>
    </message>
    <message>
        <source>the object of a tensor</source>
        <translation>张量的对象</translation>
    </message>
    <message>
        <source>the name of a dtype</source>
        <translation>dtype 的名称</translation>
    </message>
    <message>
        <source>an unsigned integer</source>
        <translation>无符号整数</translation>
    </message>
    <message>
        <source>the array shape</source>
        <translation>数组 shape</translation>
    </message>
    <message>
        <source>the array data_offsets</source>
        <translation>数组 data_offsets</translation>
    </message>
    <message>
        <source>a second number in data_offsets</source>
        <translation>data_offsets 中的第二个数字</translation>
    </message>
    <message>
        <source>the end of the object</source>
        <translation>对象的结尾</translation>
    </message>
    <message>
        <source>the object weight_map</source>
        <translation>对象 weight_map</translation>
    </message>
    <message>
        <source>the name of a file</source>
        <translation>文件名</translation>
    </message>
    <message>
        <source>they are Python objects</source>
        <translation>其数值是 Python 对象</translation>
    </message>
    <message>
        <source>they are not in this file</source>
        <translation>其数值不在此文件中</translation>
    </message>
    <message>
        <source>they cannot be read</source>
        <translation>其数值无法读取</translation>
    </message>
    <message>
        <source>the file that should hold them is missing</source>
        <translation>应当存放其数值的文件不存在</translation>
    </message>
    <message>
        <source>a part of them is missing</source>
        <translation>缺少其中一部分</translation>
    </message>
    <message>
        <source>the file that holds a part of them is too short</source>
        <translation>存放其中一部分的文件太短</translation>
    </message>
    <message>
        <source>its parts do not make up the whole</source>
        <translation>各部分拼不成整体</translation>
    </message>
    <message>
        <source>a part of them lies outside of it</source>
        <translation>其中一部分位于其外</translation>
    </message>
    <message>
        <source>a part of them cannot be read</source>
        <translation>其中一部分无法读取</translation>
    </message>
    <message>
        <source>they are too many copies of one value</source>
        <translation>同一数值的副本过多</translation>
    </message>
    <message>
        <source>its record is not in the archive</source>
        <translation>其记录不在归档中</translation>
    </message>
    <message>
        <source>its record is compressed</source>
        <translation>其记录是压缩的</translation>
    </message>
    <message>
        <source>its description is not one that this program understands</source>
        <translation>本程序不理解其描述</translation>
    </message>
    <message>
        <source>its storage is not in the file</source>
        <translation>其存储不在文件中</translation>
    </message>
    <message>
        <source>its storage reaches beyond the one that it is a part of</source>
        <translation>其存储超出了所属的存储</translation>
    </message>
    <message>
        <source>it reaches beyond its storage</source>
        <translation>它超出了自己的存储</translation>
    </message>
    <message>
        <source>its storage is shorter than it should be</source>
        <translation>其存储比应有的短</translation>
    </message>
    <message>
        <source>its layout is not known to this program</source>
        <translation>本程序不认识其布局</translation>
    </message>
    <message>
        <source>its storage is not in the archive</source>
        <translation>其存储不在归档中</translation>
    </message>
    <message>
        <source>its storage is compressed</source>
        <translation>其存储是压缩的</translation>
    </message>
    <message>
        <source>a router of an unknown kind</source>
        <translation>未知种类的路由器</translation>
    </message>
    <message>
        <source>experts in groups</source>
        <translation>分组的专家</translation>
    </message>
    <message>
        <source>experts of another width than the model</source>
        <translation>宽度与模型不同的专家</translation>
    </message>
    <message>
        <source>a router with a soft cap</source>
        <translation>带软上限的路由器</translation>
    </message>
    <message>
        <source>experts behind a norm of their own</source>
        <translation>有各自归一化的专家</translation>
    </message>
    <message>
        <source>experts without a gate</source>
        <translation>没有门控的专家</translation>
    </message>
    <message>
        <source>experts beside a dense part</source>
        <translation>与稠密部分并列的专家</translation>
    </message>
    <message>
        <source>attention to later tokens</source>
        <translation>对后续词元的注意力</translation>
    </message>
    <message>
        <source>layers that are passed several times</source>
        <translation>多次经过的层</translation>
    </message>
    <message>
        <source>attention temperature without an original context</source>
        <translation>没有原始上下文的注意力温度</translation>
    </message>
    <message>
        <source>a layer is no object</source>
        <translation>有一层不是对象</translation>
    </message>
    <message>
        <source>the digest of a layer is not sha256 and 64 hexadecimal digits</source>
        <translation>有一层的摘要不是 sha256 加 64 位十六进制数字</translation>
    </message>
    <message>
        <source>the size of a layer is no number</source>
        <translation>有一层的大小不是数字</translation>
    </message>
    <message>
        <source>it is not JSON</source>
        <translation>它不是 JSON</translation>
    </message>
    <message>
        <source>it names no layers</source>
        <translation>它没有列出任何层</translation>
    </message>
    <message>
        <source>it names too many layers</source>
        <translation>它列出的层过多</translation>
    </message>
    <message>
        <source>the description of a Caffe network</source>
        <translation>Caffe 网络的描述</translation>
    </message>
    <message>
        <source>weights of an OpenVINO network</source>
        <translation>OpenVINO 网络的权重</translation>
    </message>
    <message>
        <source>{}: its schema.json breaks off or is no JSON; what it names from there on is missing.</source>
        <translation>{}：其 schema.json 中断或不是 JSON；此后列出的内容缺失。</translation>
    </message>
    <message>
        <source>{} has no schema.json and is no skops archive; get a complete copy.</source>
        <translation>{} 没有 schema.json，不是 skops 归档；请获取完整的副本。</translation>
    </message>
    <message>
        <source>{} names more than {} arrays.</source>
        <translation>{} 列出的数组超过 {} 个。</translation>
    </message>
    <message>
        <source>{}: {} should be in {}, which the archive does not hold.</source>
        <translation>{}：{} 应在 {} 中，但归档里没有它。</translation>
    </message>
    <message>
        <source>{}: {} is a sparse matrix in {}, whose parts are not listed.</source>
        <translation>{}：{} 是 {} 中的稀疏矩阵，其组成部分未列出。</translation>
    </message>
    <message>
        <source>{}: {} is in {}, which is no NumPy array that this program can read.</source>
        <translation>{}：{} 在 {} 中，而它不是本程序能读取的 NumPy 数组。</translation>
    </message>
    <message>
        <source>meta tensor: no storage</source>
        <translation>元张量：没有存储区</translation>
    </message>
    <message>
        <source>{}: it wants values from {}, which leads out of its folder.</source>
        <translation>{}：它要从 {} 取值，而该路径指向其文件夹之外。</translation>
    </message>
    <message>
        <source>{}: its chat template reaches for the inside of Python in line {}; a renderer without limits would run code.</source>
        <translation>{}：其对话模板在第 {} 行触及 Python 内部；没有限制的渲染器会运行代码。</translation>
    </message>
    <message>
        <source>{}: its chat template loads another template in line {}, which no model brings along.</source>
        <translation>{}：其对话模板在第 {} 行加载另一个模板，而模型并不附带它。</translation>
    </message>
    <message>
        <source>{}: its chat template has characters in line {} that nobody sees.</source>
        <translation>{}：其对话模板在第 {} 行含有不可见字符。</translation>
    </message>
    <message>
        <source>Weighbridge does not guess ahead; leave out the draft.</source>
        <translation>Weighbridge 不做推测解码；请去掉草稿模型。</translation>
    </message>
    <message>
        <source>The cache and buffers of the layers that predict further tokens, which they have only where they guess ahead.</source>
        <translation>预测后续词元的层的缓存和缓冲区，仅在用于推测时才有。</translation>
    </message>
    <message>
        <source>What differs between a layer that guesses ahead and one of the model: its buffers are taken to be the same.</source>
        <translation>推测层与模型自身层之间的差异：其缓冲区按相同计算。</translation>
    </message>
    <message>
        <source>{} layers × ({} of the convolution + {} of the state) × 4 bytes × {} copies</source>
        <translation>{} 层 ×（卷积 {} + 状态 {}）× 4 字节 × {} 份</translation>
    </message>
    <message>
        <source>cache of {} layers that predict further tokens, as F16: {} bytes</source>
        <translation>{} 个预测后续词元的层的缓存（F16）：{} 字节</translation>
    </message>
    <message>
        <source>their mask and buffers: {} bytes</source>
        <translation>它们的掩码和缓冲区：{} 字节</translation>
    </message>
    <message>
        <source>{} parameters × {} bytes = {} of weights; × {} to use them = {}</source>
        <translation>{} 个参数 × {} 字节 = 权重 {}；使用时 × {} = {}</translation>
    </message>
    <message>
        <source>This model has no layers that predict further tokens; name a small model as its draft.</source>
        <translation>此模型没有预测后续词元的层；请指定一个小模型作为草稿模型。</translation>
    </message>
    <message>
        <source>Either a small model guesses ahead or the model&apos;s own layers do; choose one.</source>
        <translation>由小模型预测，或由模型自己的层预测；请二选一。</translation>
    </message>
    <message>
        <source>their running average: {} × {} bytes</source>
        <translation>其滑动平均：{} × {} 字节</translation>
    </message>
    <message>
        <source>{} keeps no {} by its settings; leave it out.</source>
        <translation>{} 的设置中没有 {}；请去掉。</translation>
    </message>
    <message>
        <source>{} parameters × {} to {} bytes / {} GPUs = {} to {} on each</source>
        <translation>{} 参数 × {} 到 {} 字节 / {} 个 GPU = 每个 {} 到 {}</translation>
    </message>
    <message>
        <source>{} parameters × {} to {} bytes = {} to {}</source>
        <translation>{} 参数 × {} 到 {} 字节 = {} 到 {}</translation>
    </message>
    <message>
        <source>{} parameters × {} bytes + {} trained × {} bytes + {} to {} GB = {} to {}</source>
        <translation>{} 参数 × {} 字节 + {} 训练参数 × {} 字节 + {} 到 {} GB = {} 到 {}</translation>
    </message>
    <message>
        <source>{} parameters × {} to {} bytes ({} to {} GB for 7B) = {} to {}</source>
        <translation>{} 参数 × {} 到 {} 字节（7B 为 {} 到 {} GB）= {} 到 {}</translation>
    </message>
    <message>
        <source>{} fits, but leaves only {} free on the disk.</source>
        <translation>{} 放得下，但之后磁盘只剩 {} 可用空间。</translation>
    </message>
    <message>
        <source>{} has {} files that would be one model; at most {} are opened on a hub.</source>
        <translation>{} 有 {} 个文件会组成一个模型；在社区服务器上最多打开 {} 个。</translation>
    </message>
    <message>
        <source>{} is a distributed checkpoint, whose tensors lie in parts; such cannot be joined yet.</source>
        <translation>{} 是分布式检查点，其张量分成多个部分；目前还不能合并这样的检查点。</translation>
    </message>
    <message>
        <source>{} is not a plan to write weights, as Weighbridge saves it; choose another file.</source>
        <translation>{} 不是 Weighbridge 保存的写出权重的方案；请选择其他文件。</translation>
    </message>
    <message>
        <source>{} was not kept: {} in it is not what its source gives once more, so the memory, the disk or the device may be faulty.</source>
        <translation>未保留 {}：其中的 {} 与再次由来源算出的不一致，内存、磁盘或设备可能有故障。</translation>
    </message>
    <message>
        <source>The tensor {} lies in {} and again in {}.</source>
        <translation>张量 {} 既在 {} 中，又在 {} 中。</translation>
    </message>
    <message>
        <source>{} is empty, so it is no template.</source>
        <translation>{} 是空的，因此不是模板。</translation>
    </message>
    <message>
        <source>{} decides about types, names, shards and adapters; leave the other options about them out.</source>
        <translation>{} 已决定类型、名称、分片和适配器；请去掉与之相关的其他选项。</translation>
    </message>
    <message>
        <source>{} is not what the plan writes: it is a folder for one and a .safetensors file for the other.</source>
        <translation>{} 与方案要写的不符：一个是文件夹，另一个是 .safetensors 文件。</translation>
    </message>
    <message>
        <source>{} is not an adapter as PEFT writes it: a folder with adapter_config.json and adapter_model.safetensors or adapter_model.bin.</source>
        <translation>{} 不是 PEFT 写出的适配器：那是一个含有 adapter_config.json 和 adapter_model.safetensors（或 adapter_model.bin）的文件夹。</translation>
    </message>
    <message>
        <source>{}: it holds a private key, which whoever gets the file can use; withdraw the key, and write the file without it.</source>
        <translation>{}：其中含有一个私钥，拿到该文件的人都能使用；请吊销该私钥，并重新写出不含它的文件。</translation>
    </message>
    <message>
        <source>{}: it holds what looks like a token of {} ({} characters), which whoever gets the file can use; withdraw the token, and write the file without it.</source>
        <translation>{}：其中含有疑似 {} 的访问令牌（{} 个字符），拿到该文件的人都能使用；请吊销该令牌，并重新写出不含它的文件。</translation>
    </message>
    <message>
        <source>{0}: its chat template itself talks to the model, in line {1} with {2} characters: {3}</source>
        <translation>{0}：其对话模板自己对模型说话，在第 {1} 行，共 {2} 个字符：{3}</translation>
    </message>
    <message>
        <source>{}: its chat template makes a text or a loop in line {} that grows without a limit.</source>
        <translation>{}：其对话模板在第 {} 行生成无限增长的文本或循环。</translation>
    </message>
    <message>
        <source>{}: what its chat template writes in line {} is left to chance.</source>
        <translation>{}：其对话模板在第 {} 行写出的内容是随机的。</translation>
    </message>
    <message>
        <source>{}: its chat template writes the time of day or date in line {}.</source>
        <translation>{}：其对话模板在第 {} 行写入时间或日期。</translation>
    </message>
    <message>
        <source>{0}: in line {1} its chat template acts on what a message says: {2}</source>
        <translation>{0}：其对话模板在第 {1} 行根据消息内容行事：{2}</translation>
    </message>
    <message>
        <source>{}: its chat template holds encoded text in line {}, which nobody can read.</source>
        <translation>{}：其对话模板在第 {} 行含有无人能读的编码文本。</translation>
    </message>
    <message>
        <source>{}: its chat template writes a link or an address in line {}.</source>
        <translation>{}：其对话模板在第 {} 行写入链接或地址。</translation>
    </message>
    <message>
        <source>Leave the experts of all {} layers that have them to the processor.</source>
        <translation>把全部 {} 个含专家的层的专家留给处理器。</translation>
    </message>
    <message>
        <source>Answers come more slowly, less so than with whole layers there.</source>
        <translation>回答会变慢，但比把整层留给处理器要快。</translation>
    </message>
    <message>
        <source>Store the cache as q4_0.</source>
        <translation>把缓存存为 q4_0。</translation>
    </message>
    <message>
        <source>Long conversations lose some exactness.</source>
        <translation>长对话会损失一些精确度。</translation>
    </message>
    <message>
        <source>{} says nothing of the weights, so that no memory can be said to hold the model.</source>
        <translation>{} 没有说明权重，因此无法判断哪种内存能容纳该模型。</translation>
    </message>
    <message>
        <source>Weights: the config says the layers but not their tensors, so that nothing is said of what holds them.</source>
        <translation>权重：配置给出了层，但没有给出张量，因此不判断什么设备能容纳它们。</translation>
    </message>
    <message>
        <source>{} has no {} above zero; choose the config.json of a language model.</source>
        <translation>{} 中没有大于零的 {}；请选择语言模型的 config.json。</translation>
    </message>
    <message>
        <source>{} is cut short: it has {} bytes of the {} that its superblock promises.</source>
        <translation>{} 不完整：文件有 {} 字节，而其超级块声明应有 {} 字节。</translation>
    </message>
    <message>
        <source>{} is not read as far as that.</source>
        <translation>不会读取 {} 到那么靠后的位置。</translation>
    </message>
    <message>
        <source>The folder has no tokenizer.model, and tokenizer.json has no scores: all tokens get the same, as the reference gives them, and text may be cut otherwise; put tokenizer.model beside it where there is one.</source>
        <translation>文件夹中没有 tokenizer.model，而 tokenizer.json 不含分数：所有词元都得到相同的分数，与参考程序一致，文本的切分可能因此不同；如有 tokenizer.model，请把它放在一起。</translation>
    </message>
    <message>
        <source>{} in generation_config.json is not of the kind that a GGUF file can hold; mend or remove it.</source>
        <translation>generation_config.json 中的 {} 不是 GGUF 文件能保存的类型；请修正或删除它。</translation>
    </message>
    <message>
        <source>adapter_config.json of {} has no number as lora_alpha, so how much it changes is not known.</source>
        <translation>{} 的 adapter_config.json 中的 lora_alpha 不是数字，因此无法得知它的改动幅度。</translation>
    </message>
    <message>
        <source>The search for {} has no list from an earlier time; make it once without --offline.</source>
        <translation>没有以前搜索 {} 留下的列表；请先不带 --offline 搜索一次。</translation>
    </message>
    <message>
        <source>The value of {} is outside its range, {}.</source>
        <translation>{} 的值超出其范围（{}）。</translation>
    </message>
    <message>
        <source>A logit bias names the token {}; the vocabulary has the tokens 0 to {}.</source>
        <translation>logit 偏置指定了词元 {}；词表中的词元为 0 到 {}。</translation>
    </message>
    <message>
        <source>{} has no chat template to write a conversation with; give a plain text, or a template of its own.</source>
        <translation>{} 没有用于书写对话的对话模板；请给出普通文本，或另行指定模板。</translation>
    </message>
    <message>
        <source>config.json leaves out {}; what the class of the model takes for it is written, as the reference does.</source>
        <translation>config.json 未给出 {}；与参考程序一样，写入该模型类的默认值。</translation>
    </message>
    <message>
        <source>The files of {} are not known without asking the hub; download it once without --offline.</source>
        <translation>不询问模型站就无法得知 {} 的文件；请先不带 --offline 下载一次。</translation>
    </message>
    <message>
        <source>The values of {} cannot be read: {}</source>
        <translation>无法读取 {} 的值：{}</translation>
    </message>
    <message>
        <source>{} holds no model that this program knows as a folder; open one of the files in it.</source>
        <translation>{} 中没有本程序能作为文件夹打开的模型；请打开其中的某个文件。</translation>
    </message>
    <message>
        <source>{}: {} is packed with {}, which this program does not unpack; save it with numpy.savez.</source>
        <translation>{}：{} 以 {} 压缩，本程序不解压；请用 numpy.savez 保存。</translation>
    </message>
    <message>
        <source>a batch of compressed sparse matrices, or one of vectors, is listed by its parts only</source>
        <translation>成批的压缩稀疏矩阵或由向量组成的稀疏矩阵只列出其组成部分</translation>
    </message>
    <message>
        <source>{}: the member {} is packed with {}, which this program does not unpack; save it without or with deflate.</source>
        <translation>{}：成员 {} 以 {} 压缩，本程序不解压；请不压缩或以 deflate 压缩保存。</translation>
    </message>
    <message>
        <source>{} values of {} are NaN or infinite: what it is computed from holds such values, or the result is beyond the range of {}.</source>
        <translation>有 {} 个值（{}）是 NaN 或无穷大：其来源含有这样的值，或结果超出 {} 的范围。</translation>
    </message>
    <message>
        <source>{} values of {} in the adapter {} are NaN or infinite, and so will be what they are added to.</source>
        <translation>有 {} 个值为 NaN 或无穷大（张量 {}，适配器 {}），与之相加的张量也会如此。</translation>
    </message>
    <message>
        <source>The graphics device was given an operation that it does not compute; this is a defect of the program.</source>
        <translation>图形设备收到了它不计算的运算；这是程序的缺陷。</translation>
    </message>
    <message>
        <source>caches that layers share</source>
        <translation>多层共用的缓存</translation>
    </message>
    <message>
        <source>query/key norms</source>
        <translation>查询/键归一化</translation>
    </message>
    <message>
        <source>value norms</source>
        <translation>值归一化</translation>
    </message>
    <message>
        <source>an attention temperature</source>
        <translation>注意力温度</translation>
    </message>
    <message>
        <source>a soft cap of attention scores</source>
        <translation>注意力分数软上限</translation>
    </message>
    <message>
        <source>attention sinks</source>
        <translation>注意力汇</translation>
    </message>
    <message>
        <source>a head size above 256</source>
        <translation>大于 256 的注意力头</translation>
    </message>
    <message>
        <source>an odd head size</source>
        <translation>奇数大小的注意力头</translation>
    </message>
    <message>
        <source>norms after attention and feed-forward</source>
        <translation>注意力与前馈之后的归一化</translation>
    </message>
    <message>
        <source>expert routing</source>
        <translation>专家路由</translation>
    </message>
    <message>
        <source>a feed-forward part without a gate</source>
        <translation>无门控的前馈部分</translation>
    </message>
    <message>
        <source>per-layer embeddings</source>
        <translation>逐层嵌入</translation>
    </message>
    <message>
        <source>layer output scales</source>
        <translation>逐层输出缩放</translation>
    </message>
    <message>
        <source>a soft cap of the logits</source>
        <translation>logits 软上限</translation>
    </message>
    <message>
        <source>a logit scale</source>
        <translation>logits 缩放</translation>
    </message>
    <message>
        <source>LayerNorm</source>
        <translation>LayerNorm</translation>
    </message>
    <message>
        <source>GELU</source>
        <translation>GELU</translation>
    </message>
    <message>
        <source>ReLU</source>
        <translation>ReLU</translation>
    </message>
    <message>
        <source>clamped SwiGLU</source>
        <translation>截断 SwiGLU</translation>
    </message>
    <message>
        <source>learned position embeddings</source>
        <translation>学习得到的位置嵌入</translation>
    </message>
    <message>
        <source>A plan file cannot express added metadata, a vocabulary without tensors, or the reference converter&apos;s own rules for Q8_0, TQ1_0 and TQ2_0; do not save this plan.</source>
        <translation>方案文件无法表示附加的元数据、不含张量的词表，也无法表示参考转换器对 Q8_0、TQ1_0 和 TQ2_0 的专用规则；请不要保存此方案。</translation>
    </message>
    <message>
        <source>Loading {} in its original program would access Python internals from its chat template. Only its tensors are read here; allow it if you trust the file.</source>
        <translation>用原程序加载 {} 时，其对话模板会访问 Python 内部对象。此处只读取张量；如果您信任该文件，请允许读取。</translation>
    </message>
    <message>
        <source>Loading {} in its original program would run the Python code named by its auto_map. Only its tensors are read here; allow it if you trust the files.</source>
        <translation>用原程序加载 {} 时，会运行其 auto_map 指定的 Python 代码。此处只读取张量；如果您信任这些文件，请允许读取。</translation>
    </message>
    <message>
        <source>Loading {} in its original program would run the code of its Lambda layer. Only its tensors are read here; allow it if you trust the file.</source>
        <translation>用原程序加载 {} 时，会运行其 Lambda 层中的代码。此处只读取张量；如果您信任该文件，请允许读取。</translation>
    </message>
    <message>
        <source>Loading {} in its original program would run code that could not be followed. Only its tensors are read here; allow it if you trust the file.</source>
        <translation>用原程序加载 {} 时，会运行无法追踪的代码。此处只读取张量；如果您信任该文件，请允许读取。</translation>
    </message>
    <message>
        <source>Loading {} in its original program would call {}. Only its tensors are read here; allow it if you trust the file.</source>
        <translation>用原程序加载 {} 时，会调用 {}。此处只读取张量；如果您信任该文件，请允许读取。</translation>
    </message>
    <message>
        <source>--verify takes sample, all or none.</source>
        <translation>--verify 可为 sample、all 或 none。</translation>
    </message>
    <message>
        <source>{} is read here and would be overwritten; choose another name for the output.</source>
        <translation>{} 是此处要读取的文件，会被覆盖；请为输出选择其他名称。</translation>
    </message>
    <message>
        <source>{} is named for two outputs; choose a name of its own for each.</source>
        <translation>{} 被指定给了两个输出；请为每个输出选择各自的名称。</translation>
    </message>
    <message>
        <source>{} is a torch.package archive, whose Python code runs when something is loaded from it: {}.</source>
        <translation>{} 是 torch.package 归档，从中加载内容时会运行其 Python 代码：{}。</translation>
    </message>
    <message>
        <source>{} is in a format that this program recognizes but does not read, so it was not checked.</source>
        <translation>本程序能识别但不读取 {} 的格式，因此未检查。</translation>
    </message>
    <message>
        <source>{} is in no format that this program knows, so it was not checked.</source>
        <translation>{} 的格式本程序不认识，因此未检查。</translation>
    </message>
    <message>
        <source>{}: its auto_map names Python code that runs when the model is loaded with trust_remote_code=True: {}.</source>
        <translation>{}：其 auto_map 指定了 Python 代码，以 trust_remote_code=True 加载模型时会运行：{}。</translation>
    </message>
    <message>
        <source>{}: loading it reaches code that is known to be dangerous: {}.</source>
        <translation>{}：加载它会用到已知危险的代码：{}。</translation>
    </message>
    <message>
        <source>{}: loading it reaches code that is known to be dangerous.</source>
        <translation>{}：加载它会用到已知危险的代码。</translation>
    </message>
    <message>
        <source>{}: loading it reaches code that is not known: {}.</source>
        <translation>{}：加载它会用到未知的代码：{}。</translation>
    </message>
    <message>
        <source>{}: loading it reaches code that is not known.</source>
        <translation>{}：加载它会用到未知的代码。</translation>
    </message>
    <message>
        <source>{}: the pickle is truncated or invalid and cannot be followed to its end.</source>
        <translation>{}：pickle 被截断或无效，无法解析到末尾。</translation>
    </message>
    <message>
        <source>{} is damaged or invalid, so nothing is known about what it would run.</source>
        <translation>{} 已损坏或无效，因此无从得知它会运行什么。</translation>
    </message>
    <message>
        <source>{} is Python code of the model and uses {}.</source>
        <translation>{} 是模型的 Python 代码，使用了 {}。</translation>
    </message>
    <message>
        <source>{} is Python code of the model; what it does was not proved.</source>
        <translation>{} 是模型的 Python 代码；其行为未经验证。</translation>
    </message>
    <message>
        <source>{} is text and not a model, so it was not checked.</source>
        <translation>{} 是文本，不是模型，因此未检查。</translation>
    </message>
    <message>
        <source>{} is Python source and not a model, so it was not checked.</source>
        <translation>{} 是 Python 源代码，不是模型，因此未检查。</translation>
    </message>
    <message>
        <source>{} names Python objects that an unsafe YAML loader creates: {}.</source>
        <translation>{} 指定了不安全的 YAML 加载器会创建的 Python 对象：{}。</translation>
    </message>
    <message>
        <source>{} (stdout) cannot be written here; name a file.</source>
        <translation>此处不能写入 {}（标准输出）；请指定文件。</translation>
    </message>
    <message>
        <source>{} (stdout) can take only one output; name a file for the other.</source>
        <translation>{}（标准输出）只能用于一个输出；请为另一个指定文件。</translation>
    </message>
    <message>
        <source>{} exists already; choose another name, or replace it with --force.</source>
        <translation>{} 已存在；请选择其他名称，或用 --force 替换。</translation>
    </message>
    <message>
        <source>Not part of the model, and not read: the training state in {}. Open such a file by itself.</source>
        <translation>不属于模型，未读取：{} 中的训练状态。请单独打开这样的文件。</translation>
    </message>
    <message>
        <source>the list of weights of a TensorFlow.js model</source>
        <translation>TensorFlow.js 模型的权重列表</translation>
    </message>
    <message>
        <source>a PaddlePaddle model</source>
        <translation>PaddlePaddle 模型</translation>
    </message>
    <message>
        <source>a TensorFlow.js model</source>
        <translation>TensorFlow.js 模型</translation>
    </message>
    <message>
        <source>{} is a distributed checkpoint: its files contain parts of tensors, and each part is listed under the name of the whole tensor with the shape of the part.</source>
        <translation>{} 是分布式检查点：其文件包含张量的各个部分，每个部分以整个张量的名称和该部分的形状列出。</translation>
    </message>
    <message>
        <source>{}: the positions of the elements of a sparse tensor are invalid; get a complete copy.</source>
        <translation>{}：某个稀疏张量的元素位置无效；请获取完整的副本。</translation>
    </message>
    <message>
        <source>it is sparse in a form that is not supported</source>
        <translation>其稀疏形式不受支持</translation>
    </message>
    <message>
        <source>{}: {} is sparse in a form that is not supported; it is listed without values.</source>
        <translation>{}：{} 的稀疏形式不受支持；仅列出，不含数值。</translation>
    </message>
    <message>
        <source>{} ends in none of .npy, .csv, .npz and .safetensors, which are the forms values are exported in.</source>
        <translation>{} 的扩展名不是 .npy、.csv、.npz 或 .safetensors，而数值只能导出为这些格式。</translation>
    </message>
    <message>
        <source>There is no tensor to write to {}; choose one.</source>
        <translation>没有要写入 {} 的张量；请选择一个。</translation>
    </message>
    <message>
        <source>{} can hold one tensor, and {} are chosen; write them to .npz or .safetensors.</source>
        <translation>{} 只能存放一个张量，而您选择了 {} 个；请写入 .npz 或 .safetensors。</translation>
    </message>
    <message>
        <source>{}: the checksum (CRC-32) of {} does not match its content; get an undamaged copy of the file.</source>
        <translation>{}：{} 的校验和（CRC-32）与其内容不符；请获取未损坏的文件副本。</translation>
    </message>
    <message>
        <source>{} contains {} NaN and {} infinite elements; the other statistics are of the {} finite ones.</source>
        <translation>{} 包含 {} 个 NaN 元素和 {} 个无穷元素；其他统计量只针对 {} 个有限元素。</translation>
    </message>
    <message>
        <source>The elements of {} are complex; the statistics are of their magnitudes.</source>
        <translation>{} 的元素是复数；统计量针对其模。</translation>
    </message>
    <message>
        <source>{} gave an answer about {} of a shape that this program does not know; it may not be a hub.</source>
        <translation>{} 对 {} 的答复格式未知；它可能不是模型社区。</translation>
    </message>
    <message>
        <source>{} gives a list of {} that does not end; it was given up.</source>
        <translation>{} 返回的 {} 的列表没有尽头；已放弃。</translation>
    </message>
    <message>
        <source>{} refuses the request for {}: {}</source>
        <translation>{} 拒绝了对 {} 的请求：{}</translation>
    </message>
    <message>
        <source>{} refuses the token for {}; it has expired, was revoked or is mistyped.</source>
        <translation>{} 拒绝了用于 {} 的访问令牌；它已过期、已被撤销或输入有误。</translation>
    </message>
    <message>
        <source>{} answered the request for {} with a web page instead of data; a login page of your network may stand in between: open it in a browser.</source>
        <translation>{} 对 {} 的请求返回了网页而不是数据；可能是网络的登录页面：请在浏览器中打开。</translation>
    </message>
    <message>
        <source>{} gave an answer about {} that cannot be read ({}); try again later.</source>
        <translation>{} 对 {} 的答复无法读取（{}）；请稍后再试。</translation>
    </message>
    <message>
        <source>{} gave an answer about {} that is too large to be one page; ask for less.</source>
        <translation>{} 对 {} 的答复太大，不像一页；请缩小请求范围。</translation>
    </message>
    <message>
        <source>{} is rate-limiting requests; try again in some minutes.</source>
        <translation>{} 正在限制请求频率；请几分钟后再试。</translation>
    </message>
    <message>
        <source>{} is rate-limiting requests; try again for {} in some minutes.</source>
        <translation>{} 正在限制请求频率；请几分钟后再请求 {}。</translation>
    </message>
    <message>
        <source>{} has a server error (status {}); try again later.</source>
        <translation>{} 出现服务器错误（状态 {}）；请稍后再试。</translation>
    </message>
    <message>
        <source>{} has a server error and cannot answer for {} (status {}); try again later.</source>
        <translation>{} 出现服务器错误，无法答复 {} 的请求（状态 {}）；请稍后再试。</translation>
    </message>
    <message>
        <source>{} is the smallest file that fits in memory and loses barely noticeably: mean KLD {} with an importance matrix (Llama 3 8B; llama.cpp, tools/perplexity).</source>
        <translation>{} 是放得进内存且损失几乎察觉不到的最小文件：使用重要性矩阵时平均 KLD 为 {}（Llama 3 8B；llama.cpp，tools/perplexity）。</translation>
    </message>
    <message>
        <source>{} is the smallest file that fits in memory and loses barely noticeably: mean KLD {} without an importance matrix (Llama 3 8B; llama.cpp, tools/perplexity).</source>
        <translation>{} 是放得进内存且损失几乎察觉不到的最小文件：不用重要性矩阵时平均 KLD 为 {}（Llama 3 8B；llama.cpp，tools/perplexity）。</translation>
    </message>
    <message>
        <source>{} loses least of the files that fit in memory: mean KLD {} with an importance matrix (Llama 3 8B; llama.cpp, tools/perplexity).</source>
        <translation>{} 是放得进内存的文件中损失最小的：使用重要性矩阵时平均 KLD 为 {}（Llama 3 8B；llama.cpp，tools/perplexity）。</translation>
    </message>
    <message>
        <source>{} loses least of the files that fit in memory: mean KLD {} without an importance matrix (Llama 3 8B; llama.cpp, tools/perplexity).</source>
        <translation>{} 是放得进内存的文件中损失最小的：不用重要性矩阵时平均 KLD 为 {}（Llama 3 8B；llama.cpp，tools/perplexity）。</translation>
    </message>
    <message>
        <source>Nobody notices: {} bits a weight, KLD {} of Llama 3 8B without imatrix.</source>
        <translation>几乎察觉不到：每权重 {} 位，Llama 3 8B 不用 imatrix 的 KLD 为 {}。</translation>
    </message>
    <message>
        <source>A small loss: {} bits a weight, KLD {} of Llama 3 8B without imatrix.</source>
        <translation>损失很小：每权重 {} 位，Llama 3 8B 不用 imatrix 的 KLD 为 {}。</translation>
    </message>
    <message>
        <source>A noticeable loss: {} bits a weight, KLD {} of Llama 3 8B without imatrix.</source>
        <translation>损失可察觉：每权重 {} 位，Llama 3 8B 不用 imatrix 的 KLD 为 {}。</translation>
    </message>
    <message>
        <source>A large loss: {} bits a weight, KLD {} of Llama 3 8B without imatrix.</source>
        <translation>损失较大：每权重 {} 位，Llama 3 8B 不用 imatrix 的 KLD 为 {}。</translation>
    </message>
    <message>
        <source>A severe loss: {} bits a weight, KLD {} of Llama 3 8B without imatrix.</source>
        <translation>损失严重：每权重 {} 位，Llama 3 8B 不用 imatrix 的 KLD 为 {}。</translation>
    </message>
    <message>
        <source>{} sends less than 100 bytes per second; try again later.</source>
        <translation>{} 每秒发送不到 100 字节；请稍后再试。</translation>
    </message>
    <message>
        <source>{} has {} quantizations, {} in all; name the file to download, such as {}, or &apos;*&apos; for all.</source>
        <translation>{} 有 {} 个量化版本，共 {}；请指定要下载的文件，例如 {}，或用 &apos;*&apos; 下载全部。</translation>
    </message>
    <message>
        <source>{} is not a saved conversation; use a file that the window exported or that --save wrote.</source>
        <translation>{} 不是已保存的对话；请使用窗口导出的文件或 --save 写出的文件。</translation>
    </message>
    <message>
        <source>No further thread is available; close other programs and try again.</source>
        <translation>系统无法再提供线程；请关闭其他程序后重试。</translation>
    </message>
    <message>
        <source>No model is loaded; choose one first.</source>
        <translation>未加载模型；请先选择一个模型。</translation>
    </message>
    <message>
        <source>The value of {} in {} is outside its range; the default is used.</source>
        <translation>{} 的值（位于 {}）超出范围；已使用默认值。</translation>
    </message>
    <message>
        <source>{} next to the model cannot be read; the default sampling is used.</source>
        <translation>无法读取模型旁的 {}；已使用默认采样设置。</translation>
    </message>
    <message>
        <source>The context has {} tokens instead of the usual {}, which do not fit in memory; choose another with --context.</source>
        <translation>上下文为 {} 个词元，而不是通常的 {} 个，因为内存放不下；可用 --context 另行指定。</translation>
    </message>
</context>
<context>
    <name>wb::ui::BrowseTab</name>
    <message>
        <source>Browse</source>
        <translation>浏览</translation>
    </message>
    <message>
        <source>Downloaded to %1.</source>
        <translation>已下载到 %1。</translation>
    </message>
    <message>
        <source>Opening %1…</source>
        <translation>正在打开 %1…</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>正在搜索…</translation>
    </message>
    <message numerus="yes">
        <source>%n model(s) so far, searching…</source>
        <translation>
            <numerusform>已找到 %n 个模型，正在搜索…</numerusform>
        </translation>
    </message>
    <message>
        <source>No model was found.</source>
        <translation>没有找到模型。</translation>
    </message>
    <message numerus="yes">
        <source>%n model(s); scroll for more</source>
        <translation>
            <numerusform>%n 个模型；滚动以查看更多</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n model(s)</source>
        <translation>
            <numerusform>%n 个模型</numerusform>
        </translation>
    </message>
    <message>
        <source>Search Hugging Face and ModelScope</source>
        <translation>搜索 Hugging Face 和 ModelScope</translation>
    </message>
    <message>
        <source>Search for models on the hubs</source>
        <translation>在模型社区中搜索模型</translation>
    </message>
    <message>
        <source>Both hubs</source>
        <translation>两个社区</translation>
    </message>
    <message>
        <source>Hub</source>
        <translation>社区</translation>
    </message>
    <message>
        <source>Any format</source>
        <translation>任意格式</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Any size</source>
        <translation>任意大小</translation>
    </message>
    <message>
        <source>up to 4 B</source>
        <translation>不超过 4 B</translation>
    </message>
    <message>
        <source>4 B to 10 B</source>
        <translation>4 B 到 10 B</translation>
    </message>
    <message>
        <source>10 B to 40 B</source>
        <translation>10 B 到 40 B</translation>
    </message>
    <message>
        <source>from 40 B</source>
        <translation>40 B 以上</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数量</translation>
    </message>
    <message>
        <source>Any task</source>
        <translation>任意任务</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Most downloads</source>
        <translation>下载最多</translation>
    </message>
    <message>
        <source>Most likes</source>
        <translation>点赞最多</translation>
    </message>
    <message>
        <source>Newest change</source>
        <translation>最近更新</translation>
    </message>
    <message>
        <source>Trending</source>
        <translation>热门</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>排序</translation>
    </message>
    <message>
        <source>Models that were found</source>
        <translation>找到的模型</translation>
    </message>
    <message>
        <source>Choose a model to see its files and its card.</source>
        <translation>选择一个模型，查看其文件和说明。</translation>
    </message>
    <message>
        <source>Downloads</source>
        <translation>下载</translation>
    </message>
    <message>
        <source>Downloads (%1)</source>
        <translation>下载（%1）</translation>
    </message>
    <message>
        <source>%1 Again in %2.</source>
        <translation>%1 %2后重试。</translation>
    </message>
    <message>
        <source>Any licence</source>
        <translation>任意许可证</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>许可证</translation>
    </message>
    <message>
        <source>With or without terms</source>
        <translation>不限条款</translation>
    </message>
    <message>
        <source>Free to fetch</source>
        <translation>可直接下载</translation>
    </message>
    <message>
        <source>Needs consent to terms</source>
        <translation>需同意条款</translation>
    </message>
    <message>
        <source>Terms</source>
        <translation>条款</translation>
    </message>
    <message>
        <source>Any language</source>
        <translation>任意语言</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Any library</source>
        <translation>任意框架</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>框架</translation>
    </message>
    <message>
        <source>Any size on disk</source>
        <translation>任意磁盘大小</translation>
    </message>
    <message>
        <source>up to 2 GB</source>
        <translation>不超过 2 GB</translation>
    </message>
    <message>
        <source>2 to 8 GB</source>
        <translation>2 至 8 GB</translation>
    </message>
    <message>
        <source>8 to 30 GB</source>
        <translation>8 至 30 GB</translation>
    </message>
    <message>
        <source>from 30 GB</source>
        <translation>30 GB 以上</translation>
    </message>
    <message>
        <source>Size of the repository</source>
        <translation>仓库大小</translation>
    </message>
    <message>
        <source>Publisher</source>
        <translation>发布者</translation>
    </message>
    <message>
        <source>More filters</source>
        <translation>更多筛选</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Reading the hubs&apos; settings</source>
        <translation>读取模型社区的设置</translation>
    </message>
    <message>
        <source>This system has no keychain that keeps the token; it is forgotten when the window closes.</source>
        <translation>此系统没有可保存令牌的密钥链；窗口关闭后将不再记住它。</translation>
    </message>
    <message>
        <source>Tokens…</source>
        <translation>令牌…</translation>
    </message>
    <message>
        <source>Tokens for models with terms and private ones</source>
        <translation>用于有条款的模型和私有模型的令牌</translation>
    </message>
    <message>
        <source>All models</source>
        <translation>所有模型</translation>
    </message>
    <message>
        <source>Changed at any time</source>
        <translation>任何时间更新</translation>
    </message>
    <message>
        <source>changed this week</source>
        <translation>本周内更新</translation>
    </message>
    <message>
        <source>this month</source>
        <translation>一个月内</translation>
    </message>
    <message>
        <source>this half-year</source>
        <translation>半年内</translation>
    </message>
    <message>
        <source>this year</source>
        <translation>一年内</translation>
    </message>
    <message>
        <source>Last change</source>
        <translation>最近更新</translation>
    </message>
    <message>
        <source>Searches</source>
        <translation>搜索记录</translation>
    </message>
    <message>
        <source>Keep this search, or ask one that was kept</source>
        <translation>保存此搜索，或使用已保存的搜索</translation>
    </message>
    <message>
        <source>Little Room on the Disk</source>
        <translation>磁盘空间所剩无几</translation>
    </message>
    <message>
        <source>Download it all the same?</source>
        <translation>仍要下载吗？</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>下载</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>ModelScope&apos;s list names no files: of its models those are shown whose name or tags say %1.</source>
        <translation>ModelScope 的列表不含文件名：其模型中只显示名称或标签写明 %1 的。</translation>
    </message>
    <message>
        <source>A capability is what the publisher&apos;s tags and name claim.</source>
        <translation>能力以发布者的标签和名称所称为准。</translation>
    </message>
    <message>
        <source>Any quantization</source>
        <translation>任意量化</translation>
    </message>
    <message>
        <source>Quantization of a file</source>
        <translation>文件的量化类型</translation>
    </message>
    <message>
        <source>Any capability</source>
        <translation>任意能力</translation>
    </message>
    <message>
        <source>Vision</source>
        <translation>视觉</translation>
    </message>
    <message>
        <source>Tool calls</source>
        <translation>工具调用</translation>
    </message>
    <message>
        <source>Reasoning</source>
        <translation>推理</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>Embedding</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>Capability</source>
        <translation>能力</translation>
    </message>
    <message>
        <source>Publisher, quantization, capability, licence, terms, language, library, size on disk and last change</source>
        <translation>发布者、量化、能力、许可证、条款、语言、库、磁盘大小和最近更改</translation>
    </message>
    <message>
        <source>Open its page</source>
        <translation>打开其页面</translation>
    </message>
    <message>
        <source>There was no answer to list.</source>
        <translation>没有收到可列出的结果。</translation>
    </message>
    <message numerus="yes">
        <source>%n model(s), some as they were seen last: a hub does not answer</source>
        <translation>
            <numerusform>%n 个模型，部分为上次看到的内容：有社区没有响应</numerusform>
        </translation>
    </message>
    <message>
        <source>Format; Chat uses only GGUF files</source>
        <translation>格式；对话只能使用 GGUF 文件</translation>
    </message>
</context>
<context>
    <name>wb::ui::ChatTab</name>
    <message>
        <source>Chat</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Choose a Model for the Chat…</source>
        <translation>为对话选择模型…</translation>
    </message>
    <message>
        <source>New Conversation</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>Stop the Answer</source>
        <translation>停止回答</translation>
    </message>
    <message>
        <source>Answer Again</source>
        <translation>重新回答</translation>
    </message>
    <message>
        <source>Edit the Last Message</source>
        <translation>编辑上一条消息</translation>
    </message>
    <message>
        <source>Continue the Answer</source>
        <translation>继续回答</translation>
    </message>
    <message>
        <source>Previous Version of the Answer</source>
        <translation>回答的上一版本</translation>
    </message>
    <message>
        <source>Next Version of the Answer</source>
        <translation>回答的下一版本</translation>
    </message>
    <message>
        <source>The conversation was written to %1.</source>
        <translation>对话已写入 %1。</translation>
    </message>
    <message>
        <source>Export a conversation</source>
        <translation>导出对话</translation>
    </message>
    <message>
        <source>How to Answer</source>
        <translation>回答方式</translation>
    </message>
</context>
<context>
    <name>wb::ui::ColumnChooser</name>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Show all columns</source>
        <translation>显示所有列</translation>
    </message>
</context>
<context>
    <name>wb::ui::CommandModel</name>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
</context>
<context>
    <name>wb::ui::CommandPalette</name>
    <message>
        <source>Find an action, a recent file or a tensor</source>
        <translation>查找操作、最近的文件或张量</translation>
    </message>
    <message>
        <source>What was found</source>
        <translation>查找结果</translation>
    </message>
    <message>
        <source>Nothing fits this text.</source>
        <translation>没有与此文字匹配的内容。</translation>
    </message>
</context>
<context>
    <name>wb::ui::ConvertTab</name>
    <message>
        <source>Convert</source>
        <translation>转换</translation>
    </message>
    <message>
        <source>Choose a model to quantize</source>
        <translation>选择要量化的模型</translation>
    </message>
    <message>
        <source>GGUF models (*.gguf)</source>
        <translation>GGUF 模型 (*.gguf)</translation>
    </message>
    <message>
        <source>Discard the unfinished run?</source>
        <translation>丢弃这次未完成的运行？</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>丢弃</translation>
    </message>
    <message>
        <source>The folder of %1 is missing. What was written there stays, but the run can no longer be continued.</source>
        <translation>%1 所在的文件夹不存在。已写入的内容会保留，但这次运行无法再继续。</translation>
    </message>
    <message>
        <source>The part of %1 that was written so far is deleted.</source>
        <translation>%1 目前已写入的部分将被删除。</translation>
    </message>
    <message>
        <source>The choices for %1 are lost unless you save its plan first.</source>
        <translation>除非先保存方案，否则为 %1 所做的选择将会丢失。</translation>
    </message>
    <message>
        <source>Close this plan?</source>
        <translation>关闭此方案？</translation>
    </message>
    <message>
        <source>Close it</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Choose a Hugging Face folder to convert</source>
        <translation>选择要转换的 Hugging Face 文件夹</translation>
    </message>
    <message>
        <source>Choose the folder of the model that the adapter was made for</source>
        <translation>选择适配器所对应模型的文件夹</translation>
    </message>
    <message>
        <source>Choose a model</source>
        <translation>选择模型</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) did not end and can be continued or discarded.</source>
        <translation>
            <numerusform>%n 个任务没有完成，可以继续或丢弃。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>wb::ui::DangerQuestion</name>
    <message>
        <source>Loading %1 with the program it was made for would run dangerous code.</source>
        <translation>用对应的程序加载 %1 会运行危险代码。</translation>
    </message>
    <message>
        <source>Loading %1 with the program it was made for would run code that is not known.</source>
        <translation>用对应的程序加载 %1 会运行未知代码。</translation>
    </message>
    <message>
        <source>It would use %1.</source>
        <translation>它会使用 %1。</translation>
    </message>
    <message>
        <source>Weighbridge reads its tensors without running it. Use it all the same?</source>
        <translation>Weighbridge 读取其张量而不运行它。仍要使用吗？</translation>
    </message>
    <message>
        <source>Code in a Model</source>
        <translation>模型中的代码</translation>
    </message>
    <message>
        <source>Use It</source>
        <translation>仍然使用</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Looking for code in %1</source>
        <translation>正在检查 %1 中的代码</translation>
    </message>
</context>
<context>
    <name>wb::ui::DeviceChoice</name>
    <message>
        <source>Automatic, what is faster</source>
        <translation>自动，选择较快者</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>Looking for the chosen device…</source>
        <translation>正在查找所选设备…</translation>
    </message>
    <message>
        <source>The chosen device, which is not here</source>
        <translation>所选设备（当前不存在）</translation>
    </message>
    <message>
        <source>%1 (software, slow)</source>
        <translation>%1（软件实现，较慢）</translation>
    </message>
    <message>
        <source>Looking for graphics devices</source>
        <translation>正在查找图形设备</translation>
    </message>
</context>
<context>
    <name>wb::ui::DistributionPlot</name>
    <message>
        <source>Distribution</source>
        <translation>分布</translation>
    </message>
    <message>
        <source>%1 to %2: %3 groups (%4 %)</source>
        <translation>%1 到 %2：%3 个组（%4 %）</translation>
    </message>
    <message>
        <source>%1 to %2: %3 codes (%4 %)</source>
        <translation>%1 到 %2：%3 个编码（%4 %）</translation>
    </message>
    <message>
        <source>%1 to %2: %3 elements (%4 %)</source>
        <translation>%1 到 %2：%3 个元素（%4 %）</translation>
    </message>
    <message>
        <source>%1 groups from %2 to %3</source>
        <translation>%1 个组，从 %2 到 %3</translation>
    </message>
    <message>
        <source>%1 codes from %2 to %3</source>
        <translation>%1 个编码，从 %2 到 %3</translation>
    </message>
    <message>
        <source>%1 elements from %2 to %3</source>
        <translation>%1 个元素，从 %2 到 %3</translation>
    </message>
    <message>
        <source>One element: %1</source>
        <translation>一个元素：%1</translation>
    </message>
</context>
<context>
    <name>wb::ui::DropCard</name>
    <message>
        <source>Drop a model file or folder anywhere in this window</source>
        <translation>将模型文件或文件夹拖放到此窗口的任意位置</translation>
    </message>
    <message>
        <source>The format is recognized by content, so the file name does not matter.</source>
        <translation>格式根据内容识别，与文件名无关。</translation>
    </message>
    <message>
        <source>Open file…</source>
        <translation>打开文件…</translation>
    </message>
    <message>
        <source>Open folder…</source>
        <translation>打开文件夹…</translation>
    </message>
    <message>
        <source>Open a model file (Ctrl+O)</source>
        <translation>打开模型文件 (Ctrl+O)</translation>
    </message>
    <message>
        <source>Open a folder that holds a model (Ctrl+Shift+O)</source>
        <translation>打开包含模型的文件夹 (Ctrl+Shift+O)</translation>
    </message>
</context>
<context>
    <name>wb::ui::HeatMap</name>
    <message>
        <source>Heat map</source>
        <translation>热图</translation>
    </message>
    <message>
        <source>Row %1, column %2: %3</source>
        <translation>第 %1 行，第 %2 列：%3</translation>
    </message>
    <message>
        <source>Around row %1, column %2 (%3 × %3 elements): largest magnitude %4, mean %5, rms %6</source>
        <translation>第 %1 行、第 %2 列附近（%3 × %3 个元素）：最大绝对值 %4，平均值 %5，均方根 %6</translation>
    </message>
    <message>
        <source>Rows %1 to %2, columns %3 to %4</source>
        <translation>第 %1 到 %2 行，第 %3 到 %4 列</translation>
    </message>
    <message>
        <source>%1 of %2 × %3; greatest magnitude %4</source>
        <translation>%1（共 %2 × %3）；最大绝对值 %4</translation>
    </message>
    <message>
        <source>Largest and rms</source>
        <translation>最大值与均方根</translation>
    </message>
    <message>
        <source>NaN</source>
        <translation>NaN</translation>
    </message>
    <message>
        <source>Infinite</source>
        <translation>无穷</translation>
    </message>
</context>
<context>
    <name>wb::ui::InspectTab</name>
    <message>
        <source>Inspect</source>
        <translation>检视</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Open a folder that holds a model</source>
        <translation>打开包含模型的文件夹</translation>
    </message>
    <message>
        <source>Open a model file</source>
        <translation>打开模型文件</translation>
    </message>
    <message>
        <source>Close %1</source>
        <translation>关闭 %1</translation>
    </message>
    <message>
        <source>Close the model (Ctrl+W)</source>
        <translation>关闭模型（Ctrl+W）</translation>
    </message>
    <message>
        <source>Opening %1</source>
        <translation>正在打开 %1</translation>
    </message>
</context>
<context>
    <name>wb::ui::JobsModel</name>
    <message>
        <source>Cancelling…</source>
        <translation>正在取消…</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>Job</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>Time left</source>
        <translation>剩余时间</translation>
    </message>
</context>
<context>
    <name>wb::ui::JobsTray</name>
    <message>
        <source>Resume the chosen job</source>
        <translation>继续所选任务</translation>
    </message>
    <message>
        <source>Pause the chosen job</source>
        <translation>暂停所选任务</translation>
    </message>
    <message>
        <source>Jobs</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Cancel the chosen job</source>
        <translation>取消所选任务</translation>
    </message>
    <message>
        <source>Clear finished jobs</source>
        <translation>清除已结束的任务</translation>
    </message>
    <message>
        <source>Hide the jobs; the button below shows them again</source>
        <translation>隐藏任务；下方的按钮可再次显示</translation>
    </message>
</context>
<context>
    <name>wb::ui::LibraryTab</name>
    <message>
        <source>Library</source>
        <translation>模型库</translation>
    </message>
    <message>
        <source>Add a folder of models</source>
        <translation>添加模型文件夹</translation>
    </message>
    <message>
        <source>Move to the trash?</source>
        <translation>移到回收站？</translation>
    </message>
    <message>
        <source>Move to the trash</source>
        <translation>移到回收站</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保留</translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) are damaged, the first is %1. Download them again.</source>
        <translation>
            <numerusform>%n 个文件已损坏，第一个是 %1。请重新下载。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) are as their store records them.</source>
        <translation>
            <numerusform>%n 个文件与其存储的记录一致。</numerusform>
        </translation>
    </message>
    <message>
        <source>No hash is recorded to compare with; the computed ones are shown.</source>
        <translation>没有可供比较的哈希记录；显示的是计算出的哈希。</translation>
    </message>
    <message>
        <source>Show in the file manager</source>
        <translation>在文件管理器中显示</translation>
    </message>
    <message>
        <source>Remove this folder from the library</source>
        <translation>将此文件夹从模型库中移除</translation>
    </message>
    <message>
        <source>Looking for models…</source>
        <translation>正在查找模型…</translation>
    </message>
    <message>
        <source>No model was found in the folders of Weighbridge, Hugging Face, ModelScope, Ollama, LM Studio, Jan and llama.cpp. Add a folder that holds models.</source>
        <translation>在 Weighbridge、Hugging Face、ModelScope、Ollama、LM Studio、Jan 和 llama.cpp 的文件夹中没有找到模型。请添加一个含有模型的文件夹。</translation>
    </message>
    <message numerus="yes">
        <source>%n model(s)</source>
        <translation>
            <numerusform>%n 个模型</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n model(s)</source>
        <translation>
            <numerusform>%n 个模型中的 %1 个</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, %2 on disk</source>
        <translation>%1，占用磁盘 %2</translation>
    </message>
    <message>
        <source>Open in Inspect</source>
        <translation>在“检视”中打开</translation>
    </message>
    <message>
        <source>Open in Convert</source>
        <translation>在“转换”中打开</translation>
    </message>
    <message>
        <source>Chat with it</source>
        <translation>与它对话</translation>
    </message>
    <message>
        <source>Count its memory</source>
        <translation>计算所需内存</translation>
    </message>
    <message>
        <source>Verify the files</source>
        <translation>校验文件</translation>
    </message>
    <message>
        <source>Move to the trash…</source>
        <translation>移到回收站…</translation>
    </message>
    <message>
        <source>Add a folder…</source>
        <translation>添加文件夹…</translation>
    </message>
    <message>
        <source>Look for models again</source>
        <translation>重新查找模型</translation>
    </message>
    <message>
        <source>Find equal models</source>
        <translation>查找相同的模型</translation>
    </message>
    <message>
        <source>Filter the models</source>
        <translation>筛选模型</translation>
    </message>
    <message>
        <source>Folders</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Where models are looked for</source>
        <translation>查找模型的位置</translation>
    </message>
    <message>
        <source>Name, family, type or store</source>
        <translation>名称、系列、类型或存储</translation>
    </message>
    <message>
        <source>Models on this computer</source>
        <translation>此电脑上的模型</translation>
    </message>
    <message>
        <source>%1, which %2 can no longer use</source>
        <translation>%1（%2 将无法再使用它）</translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) are moved to the trash. Emptying it frees %1.</source>
        <translation>
            <numerusform>%n 个文件将移到回收站。清空回收站可释放 %1。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>wb::ui::MainWindow</name>
    <message>
        <source>The settings could not be saved to %1.</source>
        <translation>无法将设置保存到 %1。</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>打开 %1</translation>
    </message>
    <message>
        <source>Nothing here can open this.</source>
        <translation>此处没有能打开它的功能。</translation>
    </message>
    <message>
        <source>No jobs</source>
        <translation>没有任务</translation>
    </message>
    <message numerus="yes">
        <source>%n job(s) running</source>
        <translation>
            <numerusform>%n 个任务正在运行</numerusform>
        </translation>
    </message>
    <message>
        <source>Show or hide the jobs (Ctrl+J)</source>
        <translation>显示或隐藏任务 (Ctrl+J)</translation>
    </message>
    <message>
        <source>%1 – Weighbridge</source>
        <translation>%1 – Weighbridge</translation>
    </message>
    <message>
        <source>Open model files</source>
        <translation>打开模型文件</translation>
    </message>
    <message>
        <source>Open a folder that holds a model</source>
        <translation>打开包含模型的文件夹</translation>
    </message>
    <message>
        <source>Quit Weighbridge?</source>
        <translation>退出 Weighbridge？</translation>
    </message>
    <message numerus="yes">
        <source>%n job(s) are still running.</source>
        <translation>
            <numerusform>仍有 %n 个任务正在运行。</numerusform>
        </translation>
    </message>
    <message>
        <source>Cancel the jobs and quit</source>
        <translation>取消任务并退出</translation>
    </message>
    <message>
        <source>Keep running</source>
        <translation>继续运行</translation>
    </message>
    <message>
        <source>The session could not be saved to %1.</source>
        <translation>无法将会话保存到 %1。</translation>
    </message>
    <message>
        <source>The settings could not be read. They were kept as %1, and the defaults are in use.</source>
        <translation>无法读取设置。原文件已另存为 %1，现使用默认设置。</translation>
    </message>
    <message>
        <source>%1 – %2 – Weighbridge</source>
        <translation>%1 – %2 – Weighbridge</translation>
    </message>
    <message>
        <source>Models that are being written or downloaded go on later from where they stop now.</source>
        <translation>正在写入或下载的模型以后会从现在停下的地方继续。</translation>
    </message>
    <message numerus="yes">
        <source>%n job(s) paused</source>
        <translation>
            <numerusform>%n 个任务已暂停</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>wb::ui::MemoryTab</name>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Choose a model to count</source>
        <translation>选择要计算的模型</translation>
    </message>
    <message>
        <source>Choose a model to count…</source>
        <translation>选择要计算的模型…</translation>
    </message>
    <message>
        <source>Type the size or name of a model</source>
        <translation>输入模型的大小或名称</translation>
    </message>
    <message>
        <source>Type a size such as 7B, or drop a model here, to see what it needs in memory.</source>
        <translation>输入 7B 之类的大小，或把模型拖到这里，即可查看它需要多少内存。</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Full training</source>
        <translation>全参数训练</translation>
    </message>
    <message>
        <source>LoRA</source>
        <translation>LoRA</translation>
    </message>
    <message>
        <source>QLoRA</source>
        <translation>QLoRA</translation>
    </message>
    <message>
        <source>Prompt tuning</source>
        <translation>提示微调</translation>
    </message>
    <message>
        <source>Prefix tuning</source>
        <translation>前缀微调</translation>
    </message>
    <message>
        <source>DPO</source>
        <translation>DPO</translation>
    </message>
    <message>
        <source>Copy for %1</source>
        <translation>复制用于 %1 的设置</translation>
    </message>
    <message>
        <source>Save for %1…</source>
        <translation>保存用于 %1 的设置…</translation>
    </message>
    <message>
        <source>Save the settings</source>
        <translation>保存设置</translation>
    </message>
    <message>
        <source>Saving the settings</source>
        <translation>正在保存设置</translation>
    </message>
    <message>
        <source>What it is needed for</source>
        <translation>用途</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>The settings for vLLM, llama-server, Ollama, LLaMA-Factory or Axolotl</source>
        <translation>用于 vLLM、llama-server、Ollama、LLaMA-Factory 或 Axolotl 的设置</translation>
    </message>
    <message>
        <source>Choose the log of a load</source>
        <translation>选择一次加载的日志</translation>
    </message>
    <message>
        <source>Copy the table as text</source>
        <translation>将表格复制为文本</translation>
    </message>
    <message>
        <source>Copy the table as Markdown</source>
        <translation>将表格复制为 Markdown</translation>
    </message>
    <message>
        <source>Copy the table as JSON</source>
        <translation>将表格复制为 JSON</translation>
    </message>
    <message>
        <source>Copy the table as CSV</source>
        <translation>将表格复制为 CSV</translation>
    </message>
    <message>
        <source>Save the measured loads…</source>
        <translation>保存实测加载记录…</translation>
    </message>
    <message>
        <source>Forget the measured loads</source>
        <translation>清除实测加载记录</translation>
    </message>
    <message>
        <source>Save the measured loads</source>
        <translation>保存实测加载记录</translation>
    </message>
    <message>
        <source>Saving the measured loads</source>
        <translation>正在保存实测加载记录</translation>
    </message>
    <message>
        <source>Keep this plan for comparison</source>
        <translation>保留此方案以供比较</translation>
    </message>
    <message>
        <source>Use these settings</source>
        <translation>使用这些设置</translation>
    </message>
    <message>
        <source>Talks to the model with this context</source>
        <translation>以此上下文长度与模型对话</translation>
    </message>
    <message>
        <source>Add the log of a load…</source>
        <translation>添加加载日志…</translation>
    </message>
    <message>
        <source>What llama.cpp printed when it loaded this model; later estimates for the device learn from it</source>
        <translation>llama.cpp 加载此模型时输出的日志；该设备以后的估计会据此校准</translation>
    </message>
    <message>
        <source>7B, 8x7B, 235B-A22B, Qwen3-8B, hf:owner/name:file or the path of a model; Enter counts</source>
        <translation>7B、8x7B、235B-A22B、Qwen3-8B、hf:owner/name:file 或模型路径；按回车计算</translation>
    </message>
    <message>
        <source>Size, name, path or hub id of the model</source>
        <translation>模型的规模、名称、路径或平台标识</translation>
    </message>
    <message>
        <source>Choose a file that is loaded beside the model</source>
        <translation>选择与模型一同加载的文件</translation>
    </message>
    <message>
        <source>Add a file that is loaded beside the model…</source>
        <translation>添加与模型一同加载的文件…</translation>
    </message>
    <message>
        <source>What encodes pictures and sound, an adapter, or a small model that guesses ahead</source>
        <translation>编码图像和声音的文件、适配器，或用于推测的小模型</translation>
    </message>
    <message>
        <source>Forget the files beside the model</source>
        <translation>移除一同加载的文件</translation>
    </message>
</context>
<context>
    <name>wb::ui::MessageBar</name>
    <message>
        <source>Dismiss</source>
        <translation>关闭此提示</translation>
    </message>
</context>
<context>
    <name>wb::ui::NavigationRail</name>
    <message>
        <source>%1 (Ctrl+%2)</source>
        <translation>%1 (Ctrl+%2)</translation>
    </message>
</context>
<context>
    <name>wb::ui::RecentCard</name>
    <message>
        <source>Recent</source>
        <translation>最近</translation>
    </message>
    <message>
        <source>Nothing has been opened yet.</source>
        <translation>尚未打开过任何内容。</translation>
    </message>
    <message>
        <source>Recent files</source>
        <translation>最近的文件</translation>
    </message>
    <message>
        <source>Enter opens, Delete takes a file off this list.</source>
        <translation>按 Enter 打开，按 Delete 从列表中移除。</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Take off the list</source>
        <translation>从列表中移除</translation>
    </message>
</context>
<context>
    <name>wb::ui::RecentModel</name>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>not there any more</source>
        <translation>已不存在</translation>
    </message>
    <message numerus="yes">
        <source>%n file(s)</source>
        <translation>
            <numerusform>%n 个文件</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>wb::ui::SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>语言(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>Look</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>Threads for &amp;computing</source>
        <translation>计算线程数(&amp;C)</translation>
    </message>
    <message>
        <source>Choose the cache folder</source>
        <translation>选择缓存文件夹</translation>
    </message>
    <message>
        <source>C&amp;ache folder</source>
        <translation>缓存文件夹(&amp;A)</translation>
    </message>
    <message>
        <source>Choose the folder for opening</source>
        <translation>选择默认打开位置</translation>
    </message>
    <message>
        <source>&amp;Folder for opening</source>
        <translation>默认打开位置(&amp;F)</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>工作</translation>
    </message>
    <message numerus="yes">
        <source>All of this computer (%n)</source>
        <translation>
            <numerusform>本机全部 (%n)</numerusform>
        </translation>
    </message>
    <message>
        <source>Results that can be computed again are kept here.</source>
        <translation>可重新计算的结果保存在这里。</translation>
    </message>
    <message>
        <source>The folder used last</source>
        <translation>上次使用的文件夹</translation>
    </message>
    <message>
        <source>The open dialogs begin in this folder.</source>
        <translation>打开对话框从此文件夹开始。</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>浏览…</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>&amp;Device for computing</source>
        <translation>计算设备(&amp;D)</translation>
    </message>
    <message>
        <source>Where statistics, pictures and quantizations are computed. A graphics device that fails hands its work to the CPU. Plots are drawn by the chosen device, too, from their next picture on. The CPU cannot draw them: if it is chosen, the best graphics device does.</source>
        <translation>统计、图像和量化在何处计算。图形设备出错时，其工作交给 CPU。图表也由所选设备绘制，从下一幅画面起生效。CPU 不能绘制图表：选择 CPU 时，由最好的图形设备绘制。</translation>
    </message>
</context>
<context>
    <name>wb::ui::StartPage</name>
    <message>
        <source>Search and sort every tensor, and read all of the metadata.</source>
        <translation>搜索和排序所有张量，查看全部元数据。</translation>
    </message>
    <message>
        <source>Compute statistics over every element, quantized types included.</source>
        <translation>对每个元素计算统计数据，包括量化类型。</translation>
    </message>
    <message>
        <source>Find any action with Ctrl+K.</source>
        <translation>按 Ctrl+K 查找任意操作。</translation>
    </message>
    <message>
        <source>Open any model and see what is in it. Nothing leaves this computer.</source>
        <translation>打开任意模型，查看其中的内容。所有数据都留在这台计算机上。</translation>
    </message>
    <message>
        <source>What you can do here</source>
        <translation>您可以在这里做什么</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Show %1</source>
        <translation>显示“%1”</translation>
    </message>
    <message>
        <source>Open models of any size: GGUF, safetensors, PyTorch, ONNX, Keras and more, and whole Hugging Face folders. What loading them would run is shown, never run.</source>
        <translation>打开任意大小的模型：GGUF、safetensors、PyTorch、ONNX、Keras 等，以及整个 Hugging Face 文件夹。加载时会运行的代码只会显示，绝不运行。</translation>
    </message>
    <message>
        <source>Count the memory that a model needs to run or to be trained.</source>
        <translation>计算模型运行或训练所需的内存。</translation>
    </message>
    <message>
        <source>Turn folders into GGUF files and back, anything into safetensors, merge adapters, and quantize to any type, to a size or to fit your memory.</source>
        <translation>在文件夹与 GGUF 文件之间互转，把任何模型转为 safetensors，合并适配器，并量化为任意类型、指定大小或适合您内存的大小。</translation>
    </message>
    <message>
        <source>Talk to a model on this computer.</source>
        <translation>在本机与模型对话。</translation>
    </message>
    <message>
        <source>Find models on Hugging Face and ModelScope, and keep those you have in order.</source>
        <translation>在 Hugging Face 和 ModelScope 上查找模型，并整理已有的模型。</translation>
    </message>
</context>
<context>
    <name>wb::ui::StarterCard</name>
    <message>
        <source>Starter model</source>
        <translation>入门模型</translation>
    </message>
    <message>
        <source>Open the starter model</source>
        <translation>打开入门模型</translation>
    </message>
    <message>
        <source>SmolLM2 135M Instruct, a small language model, is on this computer.</source>
        <translation>小型语言模型 SmolLM2 135M Instruct 已在这台计算机上。</translation>
    </message>
    <message>
        <source>SmolLM2 135M Instruct is not on this computer yet. With a network connection this command fetches it once:</source>
        <translation>这台计算机上还没有 SmolLM2 135M Instruct。联网后运行以下命令即可获取（只需一次）：</translation>
    </message>
</context>
<context>
    <name>wb::ui::WindowActions</name>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>打开最近的文件(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Open file…</source>
        <translation>打开文件(&amp;O)…</translation>
    </message>
    <message>
        <source>Open &amp;folder…</source>
        <translation>打开文件夹(&amp;F)…</translation>
    </message>
    <message>
        <source>&amp;Settings…</source>
        <translation>设置(&amp;S)…</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>Find an action or &amp;tensor…</source>
        <translation>查找操作或张量(&amp;T)…</translation>
    </message>
    <message>
        <source>&amp;Jobs</source>
        <translation>任务(&amp;J)</translation>
    </message>
    <message>
        <source>F&amp;ull screen</source>
        <translation>全屏(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>键盘快捷键(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;About Weighbridge</source>
        <translation>关于 Weighbridge(&amp;A)</translation>
    </message>
</context>
<context>
    <name>wb::ui::browse::BrowseSession</name>
    <message>
        <source>Searching for models</source>
        <translation>正在搜索模型</translation>
    </message>
    <message>
        <source>Opening the page of a model</source>
        <translation>正在打开模型页面</translation>
    </message>
    <message>
        <source>Looking at the other hub</source>
        <translation>正在查看另一个社区</translation>
    </message>
    <message>
        <source>Counting the memory of %1</source>
        <translation>正在计算 %1 所需的内存</translation>
    </message>
    <message>
        <source>Measuring the free memory</source>
        <translation>正在测量可用内存</translation>
    </message>
    <message>
        <source>Looking for downloaded files</source>
        <translation>正在查找已下载的文件</translation>
    </message>
</context>
<context>
    <name>wb::ui::browse::CardView</name>
    <message>
        <source>Open a link of the card?</source>
        <translation>打开说明中的链接？</translation>
    </message>
    <message>
        <source>It leads to %1.</source>
        <translation>它指向 %1。</translation>
    </message>
    <message>
        <source>Open in the web browser</source>
        <translation>在网页浏览器中打开</translation>
    </message>
    <message>
        <source>Stay here</source>
        <translation>留在此处</translation>
    </message>
</context>
<context>
    <name>wb::ui::browse::Downloads</name>
    <message>
        <source>Reading the list of downloads</source>
        <translation>读取下载列表</translation>
    </message>
    <message>
        <source>Looking for interrupted downloads</source>
        <translation>查找中断的下载</translation>
    </message>
    <message>
        <source>Keeping the list of downloads</source>
        <translation>保存下载列表</translation>
    </message>
    <message>
        <source>Removing an unfinished download</source>
        <translation>删除未完成的下载</translation>
    </message>
    <message>
        <source>Download %1</source>
        <translation>下载 %1</translation>
    </message>
    <message>
        <source>Looking for room on the disk</source>
        <translation>正在查看磁盘空间</translation>
    </message>
</context>
<context>
    <name>wb::ui::browse::DownloadsModel</name>
    <message numerus="yes">
        <source>%1 · %n file(s)</source>
        <translation>
            <numerusform>%1 · %n 个文件</numerusform>
        </translation>
    </message>
    <message>
        <source>Interrupted</source>
        <translation>已中断</translation>
    </message>
    <message>
        <source>Waiting %1: %2</source>
        <translation>等待 %1：%2</translation>
    </message>
    <message>
        <source>Paused with all others</source>
        <translation>已全部暂停</translation>
    </message>
    <message>
        <source>Queued</source>
        <translation>排队中</translation>
    </message>
    <message>
        <source>Downloading</source>
        <translation>正在下载</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>下载</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>Terms not accepted</source>
        <translation>尚未接受条款</translation>
    </message>
    <message>
        <source>Not found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>The token is refused</source>
        <translation>令牌被拒绝</translation>
    </message>
    <message>
        <source>The disk is full</source>
        <translation>磁盘已满</translation>
    </message>
    <message>
        <source>Canceled</source>
        <translation>已取消</translation>
    </message>
</context>
<context>
    <name>wb::ui::browse::DownloadsView</name>
    <message>
        <source>Any speed</source>
        <translation>不限速</translation>
    </message>
    <message>
        <source>At most %1 MB/s</source>
        <translation>最高 %1 MB/s</translation>
    </message>
    <message>
        <source>At any hour</source>
        <translation>任何时间</translation>
    </message>
    <message>
        <source>From %1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>Remove the download?</source>
        <translation>要删除此下载吗？</translation>
    </message>
    <message>
        <source>What has come of it so far is deleted. To keep it for later, pause it instead.</source>
        <translation>已下载的部分会被删除。如需留待以后继续，请改为暂停。</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Pause this download</source>
        <translation>暂停此下载</translation>
    </message>
    <message>
        <source>Fetch earlier</source>
        <translation>提前下载</translation>
    </message>
    <message>
        <source>Fetch later</source>
        <translation>推后下载</translation>
    </message>
    <message>
        <source>Show the model&apos;s page</source>
        <translation>显示模型页面</translation>
    </message>
    <message>
        <source>Remove the download…</source>
        <translation>删除下载…</translation>
    </message>
    <message>
        <source>Pause all</source>
        <translation>全部暂停</translation>
    </message>
    <message>
        <source>Clear what is done</source>
        <translation>清除已完成项</translation>
    </message>
    <message>
        <source>No download is under way. Choose a model and press Download.</source>
        <translation>没有进行中的下载。请选择模型并点击“下载”。</translation>
    </message>
    <message>
        <source>Downloads</source>
        <translation>下载</translation>
    </message>
    <message>
        <source>Speed of the chosen download</source>
        <translation>所选下载的速度</translation>
    </message>
    <message>
        <source>Speed of all downloads together</source>
        <translation>全部下载的总速度</translation>
    </message>
    <message>
        <source>Hours in which downloads run</source>
        <translation>允许下载的时段</translation>
    </message>
</context>
<context>
    <name>wb::ui::browse::PageView</name>
    <message>
        <source>as it was seen last; the hub does not answer</source>
        <translation>上次看到的内容；社区没有响应</translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) with the same bytes on %1</source>
        <translation>
            <numerusform>%1 上有 %n 个内容相同的文件</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 parameters</source>
        <translation>%1 参数</translation>
    </message>
    <message>
        <source>no licence is stated</source>
        <translation>未注明许可证</translation>
    </message>
    <message>
        <source>licence %1</source>
        <translation>许可证 %1</translation>
    </message>
    <message>
        <source>needs consent to its terms on its page</source>
        <translation>需要在其页面上同意条款</translation>
    </message>
    <message>
        <source>made from %1</source>
        <translation>基于 %1</translation>
    </message>
    <message>
        <source>%1 downloads</source>
        <translation>%1 次下载</translation>
    </message>
    <message>
        <source>%1 likes</source>
        <translation>%1 个赞</translation>
    </message>
    <message>
        <source>updated %1</source>
        <translation>更新于 %1</translation>
    </message>
    <message numerus="yes">
        <source>%1 (%n file(s))</source>
        <translation>
            <numerusform>%1（%n 个文件）</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 (for use beside a model)</source>
        <translation>%1（与模型配合使用）</translation>
    </message>
    <message>
        <source>%1 (recommended)</source>
        <translation>%1（推荐）</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>下载</translation>
    </message>
    <message>
        <source>Download %1</source>
        <translation>下载 %1</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>SHA-256</source>
        <translation>SHA-256</translation>
    </message>
    <message>
        <source>Files of the model</source>
        <translation>模型的文件</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Card</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>Card of the model</source>
        <translation>模型的说明</translation>
    </message>
    <message>
        <source>Copy as</source>
        <translation>复制为</translation>
    </message>
    <message>
        <source>Open the model&apos;s page in the web browser, where its terms are accepted</source>
        <translation>在网页浏览器中打开模型页面，可在那里接受条款</translation>
    </message>
    <message>
        <source>Open the page in the web browser</source>
        <translation>在网页浏览器中打开页面</translation>
    </message>
    <message>
        <source>Copy the command that downloads the chosen files</source>
        <translation>复制下载所选文件的命令</translation>
    </message>
    <message>
        <source>Look into the chosen file by its header, without downloading it</source>
        <translation>不下载，仅凭文件头查看所选文件</translation>
    </message>
    <message>
        <source>Open the chosen file in Inspect</source>
        <translation>在“检视”中打开所选文件</translation>
    </message>
    <message>
        <source>Count the memory of the chosen file, part by part</source>
        <translation>逐项计算所选文件需要的内存</translation>
    </message>
    <message>
        <source>Count the memory of the chosen file</source>
        <translation>计算所选文件需要的内存</translation>
    </message>
    <message>
        <source>downloaded</source>
        <translation>已下载</translation>
    </message>
    <message>
        <source>About %1 with cache and buffers</source>
        <translation>连同缓存和缓冲区约 %1</translation>
    </message>
    <message>
        <source>Downloaded</source>
        <translation>已下载</translation>
    </message>
    <message>
        <source>Bits per weight</source>
        <translation>每权重位数</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Chat with the downloaded file</source>
        <translation>与已下载的文件对话</translation>
    </message>
</context>
<context>
    <name>wb::ui::browse::ResultsModel</name>
    <message>
        <source>Its publisher asks for an account and for consent to its terms.</source>
        <translation>其发布者要求登录账号并同意其条款。</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Hub</source>
        <translation>社区</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数量</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>许可证</translation>
    </message>
    <message>
        <source>Downloads</source>
        <translation>下载量</translation>
    </message>
    <message>
        <source>Likes</source>
        <translation>点赞</translation>
    </message>
    <message>
        <source>Updated</source>
        <translation>更新时间</translation>
    </message>
    <message>
        <source>As Q4_K_M it needs about %1 with cache and buffers</source>
        <translation>以 Q4_K_M 计，连同缓存和缓冲区约需 %1</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>内存</translation>
    </message>
</context>
<context>
    <name>wb::ui::browse::SavedSearches</name>
    <message>
        <source>Keep this search</source>
        <translation>保存此搜索</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>移除</translation>
    </message>
</context>
<context>
    <name>wb::ui::browse::TokensDialog</name>
    <message>
        <source>Tokens of the hubs</source>
        <translation>模型社区的令牌</translation>
    </message>
    <message>
        <source>Models with terms and private ones need a token of your account. It is kept in the keychain of this system, and it goes to its own hub only.</source>
        <translation>有条款的模型和私有模型需要您账户的令牌。令牌保存在此系统的密钥链中，只会发送给它所属的社区。</translation>
    </message>
    <message>
        <source>The token that was given here is used.</source>
        <translation>正在使用在此处提供的令牌。</translation>
    </message>
    <message>
        <source>A token from the environment or the hub&apos;s own file is used.</source>
        <translation>正在使用环境变量或社区自身文件中的令牌。</translation>
    </message>
    <message>
        <source>No token is used.</source>
        <translation>未使用令牌。</translation>
    </message>
    <message>
        <source>New token</source>
        <translation>新令牌</translation>
    </message>
    <message>
        <source>New token for %1</source>
        <translation>%1 的新令牌</translation>
    </message>
    <message>
        <source>Forget the token that was given here</source>
        <translation>不再使用在此处提供的令牌</translation>
    </message>
    <message>
        <source>Send it also to %1, which is not the hub itself; who runs it can read it</source>
        <translation>也发送给 %1（它不是该社区本身，其运营者可以读取令牌）</translation>
    </message>
</context>
<context>
    <name>wb::ui::chat::AnswerPanel</name>
    <message>
        <source>Instruction to the model</source>
        <translation>给模型的指示</translation>
    </message>
    <message>
        <source>How the model is to behave in this conversation. Empty: nothing is said.</source>
        <translation>模型在此对话中应如何表现。留空：不作说明。</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>Balanced</source>
        <translation>平衡</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>Top-p</source>
        <translation>Top-p</translation>
    </message>
    <message>
        <source>Min-p</source>
        <translation>Min-p</translation>
    </message>
    <message>
        <source>Repeat penalty</source>
        <translation>重复惩罚</translation>
    </message>
    <message>
        <source>DRY multiplier</source>
        <translation>DRY 系数</translation>
    </message>
    <message>
        <source>XTC probability</source>
        <translation>XTC 概率</translation>
    </message>
    <message>
        <source>How freely the next word is drawn; 0 takes the most likely one.</source>
        <translation>下一个词抽取得多自由；0 取最可能的词。</translation>
    </message>
    <message>
        <source>Only the most likely words that share this much of the probability are drawn from.</source>
        <translation>只在合计占这么多概率的最可能的词中抽取。</translation>
    </message>
    <message>
        <source>Words less likely than this part of the best are left out.</source>
        <translation>概率低于最佳词这一比例的词会被略去。</translation>
    </message>
    <message>
        <source>Makes words less likely that came lately; 1 does nothing.</source>
        <translation>降低最近出现过的词的概率；1 表示不作用。</translation>
    </message>
    <message>
        <source>Makes it less likely that a stretch of text is repeated; 0 does nothing.</source>
        <translation>降低重复整段文字的概率；0 表示不作用。</translation>
    </message>
    <message>
        <source>How often the most likely words are left out, for variety; 0 does nothing.</source>
        <translation>为求变化，多久略去最可能的词；0 表示不作用。</translation>
    </message>
    <message>
        <source>Top-k</source>
        <translation>Top-k</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Only so many of the most likely words are drawn from.</source>
        <translation>只在这么多个最可能的词中抽取。</translation>
    </message>
    <message>
        <source>Longest answer</source>
        <translation>最长回答</translation>
    </message>
    <message>
        <source>the context</source>
        <translation>整个上下文</translation>
    </message>
    <message>
        <source> tokens</source>
        <translation> 个词元</translation>
    </message>
    <message>
        <source>The answer ends after so many tokens.</source>
        <translation>回答在这么多词元后结束。</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>random</source>
        <translation>随机</translation>
    </message>
    <message>
        <source>The same seed gives the same answer to the same conversation.</source>
        <translation>相同的种子对相同的对话给出相同的回答。</translation>
    </message>
    <message>
        <source>Longest reasoning</source>
        <translation>推理上限</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>不限</translation>
    </message>
    <message>
        <source>A model that thinks aloud ends its reasoning after so many tokens, and answers.</source>
        <translation>会展示推理过程的模型，推理达到这么多词元后就结束推理并作答。</translation>
    </message>
    <message>
        <source>Model defaults</source>
        <translation>模型默认值</translation>
    </message>
    <message>
        <source>llama.cpp defaults</source>
        <translation>llama.cpp 默认值</translation>
    </message>
    <message>
        <source>Deterministic (greedy)</source>
        <translation>确定性（贪心）</translation>
    </message>
    <message>
        <source>Creative</source>
        <translation>创意</translation>
    </message>
    <message>
        <source>Custom</source>
        <translation>自定义</translation>
    </message>
    <message>
        <source>Reset to defaults</source>
        <translation>重置为默认值</translation>
    </message>
    <message>
        <source>The defaults are those that the file of the model advises.</source>
        <translation>默认值为模型文件建议的数值。</translation>
    </message>
    <message>
        <source>The defaults are those of generation_config.json next to the model.</source>
        <translation>默认值取自模型旁的 generation_config.json。</translation>
    </message>
    <message>
        <source>The model advises no sampling; the defaults are those of llama.cpp.</source>
        <translation>模型未给出采样建议；默认值为 llama.cpp 的默认值。</translation>
    </message>
</context>
<context>
    <name>wb::ui::chat::ChatSession</name>
    <message numerus="yes">
        <source>%n tokens, %1 a second; the first after %2 s</source>
        <translation>
            <numerusform>%n 个词元，每秒 %1 个；首个词元在 %2 秒后</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>wb::ui::chat::ChoosePage</name>
    <message>
        <source>Talk to a model on this computer: drop a GGUF file here, or choose one. Nothing is sent anywhere.</source>
        <translation>与这台计算机上的模型对话：将 GGUF 文件拖到此处，或选择一个。不会向任何地方发送内容。</translation>
    </message>
    <message>
        <source>Choose a Model…</source>
        <translation>选择模型…</translation>
    </message>
</context>
<context>
    <name>wb::ui::chat::Composer</name>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Write a message. Enter sends it, Shift+Enter begins a new line.</source>
        <translation>输入消息。按 Enter 发送，按 Shift+Enter 换行。</translation>
    </message>
</context>
<context>
    <name>wb::ui::chat::ConversationsModel</name>
    <message>
        <source>Untitled</source>
        <translation>无标题</translation>
    </message>
</context>
<context>
    <name>wb::ui::chat::DeviceRow</name>
    <message>
        <source>&amp;Run on</source>
        <translation>运行于(&amp;R)</translation>
    </message>
    <message>
        <source>Where the model runs</source>
        <translation>模型在何处运行</translation>
    </message>
    <message>
        <source>Where models run. A model that is loaded is loaded anew there; the conversation stays.</source>
        <translation>模型在何处运行。已加载的模型会在那里重新加载；对话保持不变。</translation>
    </message>
    <message>
        <source>&amp;GPU layers</source>
        <translation>GPU 层数(&amp;G)</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Layers on the graphics device</source>
        <translation>图形设备上的层数</translation>
    </message>
    <message>
        <source>How many of the last layers lie on the graphics device; the output counts as one. Automatic: as many as its free memory holds.</source>
        <translation>最后多少层位于图形设备上；输出算作一层。自动：其空闲内存能放下多少就放多少。</translation>
    </message>
</context>
<context>
    <name>wb::ui::chat::HistoryPanel</name>
    <message>
        <source>New Conversation</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>Search the conversations</source>
        <translation>搜索对话</translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation>对话列表</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>删除…</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Conversations that you have are kept here, on this computer.</source>
        <translation>您的对话保存在这台计算机上，列在此处。</translation>
    </message>
</context>
<context>
    <name>wb::ui::chat::Notes</name>
    <message>
        <source>The model is not given what stands above any more.</source>
        <translation>以上内容不再交给模型。</translation>
    </message>
    <message>
        <source>The model ended its answer.</source>
        <translation>模型结束了回答。</translation>
    </message>
    <message>
        <source>The answer ended at its limit of tokens.</source>
        <translation>回答已达到词元上限。</translation>
    </message>
    <message>
        <source>The answer ended at a stop text.</source>
        <translation>回答在停止文本处结束。</translation>
    </message>
    <message>
        <source>The context is full, so the answer ends here.</source>
        <translation>上下文已满，回答到此为止。</translation>
    </message>
    <message>
        <source>The reasoning ended at its budget.</source>
        <translation>推理已达到预算上限。</translation>
    </message>
    <message>
        <source>You stopped the answer.</source>
        <translation>您停止了回答。</translation>
    </message>
    <message>
        <source>An error ended the answer.</source>
        <translation>回答因错误而中止。</translation>
    </message>
    <message>
        <source>The program ended while this was being written.</source>
        <translation>程序在写出此内容时结束了。</translation>
    </message>
</context>
<context>
    <name>wb::ui::chat::Questions</name>
    <message>
        <source>Choose a model to talk to</source>
        <translation>选择要对话的模型</translation>
    </message>
    <message>
        <source>GGUF models (*.gguf)</source>
        <translation>GGUF 模型 (*.gguf)</translation>
    </message>
    <message>
        <source>Delete a Conversation</source>
        <translation>删除对话</translation>
    </message>
    <message>
        <source>Shall the conversation “%1” be deleted? It cannot be brought back.</source>
        <translation>要删除对话“%1”吗？删除后无法恢复。</translation>
    </message>
    <message>
        <source>Open a Link</source>
        <translation>打开链接</translation>
    </message>
    <message>
        <source>The model wrote this address. Shall it be opened outside of Weighbridge?

%1</source>
        <translation>此地址由模型写出。要在 Weighbridge 之外打开它吗？

%1</translation>
    </message>
    <message>
        <source>JSON (*.json)</source>
        <translation>JSON (*.json)</translation>
    </message>
    <message>
        <source>Export the conversation</source>
        <translation>导出对话</translation>
    </message>
    <message>
        <source>Markdown (*.md)</source>
        <translation>Markdown (*.md)</translation>
    </message>
</context>
<context>
    <name>wb::ui::chat::TalkPage</name>
    <message>
        <source>Other Model…</source>
        <translation>其他模型…</translation>
    </message>
    <message>
        <source>The context of the model is full. How shall the conversation go on?</source>
        <translation>模型的上下文已满。对话要如何继续？</translation>
    </message>
    <message>
        <source>New Conversation</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>You are changing an earlier message. What followed it stays as another version.</source>
        <translation>您正在修改先前的消息。其后的内容会作为另一版本保留。</translation>
    </message>
    <message>
        <source>Leave It as It Was</source>
        <translation>保持原样</translation>
    </message>
    <message>
        <source>Loading the model</source>
        <translation>正在加载模型</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>Load %1</source>
        <translation>加载 %1</translation>
    </message>
    <message>
        <source>A Longer Context of %1 Tokens</source>
        <translation>更长的上下文：%1 个词元</translation>
    </message>
    <message numerus="yes">
        <source>Leave Out the First %n Turns</source>
        <translation>
            <numerusform>略去最前面的 %n 轮</numerusform>
        </translation>
    </message>
    <message>
        <source>No model is loaded.</source>
        <translation>未加载模型。</translation>
    </message>
    <message>
        <source>%1 of %2 tokens</source>
        <translation>%1 / %2 个词元</translation>
    </message>
    <message>
        <source>How much of its context the model has read: %1.</source>
        <translation>模型已读入的上下文：%1。</translation>
    </message>
    <message>
        <source>On the processor, %1: weights %2, context of %3 tokens %4, buffers %5.</source>
        <translation>在处理器上运行，%1：权重 %2，%3 个词元的上下文 %4，缓冲 %5。</translation>
    </message>
    <message>
        <source>%1 of memory were free.</source>
        <translation>当时可用内存 %1。</translation>
    </message>
    <message>
        <source>The context is shorter than the usual %1 tokens, which do not fit.</source>
        <translation>上下文短于通常的 %1 个词元，因为后者放不下。</translation>
    </message>
    <message>
        <source>On %1, all layers: %2 of %3 that were free.</source>
        <translation>全部层位于 %1：占用 %2，加载前空闲 %3。</translation>
    </message>
    <message>
        <source>On %1, the last %2 of %3 layers, since the others do not fit: %4 of %5 that were free.</source>
        <translation>位于 %1 的是 %3 层中的最后 %2 层，其余的放不下：占用 %4，加载前空闲 %5。</translation>
    </message>
    <message>
        <source>On %1, the last %2 of %3 layers, as chosen: %4 of %5 that were free.</source>
        <translation>按所选，位于 %1 的是 %3 层中的最后 %2 层：占用 %4，加载前空闲 %5。</translation>
    </message>
    <message>
        <source>Loading the model: %1 %</source>
        <translation>正在加载模型：%1 %</translation>
    </message>
</context>
<context>
    <name>wb::ui::chat::Transcript</name>
    <message>
        <source>Conversation</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>You</source>
        <translation>您</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message numerus="yes">
        <source>Show %n earlier turns</source>
        <translation>
            <numerusform>显示更早的 %n 轮</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Reasoning, %n words</source>
        <translation>
            <numerusform>推理，%n 个词</numerusform>
        </translation>
    </message>
    <message>
        <source>The model is still thinking.</source>
        <translation>模型仍在思考。</translation>
    </message>
    <message>
        <source>Copy the code</source>
        <translation>复制代码</translation>
    </message>
    <message>
        <source>Version %1 of %2</source>
        <translation>第 %1 版，共 %2 版</translation>
    </message>
    <message>
        <source>Previous</source>
        <translation>上一版</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一版</translation>
    </message>
    <message>
        <source>Answer again</source>
        <translation>重新回答</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Reasoning</source>
        <translation>推理</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::AdapterList</name>
    <message>
        <source>Add an adapter…</source>
        <translation>添加适配器…</translation>
    </message>
    <message>
        <source>LoRA and rsLoRA adapters are added to the weights before anything else is done with them</source>
        <translation>在进行其他处理之前，先把 LoRA 和 rsLoRA 适配器加到权重上</translation>
    </message>
    <message>
        <source>Choose the folder of an adapter</source>
        <translation>选择适配器的文件夹</translation>
    </message>
    <message>
        <source>How much of %1 is added</source>
        <translation>%1 加入的比例</translation>
    </message>
    <message>
        <source>Leave %1 out</source>
        <translation>去掉 %1</translation>
    </message>
    <message>
        <source>Leave this adapter out</source>
        <translation>去掉此适配器</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::BudgetSession</name>
    <message>
        <source>Choosing types for %1</source>
        <translation>正在为 %1 选择类型</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::ChoicesPanel</name>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Choose where to write</source>
        <translation>选择写入位置</translation>
    </message>
    <message>
        <source>Type of the weights</source>
        <translation>权重的类型</translation>
    </message>
    <message>
        <source>Divided into</source>
        <translation>分为</translation>
    </message>
    <message>
        <source>Where to write</source>
        <translation>写入位置</translation>
    </message>
    <message>
        <source>As stored</source>
        <translation>与存储的相同</translation>
    </message>
    <message>
        <source>One file</source>
        <translation>一个文件</translation>
    </message>
    <message>
        <source>Files of %1 GB</source>
        <translation>每个 %1 GB 的文件</translation>
    </message>
    <message>
        <source>Safetensors (*.safetensors)</source>
        <translation>Safetensors (*.safetensors)</translation>
    </message>
    <message>
        <source>Name of the new folder</source>
        <translation>新文件夹的名称</translation>
    </message>
    <message>
        <source>Planning…</source>
        <translation>正在制定方案…</translation>
    </message>
    <message numerus="yes">
        <source>%n file(s), %1</source>
        <translation>
            <numerusform>%n 个文件，%1</numerusform>
        </translation>
    </message>
    <message>
        <source>Up to %1 of memory</source>
        <translation>内存最多 %1</translation>
    </message>
    <message>
        <source>%1 free on the disk, which is not enough</source>
        <translation>磁盘可用 %1，空间不足</translation>
    </message>
    <message>
        <source>%1 free on the disk</source>
        <translation>磁盘可用 %1</translation>
    </message>
    <message>
        <source>Measuring the time…</source>
        <translation>正在测量所需时间…</translation>
    </message>
    <message>
        <source>About %1, writing to the disk left out</source>
        <translation>约 %1，不含写入磁盘的时间</translation>
    </message>
    <message>
        <source>The run was cancelled. What it wrote is kept, and the same plan goes on with it.</source>
        <translation>运行已取消。已写出的部分予以保留，同一方案会接着写下去。</translation>
    </message>
    <message>
        <source>Add to the queue</source>
        <translation>加入队列</translation>
    </message>
    <message>
        <source>Write</source>
        <translation>写出</translation>
    </message>
    <message>
        <source>Add the folder of an adapter that was made for this model.</source>
        <translation>请添加为此模型制作的适配器的文件夹。</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::ChoosePage</name>
    <message>
        <source>Choose a model…</source>
        <translation>选择模型…</translation>
    </message>
    <message>
        <source>From %1</source>
        <translation>来自 %1</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Continue %1</source>
        <translation>继续 %1</translation>
    </message>
    <message>
        <source>Discard %1</source>
        <translation>丢弃 %1</translation>
    </message>
    <message>
        <source>Running elsewhere</source>
        <translation>正在别处运行</translation>
    </message>
    <message>
        <source>Its folder is not there</source>
        <translation>所在文件夹不存在</translation>
    </message>
    <message>
        <source>Discard…</source>
        <translation>丢弃…</translation>
    </message>
    <message>
        <source>Unfinished runs</source>
        <translation>未完成的运行</translation>
    </message>
    <message>
        <source>Deletes what was written so far</source>
        <translation>删除目前已写入的内容</translation>
    </message>
    <message>
        <source>Convert a model or make it smaller</source>
        <translation>转换模型或缩小模型</translation>
    </message>
    <message>
        <source>A Hugging Face folder becomes a GGUF file, of any type in one pass; a GGUF model is stored in fewer bits. You see the whole plan, tensor by tensor, before anything is read, and the result equals that of llama.cpp&apos;s own tools byte for byte.</source>
        <translation>Hugging Face 文件夹一次即可变成任意类型的 GGUF 文件；GGUF 模型可用更少的位存储。在读取任何数据之前，您会逐个张量地看到完整的方案，结果与 llama.cpp 自带工具的输出逐字节相同。</translation>
    </message>
    <message>
        <source>Choose a folder…</source>
        <translation>选择文件夹…</translation>
    </message>
    <message>
        <source>Or open a model in Inspect and choose Quantize… there, or drop a file or folder here.</source>
        <translation>也可以在“检视”中打开模型并选择“量化…”，或者把文件或文件夹拖放到这里。</translation>
    </message>
    <message>
        <source>Quantize %1</source>
        <translation>量化 %1</translation>
    </message>
    <message>
        <source>Or drop a file or folder here, or begin with one of those that are open:</source>
        <translation>也可以把文件或文件夹拖放到这里，或者从已打开的模型开始：</translation>
    </message>
    <message>
        <source>Or begin with what you need</source>
        <translation>或从您的需要开始</translation>
    </message>
    <message>
        <source>Publish safely…</source>
        <translation>安全发布…</translation>
    </message>
    <message>
        <source>Any model file as safetensors, which runs nothing when it is loaded.</source>
        <translation>将任何模型文件写成 safetensors，加载时不会运行任何代码。</translation>
    </message>
    <message>
        <source>Go on training…</source>
        <translation>继续训练…</translation>
    </message>
    <message>
        <source>A Hugging Face folder, also of a GGUF file, with its configuration and tokenizer.</source>
        <translation>Hugging Face 文件夹，也可由 GGUF 文件生成，带配置和分词器。</translation>
    </message>
    <message>
        <source>Merge an adapter…</source>
        <translation>合并适配器…</translation>
    </message>
    <message>
        <source>LoRA and rsLoRA adapters added to the weights of their model.</source>
        <translation>将 LoRA 和 rsLoRA 适配器加到其模型的权重中。</translation>
    </message>
    <message>
        <source>%1 % done</source>
        <translation>已完成 %1 %</translation>
    </message>
    <message>
        <source>last written %1</source>
        <translation>上次写入：%1</translation>
    </message>
    <message>
        <source>Convert an adapter…</source>
        <translation>转换适配器…</translation>
    </message>
    <message>
        <source>A LoRA or rsLoRA adapter as a GGUF file, which llama.cpp adds to its model while it runs.</source>
        <translation>把 LoRA 或 rsLoRA 适配器写成 GGUF 文件，llama.cpp 在运行模型时加上它。</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::CommandRow</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::ConvertActions</name>
    <message>
        <source>Choose a model to quantize…</source>
        <translation>选择要量化的模型…</translation>
    </message>
    <message>
        <source>Search tensors</source>
        <translation>搜索张量</translation>
    </message>
    <message>
        <source>Undo the last change of the plan</source>
        <translation>撤销对方案的上一次更改</translation>
    </message>
    <message>
        <source>Redo the change of the plan</source>
        <translation>重做对方案的更改</translation>
    </message>
    <message>
        <source>Save the plan…</source>
        <translation>保存方案…</translation>
    </message>
    <message>
        <source>Copy as options</source>
        <translation>复制为选项</translation>
    </message>
    <message>
        <source>The same types as --tensor-type options, for wb quantize and llama-quantize</source>
        <translation>以 --tensor-type 选项表示的相同类型，可用于 wb quantize 和 llama-quantize</translation>
    </message>
    <message>
        <source>Quantize</source>
        <translation>量化</translation>
    </message>
    <message>
        <source>Open a saved plan…</source>
        <translation>打开已保存的方案…</translation>
    </message>
    <message>
        <source>Saves the plan to a file that can be run later, or elsewhere by the command-line program</source>
        <translation>将方案保存到文件，以便以后运行，或在别处用命令行程序运行</translation>
    </message>
    <message>
        <source>Count the memory of this model</source>
        <translation>计算此模型需要的内存</translation>
    </message>
    <message>
        <source>Opens the model in Memory: what it needs, part by part, and what holds it</source>
        <translation>在“内存”中打开模型：逐项列出所需内存，以及哪些设备放得下</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::CostPanel</name>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Bits per weight</source>
        <translation>每权重位数</translation>
    </message>
    <message>
        <source>Free on the disk</source>
        <translation>磁盘可用</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>%1 – not enough</source>
        <translation>%1 – 不够</translation>
    </message>
    <message>
        <source>No mix of llama.cpp is so small; these types are the best that fit.</source>
        <translation>llama.cpp 没有这么小的混合方案；这些类型是放得下的最佳选择。</translation>
    </message>
    <message>
        <source>%1 % less squared error than %2, the largest mix of llama.cpp that fits (measured on every row).</source>
        <translation>平方误差比 %2（能容纳的最大 llama.cpp 混合方案）小 %1 %（在每一行上测得）。</translation>
    </message>
    <message>
        <source>%1 % less squared error than %2, the largest mix of llama.cpp that fits (estimated from samples).</source>
        <translation>平方误差比 %2（能容纳的最大 llama.cpp 混合方案）小 %1 %（由抽样估计）。</translation>
    </message>
    <message>
        <source>%1 from %2</source>
        <translation>%1（原 %2）</translation>
    </message>
    <message>
        <source>up to %1</source>
        <translation>最多 %1</translation>
    </message>
    <message>
        <source>measuring…</source>
        <translation>正在测量…</translation>
    </message>
    <message>
        <source>about %1</source>
        <translation>约 %1</translation>
    </message>
    <message>
        <source>Memory for quantizing</source>
        <translation>量化所需内存</translation>
    </message>
    <message>
        <source>%1, over your %2</source>
        <translation>%1，超出您的 %2</translation>
    </message>
    <message>
        <source>%1, larger than the model of %2</source>
        <translation>%1，比 %2 的模型还大</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::ErrorChart</name>
    <message>
        <source>Relative error of every tensor</source>
        <translation>每个张量的相对误差</translation>
    </message>
    <message>
        <source>%1: %2 to %3, %4</source>
        <translation>%1：%2 → %3，%4</translation>
    </message>
    <message>
        <source>No tensor lost anything.</source>
        <translation>没有张量有损失。</translation>
    </message>
    <message>
        <source>Relative errors in the order of the file; the largest is that of %1</source>
        <translation>按文件顺序排列的相对误差；最大的是 %1</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::ErrorModel</name>
    <message>
        <source>copied</source>
        <translation>原样复制</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>From</source>
        <translation>原类型</translation>
    </message>
    <message>
        <source>To</source>
        <translation>新类型</translation>
    </message>
    <message>
        <source>Relative error</source>
        <translation>相对误差</translation>
    </message>
    <message>
        <source>RMSE</source>
        <translation>RMSE</translation>
    </message>
    <message>
        <source>Cosine</source>
        <translation>余弦相似度</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::FolderPanel</name>
    <message>
        <source>Name of the model</source>
        <translation>模型名称</translation>
    </message>
    <message>
        <source>As recognised</source>
        <translation>按识别结果</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Cuts text like</source>
        <translation>文本切分方式同</translation>
    </message>
    <message>
        <source>Pre-tokenizer</source>
        <translation>预分词器</translation>
    </message>
    <message>
        <source>How this tokenizer cuts text is not known. Choose a model that cuts it the same way; a wrong choice makes the model worse.</source>
        <translation>无法识别该分词器切分文本的方式。请选择切分方式相同的模型；选错会使模型变差。</translation>
    </message>
    <message>
        <source>The rule of this tokenizer was recognised: %1.</source>
        <translation>已识别该分词器的规则：%1。</translation>
    </message>
    <message>
        <source>Take the template of the folder</source>
        <translation>使用文件夹中的模板</translation>
    </message>
    <message>
        <source>Chat template</source>
        <translation>对话模板</translation>
    </message>
    <message>
        <source>Choose a chat template</source>
        <translation>选择对话模板</translation>
    </message>
    <message>
        <source>Jinja templates (*.jinja *.j2 *.txt)</source>
        <translation>Jinja 模板 (*.jinja *.j2 *.txt)</translation>
    </message>
    <message>
        <source>%1 is empty, too large for a template, or cannot be read; choose another file.</source>
        <translation>%1 是空的、对模板来说过大或无法读取；请选择其他文件。</translation>
    </message>
    <message>
        <source>Another one…</source>
        <translation>其他模板…</translation>
    </message>
    <message>
        <source>That of the folder…</source>
        <translation>文件夹中的模板…</translation>
    </message>
    <message>
        <source>Made for</source>
        <translation>所属模型</translation>
    </message>
    <message>
        <source>Choose the folder of the model that the adapter was made for</source>
        <translation>选择该适配器所属模型的文件夹</translation>
    </message>
    <message>
        <source>Choose its folder…</source>
        <translation>选择它的文件夹…</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::GoalPanel</name>
    <message>
        <source>A known mix</source>
        <translation>已知的混合方案</translation>
    </message>
    <message>
        <source>The best under a size</source>
        <translation>限定大小内的最佳方案</translation>
    </message>
    <message>
        <source>What fits my memory</source>
        <translation>适合我的内存大小</translation>
    </message>
    <message>
        <source>Accept tensors that are quantized already</source>
        <translation>接受已量化的张量</translation>
    </message>
    <message>
        <source>Keep the model in several files</source>
        <translation>保持模型为多个文件</translation>
    </message>
    <message>
        <source>Mix</source>
        <translation>混合方案</translation>
    </message>
    <message>
        <source>Size of the file</source>
        <translation>文件大小</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Tokens of context</source>
        <translation>上下文词元数</translation>
    </message>
    <message>
        <source> tokens</source>
        <translation> 个词元</translation>
    </message>
    <message>
        <source>No importance matrix</source>
        <translation>无重要性矩阵</translation>
    </message>
    <message>
        <source>Importance matrix</source>
        <translation>重要性矩阵</translation>
    </message>
    <message>
        <source>How much each input column matters, measured by llama-imatrix; small types need it</source>
        <translation>每个输入列的重要程度，由 llama-imatrix 测得；低位数类型需要它</translation>
    </message>
    <message>
        <source>Choose an importance matrix</source>
        <translation>选择重要性矩阵</translation>
    </message>
    <message>
        <source>Use no importance matrix</source>
        <translation>不使用重要性矩阵</translation>
    </message>
    <message>
        <source>Every tensor is tried as every type on a sample of its rows; the types that lose least within the size are taken.</source>
        <translation>在每个张量的部分行上试验每种类型；选取在限定大小内损失最小的类型。</translation>
    </message>
    <message>
        <source>This model does not say how large its cache is; choose a size of the file instead.</source>
        <translation>该模型没有说明其缓存大小；请改为选择文件大小。</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Choose the types</source>
        <translation>选择类型</translation>
    </message>
    <message>
        <source>One type for every tensor instead of a mix</source>
        <translation>所有张量用同一类型，不用混合方案</translation>
    </message>
    <message>
        <source>Measure every row</source>
        <translation>测量每一行</translation>
    </message>
    <message>
        <source>Exact errors instead of estimates from samples; takes about as long as quantizing the model to every type.</source>
        <translation>得到精确的误差而不是抽样估计；耗时约等于把模型量化为每一种类型。</translation>
    </message>
    <message>
        <source>Every tensor is tried as every type on all of its rows; the types that lose least within the size are taken.</source>
        <translation>对每个张量的所有行试用每种类型；在大小限制内选取损失最小的类型。</translation>
    </message>
    <message>
        <source>The cache of %L1 tokens takes %2 (f16) and the buffers %3; the rest is for the weights.</source>
        <translation>%L1 个词元的缓存占用 %2（f16），缓冲区占用 %3；其余留给权重。</translation>
    </message>
    <message>
        <source>Such as 4.2 GB, 800 MB or 3.9 GiB</source>
        <translation>例如 4.2 GB、800 MB 或 3.9 GiB</translation>
    </message>
    <message>
        <source>That is %1.</source>
        <translation>即 %1。</translation>
    </message>
    <message>
        <source>Copied as it is: every tensor keeps its type. Choose a mix to make the model smaller.</source>
        <translation>原样复制：每个张量都保留其类型。选择一种混合方案即可缩小模型。</translation>
    </message>
    <message>
        <source>The cache of %L1 tokens takes %2 (f16) and the buffers %3; nothing is left for the weights.</source>
        <translation>%L1 个词元的缓存占用 %2（f16），缓冲区占用 %3；没有为权重留下空间。</translation>
    </message>
    <message>
        <source>Enter the size with its unit, such as 4.2 GB, 800 MB or 3.9 GiB.</source>
        <translation>请输入带单位的大小，例如 4.2 GB、800 MB 或 3.9 GiB。</translation>
    </message>
    <message>
        <source>Chosen for a size: the types are not those of the mix, and its figures do not apply.</source>
        <translation>按大小选择：类型不是该混合方案的类型，其数据不适用。</translation>
    </message>
    <message>
        <source>Changed by hand: the types are no longer those of the mix, and its figures do not apply.</source>
        <translation>已手动更改：类型不再是该混合方案的类型，其数据不适用。</translation>
    </message>
    <message>
        <source>The plan is not for this size yet: press Choose the types, then Quantize.</source>
        <translation>该方案尚未针对此大小：请先按“选择类型”，再按“量化”。</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::KeptBar</name>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Discard…</source>
        <translation>丢弃…</translation>
    </message>
    <message>
        <source>The run was cancelled; %1 % of %2 is kept. Continue it, or discard that part.</source>
        <translation>任务已取消；保留了 %2 的 %1 %。可以继续，或丢弃这一部分。</translation>
    </message>
    <message>
        <source>The run was cancelled; a part of %1 is kept. Continue it, or discard that part.</source>
        <translation>任务已取消；保留了 %1 的一部分。可以继续，或丢弃这一部分。</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::MembersModel</name>
    <message>
        <source>as in the source</source>
        <translation>与来源相同</translation>
    </message>
    <message>
        <source>GGUF file</source>
        <translation>GGUF 文件</translation>
    </message>
    <message>
        <source>guessed of the family</source>
        <translation>按模型家族推测</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Origin</source>
        <translation>来源</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::MixPlot</name>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>Error of every mix over its size</source>
        <translation>各混合方案的误差与大小</translation>
    </message>
    <message>
        <source>No mix has been measured yet.</source>
        <translation>尚未测量任何混合方案。</translation>
    </message>
    <message>
        <source>%1: %2, error %3</source>
        <translation>%1：%2，误差 %3</translation>
    </message>
    <message>
        <source>From %1 to %2; the line is what the best types for a size reach.</source>
        <translation>从 %1 到 %2；曲线为给定大小下最佳类型所能达到的误差。</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::MixSession</name>
    <message>
        <source>Comparing the mixes of %1</source>
        <translation>正在比较 %1 的混合方案</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::MixTableModel</name>
    <message>
        <source>fits</source>
        <translation>放得下</translation>
    </message>
    <message>
        <source>tight</source>
        <translation>勉强</translation>
    </message>
    <message>
        <source>no</source>
        <translation>放不下</translation>
    </message>
    <message>
        <source>needs a matrix</source>
        <translation>需要矩阵</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>%1 bytes</source>
        <translation>%1 字节</translation>
    </message>
    <message>
        <source>Root of the squared errors of all weights over that of their squares, measured on this model</source>
        <translation>所有权重的误差平方和与权重平方和之比的平方根，在此模型上测得</translation>
    </message>
    <message>
        <source>The same with every weight as important as the importance matrix says</source>
        <translation>同上，但每个权重按重要性矩阵加权</translation>
    </message>
    <message>
        <source>Memory of weights, cache and buffers while the model runs</source>
        <translation>模型运行时权重、缓存和缓冲区所需的内存</translation>
    </message>
    <message>
        <source>Mix</source>
        <translation>混合方案</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Bits</source>
        <translation>位数</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>误差</translation>
    </message>
    <message>
        <source>Weighted</source>
        <translation>加权误差</translation>
    </message>
    <message>
        <source>Needs</source>
        <translation>需要</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Mean KL divergence with an importance matrix, as published for Llama 3 8B</source>
        <translation>使用重要性矩阵时的平均 KL 散度，为 Llama 3 8B 的公布值</translation>
    </message>
    <message>
        <source>Mean KL divergence without an importance matrix, as published for Llama 3 8B</source>
        <translation>不用重要性矩阵时的平均 KL 散度，为 Llama 3 8B 的公布值</translation>
    </message>
    <message>
        <source>KLD with imatrix</source>
        <translation>KLD（用 imatrix）</translation>
    </message>
    <message>
        <source>KLD without imatrix</source>
        <translation>KLD（不用 imatrix）</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::MixesPanel</name>
    <message>
        <source>Every row</source>
        <translation>每一行</translation>
    </message>
    <message>
        <source>Use this mix</source>
        <translation>使用此方案</translation>
    </message>
    <message>
        <source>Memory that the model must fit into</source>
        <translation>模型须装入的内存</translation>
    </message>
    <message>
        <source>Such as 4.2 GB, 800 MB or 3.9 GiB</source>
        <translation>例如 4.2 GB、800 MB 或 3.9 GiB</translation>
    </message>
    <message>
        <source>Tokens of context</source>
        <translation>上下文的词元数</translation>
    </message>
    <message>
        <source> tokens</source>
        <translation> 个词元</translation>
    </message>
    <message>
        <source>Exact errors instead of estimates from samples; takes about as long as quantizing the model to every type.</source>
        <translation>给出精确误差而非抽样估计；耗时约等于将模型量化为每种类型。</translation>
    </message>
    <message>
        <source>Plan the model with the mix that is selected</source>
        <translation>按所选混合方案规划模型</translation>
    </message>
    <message>
        <source>&amp;Fits into</source>
        <translation>装入(&amp;F)</translation>
    </message>
    <message>
        <source>All mixes of this model</source>
        <translation>此模型的所有混合方案</translation>
    </message>
    <message>
        <source>needs a matrix</source>
        <translation>需要矩阵</translation>
    </message>
    <message>
        <source>Measuring what every mix loses of this model…</source>
        <translation>正在测量各混合方案对此模型的损失…</translation>
    </message>
    <message>
        <source>Nothing has been measured yet.</source>
        <translation>尚未测量。</translation>
    </message>
    <message>
        <source>The model is quantized already and would lose a second time; no mix is recommended.</source>
        <translation>该模型已经量化，再次量化会再次损失；不推荐任何混合方案。</translation>
    </message>
    <message>
        <source>No mix that is smaller than the model fits into this memory; none is recommended.</source>
        <translation>没有比该模型更小且装得进此内存的混合方案；不作推荐。</translation>
    </message>
    <message>
        <source>%1 is recommended: the smallest of those that fit whose error (%2 %) hardly anybody notices.</source>
        <translation>推荐 %1：在放得下且误差（%2 %）几乎无人察觉的方案中最小。</translation>
    </message>
    <message>
        <source>%1 is recommended: of those that fit it loses least (%2 %).</source>
        <translation>推荐 %1：在放得下的方案中损失最少（%2 %）。</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>Add to the queue</source>
        <translation>加入队列</translation>
    </message>
    <message>
        <source>Quantize the model to each mix that is selected, one after another; select several with Ctrl or Shift</source>
        <translation>依次将模型量化为每个选中的混合方案；按住 Ctrl 或 Shift 可选择多个</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::OllamaRow</name>
    <message>
        <source>Register it with Ollama:</source>
        <translation>在 Ollama 中注册：</translation>
    </message>
    <message>
        <source>Write the Modelfile</source>
        <translation>写出 Modelfile</translation>
    </message>
    <message>
        <source>The command reads a Modelfile beside the model: what ends an answer, the context and the sampling</source>
        <translation>该命令读取模型旁边的 Modelfile：回答的结束标记、上下文长度和采样设置</translation>
    </message>
    <message>
        <source>%1 exists already.</source>
        <translation>%1 已存在。</translation>
    </message>
    <message>
        <source>Replace the file?</source>
        <translation>替换该文件？</translation>
    </message>
    <message>
        <source>Replace it</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>%1 is written.</source>
        <translation>已写出 %1。</translation>
    </message>
    <message>
        <source>Writing the Modelfile</source>
        <translation>正在写出 Modelfile</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::PairsModel</name>
    <message>
        <source>config.json</source>
        <translation>config.json</translation>
    </message>
    <message>
        <source>tokenizer</source>
        <translation>分词器</translation>
    </message>
    <message>
        <source>your choice</source>
        <translation>您的选择</translation>
    </message>
    <message>
        <source>computed</source>
        <translation>计算得出</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Origin</source>
        <translation>来源</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::PlanModel</name>
    <message>
        <source>This tensor is never quantized.</source>
        <translation>该张量从不量化。</translation>
    </message>
    <message>
        <source>Double-click to choose another type.</source>
        <translation>双击以选择其他类型。</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>From</source>
        <translation>原类型</translation>
    </message>
    <message>
        <source>To</source>
        <translation>新类型</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Bits per weight</source>
        <translation>每权重位数</translation>
    </message>
    <message>
        <source>Bits</source>
        <translation>位数</translation>
    </message>
    <message>
        <source>config.json</source>
        <translation>config.json</translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 及另外 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>made of numbers</source>
        <translation>由数值生成</translation>
    </message>
    <message>
        <source>as it is</source>
        <translation>原样</translation>
    </message>
    <message>
        <source>rows permuted</source>
        <translation>行重排</translation>
    </message>
    <message>
        <source>experts stacked</source>
        <translation>专家堆叠</translation>
    </message>
    <message>
        <source>heads stacked</source>
        <translation>注意力头堆叠</translation>
    </message>
    <message>
        <source>plus one</source>
        <translation>加一</translation>
    </message>
    <message>
        <source>transposed</source>
        <translation>转置</translation>
    </message>
    <message>
        <source>rows cut</source>
        <translation>截去多余行</translation>
    </message>
    <message>
        <source>first half</source>
        <translation>前一半</translation>
    </message>
    <message>
        <source>second half</source>
        <translation>后一半</translation>
    </message>
    <message>
        <source>even columns</source>
        <translation>偶数列</translation>
    </message>
    <message>
        <source>odd columns</source>
        <translation>奇数列</translation>
    </message>
    <message>
        <source>repacked</source>
        <translation>重新打包</translation>
    </message>
    <message>
        <source>even rows repacked</source>
        <translation>偶数行重新打包</translation>
    </message>
    <message>
        <source>odd rows repacked</source>
        <translation>奇数行重新打包</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Transform</source>
        <translation>变换</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::PlanPage</name>
    <message>
        <source>Another model…</source>
        <translation>其他模型…</translation>
    </message>
    <message>
        <source>Goal</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>What it costs</source>
        <translation>开销</translation>
    </message>
    <message>
        <source>Search tensors by name</source>
        <translation>按名称搜索张量</translation>
    </message>
    <message>
        <source>Type to set</source>
        <translation>要设置的类型</translation>
    </message>
    <message>
        <source>As the mix says</source>
        <translation>按混合方案</translation>
    </message>
    <message>
        <source>Set for the selected</source>
        <translation>应用于所选</translation>
    </message>
    <message>
        <source>Set for all shown</source>
        <translation>应用于全部显示项</translation>
    </message>
    <message>
        <source>Tensors and their new types</source>
        <translation>张量及其新类型</translation>
    </message>
    <message>
        <source>File to write</source>
        <translation>要写入的文件</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Choose the file to write</source>
        <translation>选择要写入的文件</translation>
    </message>
    <message>
        <source>Quantize</source>
        <translation>量化</translation>
    </message>
    <message>
        <source>&amp;Write to</source>
        <translation>写入到(&amp;W)</translation>
    </message>
    <message numerus="yes">
        <source>And %n more like this.</source>
        <translation>
            <numerusform>还有 %n 条类似信息。</numerusform>
        </translation>
    </message>
    <message>
        <source>%L1 of %L2 tensors</source>
        <translation>%L1 / %L2 个张量</translation>
    </message>
    <message>
        <source>planning…</source>
        <translation>正在制定方案…</translation>
    </message>
    <message>
        <source>GGUF models (*.gguf)</source>
        <translation>GGUF 模型 (*.gguf)</translation>
    </message>
    <message>
        <source>Save the plan</source>
        <translation>保存方案</translation>
    </message>
    <message>
        <source>Plans (*.plan.json)</source>
        <translation>方案 (*.plan.json)</translation>
    </message>
    <message>
        <source>Replace the file?</source>
        <translation>替换文件？</translation>
    </message>
    <message>
        <source>%1 exists already.</source>
        <translation>%1 已存在。</translation>
    </message>
    <message>
        <source>These tensors are never quantized.</source>
        <translation>这些张量从不量化。</translation>
    </message>
    <message>
        <source>%L1 of %L2 tensors stay as they are: %3 needs an importance matrix for them, and rows that its blocks divide.</source>
        <translation>%L2 个张量中有 %L1 个保持不变：%3 需要它们的重要性矩阵，并且行长须为其块大小的整数倍。</translation>
    </message>
    <message>
        <source>%L1 of %L2 tensors stay as they are: the blocks of %3 do not divide their rows.</source>
        <translation>%L2 个张量中有 %L1 个保持不变：其行长不是 %3 块大小的整数倍。</translation>
    </message>
    <message>
        <source>Replace it</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Continue that run</source>
        <translation>继续那次运行</translation>
    </message>
    <message>
        <source>Discard the unfinished run?</source>
        <translation>丢弃这次未完成的运行？</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Plan file</source>
        <translation>方案文件</translation>
    </message>
    <message>
        <source>Open a saved plan</source>
        <translation>打开已保存的方案</translation>
    </message>
    <message>
        <source>Replace it when the new file is complete</source>
        <translation>新文件完成后替换</translation>
    </message>
    <message>
        <source>An unfinished run with another plan has written %L1 % of %2.</source>
        <translation>另一个方案的未完成运行已写入 %2 的 %L1 %。</translation>
    </message>
    <message>
        <source>An unfinished run with another plan has written a part of %1.</source>
        <translation>另一个方案的未完成运行已写入 %1 的一部分。</translation>
    </message>
    <message>
        <source>Starting over deletes it; continuing that run closes this plan.</source>
        <translation>重新开始会删除它；继续那次运行会关闭此方案。</translation>
    </message>
    <message>
        <source>Starting over deletes it.</source>
        <translation>重新开始会删除它。</translation>
    </message>
    <message>
        <source>Start over</source>
        <translation>重新开始</translation>
    </message>
    <message>
        <source>Choose the types for this size first</source>
        <translation>请先为此大小选择类型</translation>
    </message>
    <message>
        <source>Metadata</source>
        <translation>元数据</translation>
    </message>
    <message>
        <source>Hugging Face folder</source>
        <translation>Hugging Face 文件夹</translation>
    </message>
    <message>
        <source>Pairs of the new file</source>
        <translation>新文件的键值对</translation>
    </message>
    <message>
        <source>Convert</source>
        <translation>转换</translation>
    </message>
    <message>
        <source>All mixes</source>
        <translation>所有混合方案</translation>
    </message>
    <message>
        <source>Add to the queue</source>
        <translation>加入队列</translation>
    </message>
    <message>
        <source>There already, whole or in part: %1.</source>
        <translation>已经存在（全部或部分）：%1。</translation>
    </message>
    <message>
        <source>Replace each when its new file is complete</source>
        <translation>新文件完成后逐个替换</translation>
    </message>
    <message>
        <source>Replace the files?</source>
        <translation>替换这些文件吗？</translation>
    </message>
    <message>
        <source>Adapter</source>
        <translation>适配器</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::PlanSession</name>
    <message>
        <source>Planning</source>
        <translation>制定方案</translation>
    </message>
    <message>
        <source>Saving the plan</source>
        <translation>保存方案</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::QueueModel</name>
    <message>
        <source>waits, %1 % kept</source>
        <translation>等待中，保留了 %1 %</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>its plan is read</source>
        <translation>正在读取方案</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>%1, stopping</source>
        <translation>%1，正在停止</translation>
    </message>
    <message>
        <source>%1, paused</source>
        <translation>%1，已暂停</translation>
    </message>
    <message>
        <source>cancelled, %1 % kept</source>
        <translation>已取消，保留了 %1 %</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>done</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::QueuePanel</name>
    <message>
        <source>Runs of the queue</source>
        <translation>队列中的任务</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Stop after this run</source>
        <translation>此任务后停止</translation>
    </message>
    <message>
        <source>Discard what is kept…</source>
        <translation>丢弃保留的部分…</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Open in Inspect</source>
        <translation>在“检视”中打开</translation>
    </message>
    <message>
        <source>Clear what is done</source>
        <translation>清除已完成的</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::QueueStrip</name>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Show the queue</source>
        <translation>显示队列</translation>
    </message>
    <message>
        <source>Continue the queue</source>
        <translation>继续队列</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::ResultPage</name>
    <message>
        <source>Open in Inspect</source>
        <translation>在“检视”中打开</translation>
    </message>
    <message>
        <source>Show in its folder</source>
        <translation>在文件夹中显示</translation>
    </message>
    <message>
        <source>Back to the plan</source>
        <translation>返回方案</translation>
    </message>
    <message>
        <source>Another model…</source>
        <translation>其他模型…</translation>
    </message>
    <message>
        <source>%1, %2 bits per weight, written in %3.</source>
        <translation>%1，每权重 %2 位，用时 %3。</translation>
    </message>
    <message>
        <source>%1, %2 bits per weight, written in several parts, the last one in %3.</source>
        <translation>%1，每权重 %2 位，分几次写成，最后一次用时 %3。</translation>
    </message>
    <message>
        <source>Errors of the tensors</source>
        <translation>各张量的误差</translation>
    </message>
    <message>
        <source>No program to show folders was found; the file is in %1.</source>
        <translation>找不到可显示文件夹的程序；文件位于 %1。</translation>
    </message>
    <message>
        <source>What was written was read again and compared with its source.</source>
        <translation>写出的内容已重新读取并与来源比较。</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::RunPage</name>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>剩余 %1</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>stopping…</source>
        <translation>正在停止…</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>Finished work is kept when you cancel or quit, and the run can be continued here. The file gets its name only when it is complete and checked.</source>
        <translation>取消或退出时，已完成的工作会保留，并可在此继续运行。文件只有在完整写入并通过检查后才会以其名称出现。</translation>
    </message>
    <message>
        <source>Plan another run…</source>
        <translation>计划另一个任务…</translation>
    </message>
    <message>
        <source>What runs goes on; the next run joins the queue</source>
        <translation>正在运行的会继续；下一个任务加入队列</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>队列</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::RunQueue</name>
    <message>
        <source>Reading the queue</source>
        <translation>正在读取队列</translation>
    </message>
    <message>
        <source>Saving the queue</source>
        <translation>正在保存队列</translation>
    </message>
    <message>
        <source>Planning</source>
        <translation>制定方案</translation>
    </message>
    <message>
        <source>Listing unfinished runs</source>
        <translation>正在列出未完成的任务</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::RunSession</name>
    <message>
        <source>Checking the target</source>
        <translation>检查目标文件</translation>
    </message>
    <message>
        <source>Preparing the run</source>
        <translation>准备运行</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::SpeedEstimate</name>
    <message>
        <source>Measuring the speed</source>
        <translation>测量速度</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::UnfinishedList</name>
    <message>
        <source>Listing unfinished runs</source>
        <translation>列出未完成的运行</translation>
    </message>
    <message>
        <source>Discarding a run</source>
        <translation>丢弃运行</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::WeightsModel</name>
    <message>
        <source>renamed</source>
        <translation>已重命名</translation>
    </message>
    <message>
        <source>cast</source>
        <translation>已转换类型</translation>
    </message>
    <message>
        <source>decoded</source>
        <translation>已解码</translation>
    </message>
    <message>
        <source>rows back in order</source>
        <translation>行恢复原序</translation>
    </message>
    <message>
        <source>minus one</source>
        <translation>减一</translation>
    </message>
    <message>
        <source>transposed</source>
        <translation>转置</translation>
    </message>
    <message>
        <source>taken from a stack</source>
        <translation>从堆叠中取出</translation>
    </message>
    <message>
        <source>joined</source>
        <translation>已合并</translation>
    </message>
    <message>
        <source>blocks and scales</source>
        <translation>块与缩放系数</translation>
    </message>
    <message>
        <source>replaced by the adapter</source>
        <translation>由适配器替换</translation>
    </message>
    <message>
        <source>copied</source>
        <translation>原样复制</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>From</source>
        <translation>从</translation>
    </message>
    <message>
        <source>To</source>
        <translation>到</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Transform</source>
        <translation>变换</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Double-click to choose another type.</source>
        <translation>双击以选择其他类型。</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::WeightsPage</name>
    <message>
        <source>Read its tensors all the same</source>
        <translation>仍然读取其张量</translation>
    </message>
    <message>
        <source>Another model…</source>
        <translation>其他模型…</translation>
    </message>
    <message>
        <source>Tensors of the plan</source>
        <translation>方案中的张量</translation>
    </message>
    <message>
        <source>Open in Inspect</source>
        <translation>在“检视”中打开</translation>
    </message>
    <message>
        <source>Show in its folder</source>
        <translation>在文件夹中显示</translation>
    </message>
    <message>
        <source>No program to show folders was found; the result is in %1.</source>
        <translation>没有找到显示文件夹的程序；结果位于 %1。</translation>
    </message>
    <message>
        <source>%1 exists already. Its files are replaced by those of the plan.</source>
        <translation>%1 已存在。其中的文件将被方案中的文件替换。</translation>
    </message>
    <message>
        <source>Replace what is there?</source>
        <translation>替换已有内容？</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Unfinished work of another plan to %1 is removed.</source>
        <translation>写往 %1 的另一方案的未完成工作将被删除。</translation>
    </message>
    <message>
        <source>Remove the unfinished work?</source>
        <translation>删除未完成的工作？</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>%1 in %2 tensors, written in %3. What was written was read again and compared with its source.</source>
        <translation>%2 个张量，共 %1，用时 %3。写入的内容已重新读取并与来源比较。</translation>
    </message>
    <message>
        <source>Plan file</source>
        <translation>方案文件</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>As all others</source>
        <translation>与其他张量相同</translation>
    </message>
    <message>
        <source>Members of the new config.json</source>
        <translation>新 config.json 的成员</translation>
    </message>
    <message>
        <source>Back to the plan</source>
        <translation>返回方案</translation>
    </message>
    <message>
        <source>Serve it with vLLM:</source>
        <translation>用 vLLM 提供服务：</translation>
    </message>
    <message>
        <source>Save the plan</source>
        <translation>保存方案</translation>
    </message>
    <message>
        <source>Plans (*.plan.json)</source>
        <translation>方案 (*.plan.json)</translation>
    </message>
    <message>
        <source>Open a saved plan</source>
        <translation>打开已保存的方案</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::WeightsSession</name>
    <message>
        <source>Planning</source>
        <translation>制定方案</translation>
    </message>
    <message>
        <source>Saving the plan</source>
        <translation>正在保存方案</translation>
    </message>
    <message>
        <source>Measuring the speed</source>
        <translation>正在测量速度</translation>
    </message>
    <message>
        <source>%1 is written by a run of the queue already; choose another name, or remove that run.</source>
        <translation>队列中已有一次运行要写 %1；请另选名称，或移除那次运行。</translation>
    </message>
    <message>
        <source>Checking the target</source>
        <translation>正在检查目标</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::Wizard</name>
    <message>
        <source>%1 is written by a run of the queue already; choose another name, or remove that run.</source>
        <translation>队列中已有任务要写入 %1；请选择其他名称，或移除该任务。</translation>
    </message>
    <message>
        <source>Planning</source>
        <translation>制定方案</translation>
    </message>
    <message>
        <source>In the queue already: %1.</source>
        <translation>已在队列中：%1。</translation>
    </message>
    <message>
        <source>Listing unfinished runs</source>
        <translation>正在列出未完成的任务</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::ComparisonChoice</name>
    <message>
        <source>%1 in %2</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Compare with…</source>
        <translation>比较…</translation>
    </message>
    <message>
        <source>A file…</source>
        <translation>文件…</translation>
    </message>
    <message>
        <source>Compare with the tensor of the same name of another model</source>
        <translation>与另一个模型的同名张量比较</translation>
    </message>
    <message>
        <source>Opening %1</source>
        <translation>正在打开 %1</translation>
    </message>
    <message>
        <source>%1 has no tensor that is called %2; those of its tensors that have the same shape are in the list now.</source>
        <translation>%1 中没有名为 %2 的张量；其中形状相同的张量现已列入列表。</translation>
    </message>
    <message>
        <source>Only tensors of equal shape can be compared: %1 is %2 here and %3 in %4.</source>
        <translation>只能比较形状相同的张量：%1 在此处为 %2，在 %4 中为 %3。</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::DisassemblyView</name>
    <message>
        <source>Byte</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>Opcode</source>
        <translation>操作码</translation>
    </message>
    <message>
        <source>Argument</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Show the Opcodes</source>
        <translation>显示操作码</translation>
    </message>
    <message>
        <source>Opcodes of the pickle</source>
        <translation>pickle 的操作码</translation>
    </message>
    <message>
        <source>List what the pickle tells its loader to do, opcode by opcode</source>
        <translation>逐条列出 pickle 要求加载器执行的操作</translation>
    </message>
    <message>
        <source>Listing the opcodes of %1</source>
        <translation>正在列出 %1 的操作码</translation>
    </message>
    <message>
        <source>There is no pickle in it.</source>
        <translation>其中没有 pickle。</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::DistributionPanel</name>
    <message>
        <source>What is counted</source>
        <translation>统计对象</translation>
    </message>
    <message>
        <source>Logarithmic counts</source>
        <translation>对数计数</translation>
    </message>
    <message>
        <source>Logarithmic values</source>
        <translation>对数数值</translation>
    </message>
    <message>
        <source>Values on a symmetric logarithmic axis; bars then have the area of what they count.</source>
        <translation>数值采用对称对数轴；此时柱的面积表示计数。</translation>
    </message>
    <message>
        <source>Cumulative curve</source>
        <translation>累积曲线</translation>
    </message>
    <message>
        <source>How the codes are used</source>
        <translation>编码的使用情况</translation>
    </message>
    <message>
        <source>Use of codes</source>
        <translation>编码使用</translation>
    </message>
    <message>
        <source>How often each code occurs</source>
        <translation>每个编码出现的次数</translation>
    </message>
    <message>
        <source>Codes</source>
        <translation>编码</translation>
    </message>
    <message>
        <source>Bins of the distribution</source>
        <translation>分布的区间</translation>
    </message>
    <message>
        <source>Bins</source>
        <translation>区间</translation>
    </message>
    <message>
        <source>Reading every element…</source>
        <translation>正在读取每个元素…</translation>
    </message>
    <message>
        <source>Choose a tensor to see its distribution.</source>
        <translation>选择一个张量以查看其分布。</translation>
    </message>
    <message>
        <source>Distribution of one tensor</source>
        <translation>一个张量的分布</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>Block scales</source>
        <translation>块缩放系数</translation>
    </message>
    <message>
        <source>Block minimums</source>
        <translation>块最小值</translation>
    </message>
    <message>
        <source>No element is finite, so there is no distribution.</source>
        <translation>没有有限的元素，因此没有分布。</translation>
    </message>
    <message>
        <source>Only quantized types have codes.</source>
        <translation>只有量化类型才有编码。</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::ErrorMapView</name>
    <message>
        <source>Map of the error</source>
        <translation>误差分布图</translation>
    </message>
    <message>
        <source>Rows %1 to %2, columns %3 to %4</source>
        <translation>第 %1 到 %2 行，第 %3 到 %4 列</translation>
    </message>
    <message>
        <source>%1: not looked at</source>
        <translation>%1：未查看</translation>
    </message>
    <message>
        <source>%1: RMSE %2; a click or Enter shows the levels of the worst block</source>
        <translation>%1：RMSE %2；单击或按回车键可查看其中最差块的量化级</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::HeaderCard</name>
    <message>
        <source>%1 total, %2 active</source>
        <translation>共 %1，激活 %2</translation>
    </message>
    <message>
        <source>%1 experts of %2</source>
        <translation>%1 个专家，每个 %2</translation>
    </message>
    <message numerus="yes">
        <source>%n error(s)</source>
        <translation>
            <numerusform>%n 个错误</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n warning(s)</source>
        <translation>
            <numerusform>%n 个警告</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n note(s)</source>
        <translation>
            <numerusform>%n 条提示</numerusform>
        </translation>
    </message>
    <message>
        <source>About this model</source>
        <translation>关于此模型</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>架构</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数量</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>From its name</source>
        <translation>名称所示</translation>
    </message>
    <message>
        <source>Read from the name only, not from the tensors.</source>
        <translation>仅由名称读出，并非来自张量。</translation>
    </message>
    <message>
        <source>Show the problems</source>
        <translation>显示问题</translation>
    </message>
    <message>
        <source>Loading it elsewhere: %1</source>
        <translation>在别处加载：%1</translation>
    </message>
    <message>
        <source>%1 bits per weight</source>
        <translation>每个权重 %1 位</translation>
    </message>
    <message>
        <source>context of %1 tokens</source>
        <translation>上下文 %1 个词元</translation>
    </message>
    <message numerus="yes">
        <source>%n layer(s)</source>
        <translation>
            <numerusform>%n 层</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 heads, %2 for keys and values</source>
        <translation>%1 个注意力头，其中键值头 %2 个</translation>
    </message>
    <message numerus="yes">
        <source>%n head(s)</source>
        <translation>
            <numerusform>%n 个注意力头</numerusform>
        </translation>
    </message>
    <message>
        <source>vocabulary of %1</source>
        <translation>词表 %1</translation>
    </message>
    <message>
        <source>%1 bytes in files, %2 of them in tensors</source>
        <translation>文件共 %1 字节，其中张量 %2 字节</translation>
    </message>
    <message>
        <source>Chat template</source>
        <translation>对话模板</translation>
    </message>
    <message>
        <source>Show the chat template as text</source>
        <translation>以文本显示对话模板</translation>
    </message>
    <message>
        <source>Quantize</source>
        <translation>量化</translation>
    </message>
    <message>
        <source>Make this model smaller (Ctrl+G)</source>
        <translation>缩小此模型 (Ctrl+G)</translation>
    </message>
    <message>
        <source>Convert</source>
        <translation>转换</translation>
    </message>
    <message>
        <source>Write this model otherwise (Ctrl+G)</source>
        <translation>以其他形式写出此模型（Ctrl+G）</translation>
    </message>
    <message>
        <source>Runs here</source>
        <translation>本机可运行</translation>
    </message>
    <message>
        <source>Runs here, tight</source>
        <translation>本机勉强可运行</translation>
    </message>
    <message>
        <source>Does not run here</source>
        <translation>本机无法运行</translation>
    </message>
    <message>
        <source>%1 Show it part by part (Ctrl+Shift+Y)</source>
        <translation>%1逐项显示（Ctrl+Shift+Y）</translation>
    </message>
    <message>
        <source>%1 parameters; the files store %2 elements, training state and the scales of packed weights included</source>
        <translation>%1 个参数；文件存储 %2 个元素，包括训练状态和打包权重的缩放系数</translation>
    </message>
    <message>
        <source>%1 stored tensors; %2 logical weights are made of them</source>
        <translation>%1 个存储的张量；由它们构成 %2 个逻辑权重</translation>
    </message>
    <message>
        <source>Damaged</source>
        <translation>已损坏</translation>
    </message>
    <message>
        <source>Not supported by Chat</source>
        <translation>对话不支持</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::HeatMapPanel</name>
    <message>
        <source>What colours show</source>
        <translation>颜色表示的内容</translation>
    </message>
    <message>
        <source>Largest magnitude</source>
        <translation>最大绝对值</translation>
    </message>
    <message>
        <source>Root mean square</source>
        <translation>均方根</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Scale of the colours</source>
        <translation>颜色的标度</translation>
    </message>
    <message>
        <source>Linear</source>
        <translation>线性</translation>
    </message>
    <message>
        <source>Symmetric logarithm</source>
        <translation>对称对数</translation>
    </message>
    <message>
        <source>Clipped at 99.9 %</source>
        <translation>截取至 99.9 %</translation>
    </message>
    <message>
        <source>Which matrix of the tensor</source>
        <translation>张量的哪个矩阵</translation>
    </message>
    <message>
        <source>Row, column</source>
        <translation>行, 列</translation>
    </message>
    <message>
        <source>Go to an element</source>
        <translation>转到元素</translation>
    </message>
    <message>
        <source>Go to an element: its row and column, then Enter.</source>
        <translation>转到元素：输入行和列，然后按回车。</translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation>比较对象</translation>
    </message>
    <message>
        <source>Show the difference from another tensor of the same shape.</source>
        <translation>显示与另一个相同形状张量的差异。</translation>
    </message>
    <message>
        <source>Show all of it (Home)</source>
        <translation>显示全部 (Home)</translation>
    </message>
    <message>
        <source>Copy the numbers that are seen as a table</source>
        <translation>将看到的数字复制为表格</translation>
    </message>
    <message>
        <source>Save the picture…</source>
        <translation>保存图像…</translation>
    </message>
    <message>
        <source>The block of the marked element</source>
        <translation>所标元素的块</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Largest elements</source>
        <translation>最大的元素</translation>
    </message>
    <message>
        <source>Largest</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>Rows by largest magnitude</source>
        <translation>按最大绝对值排列的行</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Columns by largest magnitude</source>
        <translation>按最大绝对值排列的列</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>The numbers that are seen</source>
        <translation>看到的数字</translation>
    </message>
    <message>
        <source>Seen</source>
        <translation>可见数值</translation>
    </message>
    <message>
        <source>Errors against the other tensor</source>
        <translation>相对另一张量的误差</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>误差</translation>
    </message>
    <message>
        <source>There is no element %1 in this tensor.</source>
        <translation>该张量中没有元素 %1。</translation>
    </message>
    <message>
        <source>Matrix (of %1)</source>
        <translation>矩阵（共 %1 个）</translation>
    </message>
    <message>
        <source>Reading every element…</source>
        <translation>正在读取每个元素…</translation>
    </message>
    <message>
        <source>Choose a tensor to see its picture.</source>
        <translation>选择一个张量以查看其图像。</translation>
    </message>
    <message>
        <source>Picture of one tensor</source>
        <translation>一个张量的图像</translation>
    </message>
    <message>
        <source>Comparing two tensors</source>
        <translation>比较两个张量</translation>
    </message>
    <message>
        <source>The tensor has no elements.</source>
        <translation>该张量没有元素。</translation>
    </message>
    <message>
        <source>A nearer look</source>
        <translation>近看</translation>
    </message>
    <message>
        <source>One element</source>
        <translation>一个元素</translation>
    </message>
    <message>
        <source>Save the picture</source>
        <translation>保存图像</translation>
    </message>
    <message>
        <source>Picture (*.png)</source>
        <translation>图像 (*.png)</translation>
    </message>
    <message>
        <source>The picture was written to %1.</source>
        <translation>图像已写入 %1。</translation>
    </message>
    <message>
        <source>The picture could not be written to %1.</source>
        <translation>图像无法写入 %1。</translation>
    </message>
    <message>
        <source>Too many numbers are seen to copy them; zoom in first.</source>
        <translation>看到的数字太多，无法复制；请先放大。</translation>
    </message>
    <message>
        <source>The numbers were copied as a table.</source>
        <translation>数字已复制为表格。</translation>
    </message>
    <message>
        <source>Point at an element to see its block.</source>
        <translation>指向一个元素即可查看其所在的块。</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::HistogramView</name>
    <message>
        <source>Histogram</source>
        <translation>直方图</translation>
    </message>
    <message>
        <source>Move the mouse or press the arrow keys to read single bins.</source>
        <translation>移动鼠标或按方向键查看各个区间。</translation>
    </message>
    <message>
        <source>There are no statistics yet.</source>
        <translation>还没有统计。</translation>
    </message>
    <message>
        <source>No element is finite, so there is no histogram.</source>
        <translation>没有有限的元素，因此没有直方图。</translation>
    </message>
    <message>
        <source>%1 bins from %2 to %3</source>
        <translation>%1 个区间，从 %2 到 %3</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::InspectActions</name>
    <message>
        <source>Search tensors</source>
        <translation>搜索张量</translation>
    </message>
    <message>
        <source>Search the metadata</source>
        <translation>搜索元数据</translation>
    </message>
    <message>
        <source>Switch between table and tree</source>
        <translation>切换表格与树</translation>
    </message>
    <message>
        <source>Compute the statistics of the whole model, or stop</source>
        <translation>计算整个模型的统计，或停止</translation>
    </message>
    <message>
        <source>Export the listed tensors…</source>
        <translation>导出列出的张量…</translation>
    </message>
    <message>
        <source>Reload the model</source>
        <translation>重新载入模型</translation>
    </message>
    <message>
        <source>Show the layer trend</source>
        <translation>显示逐层趋势</translation>
    </message>
    <message>
        <source>Show the problems</source>
        <translation>显示问题</translation>
    </message>
    <message>
        <source>Close the model</source>
        <translation>关闭模型</translation>
    </message>
    <message>
        <source>Quantize…</source>
        <translation>量化…</translation>
    </message>
    <message>
        <source>Talk to the Model</source>
        <translation>与模型对话</translation>
    </message>
    <message>
        <source>Count Its Memory</source>
        <translation>计算所需内存</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::LevelsView</name>
    <message>
        <source>Distribution of one tensor</source>
        <translation>一个张量的分布</translation>
    </message>
    <message>
        <source>Choose a type to see its levels.</source>
        <translation>选择一个类型以查看其量化级。</translation>
    </message>
    <message>
        <source>%1 has no blocks, and so no levels of a block.</source>
        <translation>%1 没有块，因此没有块内的量化级。</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>A typical block of %1 has %2 levels from %3, too many to mark.</source>
        <translation>%1 的典型块有 %2 个量化级，范围 %3，多到无法标出。</translation>
    </message>
    <message>
        <source>The %2 levels of a typical block of %1, from %3</source>
        <translation>%1 的典型块的 %2 个量化级，范围 %3</translation>
    </message>
    <message>
        <source>No element is finite, so there is no distribution.</source>
        <translation>没有有限的元素，因此没有分布。</translation>
    </message>
    <message>
        <source>Reading every element…</source>
        <translation>正在读取每个元素…</translation>
    </message>
    <message>
        <source>Group of the block</source>
        <translation>块内的组</translation>
    </message>
    <message>
        <source>Each group of a block has a scale of its own; the one that errs most is shown first.</source>
        <translation>块内每组各有自己的缩放系数；首先显示误差最大的一组。</translation>
    </message>
    <message>
        <source>Typical block</source>
        <translation>典型块</translation>
    </message>
    <message>
        <source>Back to the levels of a block with the usual scale</source>
        <translation>回到具有通常缩放系数的块的量化级</translation>
    </message>
    <message>
        <source>Group </source>
        <translation>第 </translation>
    </message>
    <message>
        <source> of %1</source>
        <translation> 组，共 %1 组</translation>
    </message>
    <message>
        <source>%1, row %2, block %3, columns %4 to %5</source>
        <translation>%1，第 %2 行，第 %3 块，第 %4 至 %5 列</translation>
    </message>
    <message>
        <source>scale %1</source>
        <translation>缩放系数 %1</translation>
    </message>
    <message>
        <source>offset %1</source>
        <translation>偏移 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n level(s) from %1 to %2</source>
        <translation>
            <numerusform>%n 个量化级，从 %1 到 %2</numerusform>
        </translation>
    </message>
    <message>
        <source>too many to mark</source>
        <translation>多到无法标出</translation>
    </message>
    <message>
        <source>squared error %1</source>
        <translation>平方误差 %1</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::MetadataModel</name>
    <message>
        <source>Reading more values</source>
        <translation>正在读取更多的值</translation>
    </message>
    <message>
        <source>array of %1</source>
        <translation>%1 个元素的数组</translation>
    </message>
    <message>
        <source>%1 × %2</source>
        <translation>%1 × %2</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message numerus="yes">
        <source>%n member(s)</source>
        <translation>
            <numerusform>%n 个成员</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n value(s)</source>
        <translation>
            <numerusform>%n 个值</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::MetadataPanel</name>
    <message>
        <source>Search keys and values</source>
        <translation>搜索键和值</translation>
    </message>
    <message>
        <source>Search the metadata</source>
        <translation>搜索元数据</translation>
    </message>
    <message>
        <source>Metadata</source>
        <translation>元数据</translation>
    </message>
    <message>
        <source>The whole value</source>
        <translation>完整的值</translation>
    </message>
    <message>
        <source>Copy value</source>
        <translation>复制值</translation>
    </message>
    <message>
        <source>Copy key</source>
        <translation>复制键</translation>
    </message>
    <message>
        <source>Copy path</source>
        <translation>复制路径</translation>
    </message>
    <message>
        <source>The file says nothing of itself beside its tensors.</source>
        <translation>除张量外，此文件没有其他说明信息。</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::ModelMapPanel</name>
    <message>
        <source>Tensors that leave their family</source>
        <translation>偏离同类的张量</translation>
    </message>
    <message>
        <source>Model map</source>
        <translation>模型图</translation>
    </message>
    <message>
        <source>Outliers</source>
        <translation>离群项</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>数字</translation>
    </message>
    <message>
        <source>Statistic</source>
        <translation>统计量</translation>
    </message>
    <message>
        <source>Outliers beyond</source>
        <translation>离群阈值</translation>
    </message>
    <message>
        <source> MAD</source>
        <translation> MAD</translation>
    </message>
    <message>
        <source>How many median absolute deviations a layer must lie from the median of its part to be listed.</source>
        <translation>某层与其部件中位数相差多少个绝对中位差时才会列出。</translation>
    </message>
    <message>
        <source>Compute the statistics of the whole model to see all of it at once.</source>
        <translation>计算整个模型的统计量，即可一览全部。</translation>
    </message>
    <message>
        <source>None of the tensors with statistics belongs to a layer.</source>
        <translation>有统计量的张量都不属于任何层。</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::ModelMapView</name>
    <message>
        <source>Model map</source>
        <translation>模型图</translation>
    </message>
    <message>
        <source>%1, layer %2: %3</source>
        <translation>%1，第 %2 层：%3</translation>
    </message>
    <message numerus="yes">
        <source>%1 (mean of %n tensor(s))</source>
        <translation>
            <numerusform>%1（%n 个张量的平均值）</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 over %3; %4.</source>
        <translation>%1：%2，%3；%4。</translation>
    </message>
    <message numerus="yes">
        <source>%n part(s)</source>
        <translation>
            <numerusform>%n 个部分</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n layer(s)</source>
        <translation>
            <numerusform>%n 层</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensor(s) leave their family</source>
        <translation>
            <numerusform>%n 个张量偏离同类</numerusform>
        </translation>
    </message>
    <message>
        <source>negative</source>
        <translation>负</translation>
    </message>
    <message>
        <source>positive, of each part</source>
        <translation>正（按各部分）</translation>
    </message>
    <message>
        <source>smallest</source>
        <translation>最小</translation>
    </message>
    <message>
        <source>largest of each part</source>
        <translation>各部分的最大</translation>
    </message>
    <message>
        <source>leaves its family</source>
        <translation>偏离同类</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::ModelOpener</name>
    <message>
        <source>Opening %1</source>
        <translation>正在打开 %1</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::ModelPage</name>
    <message>
        <source>Metadata</source>
        <translation>元数据</translation>
    </message>
    <message>
        <source>Totals</source>
        <translation>汇总</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Problems (%1)</source>
        <translation>问题（%1）</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Layer trend</source>
        <translation>逐层趋势</translation>
    </message>
    <message>
        <source>Checking for changes</source>
        <translation>正在检查更改</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>重新载入</translation>
    </message>
    <message>
        <source>Table (*.csv)</source>
        <translation>表格 (*.csv)</translation>
    </message>
    <message>
        <source>JSON (*.json)</source>
        <translation>JSON (*.json)</translation>
    </message>
    <message numerus="yes">
        <source>Export %n tensor(s)</source>
        <translation>
            <numerusform>导出 %n 个张量</numerusform>
        </translation>
    </message>
    <message>
        <source>Exporting the list of tensors</source>
        <translation>正在导出张量列表</translation>
    </message>
    <message>
        <source>The list was written to %1.</source>
        <translation>列表已写入 %1。</translation>
    </message>
    <message>
        <source>What if</source>
        <translation>假设</translation>
    </message>
    <message>
        <source>Heat map</source>
        <translation>热图</translation>
    </message>
    <message>
        <source>Distribution</source>
        <translation>分布</translation>
    </message>
    <message>
        <source>Model map</source>
        <translation>模型图</translation>
    </message>
    <message>
        <source>Give this the whole page</source>
        <translation>占用整个页面</translation>
    </message>
    <message>
        <source>Give this the whole page (Ctrl+Shift+M)</source>
        <translation>占用整个页面 (Ctrl+Shift+M)</translation>
    </message>
    <message>
        <source>Safety</source>
        <translation>安全</translation>
    </message>
    <message>
        <source>Save the values of the tensor</source>
        <translation>保存张量的数值</translation>
    </message>
    <message>
        <source>Saving %1</source>
        <translation>正在保存 %1</translation>
    </message>
    <message>
        <source>The values were written to %1.</source>
        <translation>数值已写入 %1。</translation>
    </message>
    <message>
        <source>Storage</source>
        <translation>存储</translation>
    </message>
    <message>
        <source>Looking for code in %1</source>
        <translation>正在检查 %1 中的代码</translation>
    </message>
    <message>
        <source>The values of %1 lie on the hub.</source>
        <translation>%1 的数值在社区服务器上。</translation>
    </message>
    <message>
        <source>The values of all tensors lie on the hub; at most 1 GiB of them is fetched.</source>
        <translation>所有张量的数值都在社区服务器上；最多获取其中的 1 GiB。</translation>
    </message>
    <message>
        <source>Fetch %1</source>
        <translation>获取 %1</translation>
    </message>
    <message>
        <source>NumPy array (*.npy);;CSV table (*.csv);;safetensors (*.safetensors)</source>
        <translation>NumPy 数组 (*.npy);;CSV 表格 (*.csv);;safetensors (*.safetensors)</translation>
    </message>
    <message>
        <source>Checking whether %1 runs here</source>
        <translation>正在检查 %1 能否在此运行</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::NameTreeModel</name>
    <message>
        <source>mixed</source>
        <translation>混合</translation>
    </message>
    <message numerus="yes">
        <source>%n tensor(s)</source>
        <translation>
            <numerusform>%n 个张量</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensor(s) with findings</source>
        <translation>
            <numerusform>%n 个张量有发现</numerusform>
        </translation>
    </message>
    <message>
        <source>Values cannot be read</source>
        <translation>无法读取数值</translation>
    </message>
    <message>
        <source>%1 NaN, %2 infinite</source>
        <translation>%1 个 NaN，%2 个无穷</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>发现</translation>
    </message>
    <message>
        <source>NaN, infinities and values that cannot be read.</source>
        <translation>NaN、无穷大和无法读取的数值。</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::NumbersPanel</name>
    <message>
        <source>Numbers of the tensor</source>
        <translation>张量的数值</translation>
    </message>
    <message>
        <source>Logarithmic</source>
        <translation>对数</translation>
    </message>
    <message>
        <source>Count on a logarithmic scale, so that rare values are seen too.</source>
        <translation>以对数刻度显示个数，使少见的值也能看到。</translation>
    </message>
    <message>
        <source>Largest elements</source>
        <translation>最大的元素</translation>
    </message>
    <message>
        <source>Percentiles</source>
        <translation>百分位数</translation>
    </message>
    <message>
        <source>Bins of the histogram</source>
        <translation>直方图的区间</translation>
    </message>
    <message>
        <source>Largest</source>
        <translation>最大元素</translation>
    </message>
    <message>
        <source>Bins</source>
        <translation>区间</translation>
    </message>
    <message>
        <source>Choose a tensor to see its numbers.</source>
        <translation>选择一个张量以查看其数值。</translation>
    </message>
    <message>
        <source>Reading every element…</source>
        <translation>正在读取每个元素…</translation>
    </message>
    <message>
        <source>(magnitudes of complex elements)</source>
        <translation>（复数元素的模）</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::ProblemsPanel</name>
    <message>
        <source>No problems were found in this model&apos;s files.</source>
        <translation>此模型的文件没有发现问题。</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::SafetyPanel</name>
    <message>
        <source>imported</source>
        <translation>被导入</translation>
    </message>
    <message>
        <source>given a state</source>
        <translation>被赋予状态</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>被更改</translation>
    </message>
    <message>
        <source>called</source>
        <translation>被调用</translation>
    </message>
    <message>
        <source>%1, after a loader has failed</source>
        <translation>%1（在加载程序失败之后）</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>How</source>
        <translation>方式</translation>
    </message>
    <message>
        <source>Byte</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>What it builds</source>
        <translation>构建的内容</translation>
    </message>
    <message>
        <source>tensors and plain data</source>
        <translation>张量和普通数据</translation>
    </message>
    <message>
        <source>known objects</source>
        <translation>已知对象</translation>
    </message>
    <message>
        <source>Tensors only</source>
        <translation>仅张量</translation>
    </message>
    <message>
        <source>Known libraries</source>
        <translation>已知库</translation>
    </message>
    <message>
        <source>Unknown code</source>
        <translation>未知代码</translation>
    </message>
    <message>
        <source>Dangerous code</source>
        <translation>危险代码</translation>
    </message>
    <message>
        <source>Not to be judged</source>
        <translation>无法判断</translation>
    </message>
    <message>
        <source>Loading this file elsewhere can only build tensors and plain data, proved over %1 opcodes.</source>
        <translation>在别处加载此文件只会构建张量和普通数据（已逐一验证 %1 条操作码）。</translation>
    </message>
    <message>
        <source>Loading this file builds objects of known classes, which run no code of the file when they are loaded.</source>
        <translation>加载此文件会构建已知类的对象，它们在加载时不会运行文件中的代码。</translation>
    </message>
    <message>
        <source>Loading this file elsewhere runs code that is not known. Weighbridge reads its tensors without running it.</source>
        <translation>在别处加载此文件会运行未知代码。Weighbridge 读取其张量时不会运行这些代码。</translation>
    </message>
    <message>
        <source>Loading this file elsewhere would run dangerous code. Weighbridge reads its tensors without running it.</source>
        <translation>在别处加载此文件会运行危险代码。Weighbridge 读取其张量时不会运行这些代码。</translation>
    </message>
    <message>
        <source>This file is damaged or cannot be followed to its end, so nothing is proved about what loading it would run.</source>
        <translation>此文件已损坏或无法完整解析，因此无法证明加载它会运行什么。</translation>
    </message>
    <message>
        <source>What it would run</source>
        <translation>将会运行的内容</translation>
    </message>
    <message>
        <source>Known names</source>
        <translation>已知名称</translation>
    </message>
    <message>
        <source>What else was found</source>
        <translation>其他发现</translation>
    </message>
    <message>
        <source>This file holds no pickle; loading it elsewhere only builds tensors and plain data.</source>
        <translation>此文件不含 pickle；在别处加载它只会生成张量和普通数据。</translation>
    </message>
    <message>
        <source>clean</source>
        <translation>无危险</translation>
    </message>
    <message>
        <source>not checked</source>
        <translation>未检查</translation>
    </message>
    <message>
        <source>suspicious</source>
        <translation>可疑</translation>
    </message>
    <message>
        <source>dangerous</source>
        <translation>危险</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Not checked</source>
        <translation>未检查</translation>
    </message>
    <message>
        <source>Weighbridge does not read this format, so nothing is known about what loading the file would run.</source>
        <translation>Weighbridge 不读取此格式，因此无从得知加载该文件会运行什么。</translation>
    </message>
    <message>
        <source>Red square: known to be dangerous; yellow square: not known.</source>
        <translation>红色方块：已知危险；黄色方块：未知。</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::SearchHelp</name>
    <message>
        <source>Searching tensors</source>
        <translation>搜索张量</translation>
    </message>
    <message>
        <source>Blanks mean “and”; “or”, “not” and parentheses work too. Comparisons are : = != &lt; &lt;= &gt; &gt;= and ranges such as 0-3. K, M and G stand for thousands, millions and billions.</source>
        <translation>空格表示“与”；也可以用 or、not 和括号。比较符有 : = != &lt; &lt;= &gt; &gt;=，以及 0-3 这样的范围。K、M、G 表示千、百万、十亿。</translation>
    </message>
    <message>
        <source>Fields: %1.</source>
        <translation>字段：%1。</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::SearchLine</name>
    <message>
        <source>Search tensors, for example: dtype:bf16 size:&gt;10M name:attn</source>
        <translation>搜索张量，例如：dtype:bf16 size:&gt;10M name:attn</translation>
    </message>
    <message>
        <source>Search tensors</source>
        <translation>搜索张量</translation>
    </message>
    <message>
        <source>How to search</source>
        <translation>如何搜索</translation>
    </message>
    <message>
        <source>How to search (Alt+Down)</source>
        <translation>如何搜索（Alt+Down）</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::ShareBar</name>
    <message>
        <source>Shares of the stored bytes</source>
        <translation>存储字节的占比</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::StatisticsRunner</name>
    <message>
        <source>Loading known statistics</source>
        <translation>正在载入已有的统计</translation>
    </message>
    <message>
        <source>Statistics of one tensor</source>
        <translation>一个张量的统计</translation>
    </message>
    <message>
        <source>Statistics of %1</source>
        <translation>%1 的统计</translation>
    </message>
    <message>
        <source>Keeping statistics</source>
        <translation>正在保存统计</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::StoragePanel</name>
    <message>
        <source>One run of bytes</source>
        <translation>一段连续字节</translation>
    </message>
    <message numerus="yes">
        <source>%n piece(s), joined when they are read</source>
        <translation>
            <numerusform>%n 段，读取时拼接</numerusform>
        </translation>
    </message>
    <message>
        <source>A view with steps between its elements</source>
        <translation>元素之间有步长的视图</translation>
    </message>
    <message>
        <source>Computed from its parts</source>
        <translation>由其各部分计算得出</translation>
    </message>
    <message>
        <source>Not readable: %1</source>
        <translation>无法读取：%1</translation>
    </message>
    <message>
        <source>Storage</source>
        <translation>存储</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Stored as</source>
        <translation>存储方式</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>First byte</source>
        <translation>首字节</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>Scheme</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>Bits per weight</source>
        <translation>每权重位数</translation>
    </message>
    <message>
        <source>Member of the archive</source>
        <translation>归档成员</translation>
    </message>
    <message>
        <source>Belongs to</source>
        <translation>属于</translation>
    </message>
    <message>
        <source>Counted</source>
        <translation>计入</translation>
    </message>
    <message>
        <source>No: an earlier tensor has the same bytes.</source>
        <translation>否：前面的张量含有相同的字节。</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>How the tensor is stored</source>
        <translation>张量的存储方式</translation>
    </message>
    <message>
        <source>Parts and other names</source>
        <translation>组成部分与其他名称</translation>
    </message>
    <message>
        <source>Singular values of the adapter</source>
        <translation>适配器的奇异值</translation>
    </message>
    <message>
        <source>It is stored as it is, under one name.</source>
        <translation>它按原样存储，只有一个名称。</translation>
    </message>
    <message>
        <source>Reading both factors…</source>
        <translation>正在读取两个因子…</translation>
    </message>
    <message>
        <source>Choose a tensor to see how it is stored.</source>
        <translation>选择一个张量以查看其存储方式。</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>What</source>
        <translation>关系</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Double-click to go to it.</source>
        <translation>双击可转到该张量。</translation>
    </message>
    <message>
        <source>part</source>
        <translation>组成部分</translation>
    </message>
    <message>
        <source>the same bytes</source>
        <translation>相同字节</translation>
    </message>
    <message>
        <source>made of it</source>
        <translation>由它组成</translation>
    </message>
    <message>
        <source>Singular values of an adapter</source>
        <translation>适配器的奇异值</translation>
    </message>
    <message>
        <source>Its rank is too high for singular values.</source>
        <translation>其秩过高，无法计算奇异值。</translation>
    </message>
    <message>
        <source>Frobenius norm %1, rank %2</source>
        <translation>弗罗贝尼乌斯范数 %1，秩 %2</translation>
    </message>
    <message>
        <source>No.</source>
        <translation>序号</translation>
    </message>
    <message>
        <source>Singular value</source>
        <translation>奇异值</translation>
    </message>
    <message>
        <source>Storage offset</source>
        <translation>存储偏移</translation>
    </message>
    <message numerus="yes">
        <source>%n element(s)</source>
        <translation>
            <numerusform>%n 个元素</numerusform>
        </translation>
    </message>
    <message>
        <source>Of the norm</source>
        <translation>占范数的份额</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::TensorPanel</name>
    <message>
        <source>Flat table</source>
        <translation>平铺表格</translation>
    </message>
    <message>
        <source>Tree of names</source>
        <translation>名称树</translation>
    </message>
    <message>
        <source>Export the listed tensors as CSV or JSON</source>
        <translation>把列出的张量导出为 CSV 或 JSON</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Statistics</source>
        <translation>统计</translation>
    </message>
    <message>
        <source>Stop computing; what is done is kept.</source>
        <translation>停止计算；已完成的会保留。</translation>
    </message>
    <message>
        <source>Compute the statistics of every tensor of this model (Ctrl+Shift+S)</source>
        <translation>计算此模型每个张量的统计（Ctrl+Shift+S）</translation>
    </message>
    <message>
        <source>Stop computing statistics</source>
        <translation>停止计算统计</translation>
    </message>
    <message>
        <source>Compute the statistics of the whole model</source>
        <translation>计算整个模型的统计</translation>
    </message>
    <message>
        <source>All %1 tensors</source>
        <translation>全部 %1 个张量</translation>
    </message>
    <message>
        <source>%1 of %2 tensors</source>
        <translation>%2 个张量中的 %1 个</translation>
    </message>
    <message numerus="yes">
        <source>%n selected</source>
        <translation>
            <numerusform>已选 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>statistics of %1</source>
        <translation>%1 个有统计</translation>
    </message>
    <message>
        <source>Save as .npy…</source>
        <translation>另存为 .npy…</translation>
    </message>
    <message>
        <source>Which tensors are listed</source>
        <translation>列出哪些张量</translation>
    </message>
    <message>
        <source>Weights as they are meant, tensors as they are stored, or both</source>
        <translation>逻辑权重、实际存储的张量，或两者</translation>
    </message>
    <message>
        <source>All tensors</source>
        <translation>全部张量</translation>
    </message>
    <message>
        <source>Logical weights</source>
        <translation>逻辑权重</translation>
    </message>
    <message>
        <source>Stored tensors</source>
        <translation>存储的张量</translation>
    </message>
    <message>
        <source>%1 of them logical</source>
        <translation>其中 %1 个为逻辑张量</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::TensorTableModel</name>
    <message>
        <source>%1 bytes</source>
        <translation>%1 字节</translation>
    </message>
    <message>
        <source>%1: its values cannot be read; the problems say why.</source>
        <translation>%1：无法读取其数值；原因见问题列表。</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::TotalsPanel</name>
    <message>
        <source>By type</source>
        <translation>按类型</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>By role</source>
        <translation>按作用</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>作用</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::TrendPanel</name>
    <message>
        <source>Layer trend</source>
        <translation>逐层趋势</translation>
    </message>
    <message>
        <source>Statistic</source>
        <translation>统计量</translation>
    </message>
    <message>
        <source>by part</source>
        <translation>按部件</translation>
    </message>
    <message>
        <source>by role</source>
        <translation>按作用</translation>
    </message>
    <message>
        <source>Lines</source>
        <translation>线条</translation>
    </message>
    <message>
        <source>Show the numbers as a table</source>
        <translation>以表格显示数值</translation>
    </message>
    <message>
        <source>Compute the statistics of the whole model to see how they change from layer to layer.</source>
        <translation>计算整个模型的统计，即可查看它们逐层的变化。</translation>
    </message>
    <message>
        <source>None of the tensors with statistics belongs to a layer.</source>
        <translation>有统计的张量都不属于任何层。</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::TrendView</name>
    <message>
        <source>Layer trend</source>
        <translation>逐层趋势</translation>
    </message>
    <message>
        <source>%1 over the layers %2 to %3, between %4 and %5.</source>
        <translation>%1，第 %2 到 %3 层，介于 %4 和 %5 之间。</translation>
    </message>
    <message>
        <source>%1, layer %2: %3</source>
        <translation>%1，第 %2 层：%3</translation>
    </message>
    <message numerus="yes">
        <source>%1 (mean of %n tensor(s))</source>
        <translation>
            <numerusform>%1（%n 个张量的均值）</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>还有 %n 个</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::WhatIfModel</name>
    <message>
        <source>exact</source>
        <translation>精确</translation>
    </message>
    <message>
        <source>What the tensor is now</source>
        <translation>张量当前的类型</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Bits</source>
        <translation>位数</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Relative error</source>
        <translation>相对误差</translation>
    </message>
    <message>
        <source>SNR (dB)</source>
        <translation>信噪比 (dB)</translation>
    </message>
    <message>
        <source>RMSE</source>
        <translation>RMSE</translation>
    </message>
    <message>
        <source>Largest error</source>
        <translation>最大误差</translation>
    </message>
    <message>
        <source>Cosine</source>
        <translation>余弦相似度</translation>
    </message>
    <message>
        <source>Rows seen</source>
        <translation>已测行数</translation>
    </message>
    <message>
        <source>Weighted error</source>
        <translation>加权误差</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::WhatIfPanel</name>
    <message>
        <source>The tensor as other types</source>
        <translation>张量作为其他类型</translation>
    </message>
    <message>
        <source>Blocks with the largest error</source>
        <translation>误差最大的块</translation>
    </message>
    <message>
        <source>Trying types</source>
        <translation>试验类型</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Measure every row</source>
        <translation>测量每一行</translation>
    </message>
    <message>
        <source>Choose a tensor to see what other types would cost.</source>
        <translation>选择一个张量以查看其他类型的代价。</translation>
    </message>
    <message>
        <source>This tensor cannot become another type.</source>
        <translation>该张量不能变为其他类型。</translation>
    </message>
    <message>
        <source>Quantizing every row in memory…</source>
        <translation>正在内存中量化每一行…</translation>
    </message>
    <message>
        <source>From all rows</source>
        <translation>来自所有行</translation>
    </message>
    <message>
        <source>Row</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Column</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Squared error</source>
        <translation>平方误差</translation>
    </message>
    <message>
        <source>How much each input column matters, measured by llama-imatrix; small types need it</source>
        <translation>每个输入列的重要程度，由 llama-imatrix 测得；低位数类型需要它</translation>
    </message>
    <message>
        <source>Use no importance matrix</source>
        <translation>不使用重要性矩阵</translation>
    </message>
    <message>
        <source>Map</source>
        <translation>误差图</translation>
    </message>
    <message>
        <source>Levels</source>
        <translation>量化级</translation>
    </message>
    <message>
        <source>Worst blocks</source>
        <translation>最差的块</translation>
    </message>
    <message>
        <source>Choose an importance matrix</source>
        <translation>选择重要性矩阵</translation>
    </message>
    <message>
        <source>Reading an importance matrix</source>
        <translation>读取重要性矩阵</translation>
    </message>
    <message>
        <source>Choose a type to see how it errs.</source>
        <translation>选择一个类型以查看其误差。</translation>
    </message>
    <message>
        <source>Reading the importance matrix…</source>
        <translation>正在读取重要性矩阵…</translation>
    </message>
    <message>
        <source>quantized by the CPU</source>
        <translation>由 CPU 量化</translation>
    </message>
    <message>
        <source>quantized by the device %1</source>
        <translation>由设备 %1 量化</translation>
    </message>
    <message>
        <source>the importance matrix has nothing for this tensor</source>
        <translation>重要性矩阵中没有此张量的数据</translation>
    </message>
    <message>
        <source>Importance matrix…</source>
        <translation>重要性矩阵…</translation>
    </message>
    <message>
        <source>Show the levels of this block</source>
        <translation>查看此块的量化级</translation>
    </message>
    <message>
        <source>How %1 errs; a cell or a block shows its levels</source>
        <translation>%1 的误差；选择格子或块可查看其量化级</translation>
    </message>
    <message>
        <source>Quantizing one block</source>
        <translation>正在量化一个块</translation>
    </message>
    <message>
        <source>The table of a large tensor begins with some of its rows; this measures every one.</source>
        <translation>较大张量的表格先测量其中一部分行；此处测量每一行。</translation>
    </message>
    <message>
        <source>Quantizing some of the rows in memory…</source>
        <translation>正在内存中量化一部分行…</translation>
    </message>
    <message>
        <source>Stopped before every type was measured</source>
        <translation>在测量完所有类型之前已停止</translation>
    </message>
    <message>
        <source>From %L1 of %L2 rows</source>
        <translation>来自 %L2 行中的 %L1 行</translation>
    </message>
    <message>
        <source>%1 loses nothing of what was measured.</source>
        <translation>在已测量的部分，%1 没有任何损失。</translation>
    </message>
    <message>
        <source>Q2_K to Q6_K and most IQ types are left out: their blocks of %1 do not divide rows of %2</source>
        <translation>未列出 Q2_K 至 Q6_K 及大多数 IQ 类型：其大小为 %1 的块无法整除长度为 %2 的行</translation>
    </message>
</context>
<context>
    <name>wb::ui::library::Details</name>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>%1, damaged or not whole</source>
        <translation>%1，已损坏或不完整</translation>
    </message>
    <message>
        <source>Family</source>
        <translation>系列</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数量</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>%1, %2 bits a weight</source>
        <translation>%1，每个权重 %2 位</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 个词元</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Store</source>
        <translation>存储</translation>
    </message>
    <message>
        <source>Path</source>
        <translation>路径</translation>
    </message>
    <message>
        <source>From</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Revision</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>许可证</translation>
    </message>
    <message>
        <source>%1 (nothing is recorded to compare with)</source>
        <translation>%1（没有可比较的记录）</translation>
    </message>
    <message>
        <source>Good: %1</source>
        <translation>正确：%1</translation>
    </message>
    <message>
        <source>Differs: it should be %1</source>
        <translation>不一致：应为 %1</translation>
    </message>
    <message>
        <source>Choose a model to see where it is, its files and their hashes.</source>
        <translation>选择一个模型，查看其位置、文件和哈希。</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>SHA-256</source>
        <translation>SHA-256</translation>
    </message>
    <message>
        <source>Files of the model</source>
        <translation>模型的文件</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>重复模型</translation>
    </message>
</context>
<context>
    <name>wb::ui::library::LibraryModel</name>
    <message numerus="yes">
        <source>%n other model(s) have the same bytes.</source>
        <translation>
            <numerusform>另有 %n 个模型内容相同。</numerusform>
        </translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Family</source>
        <translation>系列</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数量</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Store</source>
        <translation>存储</translation>
    </message>
    <message>
        <source>Last used</source>
        <translation>上次使用</translation>
    </message>
    <message>
        <source>Runs here</source>
        <translation>能否在本机运行</translation>
    </message>
    <message>
        <source>The file is damaged or incomplete. Verify it to see the reason.</source>
        <translation>文件已损坏或不完整。校验即可查看原因。</translation>
    </message>
    <message>
        <source>damaged</source>
        <translation>已损坏</translation>
    </message>
</context>
<context>
    <name>wb::ui::library::LibrarySession</name>
    <message>
        <source>Looking for models</source>
        <translation>正在查找模型</translation>
    </message>
    <message>
        <source>Remembering the folders of the library</source>
        <translation>正在保存模型库的文件夹</translation>
    </message>
    <message>
        <source>Look for equal models</source>
        <translation>查找相同的模型</translation>
    </message>
    <message>
        <source>Verify %1</source>
        <translation>校验 %1</translation>
    </message>
    <message numerus="yes">
        <source>Verify %n model(s)</source>
        <translation>
            <numerusform>校验 %n 个模型</numerusform>
        </translation>
    </message>
    <message>
        <source>Looking what may be removed</source>
        <translation>正在查看可以移除的内容</translation>
    </message>
    <message>
        <source>Move to the trash</source>
        <translation>移到回收站</translation>
    </message>
    <message>
        <source>Checking which models run here</source>
        <translation>正在检查哪些模型能在此运行</translation>
    </message>
</context>
<context>
    <name>wb::ui::library::StoreBar</name>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Disk use of the stores</source>
        <translation>各存储的磁盘占用</translation>
    </message>
</context>
<context>
    <name>wb::ui::memory::DevicesPage</name>
    <message>
        <source>%1: %2 of %3, %4</source>
        <translation>%1：%2 / %3，%4</translation>
    </message>
    <message>
        <source>No layer fits on the graphics devices: the processor computes all of them.</source>
        <translation>图形设备放不下任何一层：全部由处理器计算。</translation>
    </message>
    <message>
        <source>Best: all layers on the graphics devices.</source>
        <translation>最佳：所有层都放在图形设备上。</translation>
    </message>
    <message>
        <source>Best: %1 layers on the graphics devices, the others on the processor.</source>
        <translation>最佳：%1 层放在图形设备上，其余由处理器计算。</translation>
    </message>
    <message>
        <source>Layers of each: %1.</source>
        <translation>各设备的层数：%1。</translation>
    </message>
    <message>
        <source>The experts of the first %1 blocks stay in main memory.</source>
        <translation>前 %1 块的专家留在主内存中。</translation>
    </message>
    <message>
        <source>At most %1 tokens a second: bandwidths bound them.</source>
        <translation>每秒最多 %1 个词元：受带宽限制。</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Need</source>
        <translation>需要</translation>
    </message>
    <message>
        <source>Longest context that fits</source>
        <translation>放得下的最长上下文</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>Cards</source>
        <translation>显卡</translation>
    </message>
    <message>
        <source>Need of one</source>
        <translation>每张需要</translation>
    </message>
    <message>
        <source>Tokens a second at most</source>
        <translation>每秒词元数上限</translation>
    </message>
    <message>
        <source>Devices and whether they hold the model</source>
        <translation>各设备能否放下模型</translation>
    </message>
    <message>
        <source>The smallest cards that hold the model</source>
        <translation>放得下模型的最小显卡</translation>
    </message>
    <message>
        <source>The smallest cards that hold it: one, two or four of a kind</source>
        <translation>放得下的最小显卡：同型号一张、两张或四张</translation>
    </message>
    <message>
        <source>Filter devices</source>
        <translation>筛选设备</translation>
    </message>
    <message>
        <source>How many of each chosen card</source>
        <translation>所选显卡各几张</translation>
    </message>
    <message>
        <source> of each</source>
        <translation> 张</translation>
    </message>
    <message>
        <source>Use the chosen cards</source>
        <translation>使用所选显卡</translation>
    </message>
    <message>
        <source>Splits the layers over the cards that are chosen in the table, instead of this machine&apos;s devices</source>
        <translation>把各层分配到表中所选的显卡上，而不是本机设备</translation>
    </message>
    <message>
        <source>Use this machine</source>
        <translation>使用本机</translation>
    </message>
    <message>
        <source>Use this placement</source>
        <translation>使用此分配</translation>
    </message>
    <message>
        <source>%1 GB/s</source>
        <translation>%1 GB/s</translation>
    </message>
    <message>
        <source>this computer</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>Free now</source>
        <translation>当前可用</translation>
    </message>
    <message>
        <source>Free when idle</source>
        <translation>空闲时可用</translation>
    </message>
    <message>
        <source>Bandwidth</source>
        <translation>带宽</translation>
    </message>
    <message>
        <source>Figures from</source>
        <translation>数据来源</translation>
    </message>
</context>
<context>
    <name>wb::ui::memory::KeptPage</name>
    <message>
        <source>as stored</source>
        <translation>原样</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Used by</source>
        <translation>用途</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Graphics devices</source>
        <translation>图形设备</translation>
    </message>
    <message>
        <source>Main memory</source>
        <translation>主内存</translation>
    </message>
    <message>
        <source>Together</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Plans that are compared</source>
        <translation>正在比较的方案</translation>
    </message>
    <message>
        <source>Keep this plan</source>
        <translation>保留此方案</translation>
    </message>
    <message>
        <source>Puts the present model and settings into the table, to be compared with others</source>
        <translation>把当前模型和设置放入表中，与其他方案比较</translation>
    </message>
    <message>
        <source>Forget the plans</source>
        <translation>清除方案</translation>
    </message>
</context>
<context>
    <name>wb::ui::memory::MemorySession</name>
    <message>
        <source>Counting the memory of %1</source>
        <translation>正在计算 %1 的内存</translation>
    </message>
    <message>
        <source>Reading %1</source>
        <translation>正在读取 %1</translation>
    </message>
    <message>
        <source>Remembering what was measured</source>
        <translation>正在保存实测结果</translation>
    </message>
</context>
<context>
    <name>wb::ui::memory::MemoryView</name>
    <message>
        <source>counted from the model&apos;s own tensors</source>
        <translation>根据模型自身的张量计算</translation>
    </message>
    <message>
        <source>counted from its config.json</source>
        <translation>根据其 config.json 计算</translation>
    </message>
    <message>
        <source>from a size or name: the shape of a known model</source>
        <translation>根据大小或名称：采用已知模型的结构</translation>
    </message>
    <message>
        <source>%1: %2 together, %3 parameters; %4</source>
        <translation>%1：共 %2，%3 个参数；%4</translation>
    </message>
    <message>
        <source>Rule of thumb: %1</source>
        <translation>经验法则：%1</translation>
    </message>
    <message>
        <source>Not counted: %1</source>
        <translation>未计入：%1</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Formula</source>
        <translation>公式</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Bits a weight</source>
        <translation>每权重位数</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Together</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>Parts</source>
        <translation>组成</translation>
    </message>
    <message>
        <source>Types</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Parts of the memory with their formulas</source>
        <translation>内存的各部分及其公式</translation>
    </message>
    <message>
        <source>Types that the weights can have</source>
        <translation>权重可以采用的类型</translation>
    </message>
    <message>
        <source>full training</source>
        <translation>全参数训练</translation>
    </message>
    <message>
        <source>LoRA</source>
        <translation>LoRA</translation>
    </message>
    <message>
        <source>QLoRA</source>
        <translation>QLoRA</translation>
    </message>
    <message>
        <source>prompt tuning</source>
        <translation>提示微调</translation>
    </message>
    <message>
        <source>prefix tuning</source>
        <translation>前缀微调</translation>
    </message>
    <message>
        <source>DPO</source>
        <translation>DPO</translation>
    </message>
    <message numerus="yes">
        <source>%1, %2: %3 on each of %n GPU(s), %4 of %5 parameters trained; %6</source>
        <translation>
            <numerusform>%1，%2：%n 个 GPU 每个 %3，训练 %5 参数中的 %4；%6</numerusform>
        </translation>
    </message>
    <message>
        <source>Change</source>
        <translation>改动</translation>
    </message>
    <message>
        <source>Saves</source>
        <translation>节省</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>代价</translation>
    </message>
    <message>
        <source>What needs less</source>
        <translation>如何减少</translation>
    </message>
    <message>
        <source>Changes that need less memory, the cheapest first</source>
        <translation>减少内存的改动，代价小的在前</translation>
    </message>
    <message>
        <source>allocated by the engine</source>
        <translation>引擎实际分配</translation>
    </message>
    <message>
        <source>the engine&apos;s own plan</source>
        <translation>引擎自身的计划</translation>
    </message>
    <message>
        <source>Graphics device %1</source>
        <translation>图形设备 %1</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>not noticed</source>
        <translation>察觉不到</translation>
    </message>
    <message>
        <source>small</source>
        <translation>小</translation>
    </message>
    <message>
        <source>noticeable</source>
        <translation>可察觉</translation>
    </message>
    <message>
        <source>large</source>
        <translation>大</translation>
    </message>
    <message>
        <source>severe</source>
        <translation>严重</translation>
    </message>
    <message>
        <source>%1, KLD %2</source>
        <translation>%1，KLD %2</translation>
    </message>
    <message numerus="yes">
        <source>; calibrated, ± %1 from %n load(s)</source>
        <translation>
            <numerusform>；已校准，± %1，依据 %n 次加载</numerusform>
        </translation>
    </message>
    <message>
        <source>; error up to %1 %</source>
        <translation>；误差不超过 %1 %</translation>
    </message>
    <message>
        <source>Measured on %1: %2, estimated %3.</source>
        <translation>在 %1 上实测：%2，估计：%3。</translation>
    </message>
    <message>
        <source>Fits</source>
        <translation>能否放下</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Count with this type</source>
        <translation>按此类型计算</translation>
    </message>
    <message>
        <source>Quantize to this…</source>
        <translation>量化为此类型…</translation>
    </message>
    <message>
        <source>Opens the file in Convert with the chosen type</source>
        <translation>在“转换”中以所选类型打开该文件</translation>
    </message>
    <message>
        <source>The type that loses least of those that fit: %1 (%2 without imatrix), %3 together.</source>
        <translation>放得下的类型中损失最小的：%1（不用 imatrix：%2），合计 %3。</translation>
    </message>
    <message>
        <source>Loss without imatrix</source>
        <translation>损失（不用 imatrix）</translation>
    </message>
    <message>
        <source>Loss with imatrix</source>
        <translation>损失（用 imatrix）</translation>
    </message>
</context>
<context>
    <name>wb::ui::memory::PartsBar</name>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Keys of the cache</source>
        <translation>缓存的 K</translation>
    </message>
    <message>
        <source>Values of the cache</source>
        <translation>缓存的 V</translation>
    </message>
    <message>
        <source>Recurrent state</source>
        <translation>循环状态</translation>
    </message>
    <message>
        <source>Buffers</source>
        <translation>缓冲区</translation>
    </message>
    <message>
        <source>Logits</source>
        <translation>Logits</translation>
    </message>
    <message>
        <source>Graphics device</source>
        <translation>图形设备</translation>
    </message>
    <message>
        <source>Main memory</source>
        <translation>主内存</translation>
    </message>
    <message>
        <source>%1 in %2: %3</source>
        <translation>%1（%2）：%3</translation>
    </message>
    <message>
        <source>Parts of the memory</source>
        <translation>内存的各部分</translation>
    </message>
    <message>
        <source>Together %1. %2. The rule of thumb says %3.</source>
        <translation>合计 %1。%2。经验法则为 %3。</translation>
    </message>
    <message>
        <source>Overhead</source>
        <translation>额外开销</translation>
    </message>
    <message>
        <source>Projector</source>
        <translation>投影器</translation>
    </message>
    <message>
        <source>Draft model</source>
        <translation>草稿模型</translation>
    </message>
    <message>
        <source>Adapters</source>
        <translation>适配器</translation>
    </message>
    <message>
        <source>Base weights</source>
        <translation>基座权重</translation>
    </message>
    <message>
        <source>Gradients</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>Activations</source>
        <translation>激活值</translation>
    </message>
    <message>
        <source>Buckets</source>
        <translation>通信桶</translation>
    </message>
    <message>
        <source>Gathered layers</source>
        <translation>聚合的层</translation>
    </message>
    <message>
        <source>Reserve of the allocator</source>
        <translation>分配器保留</translation>
    </message>
    <message>
        <source>Context of the device</source>
        <translation>设备上下文</translation>
    </message>
</context>
<context>
    <name>wb::ui::memory::SettingsPanel</name>
    <message>
        <source>As in the file</source>
        <translation>与文件相同</translation>
    </message>
    <message>
        <source>Type of the weights</source>
        <translation>权重类型</translation>
    </message>
    <message>
        <source>Context of all conversations</source>
        <translation>所有会话的上下文</translation>
    </message>
    <message>
        <source>Layers on a graphics device</source>
        <translation>放在图形设备上的层数</translation>
    </message>
    <message>
        <source>Conversations at the same time</source>
        <translation>同时进行的会话数</translation>
    </message>
    <message>
        <source>Computed at once</source>
        <translation>一次计算的数量</translation>
    </message>
    <message>
        <source> tokens</source>
        <translation> 个词元</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Flash attention</source>
        <translation>Flash attention（快速注意力）</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>处理器</translation>
    </message>
    <message>
        <source>Program that runs it</source>
        <translation>运行程序</translation>
    </message>
    <message>
        <source>Computed by</source>
        <translation>计算设备</translation>
    </message>
    <message>
        <source>Build of llama.cpp</source>
        <translation>llama.cpp 版本</translation>
    </message>
    <message>
        <source>Type of the keys in the cache</source>
        <translation>缓存中键的类型</translation>
    </message>
    <message>
        <source>Type of the values in the cache</source>
        <translation>缓存中值的类型</translation>
    </message>
    <message>
        <source>Blocks whose experts stay in main memory</source>
        <translation>专家留在主内存中的块数</translation>
    </message>
    <message>
        <source>Conversations share one cache</source>
        <translation>各对话共用一个缓存</translation>
    </message>
    <message>
        <source>the newest</source>
        <translation>最新</translation>
    </message>
    <message>
        <source>July 2026</source>
        <translation>2026 年 7 月</translation>
    </message>
    <message>
        <source>May 2026</source>
        <translation>2026 年 5 月</translation>
    </message>
    <message>
        <source>April 2026</source>
        <translation>2026 年 4 月</translation>
    </message>
    <message>
        <source>May 2025</source>
        <translation>2025 年 5 月</translation>
    </message>
    <message>
        <source>The model&apos;s own layers guess ahead</source>
        <translation>由模型自己的层推测后续词元</translation>
    </message>
    <message>
        <source>Layers that predict further tokens are loaded, with a cache of their own</source>
        <translation>加载预测后续词元的层，并带有自己的缓存</translation>
    </message>
</context>
<context>
    <name>wb::ui::memory::TrainingPanel</name>
    <message>
        <source>all linear layers</source>
        <translation>所有线性层</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>gradients and optimizer</source>
        <translation>梯度和优化器</translation>
    </message>
    <message>
        <source>the weights too</source>
        <translation>权重也移出</translation>
    </message>
    <message>
        <source>shares the base</source>
        <translation>共用基座</translation>
    </message>
    <message>
        <source>a second copy</source>
        <translation>另存一份</translation>
    </message>
    <message>
        <source>computed before</source>
        <translation>预先计算</translation>
    </message>
    <message>
        <source>Type of the base</source>
        <translation>基座类型</translation>
    </message>
    <message>
        <source>Sequence</source>
        <translation>序列</translation>
    </message>
    <message>
        <source>Sequences of one step on a GPU</source>
        <translation>每个 GPU 每步的序列数</translation>
    </message>
    <message>
        <source>Rank of the adapters</source>
        <translation>适配器的秩</translation>
    </message>
    <message>
        <source>Adapters at</source>
        <translation>适配器位置</translation>
    </message>
    <message>
        <source>Virtual tokens</source>
        <translation>虚拟词元</translation>
    </message>
    <message>
        <source>Reference of DPO</source>
        <translation>DPO 的参考模型</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU 数量</translation>
    </message>
    <message>
        <source>Stage of ZeRO</source>
        <translation>ZeRO 阶段</translation>
    </message>
    <message>
        <source>In main memory</source>
        <translation>放在主内存</translation>
    </message>
    <message>
        <source> tokens</source>
        <translation> 个词元</translation>
    </message>
    <message>
        <source>Checkpointing</source>
        <translation>激活检查点</translation>
    </message>
    <message>
        <source>Flash attention</source>
        <translation>Flash attention（快速注意力）</translation>
    </message>
    <message>
        <source>Loss in chunks</source>
        <translation>分块计算损失</translation>
    </message>
    <message>
        <source>Scales quantized again</source>
        <translation>缩放系数再次量化</translation>
    </message>
    <message>
        <source>DoRA</source>
        <translation>DoRA</translation>
    </message>
    <message>
        <source>rsLoRA</source>
        <translation>rsLoRA</translation>
    </message>
    <message>
        <source>Gradients summed in 32 bits</source>
        <translation>以 32 位累加梯度</translation>
    </message>
    <message>
        <source>A running average is kept (EMA)</source>
        <translation>保留滑动平均（EMA）</translation>
    </message>
</context>
<context>
    <name>wb::ui::memory::Words</name>
    <message>
        <source>%1 / %2 GPUs</source>
        <translation>%1 / %2 个 GPU</translation>
    </message>
    <message>
        <source>fits</source>
        <translation>放得下</translation>
    </message>
    <message>
        <source>tight</source>
        <translation>勉强</translation>
    </message>
    <message>
        <source>does not fit</source>
        <translation>放不下</translation>
    </message>
    <message>
        <source>This machine: main memory</source>
        <translation>本机：主内存</translation>
    </message>
</context>
</TS>

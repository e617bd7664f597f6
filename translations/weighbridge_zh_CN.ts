<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>All values</name>
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
    <name>CompareTables</name>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>different</source>
        <translation>不同</translation>
    </message>
    <message>
        <source>only in A</source>
        <translation>仅在 A 中</translation>
    </message>
    <message>
        <source>only in B</source>
        <translation>仅在 B 中</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>ID in A</source>
        <translation>A 中的 ID</translation>
    </message>
    <message>
        <source>ID in B</source>
        <translation>B 中的 ID</translation>
    </message>
    <message>
        <source>renumbered</source>
        <translation>编号已更改</translation>
    </message>
    <message>
        <source>equal</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>度量</translation>
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
        <source>Changed elements</source>
        <translation>已更改的元素</translation>
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
        <source>Cosine similarity</source>
        <translation>余弦相似度</translation>
    </message>
    <message>
        <source>RMSE</source>
        <translation>均方根误差</translation>
    </message>
    <message>
        <source>Max error</source>
        <translation>最大误差</translation>
    </message>
    <message>
        <source>Index in B of max error</source>
        <translation>最大误差在 B 中的索引</translation>
    </message>
    <message>
        <source>Elements in the map</source>
        <translation>图中的元素</translation>
    </message>
    <message>
        <source>Without finite difference</source>
        <translation>差值非有限的元素</translation>
    </message>
</context>
<context>
    <name>ComputeRest</name>
    <message>
        <source>Compute remaining</source>
        <translation>计算其余统计</translation>
    </message>
    <message>
        <source>Compute statistics for all tensors that have none yet</source>
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
    <name>DownloadsMenu</name>
    <message>
        <source>Unlimited</source>
        <translation>不限速</translation>
    </message>
    <message>
        <source>Up to %1 MB/s</source>
        <translation>最高 %1 MB/s</translation>
    </message>
    <message>
        <source>Speed limit of this download</source>
        <translation>此下载的限速</translation>
    </message>
    <message>
        <source>Pause all downloads</source>
        <translation>暂停全部下载</translation>
    </message>
    <message>
        <source>Speed limit of all downloads</source>
        <translation>全部下载的总限速</translation>
    </message>
    <message>
        <source>Download schedule</source>
        <translation>允许下载的时段</translation>
    </message>
    <message>
        <source>Any time</source>
        <translation>任何时间</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
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
        <source>too large</source>
        <translation>放不下</translation>
    </message>
    <message>
        <source>RAM</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Fits in %1: needs %3 of %4 at a context length of %2 tokens.</source>
        <translation>可放入%1：上下文长度为 %2 个词元时需要 %3，可用 %4。</translation>
    </message>
    <message>
        <source>Tight fit in %1: needs %3 of %4 at a context length of %2 tokens.</source>
        <translation>勉强可放入%1：上下文长度为 %2 个词元时需要 %3，可用 %4。</translation>
    </message>
    <message>
        <source>Does not fit in %1: needs %3 of %4 at a context length of %2 tokens.</source>
        <translation>无法放入%1：上下文长度为 %2 个词元时需要 %3，可用 %4。</translation>
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
    <name>FormatGuide</name>
    <message>
        <source>Data only: opening it runs no code.</source>
        <translation>仅数据：打开时不会运行代码。</translation>
    </message>
    <message>
        <source>Pickle: loading it can run any code; scan it first, and convert it to safetensors.</source>
        <translation>Pickle：加载时可运行任意代码；请先扫描，并转换为 safetensors。</translation>
    </message>
    <message>
        <source>Tensors only; Python files in the folder run if the loader trusts remote code.</source>
        <translation>仅张量；如果加载程序信任远程代码，文件夹中的 Python 文件会运行。</translation>
    </message>
    <message>
        <source>A graph of known operations; custom operations need libraries of their author.</source>
        <translation>由已知算子组成的图；自定义算子需要其作者的库。</translation>
    </message>
    <message>
        <source>Running language models on one computer, also partly on a GPU</source>
        <translation>在一台计算机上运行语言模型，也可部分使用 GPU</translation>
    </message>
    <message>
        <source>Weights, mostly quantized, metadata, tokenizer and chat template in one file</source>
        <translation>权重（大多已量化）、元数据、分词器和对话模板在一个文件中</translation>
    </message>
    <message>
        <source>Serving on one type of NVIDIA GPU; built on the target computer from another format</source>
        <translation>在一种 NVIDIA GPU 上提供服务；在目标计算机上由其他格式构建</translation>
    </message>
    <message>
        <source>Compiled device code with weights, for one GPU type and one version of TensorRT</source>
        <translation>已编译的设备代码和权重，适用于一种 GPU 和一个 TensorRT 版本</translation>
    </message>
    <message>
        <source>Contains device code; use engines that you built yourself.</source>
        <translation>包含设备代码；请使用您自己构建的引擎。</translation>
    </message>
    <message>
        <source>Publishing, fine-tuning and serving on GPUs; the source of most conversions</source>
        <translation>发布、微调和在 GPU 上提供服务；大多数转换的来源</translation>
    </message>
    <message>
        <source>A folder: weights in shards, config.json, tokenizer files, chat template</source>
        <translation>文件夹：权重分片、config.json、分词器文件、对话模板</translation>
    </message>
    <message>
        <source>Sharing a fine-tune as a small difference from its base model</source>
        <translation>将微调结果作为与基座模型的小差异来分享</translation>
    </message>
    <message>
        <source>Low-rank matrices and adapter_config.json; needs the base model</source>
        <translation>低秩矩阵和 adapter_config.json；需要基座模型</translation>
    </message>
    <message>
        <source>Resuming a training run on many GPUs</source>
        <translation>在多个 GPU 上继续训练</translation>
    </message>
    <message>
        <source>A folder: weights and optimizer moments of each rank, scheduler, step, random states</source>
        <translation>文件夹：每个 rank 的权重和优化器矩、调度器、步数、随机状态</translation>
    </message>
    <message>
        <source>Apps on Apple devices, also on the Neural Engine</source>
        <translation>Apple 设备上的应用，也可使用神经网络引擎</translation>
    </message>
    <message>
        <source>A graph with weights in a package</source>
        <translation>包中的图和权重</translation>
    </message>
    <message>
        <source>Apps on Android and small devices</source>
        <translation>Android 和小型设备上的应用</translation>
    </message>
    <message>
        <source>A graph with weights, often with 8-bit integers</source>
        <translation>图和权重，常用 8 位整数</translation>
    </message>
    <message>
        <source>Intel CPUs, GPUs and NPUs</source>
        <translation>Intel CPU、GPU 和 NPU</translation>
    </message>
    <message>
        <source>A graph (.xml) and its weights (.bin)</source>
        <translation>图 (.xml) 及其权重 (.bin)</translation>
    </message>
    <message>
        <source>PyTorch models in apps and on embedded devices</source>
        <translation>应用和嵌入式设备中的 PyTorch 模型</translation>
    </message>
    <message>
        <source>A compiled program (.pte), weights inside or next to it</source>
        <translation>已编译的程序 (.pte)，权重在其中或在旁边的文件中</translation>
    </message>
    <message>
        <source>A program of the runtime&apos;s own operations and delegates.</source>
        <translation>由运行程序自身的算子和委托组成的程序。</translation>
    </message>
    <message>
        <source>Exchange between frameworks; inference from many languages and in browsers</source>
        <translation>在框架之间交换；用多种语言和在浏览器中推理</translation>
    </message>
    <message>
        <source>A graph with weights, large ones in files next to it</source>
        <translation>图和权重，大的权重在旁边的文件中</translation>
    </message>
    <message>
        <source>Checkpoints of PyTorch training</source>
        <translation>PyTorch 训练的检查点</translation>
    </message>
    <message>
        <source>A pickle of tensors, often with optimizer state</source>
        <translation>张量的 pickle，常含优化器状态</translation>
    </message>
    <message>
        <source>Training and saving Keras models</source>
        <translation>训练和保存 Keras 模型</translation>
    </message>
    <message>
        <source>Layers as JSON, weights as HDF5, in one archive</source>
        <translation>层为 JSON、权重为 HDF5，在一个归档中</translation>
    </message>
    <message>
        <source>Lambda layers contain code.</source>
        <translation>Lambda 层包含代码。</translation>
    </message>
    <message>
        <source>Serving TensorFlow models</source>
        <translation>TensorFlow 模型的服务</translation>
    </message>
    <message>
        <source>A folder: graph, variables and assets</source>
        <translation>文件夹：图、变量和资源</translation>
    </message>
    <message>
        <source>scikit-learn models</source>
        <translation>scikit-learn 模型</translation>
    </message>
    <message>
        <source>Python objects</source>
        <translation>Python 对象</translation>
    </message>
    <message>
        <source>Architecture of the model: layers, heads, sizes</source>
        <translation>模型的架构：层、头、大小</translation>
    </message>
    <message>
        <source>The shard of each tensor</source>
        <translation>每个张量所在的分片</translation>
    </message>
    <message>
        <source>Tokens, merges and rules of the tokenizer</source>
        <translation>分词器的词元、合并规则和其他规则</translation>
    </message>
    <message>
        <source>Special tokens, often the chat template</source>
        <translation>特殊词元，常含对话模板</translation>
    </message>
    <message>
        <source>A SentencePiece tokenizer</source>
        <translation>SentencePiece 分词器</translation>
    </message>
    <message>
        <source>The chat template as a separate file</source>
        <translation>单独文件中的对话模板</translation>
    </message>
    <message>
        <source>Sampling settings that the author recommends</source>
        <translation>作者推荐的采样设置</translation>
    </message>
    <message>
        <source>Settings of a LoRA adapter, such as rank and target modules</source>
        <translation>LoRA 适配器的设置，例如秩和目标模块</translation>
    </message>
    <message>
        <source>Projector: the image or audio encoder of a model in GGUF</source>
        <translation>投影器：GGUF 模型的图像或音频编码器</translation>
    </message>
    <message>
        <source>One shard of a model; all are needed</source>
        <translation>模型的一个分片；需要全部分片</translation>
    </message>
    <message>
        <source>Importance matrix for quantizing</source>
        <translation>用于量化的重要性矩阵</translation>
    </message>
    <message>
        <source>Training state, for resuming only</source>
        <translation>训练状态，仅用于继续训练</translation>
    </message>
    <message>
        <source>GGUF with the quantization type in its name</source>
        <translation>名称中带有量化类型的 GGUF</translation>
    </message>
    <message>
        <source>Chat with a model on this computer</source>
        <translation>在此计算机上与模型对话</translation>
    </message>
    <message>
        <source>Serve many users</source>
        <translation>为多个用户提供服务</translation>
    </message>
    <message>
        <source>Fine-tune or publish a model</source>
        <translation>微调或发布模型</translation>
    </message>
    <message>
        <source>Share a fine-tune in a small file</source>
        <translation>用小文件分享微调结果</translation>
    </message>
    <message>
        <source>Resume a training run</source>
        <translation>继续训练</translation>
    </message>
    <message>
        <source>Use a model in a mobile app</source>
        <translation>在移动应用中使用模型</translation>
    </message>
    <message>
        <source>Move a model between frameworks</source>
        <translation>在框架之间迁移模型</translation>
    </message>
    <message>
        <source>Any device</source>
        <translation>任意设备</translation>
    </message>
    <message>
        <source>training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>release</source>
        <translation>发布</translation>
    </message>
    <message>
        <source>deployment</source>
        <translation>部署</translation>
    </message>
    <message>
        <source>Models that run in a browser or in Node.js</source>
        <translation>在浏览器或 Node.js 中运行的模型</translation>
    </message>
    <message>
        <source>A topology (model.json) and weights in binary shards</source>
        <translation>拓扑（model.json）和二进制分片中的权重</translation>
    </message>
    <message>
        <source>Fast translation and speech recognition (faster-whisper) on CPUs and GPUs</source>
        <translation>在 CPU 和 GPU 上快速翻译和识别语音（faster-whisper）</translation>
    </message>
    <message>
        <source>Weights, often with 8-bit integers (model.bin), and vocabularies</source>
        <translation>权重（model.bin，常为 8 位整数）和词表</translation>
    </message>
    <message>
        <source>Inference with PaddlePaddle, for example PaddleOCR</source>
        <translation>用 PaddlePaddle 推理，例如 PaddleOCR</translation>
    </message>
    <message>
        <source>A program (.pdmodel) and the values of its variables (.pdiparams)</source>
        <translation>程序（.pdmodel）及其变量的值（.pdiparams）</translation>
    </message>
    <message>
        <source>Gradient boosting on tables of numbers and categories</source>
        <translation>对数值和类别表格做梯度提升</translation>
    </message>
    <message>
        <source>Decision trees as text or in binary form, with the parameters of the training</source>
        <translation>文本或二进制形式的决策树，附训练参数</translation>
    </message>
    <message>
        <source>Word vectors and text classification</source>
        <translation>词向量和文本分类</translation>
    </message>
    <message>
        <source>A dictionary and the vectors of words and labels</source>
        <translation>词典以及词和标签的向量</translation>
    </message>
</context>
<context>
    <name>Glossary</name>
    <message>
        <source>Unsupported type: the tensor is listed, but its values cannot be shown.</source>
        <translation>不支持的类型：会列出该张量，但无法显示其数值。</translation>
    </message>
    <message>
        <source>F64: 64-bit floating point, about 16 decimal digits.</source>
        <translation>F64：64 位浮点数，约 16 位十进制精度。</translation>
    </message>
    <message>
        <source>F32: 32-bit floating point, about 7 decimal digits; the usual training precision.</source>
        <translation>F32：32 位浮点数，约 7 位十进制精度；训练时常用的精度。</translation>
    </message>
    <message>
        <source>F16: 16-bit floating point, about 3 decimal digits, up to 65,504; larger values overflow.</source>
        <translation>F16：16 位浮点数，约 3 位十进制精度，最大 65,504；更大的数会溢出。</translation>
    </message>
    <message>
        <source>BF16: the upper 16 bits of an F32; same range, but only 2 to 3 decimal digits.</source>
        <translation>BF16：F32 的高 16 位，范围与之相同，但只有 2 到 3 位十进制精度。</translation>
    </message>
    <message>
        <source>F8_E4M3: 8-bit floating point with a 3-bit mantissa, up to 448; no infinity.</source>
        <translation>F8_E4M3：8 位浮点数，尾数 3 位，最大 448；没有无穷大。</translation>
    </message>
    <message>
        <source>F8_E5M2: 8-bit floating point with a 2-bit mantissa, up to 57,344; the range of F16 at lower precision.</source>
        <translation>F8_E5M2：8 位浮点数，尾数 2 位，最大 57,344；范围与 F16 相当，精度更低。</translation>
    </message>
    <message>
        <source>F8_E4M3FNUZ: 8-bit floating point with a 3-bit mantissa, up to 240; no infinity, no negative zero.</source>
        <translation>F8_E4M3FNUZ：8 位浮点数，尾数 3 位，最大 240；没有无穷大，也没有负零。</translation>
    </message>
    <message>
        <source>F8_E5M2FNUZ: 8-bit floating point with a 2-bit mantissa, up to 57,344; no infinity, no negative zero.</source>
        <translation>F8_E5M2FNUZ：8 位浮点数，尾数 2 位，最大 57,344；没有无穷大，也没有负零。</translation>
    </message>
    <message>
        <source>F8_E8M0: an 8-bit power of two, used as the shared scale of a block.</source>
        <translation>F8_E8M0：8 位的 2 的幂，用作一个块共用的缩放系数。</translation>
    </message>
    <message>
        <source>F6_E2M3: 6-bit floating point with a 3-bit mantissa, up to 7.5.</source>
        <translation>F6_E2M3：6 位浮点数，尾数 3 位，最大 7.5。</translation>
    </message>
    <message>
        <source>F6_E3M2: 6-bit floating point with a 2-bit mantissa, up to 28.</source>
        <translation>F6_E3M2：6 位浮点数，尾数 2 位，最大 28。</translation>
    </message>
    <message>
        <source>F4: 4-bit floating point, 15 distinct values up to 6; only usable together with scales.</source>
        <translation>F4：4 位浮点数，15 个不同的值，最大 6；须配合缩放系数使用。</translation>
    </message>
    <message>
        <source>I64: 64-bit signed integers.</source>
        <translation>I64：64 位有符号整数。</translation>
    </message>
    <message>
        <source>I32: 32-bit signed integers.</source>
        <translation>I32：32 位有符号整数。</translation>
    </message>
    <message>
        <source>I16: 16-bit signed integers.</source>
        <translation>I16：16 位有符号整数。</translation>
    </message>
    <message>
        <source>I8: 8-bit signed integers.</source>
        <translation>I8：8 位有符号整数。</translation>
    </message>
    <message>
        <source>U64: 64-bit unsigned integers.</source>
        <translation>U64：64 位无符号整数。</translation>
    </message>
    <message>
        <source>U32: 32-bit unsigned integers; often hold packed quantized values.</source>
        <translation>U32：32 位无符号整数；常用来存放打包的量化值。</translation>
    </message>
    <message>
        <source>U16: 16-bit unsigned integers.</source>
        <translation>U16：16 位无符号整数。</translation>
    </message>
    <message>
        <source>U8: 8-bit unsigned integers; often hold packed quantized values.</source>
        <translation>U8：8 位无符号整数；常用来存放打包的量化值。</translation>
    </message>
    <message>
        <source>BOOL: true or false, one byte each.</source>
        <translation>BOOL：真或假，每个占一个字节。</translation>
    </message>
    <message>
        <source>C64: complex numbers made of two F32 values.</source>
        <translation>C64：由两个 F32 组成的复数。</translation>
    </message>
    <message>
        <source>C128: complex numbers made of two F64 values.</source>
        <translation>C128：由两个 F64 组成的复数。</translation>
    </message>
    <message>
        <source>Q4_0: 4-bit codes with one scale per 32 elements, 4.5 bits per weight; simple and fast, mostly replaced by Q4_K.</source>
        <translation>Q4_0：4 位编码，每 32 个元素一个缩放系数，每权重 4.5 位；简单快速，多数场合已被 Q4_K 取代。</translation>
    </message>
    <message>
        <source>Q4_1: 4-bit codes with a scale and a minimum per 32 elements, 5 bits per weight.</source>
        <translation>Q4_1：4 位编码，每 32 个元素一个缩放系数和一个最小值，每权重 5 位。</translation>
    </message>
    <message>
        <source>Q5_0: 5-bit codes with one scale per 32 elements, 5.5 bits per weight.</source>
        <translation>Q5_0：5 位编码，每 32 个元素一个缩放系数，每权重 5.5 位。</translation>
    </message>
    <message>
        <source>Q5_1: 5-bit codes with a scale and a minimum per 32 elements, 6 bits per weight.</source>
        <translation>Q5_1：5 位编码，每 32 个元素一个缩放系数和一个最小值，每权重 6 位。</translation>
    </message>
    <message>
        <source>Q8_0: 8-bit codes with one scale per 32 elements, 8.5 bits per weight; almost identical to F16.</source>
        <translation>Q8_0：8 位编码，每 32 个元素一个缩放系数，每权重 8.5 位；与 F16 几乎没有差别。</translation>
    </message>
    <message>
        <source>Q8_1: 8-bit codes with a scale and a sum per 32 elements, 9 bits per weight; used for intermediate results, not in files.</source>
        <translation>Q8_1：8 位编码，每 32 个元素一个缩放系数和一个总和，每权重 9 位；用于中间结果，不用于文件。</translation>
    </message>
    <message>
        <source>Q2_K: 2-bit codes in super-blocks of 256, with a scale and a minimum per 16 elements, 2.625 bits per weight; noticeable loss.</source>
        <translation>Q2_K：2 位编码，256 个元素为一个超级块，每 16 个有缩放系数和最小值，每权重 2.625 位；损失明显。</translation>
    </message>
    <message>
        <source>Q3_K: 3-bit codes in super-blocks of 256, with a scale per 16 elements, 3.4375 bits per weight.</source>
        <translation>Q3_K：3 位编码，256 个元素为一个超级块，每 16 个有缩放系数，每权重 3.4375 位。</translation>
    </message>
    <message>
        <source>Q4_K: 4-bit codes in super-blocks of 256, with a scale and a minimum per 32 elements, 4.5 bits per weight; the usual balance of size and quality.</source>
        <translation>Q4_K：4 位编码，256 个元素为一个超级块，每 32 个有缩放系数和最小值，每权重 4.5 位；体积与质量的常用折中。</translation>
    </message>
    <message>
        <source>Q5_K: 5-bit codes in super-blocks of 256, with a scale and a minimum per 32 elements, 5.5 bits per weight; small loss.</source>
        <translation>Q5_K：5 位编码，256 个元素为一个超级块，每 32 个有缩放系数和最小值，每权重 5.5 位；损失很小。</translation>
    </message>
    <message>
        <source>Q6_K: 6-bit codes in super-blocks of 256, with a scale per 16 elements, 6.5625 bits per weight; very small loss.</source>
        <translation>Q6_K：6 位编码，256 个元素为一个超级块，每 16 个有缩放系数，每权重 6.5625 位；损失极小。</translation>
    </message>
    <message>
        <source>Q8_K: 8-bit codes with one scale per 256 elements, 9.125 bits per weight; used for intermediate results, not in files.</source>
        <translation>Q8_K：8 位编码，每 256 个元素一个缩放系数，每权重 9.125 位；用于中间结果，不用于文件。</translation>
    </message>
    <message>
        <source>IQ1_S: groups of eight elements from a codebook, 1.5625 bits per weight; heavy loss, requires an importance matrix.</source>
        <translation>IQ1_S：每八个元素一组从码表中选取，每权重 1.5625 位；损失很大，需要重要性矩阵。</translation>
    </message>
    <message>
        <source>IQ1_M: like IQ1_S with finer scales, 1.75 bits per weight; heavy loss, requires an importance matrix.</source>
        <translation>IQ1_M：与 IQ1_S 类似，缩放系数更细，每权重 1.75 位；损失很大，需要重要性矩阵。</translation>
    </message>
    <message>
        <source>IQ2_XXS: groups of eight elements from a codebook, 2.0625 bits per weight; requires an importance matrix.</source>
        <translation>IQ2_XXS：每八个元素一组从码表中选取，每权重 2.0625 位；需要重要性矩阵。</translation>
    </message>
    <message>
        <source>IQ2_XS: like IQ2_XXS with a larger codebook, 2.3125 bits per weight; requires an importance matrix.</source>
        <translation>IQ2_XS：与 IQ2_XXS 类似，码表更大，每权重 2.3125 位；需要重要性矩阵。</translation>
    </message>
    <message>
        <source>IQ2_S: like IQ2_XS with an even larger codebook, 2.5625 bits per weight; an importance matrix is recommended.</source>
        <translation>IQ2_S：与 IQ2_XS 类似，码表再大一些，每权重 2.5625 位；建议使用重要性矩阵。</translation>
    </message>
    <message>
        <source>IQ3_XXS: groups of four elements from a codebook, 3.0625 bits per weight; an importance matrix is recommended.</source>
        <translation>IQ3_XXS：每四个元素一组从码表中选取，每权重 3.0625 位；建议使用重要性矩阵。</translation>
    </message>
    <message>
        <source>IQ3_S: like IQ3_XXS with a larger codebook, 3.4375 bits per weight.</source>
        <translation>IQ3_S：与 IQ3_XXS 类似，码表更大，每权重 3.4375 位。</translation>
    </message>
    <message>
        <source>IQ4_NL: 4-bit codes for 16 non-uniformly spaced values with one scale per 32 elements, 4.5 bits per weight.</source>
        <translation>IQ4_NL：4 位编码对应 16 个间距不等的值，每 32 个元素一个缩放系数，每权重 4.5 位。</translation>
    </message>
    <message>
        <source>IQ4_XS: IQ4_NL values in super-blocks of 256, 4.25 bits per weight; close to Q4_K, but smaller.</source>
        <translation>IQ4_XS：以 256 个元素的超级块存放 IQ4_NL 的值，每权重 4.25 位；接近 Q4_K 且更小。</translation>
    </message>
    <message>
        <source>TQ1_0: ternary weights, five per byte, 1.6875 bits per weight; for models trained with the values -1, 0 and 1.</source>
        <translation>TQ1_0：三值权重，五个存于一个字节，每权重 1.6875 位；用于以 -1、0、1 训练的模型。</translation>
    </message>
    <message>
        <source>TQ2_0: ternary weights in 2 bits each, 2.0625 bits per weight; for models trained with the values -1, 0 and 1.</source>
        <translation>TQ2_0：用 2 位存放的三值权重，每权重 2.0625 位；用于以 -1、0、1 训练的模型。</translation>
    </message>
    <message>
        <source>MXFP4: 4-bit floating point with a power-of-two scale per 32 elements, 4.25 bits per weight.</source>
        <translation>MXFP4：4 位浮点数，每 32 个元素以一个 2 的幂为缩放系数，每权重 4.25 位。</translation>
    </message>
    <message>
        <source>NVFP4: 4-bit floating point with an 8-bit scale per 16 elements, 4.5 bits per weight.</source>
        <translation>NVFP4：4 位浮点数，每 16 个元素一个 8 位缩放系数，每权重 4.5 位。</translation>
    </message>
    <message>
        <source>Q1_0: one bit per element with one scale per 128 elements, 1.125 bits per weight; only the sign is stored.</source>
        <translation>Q1_0：每个元素一位，每 128 个元素一个缩放系数，每权重 1.125 位；只保留符号。</translation>
    </message>
    <message>
        <source>Q2_0: 2-bit codes with one scale per 64 elements, 2.25 bits per weight.</source>
        <translation>Q2_0：2 位编码，每 64 个元素一个缩放系数，每权重 2.25 位。</translation>
    </message>
    <message>
        <source>Embedding</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>Maps each token to the input vector of the first layer.</source>
        <translation>把词元映射为第一层的输入向量。</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>Mixes information between positions: query, key, value and output projections.</source>
        <translation>让每个位置读取其他位置：查询、键、值和输出投影。</translation>
    </message>
    <message>
        <source>MLP</source>
        <translation>MLP</translation>
    </message>
    <message>
        <source>The feed-forward network of a layer, applied to each position separately.</source>
        <translation>层中的前馈部分，对每个位置单独计算。</translation>
    </message>
    <message>
        <source>Experts</source>
        <translation>专家</translation>
    </message>
    <message>
        <source>Feed-forward networks of which only a few are active for each token (mixture of experts).</source>
        <translation>前馈网络，每个词元只激活其中少数几个（混合专家）。</translation>
    </message>
    <message>
        <source>Router</source>
        <translation>路由</translation>
    </message>
    <message>
        <source>Selects the active experts for each token.</source>
        <translation>选择处理词元的专家。</translation>
    </message>
    <message>
        <source>Recurrent</source>
        <translation>循环</translation>
    </message>
    <message>
        <source>Passes a state from token to token (state-space and linear-attention layers).</source>
        <translation>在词元之间传递状态（状态空间层和线性注意力层）。</translation>
    </message>
    <message>
        <source>Convolution</source>
        <translation>卷积</translation>
    </message>
    <message>
        <source>Slides a small filter over an image, audio or a sequence.</source>
        <translation>用小卷积核滑过图像、音频或序列。</translation>
    </message>
    <message>
        <source>Norm</source>
        <translation>归一化</translation>
    </message>
    <message>
        <source>Normalizes the values between the sublayers of a layer.</source>
        <translation>对层内各子层之间的数值做归一化。</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Maps the last layer&apos;s output to a score (logit) for each token.</source>
        <translation>把最后一层的输出映射为每个词元的得分（logit）。</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>The purpose cannot be derived from the tensor&apos;s name.</source>
        <translation>从名称看不出张量的用途。</translation>
    </message>
    <message>
        <source>I4: integers from -8 to 7, usually two per byte.</source>
        <translation>I4：-8 到 7 的整数，通常一个字节存两个。</translation>
    </message>
    <message>
        <source>U4: integers from 0 to 15, usually two per byte.</source>
        <translation>U4：0 到 15 的整数，通常一个字节存两个。</translation>
    </message>
    <message>
        <source>I2: integers from -2 to 1, usually four per byte.</source>
        <translation>I2：-2 到 1 的整数，通常一个字节存四个。</translation>
    </message>
    <message>
        <source>U2: integers from 0 to 3, usually four per byte.</source>
        <translation>U2：0 到 3 的整数，通常一个字节存四个。</translation>
    </message>
    <message>
        <source>C32: complex numbers made of two F16 values.</source>
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
        <source>Remove a file from the list of recent files</source>
        <translation>从最近的文件列表中移除文件</translation>
    </message>
    <message>
        <source>&lt;h3&gt;Weighbridge %1&lt;/h3&gt;&lt;p&gt;A model workbench: opens model files and shows their contents. Works offline.&lt;/p&gt;&lt;p&gt;MIT license. Made with Qt %2 (LGPL), Highway and fmt.&lt;/p&gt;</source>
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
        <source>No histogram: no element is finite.</source>
        <translation>没有直方图：所有元素都不是有限值。</translation>
    </message>
    <message>
        <source>Histogram of %1 finite elements from %2 to %3 in %4 bins; the fullest bin is %5 to %6.</source>
        <translation>%1 个有限元素的直方图，从 %2 到 %3，共 %4 个区间；%5 到 %6 的区间元素最多。</translation>
    </message>
    <message>
        <source>%1 to %2: %3 elements (%4)</source>
        <translation>%1 到 %2：%3 个元素（%4）</translation>
    </message>
    <message>
        <source>Histogram of %1 groups from %2 to %3 in %4 bins; the fullest bin is %5 to %6.</source>
        <translation>%1 个组的直方图，从 %2 到 %3，共 %4 个区间；%5 到 %6 的区间最多。</translation>
    </message>
    <message>
        <source>Histogram of %1 codes from %2 to %3 in %4 bins; the fullest bin is %5 to %6.</source>
        <translation>%1 个编码的直方图，从 %2 到 %3，共 %4 个区间；%5 到 %6 的区间最多。</translation>
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
        <translation>失活</translation>
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
        <source>RMS</source>
        <translation>均方根</translation>
    </message>
    <message>
        <source>Ratio to median</source>
        <translation>与中位数之比</translation>
    </message>
    <message>
        <source>Flag</source>
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
        <translation>量化级</translation>
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
        <source>Metric</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Mean absolute error</source>
        <translation>平均绝对误差</translation>
    </message>
    <message>
        <source>RMSE</source>
        <translation>均方根误差（RMSE）</translation>
    </message>
    <message>
        <source>Max error</source>
        <translation>最大误差</translation>
    </message>
    <message>
        <source>Max error at</source>
        <translation>最大误差位置</translation>
    </message>
    <message>
        <source>SNR (dB)</source>
        <translation>信噪比（dB）</translation>
    </message>
    <message>
        <source>exact</source>
        <translation>完全相同</translation>
    </message>
    <message>
        <source>Cosine similarity</source>
        <translation>余弦相似度</translation>
    </message>
    <message>
        <source>Elements changed</source>
        <translation>改变的元素</translation>
    </message>
    <message>
        <source>Elements compared</source>
        <translation>比较的元素</translation>
    </message>
    <message>
        <source>Bits per weight</source>
        <translation>每个权重的位数</translation>
    </message>
    <message>
        <source>Code entropy (bits)</source>
        <translation>编码的熵（位）</translation>
    </message>
    <message>
        <source>Code efficiency</source>
        <translation>编码效率</translation>
    </message>
    <message>
        <source>Codes at min or max level</source>
        <translation>取到最小或最大级别的编码</translation>
    </message>
    <message>
        <source>Unused codes</source>
        <translation>未使用的编码</translation>
    </message>
    <message>
        <source>Quantization groups</source>
        <translation>量化组数</translation>
    </message>
    <message>
        <source>Zero scales</source>
        <translation>为零的缩放系数</translation>
    </message>
    <message>
        <source>Non-finite scales</source>
        <translation>非有限的缩放系数</translation>
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
        <source>Relative error (vs. the other tensor&apos;s RMS)</source>
        <translation>相对误差（以另一张量的均方根为准）</translation>
    </message>
    <message>
        <source>Relative error (vs. this tensor&apos;s RMS)</source>
        <translation>相对误差（以此张量的均方根为准）</translation>
    </message>
    <message>
        <source>Color shows</source>
        <translation>颜色表示</translation>
    </message>
    <message>
        <source>this tensor minus the other</source>
        <translation>此张量减去另一张量</translation>
    </message>
    <message>
        <source>%1 here, %2 in the other tensor</source>
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
        <source>Module</source>
        <translation>模块</translation>
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
        <source>Deviation (× MAD)</source>
        <translation>偏离（× MAD）</translation>
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
        <source>Max absolute value</source>
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
        <source>Skewness</source>
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
        <translation>百分位数</translation>
    </message>
    <message>
        <source>Coordinates</source>
        <translation>坐标</translation>
    </message>
    <message>
        <source>Distance from mean (σ)</source>
        <translation>距均值 σ</translation>
    </message>
    <message>
        <source>Source</source>
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
        <source>Location</source>
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
    <name>PictureActions</name>
    <message>
        <source>Save picture</source>
        <translation>保存图片</translation>
    </message>
    <message>
        <source>Could not save the picture to %1.</source>
        <translation>无法将图片保存到 %1。</translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation>复制图片</translation>
    </message>
    <message>
        <source>Save picture…</source>
        <translation>保存图片…</translation>
    </message>
    <message>
        <source>Image (*.png);;Vector image (*.svg)</source>
        <translation>图片 (*.png);;矢量图 (*.svg)</translation>
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
        <source>Unquantized: same quality as the source, largest file.</source>
        <translation>未量化：与源模型一样好，也是模型最大的形式。</translation>
    </message>
    <message>
        <source>Practically indistinguishable from the source.</source>
        <translation>与源模型几乎无法区分。</translation>
    </message>
    <message>
        <source>Very close to the source; the loss is hard to notice in use.</source>
        <translation>非常接近源模型；使用中很难察觉损失。</translation>
    </message>
    <message>
        <source>Recommended default: about a third of the size with little quality loss.</source>
        <translation>推荐的默认选择：大小约为三分之一，质量损失很小。</translation>
    </message>
    <message>
        <source>Legacy type: fast on all hardware, but Q4_K_S has a lower loss at the same size.</source>
        <translation>较旧的格式：在各种硬件上都快，但同样大小下 Q4_K_S 损失更小。</translation>
    </message>
    <message>
        <source>Noticeable quality loss; use it only if larger types do not fit.</source>
        <translation>损失明显；只适合用更大类型就放不下的模型。</translation>
    </message>
    <message>
        <source>High quality loss; only large models stay usable. An importance matrix helps a lot.</source>
        <translation>损失很大；只有大模型仍然可用。重要性矩阵很有帮助。</translation>
    </message>
    <message>
        <source>Extreme quality loss; for experiments with very large models.</source>
        <translation>损失极大；供超大模型的实验使用。</translation>
    </message>
    <message>
        <source>Only for models trained at this bit width; other models become unusable.</source>
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
        <source>Unquantized, half the size of F32. F32 sources lose precision, and values beyond 65,504 overflow.</source>
        <translation>未量化，大小为 F32 的一半。F32 来源会失去末尾的若干位，超出 65504 的数值也会丢失。</translation>
    </message>
    <message>
        <source>Unquantized, half the size of F32. F32 and F16 sources lose precision.</source>
        <translation>未量化，大小为 F32 的一半。F32 或 F16 来源会失去末尾的若干位。</translation>
    </message>
    <message>
        <source>High quality; a good choice if you have enough memory.</source>
        <translation>质量高；内存充足时是好选择。</translation>
    </message>
    <message>
        <source>Good quality at a small size, a step below Q4_K_M.</source>
        <translation>体积小而质量好，比 Q4_K_M 低一级。</translation>
    </message>
    <message>
        <source>Requires an importance matrix.</source>
        <translation>需要重要性矩阵。</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>imperceptible</source>
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
        <source>%1 (%2)</source>
        <comment>mean KL divergence and its meaning</comment>
        <translation>%1（%2）</translation>
    </message>
</context>
<context>
    <name>Queue</name>
    <message>
        <source>%1 → %2: %3% done.</source>
        <translation>%1 → %2：已完成 %3%。</translation>
    </message>
    <message numerus="yes">
        <source>The queue will then stop; %n more job(s) waiting.</source>
        <translation>
            <numerusform>之后队列停止；还有 %n 个任务在等待。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more job(s) waiting.</source>
        <translation>
            <numerusform>还有 %n 个任务在等待。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 was canceled; %2% of it was saved.</source>
        <translation>%1 已取消；已保存其中的 %2%。</translation>
    </message>
    <message>
        <source>%1 was canceled.</source>
        <translation>%1 已取消。</translation>
    </message>
    <message numerus="yes">
        <source>Queue paused; %n job(s) waiting.</source>
        <translation>
            <numerusform>队列已暂停；%n 个任务在等待。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n job(s) finished.</source>
        <translation>
            <numerusform>%n 个任务已完成。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n job(s) failed.</source>
        <translation>
            <numerusform>%n 个任务失败。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RunCheck</name>
    <message>
        <source>Choose an output file.</source>
        <translation>请选择输出文件。</translation>
    </message>
    <message>
        <source>%1 is a folder; add a file name.</source>
        <translation>%1 是文件夹；请加上文件名。</translation>
    </message>
    <message>
        <source>%1 is the source model; choose another output name.</source>
        <translation>%1 是源模型；请另选输出名称。</translation>
    </message>
    <message>
        <source>The folder %1 does not exist; choose another one.</source>
        <translation>文件夹 %1 不存在；请另选一个。</translation>
    </message>
    <message>
        <source>Cannot write to the folder %1; choose another one.</source>
        <translation>无法写入文件夹 %1；请另选一个。</translation>
    </message>
</context>
<context>
    <name>SearchHelp</name>
    <message>
        <source>the name contains “attn_k”</source>
        <translation>名称包含“attn_k”</translation>
    </message>
    <message>
        <source>BF16 tensors over 10 million bytes</source>
        <translation>超过一千万字节的 BF16 张量</translation>
    </message>
    <message>
        <source>the full name matches a pattern</source>
        <translation>整个名称匹配某个模式</translation>
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
        <source>4,096 rows and no “norm” in the name</source>
        <translation>4,096 行，且名称中没有“norm”</translation>
    </message>
    <message>
        <source>statistics, where computed</source>
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
        <source>Name of the tensor as stored in the file.</source>
        <translation>文件中存储的张量名称。</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Storage format of the elements.</source>
        <translation>元素的存储方式。</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Elements</source>
        <translation>元素数</translation>
    </message>
    <message>
        <source>Number of elements in the tensor.</source>
        <translation>张量包含多少个数。</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Size in bytes as stored, without padding.</source>
        <translation>存储的字节数，不含填充。</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Share of all stored bytes.</source>
        <translation>张量占全部存储字节的比例。</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>作用</translation>
    </message>
    <message>
        <source>Purpose of the tensor, derived from its name.</source>
        <translation>由名称得知的张量用途。</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Index of the layer (block) that the tensor belongs to.</source>
        <translation>张量所属层（块）的编号。</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>File that contains the tensor&apos;s data.</source>
        <translation>存放该张量数据的文件。</translation>
    </message>
    <message>
        <source>Min</source>
        <translation>最小</translation>
    </message>
    <message>
        <source>Smallest finite element.</source>
        <translation>最小的有限元素。</translation>
    </message>
    <message>
        <source>Max</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>Largest finite element.</source>
        <translation>最大的有限元素。</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>Mean of the finite elements.</source>
        <translation>有限元素的均值。</translation>
    </message>
    <message>
        <source>Std dev</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>Standard deviation of the finite elements.</source>
        <translation>有限元素的标准差。</translation>
    </message>
    <message>
        <source>Max abs</source>
        <translation>最大绝对值</translation>
    </message>
    <message>
        <source>Largest absolute value among the finite elements.</source>
        <translation>有限元素中最大的绝对值。</translation>
    </message>
    <message>
        <source>Zeros</source>
        <translation>零</translation>
    </message>
    <message>
        <source>Number of elements that are exactly zero.</source>
        <translation>恰好为零的元素个数。</translation>
    </message>
    <message>
        <source>NaN</source>
        <translation>NaN</translation>
    </message>
    <message>
        <source>Number of NaN elements.</source>
        <translation>NaN 元素的个数。</translation>
    </message>
    <message>
        <source>Outliers</source>
        <translation>离群值</translation>
    </message>
    <message>
        <source>Number of elements more than six standard deviations from the mean.</source>
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
        <source>0 for a normal distribution; large if a few elements are far from the rest.</source>
        <translation>正态分布为 0，少数元素远离其余时很大。</translation>
    </message>
    <message>
        <source>Dimensions, outermost first; GGUF files list them in reverse.</source>
        <translation>各维长度，最外层在前；GGUF 文件按相反顺序存放。</translation>
    </message>
</context>
<context>
    <name>TensorPanel</name>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Tensors grouped by name</source>
        <translation>按名称排列的张量</translation>
    </message>
</context>
<context>
    <name>TensorTypes</name>
    <message>
        <source>Current type of the tensor</source>
        <translation>张量当前的类型</translation>
    </message>
</context>
<context>
    <name>core</name>
    <message>
        <source>Canceled.</source>
        <translation>已取消。</translation>
    </message>
    <message>
        <source>{} has {} values in {} for {} tokens; its tokenizer is unreliable.</source>
        <translation>{}：{} 个值位于 {}，而词元有 {} 个；其分词器不可靠。</translation>
    </message>
    <message>
        <source>{} declares {} blocks, but its tensors are numbered up to block {}.</source>
        <translation>{} 声称有 {} 个块，但其张量编号到了第 {} 块。</translation>
    </message>
    <message>
        <source>{} is named {}, but none of its tensors is {}; most of its bytes are {}.</source>
        <translation>{} 自称为 {}，但没有任何张量是 {}；其大部分字节是 {}。</translation>
    </message>
    <message>
        <source>{} does not specify its architecture (general.architecture).</source>
        <translation>{} 未说明其架构 (general.architecture)。</translation>
    </message>
    <message>
        <source>{} contains quantized tensors but no general.quantization_version.</source>
        <translation>{} 含有量化张量，但没有 general.quantization_version。</translation>
    </message>
    <message>
        <source>{} cannot be loaded: you can inspect it, but it violates rules that every loader enforces. Download it again to chat with it, convert it or quantize it.</source>
        <translation>{} 无法加载：可以查看，但它违反了所有加载器都要求的规则；若要对话、转换或量化，请重新下载。</translation>
    </message>
    <message>
        <source>{} declares GGUF version 0, which does not exist; download it again.</source>
        <translation>{} 声明的 GGUF 版本为 0，该版本不存在；请重新下载。</translation>
    </message>
    <message>
        <source>{} uses GGUF version {}; Weighbridge supports versions 1 to 3.</source>
        <translation>{} 使用 GGUF 版本 {}；Weighbridge 支持版本 1 到 3。</translation>
    </message>
    <message>
        <source>{} is big-endian, but this machine is little-endian; get the little-endian file.</source>
        <translation>{} 的字节序（大端）与本机不符；请获取小端文件。</translation>
    </message>
    <message>
        <source>{} uses GGUF version 1, which loaders no longer read; get a newer conversion.</source>
        <translation>{} 是 GGUF 版本 1，加载器已不再读取；请获取较新的转换版本。</translation>
    </message>
    <message>
        <source>{} declares {} metadata entries, which do not fit in its {} bytes; download it again.</source>
        <translation>{} 声明有 {} 个元数据键值对，但其 {} 字节容纳不下；请重新下载。</translation>
    </message>
    <message>
        <source>{} declares {} tensors, which do not fit in its {} bytes; download it again.</source>
        <translation>{} 声明有 {} 个张量，但其 {} 字节容纳不下；请重新下载。</translation>
    </message>
    <message>
        <source>{} is not a GGUF file: it does not start with the letters GGUF.</source>
        <translation>{} 不是 GGUF 文件：开头不是字母 GGUF。</translation>
    </message>
    <message>
        <source>{} has a metadata entry without a key at byte {}; download it again.</source>
        <translation>{} 有一个没有键的元数据键值对，位于字节 {}；请重新下载。</translation>
    </message>
    <message>
        <source>{}: the key {} has the unknown value type {}; download it again.</source>
        <translation>{}：键 {} 的值类型 {} 未知；请重新下载。</translation>
    </message>
    <message>
        <source>{} contains the key {} more than once; download it again.</source>
        <translation>{} 中的键 {} 出现了不止一次；请重新下载。</translation>
    </message>
    <message>
        <source>{} has the invalid alignment {} ({}); it must be a u32 power of two. Download it again.</source>
        <translation>{} 的对齐值 {} ({}) 无效；它必须是 u32 类型的 2 的幂。请重新下载。</translation>
    </message>
    <message>
        <source>{}: the tensor {} overlaps another tensor by {} bytes; download it again.</source>
        <translation>{}：张量 {} 与另一个张量重叠 {} 字节；请重新下载。</translation>
    </message>
    <message>
        <source>{}: the tensor {} starts at offset {}, which is not a multiple of {}; download it again.</source>
        <translation>{}：张量 {} 起始于偏移 {}，不是 {} 的倍数；请重新下载。</translation>
    </message>
    <message>
        <source>{} has a gap of {} bytes before the tensor {}; download it again.</source>
        <translation>{} 有 {} 字节的空隙，位于张量 {} 之前；请重新下载。</translation>
    </message>
    <message>
        <source>{}: the end of the tensor {} exceeds the maximum file size; download it again.</source>
        <translation>{}：张量 {} 的结尾超出了文件大小上限；请重新下载。</translation>
    </message>
    <message>
        <source>{} stores its tensors in a different order than listed; download it again.</source>
        <translation>{} 存储张量的顺序与列出的顺序不同；请重新下载。</translation>
    </message>
    <message>
        <source>{} is truncated: it ends at byte {}, but its tensors end at byte {}; {} of {} are incomplete. Download it again.</source>
        <translation>{} 被截断：文件结束于字节 {}，而张量结束于字节 {}；有 {} 个（共 {} 个）不完整。请重新下载。</translation>
    </message>
    <message>
        <source>{} has {} bytes after its data that belong to no tensor.</source>
        <translation>{} 在数据之后有 {} 字节不属于任何张量。</translation>
    </message>
    <message>
        <source>{} specifies an impossible alignment; download it again.</source>
        <translation>{} 指定的对齐值不可能成立；请重新下载。</translation>
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
        <source>{} does not contain all of {}.</source>
        <translation>{} 没有完整存储 {}。</translation>
    </message>
    <message>
        <source>{} has a different byte order than the first part.</source>
        <translation>{} 的字节序与第一部分不同。</translation>
    </message>
    <message>
        <source>{} declares itself part {} of {}, but its file name says {} of {}; get the right file.</source>
        <translation>{} 声称是第 {} 部分（共 {} 部分），但其文件名表示第 {} 部分（共 {} 部分）；请获取正确的文件。</translation>
    </message>
    <message>
        <source>{} brings the model to more than {} tensors.</source>
        <translation>{} 使模型的张量数超过了 {} 个。</translation>
    </message>
    <message>
        <source>{} declares {} tensors across all parts, but the parts contain {}; get all parts of the same model.</source>
        <translation>{} 声明各部分共有 {} 个张量，但实际有 {} 个；请获取同一模型的所有部分。</translation>
    </message>
    <message>
        <source>{}: the tensor {} is in two parts, {} and {}; get all parts of the same model.</source>
        <translation>{} 的张量 {} 同时出现在两个部分 {} 和 {} 中；请获取同一模型的所有部分。</translation>
    </message>
    <message>
        <source>{} is missing part {}, so its tensors are unknown: {}</source>
        <translation>{} 缺少第 {} 部分，该部分的张量未知：{}</translation>
    </message>
    <message>
        <source>{} declares itself one of {} parts; download it again.</source>
        <translation>{} 声称是 {} 个部分之一；请重新下载。</translation>
    </message>
    <message>
        <source>{} is part {} of {}; open the first part instead, whose name ends with {}.</source>
        <translation>{} 是第 {} 部分（共 {} 部分）；请改为打开第一部分，其文件名以 {} 结尾。</translation>
    </message>
    <message>
        <source>{} is part {} of {}, and only its own tensors are shown; open the first part, whose name ends with {}.</source>
        <translation>{} 是第 {} 部分（共 {} 部分），只显示其自身的张量；请打开第一部分，其文件名以 {} 结尾。</translation>
    </message>
    <message>
        <source>{} is the first of {} parts; the other parts cannot be located here, so their tensors are unknown.</source>
        <translation>{} 是 {} 个部分中的第一部分；此处无法查找其他部分，因此它们的张量未知。</translation>
    </message>
    <message>
        <source>{} is the first of {} parts, but the other parts cannot be located because its name does not end with {}; rename it back.</source>
        <translation>{} 是 {} 个部分中的第一部分，但无法根据其文件名找到其他部分，文件名应以 {} 结尾；请将其改回原名。</translation>
    </message>
    <message>
        <source>{} has a tensor name of {} bytes; loaders allow 63: {}</source>
        <translation>{} 中有一个张量名长达 {} 字节，而加载器只允许 63 字节：{}</translation>
    </message>
    <message>
        <source>{} has a tensor name with control characters: {}</source>
        <translation>{} 中有一个张量名含有控制字符：{}</translation>
    </message>
    <message>
        <source>{}: the tensor {} has {} dimensions; download it again.</source>
        <translation>{}：张量 {} 有 {} 个维度；请重新下载。</translation>
    </message>
    <message>
        <source>{}: the tensor {} has {} dimensions; loaders allow 4.</source>
        <translation>{}：张量 {} 有 {} 个维度，而加载器只允许 4 个。</translation>
    </message>
    <message>
        <source>{}: the tensor {} has an impossible size; download it again.</source>
        <translation>{}：张量 {} 的大小不可能成立；请重新下载。</translation>
    </message>
    <message>
        <source>{}: the tensor {} cannot be decoded ({}); get another quantization.</source>
        <translation>{}：张量 {} 无法解码（{}）；请获取其他量化版本。</translation>
    </message>
    <message>
        <source>{}: the tensor {} has rows of {} elements, not a multiple of the {} block size; download it again.</source>
        <translation>{}：张量 {} 每行有 {} 个元素，不是 {} 块大小的整数倍；请重新下载。</translation>
    </message>
    <message>
        <source>{}: the tensor {} has the impossible offset {}; download it again.</source>
        <translation>{}：张量 {} 的偏移 {} 不可能成立；请重新下载。</translation>
    </message>
    <message>
        <source>{} contains the tensor {} more than once; download it again.</source>
        <translation>{} 中的张量 {} 出现了不止一次；请重新下载。</translation>
    </message>
    <message>
        <source>{} ends at byte {}, within its list of {} tensors; the first {} are shown. Download it again.</source>
        <translation>{} 结束于字节 {}，位于其 {} 个张量的列表之内；只显示前 {} 个。请重新下载。</translation>
    </message>
    <message>
        <source>{} declares a string of {} bytes at byte {}, more than the allowed {}; download it again.</source>
        <translation>{} 声明了 {} 字节的字符串，位于字节 {}，超过了允许的 {} 字节；请重新下载。</translation>
    </message>
    <message>
        <source>{} declares a string of {} bytes at byte {}, but only {} bytes follow; download it again.</source>
        <translation>{} 声明了 {} 字节的字符串，位于字节 {}，但其后只有 {} 字节；请重新下载。</translation>
    </message>
    <message>
        <source>{} contains a string of {} bytes; only the beginning is shown.</source>
        <translation>{} 含有 {} 字节的字符串；只显示开头。</translation>
    </message>
    <message>
        <source>{} contains a string that is not valid UTF-8: &quot;{}&quot;</source>
        <translation>{} 含有不是有效 UTF-8 的字符串：“{}”</translation>
    </message>
    <message>
        <source>{} stores a Boolean as {}; only 0 and 1 are valid.</source>
        <translation>{} 将布尔值存储为 {}，而只应为 0 或 1。</translation>
    </message>
    <message>
        <source>{} contains an array with the unknown value type {} at byte {}; download it again.</source>
        <translation>{} 含有未知值类型 {} 的数组，位于字节 {}；请重新下载。</translation>
    </message>
    <message>
        <source>{} declares an array of {} values at byte {}, which does not fit in the file; download it again.</source>
        <translation>{} 声明了 {} 个值的数组，位于字节 {}，文件容纳不下；请重新下载。</translation>
    </message>
    <message>
        <source>{} nests arrays more than {} levels deep at byte {}; download it again.</source>
        <translation>{} 的数组嵌套超过 {} 层，位于字节 {}；请重新下载。</translation>
    </message>
    <message>
        <source>{} contains an array of arrays at byte {}, which loaders do not support; convert the model without that key.</source>
        <translation>{} 含有数组的数组，位于字节 {}，加载器不读取它；请去掉该键后重新转换。</translation>
    </message>
    <message>
        <source>{} declares a string of {} bytes before byte {}; download it again.</source>
        <translation>{} 声明了 {} 字节的字符串，位于字节 {} 之前；请重新下载。</translation>
    </message>
    <message>
        <source>With trust_remote_code, loading this model runs code from its repository ({}); Weighbridge never runs it.</source>
        <translation>启用 trust_remote_code 加载时，该模型会运行仓库中的代码 ({})；Weighbridge 从不运行它。</translation>
    </message>
    <message>
        <source>The component {} listed in model_index.json is missing.</source>
        <translation>缺少 model_index.json 中指明的组件 {}。</translation>
    </message>
    <message>
        <source>{} contains more than {} files; open the model folder itself.</source>
        <translation>{} 含有超过 {} 个文件；请打开模型自己的文件夹。</translation>
    </message>
    <message>
        <source>Cannot list {} ({}); check its permissions.</source>
        <translation>无法列出 {} ({})；请检查其权限。</translation>
    </message>
    <message>
        <source>Ignored, because other files make up the model: {}.</source>
        <translation>已忽略，因为模型由其他文件构成：{}。</translation>
    </message>
    <message>
        <source>{} is not valid JSON: {} (byte {}).</source>
        <translation>{} 不是有效的 JSON：{}（字节 {}）。</translation>
    </message>
    <message>
        <source>{} contains a duplicate key in an object.</source>
        <translation>{} 的一个对象中有重复的键。</translation>
    </message>
    <message>
        <source>{} contains text that is not valid UTF-8; it is shown with replacement characters.</source>
        <translation>{} 含有不是 UTF-8 的文本；以替换字符显示。</translation>
    </message>
    <message>
        <source>{} is too long; only its beginning is shown.</source>
        <translation>{} 过长；只显示开头。</translation>
    </message>
    <message>
        <source>{} is a Git LFS pointer, not the file itself ({} bytes); run &quot;git lfs pull&quot; to download it.</source>
        <translation>{} 是 Git LFS 指针而不是文件本身（{} 字节）；请运行 &quot;git lfs pull&quot; 下载。</translation>
    </message>
    <message>
        <source>{} is {}, which Weighbridge does not support yet; open a safetensors or GGUF version of it.</source>
        <translation>{} 是 {}，本程序尚不读取；请打开它的 safetensors 或 GGUF 版本。</translation>
    </message>
    <message>
        <source>{} is {}, not a model; open a GGUF or safetensors file or a model folder.</source>
        <translation>{} 是 {}，不是模型；请打开 GGUF 或 safetensors 文件，或模型文件夹。</translation>
    </message>
    <message>
        <source>{} is not in a supported format; open a GGUF or safetensors file or a model folder.</source>
        <translation>{} 的格式不受支持；请打开 GGUF 或 safetensors 文件，或模型文件夹。</translation>
    </message>
    <message>
        <source>{} is a JSON file that lists no weights; open its folder instead.</source>
        <translation>{} 是未指明任何权重的 JSON 文件；请改为打开其所在文件夹。</translation>
    </message>
    <message>
        <source>{} is empty; download or copy it again.</source>
        <translation>{} 是空的；请重新下载或复制。</translation>
    </message>
    <message>
        <source>{}: the tensor name {} contains control characters.</source>
        <translation>{}：张量名 {} 含有控制字符。</translation>
    </message>
    <message>
        <source>{}: the tensor name {} contains combining marks; another name may look identical.</source>
        <translation>{}：张量名 {} 含有组合记号；另一个名称可能看起来相同。</translation>
    </message>
    <message>
        <source>{}: the tensor {} exceeds the maximum file size (data_offsets {} to {}).</source>
        <translation>{}：张量 {} 超出任何文件的范围（data_offsets {} 到 {}）。</translation>
    </message>
    <message>
        <source>{}: the tensor {} ends at {}, before its start at {}.</source>
        <translation>{}：张量 {} 结束于 {}，早于其起点 {}。</translation>
    </message>
    <message>
        <source>{}: the tensor {} of type {} and shape {} does not occupy a whole number of bytes.</source>
        <translation>{}：张量 {}（类型 {}，形状 {}）不能填满整数个字节。</translation>
    </message>
    <message>
        <source>{}: the tensor {} of type {} and shape {} needs {} bytes but has {}.</source>
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
        <source>{} is not a safetensors file: it has {} bytes, but the header length alone takes 8.</source>
        <translation>{} 不是 safetensors 文件：它只有 {} 字节，少于头部长度所占的 8 字节。</translation>
    </message>
    <message>
        <source>{} is truncated or not a safetensors file: the header length {} at byte 0 exceeds the file size ({} bytes).</source>
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
        <source>{} is truncated: it has {} of the {} bytes declared in its header.</source>
        <translation>{} 被截断：它有 {} 字节，而头部声明有 {} 字节。</translation>
    </message>
    <message>
        <source>{}: the header contains text that is not valid UTF-8 (byte {}).</source>
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
        <source>{}: the header starts with {} spaces.</source>
        <translation>{}：头部以 {} 个空白开头。</translation>
    </message>
    <message>
        <source>{} is not a valid safetensors file: its header is not padded with spaces (byte {}).</source>
        <translation>{} 不是有效的 safetensors 文件：其头部用空白以外的内容填充（字节 {}）。</translation>
    </message>
    <message>
        <source>{}: __metadata__ has {} bytes.</source>
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
        <source>{}: the tensor {} has the type {}, which Weighbridge does not support.</source>
        <translation>{}：张量 {} 的类型是 {}，不受支持。</translation>
    </message>
    <message>
        <source>{} is not a valid safetensors file: the number {} in its header is not allowed (byte {}).</source>
        <translation>{} 不是有效的 safetensors 文件：其头部中的数字 {} 不被允许（字节 {}）。</translation>
    </message>
    <message>
        <source>{}: the shape of {} has too many elements to count (byte {}).</source>
        <translation>{}：{} 的形状的元素数多到无法计数（字节 {}）。</translation>
    </message>
    <message>
        <source>{}: the shape of the empty tensor {} overflows before its zero.</source>
        <translation>{}：空张量 {} 的形状在遇到零之前就已溢出。</translation>
    </message>
    <message>
        <source>{}: the tensor {} has the unknown field {}.</source>
        <translation>{}：张量 {} 有未知的字段 {}。</translation>
    </message>
    <message>
        <source>{}: the tensor {} has more than {} unknown fields.</source>
        <translation>{}：张量 {} 有超过 {} 个未知的字段。</translation>
    </message>
    <message>
        <source>{} is not a safetensors index: it has no weight_map.</source>
        <translation>{} 不是 safetensors 文件的索引：它没有 weight_map。</translation>
    </message>
    <message>
        <source>{} is not a valid index: {} (byte {}).</source>
        <translation>{} 不是有效的索引：{}（字节 {}）。</translation>
    </message>
    <message>
        <source>{}: the file name {} points outside the model folder and is ignored (byte {}).</source>
        <translation>{}：文件名 {} 指向模型文件夹之外，已忽略（字节 {}）。</translation>
    </message>
    <message>
        <source>{} lists more than {} files.</source>
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
        <source>{}: the tensor {} is listed in {} but stored in {}.</source>
        <translation>{}：张量 {} 列在 {} 中，但实际存储在 {} 中。</translation>
    </message>
    <message>
        <source>{}: the tensor {} is not in {}.</source>
        <translation>{}：张量 {} 不在 {} 中。</translation>
    </message>
    <message>
        <source>{}: total_size is {}, but the tensors have {} bytes.</source>
        <translation>{}：total_size 为 {}，而张量占 {} 字节。</translation>
    </message>
    <message>
        <source>{}: {} more problems of the same type ({}) are not listed.</source>
        <translation>{}：还有 {} 个同类问题 ({}) 未列出。</translation>
    </message>
    <message>
        <source>The file {} is missing; the tensors that the index places in it cannot be read.</source>
        <translation>缺少文件 {}；索引放在其中的张量无法读取。</translation>
    </message>
    <message>
        <source>{} lists {} files; at most {} are read for one model.</source>
        <translation>{} 指明了 {} 个文件；一个模型最多读取 {} 个。</translation>
    </message>
    <message>
        <source>{}: the tensor {} is in {} and in {}.</source>
        <translation>{}：张量 {} 同时在 {} 和 {} 中。</translation>
    </message>
    <message>
        <source>The name &quot;{}&quot; in the model points outside its folder and is ignored.</source>
        <translation>模型中的名称“{}”指向其文件夹之外，已忽略。</translation>
    </message>
    <message>
        <source>{} ends at byte {}, before the declared byte {}.</source>
        <translation>{} 结束于字节 {}，未达到它声明的字节 {}。</translation>
    </message>
    <message>
        <source>{} ends at byte {}, but {} more bytes should follow byte {}; download it again.</source>
        <translation>{} 结束于字节 {}，但还应有 {} 字节跟在字节 {} 之后；请重新下载。</translation>
    </message>
    <message>
        <source>{} does not exist; check the path.</source>
        <translation>{} 不存在；请检查路径。</translation>
    </message>
    <message>
        <source>{} is a link to a file outside the model folder; open its target instead.</source>
        <translation>{} 是指向模型文件夹之外的链接；请改为打开其目标文件。</translation>
    </message>
    <message>
        <source>{} cannot be read ({}); check its permissions.</source>
        <translation>无法读取 {} ({})；请检查其权限。</translation>
    </message>
    <message>
        <source>{} is a folder; a file is expected.</source>
        <translation>{} 是文件夹，而此处需要文件。</translation>
    </message>
    <message>
        <source>{} is not a regular file; copy its contents to one first.</source>
        <translation>{} 不是普通文件；请先将其内容复制到普通文件中。</translation>
    </message>
    <message>
        <source>{} cannot be read at byte {} ({}); check the disk.</source>
        <translation>无法读取 {} 的字节 {} 处 ({})；请检查磁盘。</translation>
    </message>
    <message>
        <source>{} became shorter while being read; open it again when it is complete.</source>
        <translation>{} 在读取期间变短了；请在其完整后重新打开。</translation>
    </message>
    <message>
        <source>{} has changed on disk since it was opened; open it again.</source>
        <translation>{} 打开后在磁盘上发生了变化；请重新打开。</translation>
    </message>
    <message>
        <source>Cannot read the values of {} in {}: {}.</source>
        <translation>无法读取 {} 的值（位于 {}）：{}。</translation>
    </message>
    <message>
        <source>Cannot read the values of {} in {}: the type {} is not supported.</source>
        <translation>无法读取 {} 的值（位于 {}）：不支持类型 {}。</translation>
    </message>
    <message>
        <source>The values of {} are outside {}.</source>
        <translation>{} 的值不在 {} 之内。</translation>
    </message>
    <message>
        <source>A read of {} exceeded the tensor or split a block.</source>
        <translation>对 {} 的读取超出了张量或拆分了块。</translation>
    </message>
    <message>
        <source>{} has values of type {}, which are not single numbers.</source>
        <translation>{} 含有类型 {} 的值，每个值不是单个数字。</translation>
    </message>
    <message>
        <source>&quot;{}&quot; is not a valid regular expression ({}).</source>
        <translation>“{}”不是正则表达式 ({})。</translation>
    </message>
    <message>
        <source>The rows of {} have {} elements, which {} cannot store and has no fallback for; choose another type for this tensor.</source>
        <translation>{} 的每行有 {} 个元素，{} 无法容纳且没有替代类型；请为此张量选择其他类型。</translation>
    </message>
    <message>
        <source>The &quot;)&quot; at position {} has no matching &quot;(&quot;.</source>
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
        <source>Unknown role &quot;{}&quot; (position {}); the roles are {}.</source>
        <translation>未知的“作用”取值“{}”（位置 {}）；可用的有 {}。</translation>
    </message>
    <message>
        <source>&quot;{}&quot; does not support the operator &quot;{}&quot; (position {}); use &quot;:&quot;, &quot;=&quot; or &quot;!=&quot;.</source>
        <translation>“{}”不支持运算符“{}”（位置 {}）；请使用“:”、“=”或“!=”。</translation>
    </message>
    <message>
        <source>&quot;{}&quot; at position {} is not a shape; use the form 4096x14336, with * for any dimension.</source>
        <translation>“{}”（位置 {}）不是形状；请写成 4096x14336 的形式，用 * 表示任意维度。</translation>
    </message>
    <message>
        <source>&quot;{}&quot; at position {} is not a number for &quot;{}&quot;; use the form 12, 1.5e-3, 10M or 0-3.</source>
        <translation>“{}”（位置 {}）不是“{}”可用的数字；请写成 12、1.5e-3、10M 或 0-3 的形式。</translation>
    </message>
    <message>
        <source>The range &quot;{}&quot; at position {} ends before it starts.</source>
        <translation>范围“{}”（位置 {}）的终点在起点之前。</translation>
    </message>
    <message>
        <source>The search is longer than {} characters.</source>
        <translation>搜索超过 {} 个字符。</translation>
    </message>
    <message>
        <source>Invalid number of histogram bins: {}; use 1 to 65,536.</source>
        <translation>直方图区间数 {} 无效；请使用 1 到 65,536。</translation>
    </message>
    <message>
        <source>The tensor {} has {} channels; at most {} are supported. Choose the other axis.</source>
        <translation>张量 {} 有 {} 个通道；最多保留 {} 个，请选择另一个轴。</translation>
    </message>
    <message>
        <source>Cannot read the saved statistics; they will be recomputed.</source>
        <translation>无法读取已保存的统计数据；将重新计算。</translation>
    </message>
    <message>
        <source>Not enough memory for this job; close other models and try again.</source>
        <translation>内存不足，无法执行此任务；请关闭其他模型后重试。</translation>
    </message>
    <message>
        <source>The job stopped because of a bug in Weighbridge: {}</source>
        <translation>任务因 Weighbridge 的缺陷而中止：{}</translation>
    </message>
    <message>
        <source>{} has no tensor named {}; run wb inspect to list the names.</source>
        <translation>{} 中没有名为 {} 的张量；请对其运行 wb inspect 查看名称。</translation>
    </message>
    <message>
        <source>Cannot write {} ({}); choose another folder or free disk space.</source>
        <translation>无法写入 {} ({})；请选择其他文件夹或腾出空间。</translation>
    </message>
    <message>
        <source>{}: {}</source>
        <translation>{}：{}</translation>
    </message>
    <message>
        <source>{} cannot be quantized: {} contains a NaN or infinite value; repair the model first.</source>
        <translation>{} 无法量化：{} 含有 NaN 或无穷值；请先修复模型。</translation>
    </message>
    <message>
        <source>{} cannot be quantized: {} has values outside the range of {}; choose BF16 or F32 for it.</source>
        <translation>{} 无法量化：{} 的值超出了 {} 的范围；请为它选择 BF16 或 F32。</translation>
    </message>
    <message>
        <source>The importance matrix {} has {} values for {}, which needs {}; it was made for another model.</source>
        <translation>重要性矩阵 {} 中有 {} 个值对应 {}，而后者需要 {} 个；它是为其他模型生成的。</translation>
    </message>
    <message>
        <source>The importance matrix does not match {} and is not used for it.</source>
        <translation>重要性矩阵与 {} 不匹配，因此不用于该张量。</translation>
    </message>
    <message>
        <source>{} cannot be quantized, because the values of {} cannot be read.</source>
        <translation>{} 无法量化，因为 {} 的值无法读取。</translation>
    </message>
    <message>
        <source>{} uses {} instead of {}, whose block size does not divide the row size {}.</source>
        <translation>{} 改用 {} 而不是 {}，因为后者的块大小不能整除行长 {}。</translation>
    </message>
    <message>
        <source>{} cannot be quantized to {} without importance data; provide an importance matrix.</source>
        <translation>{} 在没有重要性数据时无法量化为 {}；请提供重要性矩阵。</translation>
    </message>
    <message>
        <source>{} is not a GGUF file; only GGUF files can be quantized.</source>
        <translation>{} 不是 GGUF 文件；目前只能量化 GGUF。</translation>
    </message>
    <message>
        <source>{} contains no tensors to quantize.</source>
        <translation>{} 不含张量，没有可量化的内容。</translation>
    </message>
    <message>
        <source>{} was not written as planned; please report this bug.</source>
        <translation>{} 未按计划写出；请报告此问题。</translation>
    </message>
    <message>
        <source>{}: rows of {} elements cannot be stored as {} in a GGUF file.</source>
        <translation>{} 每行有 {} 个元素，无法以 {} 存入 GGUF 文件。</translation>
    </message>
    <message>
        <source>The metadata of {} has {} bytes, too many to copy to another file.</source>
        <translation>{} 的元数据占 {} 字节，超出了可复制到其他文件的上限。</translation>
    </message>
    <message>
        <source>The tensor name {} exceeds the 63 bytes that GGUF allows.</source>
        <translation>张量名称 {} 超过了 GGUF 允许的 63 字节。</translation>
    </message>
    <message>
        <source>The tensors up to {} are too large for one file.</source>
        <translation>到 {} 为止的张量对单个文件来说过大。</translation>
    </message>
    <message>
        <source>Not enough disk space for {}; free some space or choose another folder.</source>
        <translation>磁盘空间不足以存放 {}；请释放空间或选择其他位置。</translation>
    </message>
    <message>
        <source>The importance matrix {} has no matching sums and counts for {}; create it again.</source>
        <translation>重要性矩阵 {} 中没有与 {} 匹配的总和与计数；请重新生成。</translation>
    </message>
    <message>
        <source>{} is a GGUF file, but not an importance matrix: it has no imatrix.* keys.</source>
        <translation>{} 是 GGUF 文件，但不是重要性矩阵；它缺少 imatrix.* 键。</translation>
    </message>
    <message>
        <source>The importance matrix {} has a NaN or infinite value for {}; create it again.</source>
        <translation>重要性矩阵 {} 中 {} 的某个值为 NaN 或无穷；请重新生成。</translation>
    </message>
    <message>
        <source>{} is not an importance matrix (invalid at byte {}); create it again with llama-imatrix.</source>
        <translation>{} 不是重要性矩阵（第 {} 字节不符合格式）；请用 llama-imatrix 重新生成。</translation>
    </message>
    <message>
        <source>{} is part of the model itself; export to another file.</source>
        <translation>{} 属于模型本身；请导出到其他文件。</translation>
    </message>
    <message>
        <source>{} is not a quantization type for tensors.</source>
        <translation>{} 不是张量的量化类型。</translation>
    </message>
    <message>
        <source>{} does not have the form REGEX=TYPE.</source>
        <translation>{} 不符合 REGEX=TYPE 的形式。</translation>
    </message>
    <message>
        <source>{} is only used for activations, never in files; choose another type.</source>
        <translation>{} 用于激活值，从不存入文件；请选择其他类型。</translation>
    </message>
    <message>
        <source>{} is not a quantization type; try Q4_K_M, Q8_0 or IQ4_XS.</source>
        <translation>{} 不是量化类型；请尝试 Q4_K_M、Q8_0 或 IQ4_XS。</translation>
    </message>
    <message>
        <source>--include-weights and --exclude-weights cannot be used together.</source>
        <translation>--include-weights 与 --exclude-weights 不能同时使用。</translation>
    </message>
    <message>
        <source>Missing from the {} parts of {}, so their tensors are unknown: {}.</source>
        <translation>{} 个部分（{}）中缺少以下部分，因此其张量未知：{}。</translation>
    </message>
    <message>
        <source>{}: the tensor {} of type {} and shape {} has too many bytes to count.</source>
        <translation>{}：张量 {}（类型 {}，形状 {}）的字节数大得无法计数。</translation>
    </message>
    <message>
        <source>The GPU {} stopped working; the CPU takes over.</source>
        <translation>GPU {} 已停止工作；改由 CPU 继续。</translation>
    </message>
    <message>
        <source>The GPU {} is out of memory; the CPU takes over.</source>
        <translation>GPU {} 显存不足；改由 CPU 执行。</translation>
    </message>
    <message>
        <source>The driver of the GPU {} rejected a request ({}); the CPU takes over.</source>
        <translation>GPU {} 的驱动程序拒绝了一个请求（{}）；改由 CPU 执行。</translation>
    </message>
    <message>
        <source>Vulkan is not installed, so no GPU is available; the CPU is used.</source>
        <translation>未安装 Vulkan，因此没有可用的 GPU；改用 CPU。</translation>
    </message>
    <message>
        <source>No usable GPU found; the CPU is used.</source>
        <translation>没有找到可用的 GPU；改用 CPU。</translation>
    </message>
    <message>
        <source>The GPU {} cannot be used because it lacks {}; choose another device or the CPU.</source>
        <translation>无法使用 GPU {}，它缺少 {}；请选择其他设备或 CPU。</translation>
    </message>
    <message>
        <source>There is no GPU number {}; run wb devices to list them.</source>
        <translation>没有编号为 {} 的 GPU；请运行 wb devices 查看列表。</translation>
    </message>
    <message>
        <source>The shader {} received the wrong buffers; please report this bug.</source>
        <translation>着色器 {} 收到了错误的缓冲区；请报告此缺陷。</translation>
    </message>
    <message>
        <source>The GPU {} produces wrong results ({}); the CPU is used instead.</source>
        <translation>GPU {} 的计算结果有误（{}）；改用 CPU。</translation>
    </message>
    <message>
        <source>{} is not stored in blocks, so it has no codes or scales.</source>
        <translation>{} 不是分块存储的，因此没有编码和缩放系数。</translation>
    </message>
    <message>
        <source>A heat map requested elements that the tensor does not have.</source>
        <translation>热力图请求了该张量中不存在的元素。</translation>
    </message>
    <message>
        <source>Only tensors with the same shape can be compared; these are {} and {}.</source>
        <translation>只能比较形状相同的张量；这两个的形状是 {} 和 {}。</translation>
    </message>
    <message>
        <source>Statistics of {} are computed by the CPU.</source>
        <translation>{} 的统计由 CPU 计算。</translation>
    </message>
    <message>
        <source>{} is not a valid plan file: its field &quot;{}&quot; is missing or invalid; save the plan again.</source>
        <translation>{} 不是有效的方案文件：字段“{}”缺失或无效；请重新保存方案。</translation>
    </message>
    <message>
        <source>{} is a plan of version {}, which this version of Weighbridge does not support; update Weighbridge.</source>
        <translation>{} 是版本 {} 的方案，此版本的 Weighbridge 不支持；请更新程序。</translation>
    </message>
    <message>
        <source>{} is not a valid plan file: its entry for {} is invalid; save the plan again.</source>
        <translation>{} 不是有效的方案文件：{} 的条目无效；请重新保存方案。</translation>
    </message>
    <message>
        <source>{} is not the model that this plan was made for ({}); create a new plan.</source>
        <translation>{} 不是该方案所针对的模型（{}）；请为它重新制定方案。</translation>
    </message>
    <message>
        <source>{} has an alignment other than {}; the new file uses the default.</source>
        <translation>{} 的对齐方式不是 {}；新文件采用通常的对齐方式。</translation>
    </message>
    <message>
        <source>{} is never quantized and cannot be changed to {}.</source>
        <translation>{} 从不量化，不能变为 {}。</translation>
    </message>
    <message>
        <source>{} cannot be quantized to {}: its block size does not divide the row size {}.</source>
        <translation>{} 不能量化为 {}：其块大小不能整除行长 {}。</translation>
    </message>
    <message>
        <source>{} needs {} of disk space, but only {} is free; free some space or choose another folder.</source>
        <translation>{} 需要 {} 磁盘空间，但只剩 {}；请腾出空间或另选位置。</translation>
    </message>
    <message>
        <source>{} belongs to another unfinished job; wait for it to finish or choose another name.</source>
        <translation>{} 属于另一个尚未完成的任务；请等待其完成或另选名称。</translation>
    </message>
    <message>
        <source>Row {} contains a NaN or infinite value, which cannot be quantized.</source>
        <translation>第 {} 行含有 NaN 或无穷值，无法量化。</translation>
    </message>
    <message>
        <source>Rows of {} elements cannot be quantized to {}.</source>
        <translation>每行 {} 个元素的张量不能量化为 {}。</translation>
    </message>
    <message>
        <source>The values exceed the range of {}.</source>
        <translation>数值超出了 {} 的范围。</translation>
    </message>
    <message>
        <source>--plan already specifies types and importance data; remove the other options about them.</source>
        <translation>--plan 已决定类型和重要性数据；请去掉与之相关的其他选项。</translation>
    </message>
    <message>
        <source>Specify one of TYPE, --plan FILE and --budget SIZE.</source>
        <translation>请指定 TYPE、--plan FILE 和 --budget SIZE 之一。</translation>
    </message>
    <message>
        <source>{} is not a size; use the form 4.2GB or 3900MiB.</source>
        <translation>{} 不是大小；请写成 4.2GB 或 3900MiB 这样的形式。</translation>
    </message>
    <message>
        <source>--budget chooses the types itself; remove --pure and --tensor-type.</source>
        <translation>--budget 会自行选择类型；请去掉 --pure 和 --tensor-type。</translation>
    </message>
    <message>
        <source>The GPU {} quantizes {} incorrectly; the CPU is used instead.</source>
        <translation>GPU {} 对 {} 的量化结果有误；改由 CPU 完成。</translation>
    </message>
    <message>
        <source>The GPU {} flushes numbers below 1.2e-38 to zero, so the CPU requantized {} of {} blocks that may contain such numbers.</source>
        <translation>GPU {} 会把小于 1.2e-38 的数清零，因此 CPU 重新量化了可能含有此类数值的块：{} 个（共 {} 个）。</translation>
    </message>
    <message>
        <source>{}: GPU {} GB/s, CPU {} GB/s.</source>
        <translation>{}：GPU {} GB/秒，CPU {} GB/秒。</translation>
    </message>
    <message>
        <source>The values of {} need more than 32 bits, so the CPU computes their statistics.</source>
        <translation>{} 的数值需要超过 32 位，因此由 CPU 计算其统计。</translation>
    </message>
    <message>
        <source>The CPU is faster for tensors with less than a million elements.</source>
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
        <source>{} is already quantized ({} is {}); start from the float model, or allow requantizing.</source>
        <translation>{} 已经量化过（{} 为 {}）；请从浮点模型开始，或允许重新量化。</translation>
    </message>
    <message>
        <source>{} already exists; choose another name, or allow replacing it.</source>
        <translation>{} 已存在；请换一个名称，或允许替换它。</translation>
    </message>
    <message>
        <source>{} does not belong to any of the model&apos;s {} layers; such a model can be quantized only with a single type (--pure).</source>
        <translation>{} 不属于模型的 {} 个层中的任何一层；这样的模型只能整体量化为单一类型（--pure）。</translation>
    </message>
    <message>
        <source>--budget-exact requires --budget SIZE.</source>
        <translation>--budget-exact 需要 --budget SIZE。</translation>
    </message>
    <message>
        <source>The disk became full while writing {}; free some space and start again to resume.</source>
        <translation>写入 {} 时磁盘已满；请腾出空间后重新开始，将从中断处继续。</translation>
    </message>
    <message>
        <source>The tensor has no element at row {}, column {}.</source>
        <translation>张量在第 {} 行第 {} 列没有元素。</translation>
    </message>
    <message>
        <source>{} is an input of this job and would be overwritten; choose another output name.</source>
        <translation>{} 是此任务的输入，会被覆盖；请另选输出名称。</translation>
    </message>
    <message>
        <source>{} is a device or pipe and cannot be replaced by a file; choose another name.</source>
        <translation>{} 是设备或管道，不能被文件替换；请另选名称。</translation>
    </message>
    <message>
        <source>The importance matrix {} is empty; create it again.</source>
        <translation>重要性矩阵 {} 不含任何数值；请重新生成。</translation>
    </message>
    <message>
        <source>--include-weights and --exclude-weights require --imatrix.</source>
        <translation>--include-weights 和 --exclude-weights 需要 --imatrix。</translation>
    </message>
    <message>
        <source>No data of the importance matrix {} passes the filter; the model is quantized without it.</source>
        <translation>过滤后重要性矩阵 {} 中不剩任何内容；模型将在不使用它的情况下量化。</translation>
    </message>
    <message>
        <source>The importance matrix {} has no data for {} of {} tensors; it may belong to another model.</source>
        <translation>重要性矩阵 {} 缺少 {} 个张量的数据（共 {} 个）；它可能属于另一个模型。</translation>
    </message>
    <message>
        <source>{} cannot be quantized to {}; the smallest available types need {}.</source>
        <translation>{} 无法量化到 {}；最小的可用类型也需要 {}。</translation>
    </message>
    <message>
        <source>{} cannot be quantized to {}; the smallest available types need {}. With an importance matrix, smaller types are available.</source>
        <translation>{} 无法量化到 {}；最小的可用类型也需要 {}。提供重要性矩阵后可使用更小的类型。</translation>
    </message>
    <message>
        <source>{} is not a plan saved by Weighbridge; choose another file.</source>
        <translation>{} 不是 Weighbridge 保存的方案；请选择其他文件。</translation>
    </message>
    <message>
        <source>Cannot write {}, because the folder {} does not exist; create it or choose another one.</source>
        <translation>无法写入 {}，因为文件夹 {} 不存在；请创建它或另选一个。</translation>
    </message>
    <message>
        <source>Cannot finish {}, because {} was removed in the meantime; start again.</source>
        <translation>无法完成 {}，因为 {} 在此期间被删除；请重新开始。</translation>
    </message>
    <message>
        <source>{} does not have the form KEY=int:N, KEY=float:X, KEY=bool:true or KEY=str:TEXT.</source>
        <translation>{} 的形式不是 KEY=int:N、KEY=float:X、KEY=bool:true 或 KEY=str:TEXT。</translation>
    </message>
    <message>
        <source>{} describes how the new file is written and cannot be set.</source>
        <translation>{} 说明新文件如何写入，不能设置。</translation>
    </message>
    <message>
        <source>{} stores one value per layer in {}, so its layers cannot be pruned.</source>
        <translation>{} 按层在 {} 中存储数值，因此不能裁剪其层。</translation>
    </message>
    <message>
        <source>{} stores {} as {} instead of {}; convert the model again.</source>
        <translation>{} 把 {} 存储为 {} 而不是 {}；请重新转换模型。</translation>
    </message>
    <message>
        <source>{} stores {} as {}, but loaders expect a u32; convert the model again.</source>
        <translation>{} 把 {} 存储为 {}，而加载器需要 u32；请重新转换模型。</translation>
    </message>
    <message>
        <source>{}: {} is {}, but loaders accept only {} to {}; convert the model again.</source>
        <translation>{}：{} 为 {}，但加载器只接受 {} 到 {}；请重新转换模型。</translation>
    </message>
    <message>
        <source>{} has {} values for {} but {} layers; convert the model again.</source>
        <translation>{} 有 {} 个值对应 {}，但有 {} 层；请重新转换模型。</translation>
    </message>
    <message>
        <source>{} is not a list of layers such as 3,4,5.</source>
        <translation>{} 不是像 3,4,5 这样的层列表。</translation>
    </message>
    <message>
        <source>{} is an importance matrix, not a model; choose the model it was made for.</source>
        <translation>{} 是重要性矩阵而不是模型；请选择它所属的模型。</translation>
    </message>
    <message>
        <source>The new file contains {}, as requested.</source>
        <translation>按要求，新文件中有 {}。</translation>
    </message>
    <message>
        <source>Layers removed from {}, as requested: {}.</source>
        <translation>按要求移除了 {} 的以下层：{}。</translation>
    </message>
    <message>
        <source>{} has no tensor {}, for which the plan sets a type; create a new plan.</source>
        <translation>{} 中没有方案为其指定类型的张量 {}；请重新制定方案。</translation>
    </message>
    <message>
        <source>{} contains more than 256 MiB of names up to byte {}; download it again.</source>
        <translation>{} 到第 {} 字节为止的名称已超过 256 MiB；请重新下载。</translation>
    </message>
    <message>
        <source>The CPU quantizes {} faster than the GPU {}, so the CPU is used.</source>
        <translation>CPU 量化 {} 比 GPU {} 更快，因此使用 CPU。</translation>
    </message>
    <message>
        <source>Not enough memory; close other programs or use fewer threads.</source>
        <translation>内存不足；请关闭其他程序，或使用更少的线程。</translation>
    </message>
    <message>
        <source>Cannot save a plan for {}: {} tensors exceed the limit; quantize without saving a plan.</source>
        <translation>无法保存 {} 的方案：{} 个张量超出上限；请不保存方案而直接量化。</translation>
    </message>
    <message>
        <source>Cannot save a plan for {}: several tensors are named {}; quantize without saving a plan.</source>
        <translation>无法保存 {} 的方案：有多个张量名为 {}；请不保存方案而直接量化。</translation>
    </message>
    <message>
        <source>Cannot save the plan: the path of the importance matrix {} is not valid UTF-8; rename its file or folder.</source>
        <translation>无法保存方案，因为重要性矩阵 {} 的路径不是 UTF-8；请重命名其文件或文件夹。</translation>
    </message>
    <message>
        <source>{} cannot be quantized, because {} has values of type {}; convert it with F32, F16 or BF16 there.</source>
        <translation>{} 无法量化，因为 {} 保存的是 {} 类型的值；请重新制作该文件，在那里使用 F32、F16 或 BF16。</translation>
    </message>
    <message>
        <source>No loader accepts {} with the requested {}; set another value.</source>
        <translation>没有加载器接受 {} 的所设值 {}；请设置其他值。</translation>
    </message>
    <message>
        <source>{} does not have these layers to prune: {}.</source>
        <translation>{} 没有要裁剪的这些层：{}。</translation>
    </message>
    <message>
        <source>{} is a text of {} bytes, more than the {} bytes that Weighbridge reads; check that it is the right file.</source>
        <translation>{} 是 {} 字节的文本，超过了本程序读取的 {} 字节上限；请确认它是正确的文件。</translation>
    </message>
    <message>
        <source>The importance matrix {} has a negative value for {}, but mean squares are never negative; create it again.</source>
        <translation>重要性矩阵 {} 中 {} 的某个值为负，而平方的平均值不会为负；请重新生成。</translation>
    </message>
    <message>
        <source>The importance matrix {} has {} values, more than any model has columns; create it again.</source>
        <translation>重要性矩阵 {} 含有 {} 个值，超过任何模型的列数；请重新生成。</translation>
    </message>
    <message>
        <source>The importance matrix {} changed while in use; start again.</source>
        <translation>重要性矩阵 {} 在使用期间被更改；请重新开始。</translation>
    </message>
    <message>
        <source>{} contains an invalid rule. {}</source>
        <translation>{} 中有一条无效规则。{}</translation>
    </message>
    <message>
        <source>A plan cannot store text that is not valid UTF-8; remove --save-plan.</source>
        <translation>方案无法保存不是有效 UTF-8 的文本；请去掉 --save-plan。</translation>
    </message>
    <message>
        <source>{} cannot be quantized to {}, which is not a target type.</source>
        <translation>{} 不能量化为 {}，它不是目标类型。</translation>
    </message>
    <message>
        <source>The GPU {} is not responding; restart Weighbridge to use it again.</source>
        <translation>GPU {} 无响应；请重启 Weighbridge 后再使用。</translation>
    </message>
    <message>
        <source>The GPU {} has too little memory to quantize to {}; the CPU is used instead.</source>
        <translation>GPU {} 的显存不足，无法量化为 {}；改由 CPU 完成。</translation>
    </message>
    <message>
        <source>The driver of the GPU {} failed to quantize to {}; the CPU is used instead.</source>
        <translation>GPU {} 的驱动程序无法量化为 {}；改由 CPU 完成。</translation>
    </message>
    <message>
        <source>The selected GPU is not available; choose another device or the CPU.</source>
        <translation>所选的 GPU 不可用；请选择其他设备或 CPU。</translation>
    </message>
    <message>
        <source>The importance matrix of the plan was not found at {} or {}; put it there, or save the plan again.</source>
        <translation>在 {} 和 {} 都找不到方案所用的重要性矩阵；请把它放到那里，或重新保存方案。</translation>
    </message>
    <message>
        <source>Unfinished output of another job in {} was discarded.</source>
        <translation>另一个任务在 {} 上未完成的输出已被丢弃。</translation>
    </message>
    <message>
        <source>The model does not specify its KV cache size; choose a file size instead.</source>
        <translation>该模型没有说明 KV 缓存的大小；请改为选择文件大小。</translation>
    </message>
    <message>
        <source>The KV cache ({}) and compute buffers ({}) alone exceed this memory; reduce the context length or increase the memory.</source>
        <translation>仅 KV 缓存（{}）和计算缓冲区（{}）就超出了这些内存；请减小上下文长度或增加内存。</translation>
    </message>
    <message>
        <source>{} describes a model of type &quot;{}&quot;, which is not supported.</source>
        <translation>{} 描述的模型类型为“{}”，不受支持。</translation>
    </message>
    <message>
        <source>{} stores {} as {}, but loaders expect a finite number; convert the model again.</source>
        <translation>{} 将 {} 存为 {}，而加载器需要有限的数值；请重新转换模型。</translation>
    </message>
    <message>
        <source>{} does not describe the model&apos;s layers; open a GGUF file or a folder with config.json.</source>
        <translation>{} 没有说明模型的层；请打开 GGUF 文件或含有 config.json 的文件夹。</translation>
    </message>
    <message>
        <source>The regular expressions of the pre-tokenizer &quot;{}&quot; do not compile; please report this bug.</source>
        <translation>预分词器“{}”的正则表达式无法编译；请报告此缺陷。</translation>
    </message>
    <message>
        <source>Unknown pre-tokenizer &quot;{}&quot;; choose one that splits text the same way, such as {}.</source>
        <translation>未知的预分词器“{}”；请选择切分方式相同的预分词器，例如 {}。</translation>
    </message>
    <message>
        <source>Tokenization canceled.</source>
        <translation>分词已取消。</translation>
    </message>
    <message>
        <source>{}: the normalization table of the vocabulary is corrupted; download it again.</source>
        <translation>{}：词表的规范化表已损坏；请重新下载。</translation>
    </message>
    <message>
        <source>{} contains no vocabulary; use the model file that has one.</source>
        <translation>{} 不含词表；请使用模型中含有词表的文件。</translation>
    </message>
    <message>
        <source>{} has a vocabulary of type &quot;{}&quot;; supported types are llama, gpt2, gemma4, bert, t5 and rwkv.</source>
        <translation>{} 的词表类型为“{}”；支持的类型有 llama、gpt2、gemma4、bert、t5 和 rwkv。</translation>
    </message>
    <message>
        <source>{} does not specify a pre-tokenizer; the default is used.</source>
        <translation>{} 没有指定预分词器；将使用默认预分词器。</translation>
    </message>
    <message>
        <source>{}: tokenizer.ggml.{} has an implausible length.</source>
        <translation>{}：tokenizer.ggml.{} 的长度不合理。</translation>
    </message>
    <message>
        <source>{} has an empty vocabulary; download it again.</source>
        <translation>{} 的词表为空；请重新下载。</translation>
    </message>
    <message>
        <source>{} has {} duplicate tokens; the last one of each is used.</source>
        <translation>{} 有 {} 个重复的词元；各取最后一个。</translation>
    </message>
    <message>
        <source>{}: tokenizer.ggml.{} has {} values for {} tokens; download it again.</source>
        <translation>{}：tokenizer.ggml.{} 有 {} 个值，但词元有 {} 个；请重新下载。</translation>
    </message>
    <message>
        <source>{} has no merges, which its vocabulary requires; download it again.</source>
        <translation>{} 没有其词表所需的合并规则；请重新下载。</translation>
    </message>
    <message>
        <source>{}: tokenizer.ggml.{} is not a token of the vocabulary and is ignored.</source>
        <translation>{}：tokenizer.ggml.{} 不是词表中的词元，已忽略。</translation>
    </message>
    <message>
        <source>The driver of the GPU {} does not provide the required memory type; the CPU is used.</source>
        <translation>GPU {} 的驱动程序不提供所需类型的内存；改用 CPU。</translation>
    </message>
    <message>
        <source>Matching &quot;{}&quot; against the name {} takes too many steps; use a simpler pattern.</source>
        <translation>将“{}”与名称 {} 匹配所需的步骤过多；请使用更简单的模式。</translation>
    </message>
    <message>
        <source>{} has a name that is not valid UTF-8, so the job cannot be resumed later.</source>
        <translation>{} 的名称不是有效的 UTF-8，因此以后无法继续该任务。</translation>
    </message>
    <message>
        <source>{} has no unfinished job; check the name.</source>
        <translation>{} 没有未完成的任务；请检查名称。</translation>
    </message>
    <message>
        <source>{} has a context length of {} tokens, less than the requested {}.</source>
        <translation>{} 的上下文长度为 {} 个词元，少于所要求的 {} 个。</translation>
    </message>
    <message>
        <source>The system cannot start {} threads; use fewer.</source>
        <translation>系统无法启动 {} 个线程；请减少线程数。</translation>
    </message>
    <message>
        <source>The prompt has {} tokens and, together with a response, does not fit in the context of {} tokens.</source>
        <translation>提示词有 {} 个词元，连同回答放不进 {} 个词元的上下文。</translation>
    </message>
    <message>
        <source>{} uses the architecture {}, which cannot be run; supported: {}.</source>
        <translation>{} 的架构是 {}，不支持运行；支持的架构：{}。</translation>
    </message>
    <message>
        <source>{} has {}, which is not supported yet.</source>
        <translation>{} 含有 {}，目前还不支持。</translation>
    </message>
    <message>
        <source>{} is missing the tensor {}, which its architecture requires.</source>
        <translation>{} 缺少其架构所需的张量 {}。</translation>
    </message>
    <message>
        <source>{}: the tensor {} has the shape {}, but its architecture requires {}.</source>
        <translation>{} 中张量 {} 的形状是 {}，而其架构要求 {}。</translation>
    </message>
    <message>
        <source>{}: the tensor {} has the type {}, which cannot be used for inference.</source>
        <translation>{} 中张量 {} 的类型是 {}，无法用于计算。</translation>
    </message>
    <message>
        <source>{} cannot be run: the value of {} is missing or invalid.</source>
        <translation>{} 无法运行：{} 的值缺失或不可能成立。</translation>
    </message>
    <message>
        <source>The token ID {} is outside the vocabulary; the highest ID is {}.</source>
        <translation>词元编号 {} 超出词表范围；最大编号为 {}。</translation>
    </message>
    <message>
        <source>{} tokens do not fit in the context of {} tokens.</source>
        <translation>{} 个词元放不进 {} 个词元的上下文。</translation>
    </message>
    <message>
        <source>{} is not a logit bias; use the form ID=VALUE.</source>
        <translation>{} 不是有效的 logit 偏置；请写成 ID=值。</translation>
    </message>
    <message>
        <source>The vocabulary has no start token; enter a non-empty prompt.</source>
        <translation>模型的词表没有起始词元；请给出非空的提示。</translation>
    </message>
    <message>
        <source>A segment of {} is outside its file.</source>
        <translation>{} 的一个分片不在其文件之内。</translation>
    </message>
    <message>
        <source>The segments of {} have {} elements, but its shape {} needs {}.</source>
        <translation>{} 的各分片共有 {} 个元素，但其形状 {} 需要 {} 个。</translation>
    </message>
    <message>
        <source>The values of {} depend on themselves.</source>
        <translation>{} 的值由其自身计算得出，形成循环。</translation>
    </message>
    <message>
        <source>The values of {} depend on other tensors through more than {} levels.</source>
        <translation>{} 的值由其他张量计算得出，但步骤超过 {} 层。</translation>
    </message>
    <message>
        <source>The values of {} are computed from {}, which the model does not contain.</source>
        <translation>{} 的值由 {} 计算得出，但模型中没有该张量。</translation>
    </message>
    <message>
        <source>The values of {} are computed from more than {} tensors.</source>
        <translation>{} 的值由超过 {} 个张量计算得出。</translation>
    </message>
    <message>
        <source>The strides of {} do not match its type {} and shape {}.</source>
        <translation>{} 的步幅与其类型 {} 和形状 {} 不符。</translation>
    </message>
    <message>
        <source>The strides of {} point outside its file.</source>
        <translation>{} 的步幅超出了其文件的范围。</translation>
    </message>
    <message>
        <source>The chat template of {} fails with {}: {}</source>
        <translation>{} 的对话模板出错（{}）：{}</translation>
    </message>
    <message>
        <source>The chat template of {} fails with {} on line {}: {}</source>
        <translation>{} 的对话模板出错（{}，第 {} 行）：{}</translation>
    </message>
    <message>
        <source>The chat template of {} is not text; download it again.</source>
        <translation>{} 的对话模板不是文本；请重新下载。</translation>
    </message>
    <message>
        <source>Rendering canceled.</source>
        <translation>渲染已取消。</translation>
    </message>
    <message>
        <source>{} exceeds the size limit for such files.</source>
        <translation>{} 超过此类文件允许的大小。</translation>
    </message>
    <message>
        <source>{} is too large to read as text.</source>
        <translation>{} 太大，无法作为一段文本读取。</translation>
    </message>
    <message>
        <source>Standard input is not a JSON array of strings.</source>
        <translation>标准输入不是由字符串组成的 JSON 数组。</translation>
    </message>
    <message>
        <source>{} has no token {}; the highest ID is {}.</source>
        <translation>{} 没有词元 {}；其编号到 {} 为止。</translation>
    </message>
    <message>
        <source>Could not save the plan to {}.</source>
        <translation>无法将方案保存到 {}。</translation>
    </message>
    <message>
        <source>KV cache and state: the file does not describe the model&apos;s layers.</source>
        <translation>KV 缓存与状态：文件没有说明模型的层。</translation>
    </message>
    <message>
        <source>Compute buffers of the architecture {}, which have not been validated.</source>
        <translation>架构 {} 的计算缓冲区（未经验证）。</translation>
    </message>
    <message>
        <source>Compute buffers: the file does not describe the layers in enough detail.</source>
        <translation>计算缓冲区：文件对各层的说明不足。</translation>
    </message>
    <message>
        <source>Logits: the file does not specify the vocabulary size.</source>
        <translation>Logits：文件没有说明词表大小。</translation>
    </message>
    <message>
        <source>Multi-token prediction (MTP) layers, which are not loaded by default.</source>
        <translation>多词元预测（MTP）层，默认不加载。</translation>
    </message>
    <message>
        <source>Memory used by the GPU driver, including scratch memory at run time.</source>
        <translation>GPU 驱动占用的内存，包括运行时的临时内存。</translation>
    </message>
    <message>
        <source>Compute buffers of a GPU with only part of the layers: actual plans differ from the formula by up to 90%.</source>
        <translation>只放部分层的 GPU 的计算缓冲区：实际规划与公式最多相差 90%。</translation>
    </message>
    <message>
        <source>Attention scores above 1 GiB, or of quantized keys, without flash attention: the GPU may need twice as much or move them to RAM.</source>
        <translation>不用 Flash Attention 时，超过 1 GiB 的注意力分数或量化的 K：GPU 可能占用两份，也可能放到内存。</translation>
    </message>
    <message>
        <source>{} would need more bytes with these settings than can be counted; check its values.</source>
        <translation>{} 在这些设置下需要的字节数多到无法计数；请检查其数值。</translation>
    </message>
    <message>
        <source>{} parameters × {} bits (average) / 8, as stored</source>
        <translation>{} 个参数 × 平均 {} 位 / 8，按文件中的类型</translation>
    </message>
    <message>
        <source>{} parameters × {} bits (average) / 8, as {}</source>
        <translation>{} 个参数 × 平均 {} 位 / 8，类型 {}</translation>
    </message>
    <message>
        <source>A weight takes {} bits instead of {}: blocks include scales, and some tensors use larger types.</source>
        <translation>每个权重占 {} 位而不是 {} 位：块中含有缩放系数，部分张量使用更大的类型。</translation>
    </message>
    <message>
        <source>Recurrent layers use {} regardless of the context length.</source>
        <translation>循环层占用 {}，与上下文长度无关。</translation>
    </message>
    <message>
        <source>Compute buffers and logits take {}, depending on the micro-batch size, not on the weights.</source>
        <translation>计算缓冲区和 logits 占 {}，取决于微批次大小，与权重无关。</translation>
    </message>
    <message>
        <source>The tied embeddings are stored in both RAM and VRAM: {} more.</source>
        <translation>共享的词嵌入在内存和显存中各有一份：多 {}。</translation>
    </message>
    <message>
        <source>The {} must be between 1 and {}, not {}.</source>
        <translation>{} 必须在 1 到 {} 之间，不能是 {}。</translation>
    </message>
    <message>
        <source>The {} of this model&apos;s KV cache have rows of {} elements, which {} cannot store; choose f16.</source>
        <translation>此模型 KV 缓存的 {} 每行 {} 个元素，{} 无法存放；请选择 f16。</translation>
    </message>
    <message>
        <source>{} sequences cannot share {} tokens of context; use fewer sequences or a longer context.</source>
        <translation>{} 个序列无法共用 {} 个词元的上下文；请减少序列数或加长上下文。</translation>
    </message>
    <message>
        <source>A V cache of type {} requires flash attention; choose f16 or turn flash attention on.</source>
        <translation>V 缓存类型 {} 需要 Flash Attention；请选择 f16 或开启 Flash Attention。</translation>
    </message>
    <message>
        <source>A size does not determine the layers; those of {} ({} parameters) are assumed, with a 10% safety margin.</source>
        <translation>仅凭规模无法确定各层；这里按 {}（{} 个参数）的层估算，并留出 10% 的余量。</translation>
    </message>
    <message>
        <source>{} is not a file, a size such as 7B, 8x7B or 235B-A22B, or a known model name; enter a path or a size.</source>
        <translation>{} 既不是文件，也不是 7B、8x7B、235B-A22B 这样的规模或已知的模型名；请输入路径或规模。</translation>
    </message>
    <message>
        <source>{} has no tensors or layers to estimate; choose a model file, a folder or a config.json.</source>
        <translation>{} 没有可估算的张量或层；请选择模型文件、文件夹或 config.json。</translation>
    </message>
    <message>
        <source>This model is not a plain transformer; its weights are counted as stored, and other types are not available.</source>
        <translation>此模型不是普通的 Transformer；权重按文件中的类型计算，不提供其他类型。</translation>
    </message>
    <message>
        <source>The tensor types of {} cannot be determined for other quantizations; only the weights as stored are counted.</source>
        <translation>无法确定 {} 的张量在其他量化下的类型；只按文件中的权重计算。</translation>
    </message>
    <message>
        <source>{} does not describe the model&apos;s layers; open a GGUF file, a folder with config.json or a config.json.</source>
        <translation>{} 没有说明模型的层；请打开 GGUF 文件、带 config.json 的文件夹或 config.json。</translation>
    </message>
    <message>
        <source>Layers as in {} ({} parameters).</source>
        <translation>各层与 {}（{} 个参数）相同。</translation>
    </message>
    <message>
        <source>{} is not a JSON object; choose a model&apos;s config.json.</source>
        <translation>{} 不是 JSON 对象；请选择模型的 config.json。</translation>
    </message>
    <message>
        <source>{} in config.json is not a number that GGUF can store.</source>
        <translation>config.json 中的 {} 不是 GGUF 文件能保存的数字。</translation>
    </message>
    <message>
        <source>config.json is missing {}, which models of the architecture {} require.</source>
        <translation>config.json 缺少 {}，而 {} 架构的模型需要它。</translation>
    </message>
    <message>
        <source>RoPE scaling of type {} cannot be written; the new file works only up to the context length used in training.</source>
        <translation>无法写入 {} 类型的 RoPE 缩放；新文件只能用到模型训练时的上下文长度。</translation>
    </message>
    <message>
        <source>{} contains NaN or infinite values, which {} cannot store.</source>
        <translation>{} 含有 NaN 或无穷值，{} 无法保存。</translation>
    </message>
    <message>
        <source>config.json describes a model without layers or without attention heads.</source>
        <translation>config.json 描述的模型没有层或没有注意力头。</translation>
    </message>
    <message>
        <source>{} values of {} exceed the range of {} and became infinite.</source>
        <translation>有 {} 个值（{}）超出 {} 的范围，已变为无穷大。</translation>
    </message>
    <message>
        <source>{} is not a SentencePiece model, or it is corrupted.</source>
        <translation>{} 不是 SentencePiece 模型，或者已损坏。</translation>
    </message>
    <message>
        <source>{} has more than {} pieces.</source>
        <translation>{} 的词片超过 {} 个。</translation>
    </message>
    <message>
        <source>{} has {} bytes, which exceeds the limit for such files.</source>
        <translation>{} 有 {} 字节，超过这类文件的上限。</translation>
    </message>
    <message>
        <source>{} is not a JSON object.</source>
        <translation>{} 不是 JSON 对象。</translation>
    </message>
    <message>
        <source>{} is not a Hugging Face folder with config.json and safetensors; only such folders can be converted.</source>
        <translation>{} 不是含有 config.json 和 safetensors 的 Hugging Face 文件夹，目前只能转换这种文件夹。</translation>
    </message>
    <message>
        <source>The tensor {} does not belong to the architecture {}, so the folder cannot be converted.</source>
        <translation>张量 {} 不属于 {} 架构，因此无法转换该文件夹。</translation>
    </message>
    <message>
        <source>The values of {} have the type {}, which cannot be converted.</source>
        <translation>{} 的值是 {} 类型，无法转换。</translation>
    </message>
    <message>
        <source>The tensor {} is too large for one file.</source>
        <translation>张量 {} 太大，一个文件放不下。</translation>
    </message>
    <message>
        <source>The tensor {} has the shape {}, but config.json requires [{}].</source>
        <translation>张量 {} 的形状是 {}，而 config.json 要求 [{}]。</translation>
    </message>
    <message>
        <source>The tensor {} is missing; models of the architecture {} require it.</source>
        <translation>缺少张量 {}；{} 架构的模型需要它。</translation>
    </message>
    <message>
        <source>{} lists more than {} tokens or merges.</source>
        <translation>{} 列出的词元或合并规则超过 {} 个。</translation>
    </message>
    <message>
        <source>{} is not a tokenizer of the tokenizers library, or it is corrupted.</source>
        <translation>{} 不是 tokenizers 库的分词器，或者已损坏。</translation>
    </message>
    <message>
        <source>The pre-tokenizer type of tokenizer.json is not supported; choose one that splits text the same way.</source>
        <translation>tokenizer.json 的预分词器种类未知；请选择切分方式相同的预分词器。</translation>
    </message>
    <message>
        <source>The pre-tokenizer of tokenizer.json is unknown; choose the pre-tokenizer of a model that splits text the same way, such as llama-bpe, qwen2 or gpt-2.</source>
        <translation>tokenizer.json 的预分词器未知；请选择切分方式相同的模型的预分词器，例如 llama-bpe、qwen2 或 gpt-2。</translation>
    </message>
    <message>
        <source>The token IDs of tokenizer.json exceed the vocabulary size {} stated in config.json.</source>
        <translation>tokenizer.json 的编号超出 config.json 给出的 {} 个词元的词表。</translation>
    </message>
    <message>
        <source>tokenizer.json has a {} vocabulary; only BPE can be converted.</source>
        <translation>tokenizer.json 的词表是 {} 类型；目前只能转换 BPE。</translation>
    </message>
    <message>
        <source>config.json declares a vocabulary of {} tokens; at most {} can be converted.</source>
        <translation>config.json 给出的词表有 {} 个词元；最多能转换 {} 个。</translation>
    </message>
    <message>
        <source>The folder has neither tokenizer.model nor tokenizer.json, so there is no vocabulary to convert.</source>
        <translation>文件夹中既没有 tokenizer.model 也没有 tokenizer.json，因此没有可转换的词表。</translation>
    </message>
    <message>
        <source>--type and --outtype are mutually exclusive; use one of them.</source>
        <translation>--type 与 --outtype 互斥；请只使用其中一个。</translation>
    </message>
    <message>
        <source>{} is a zip archive with {} entries; at most {} are read.</source>
        <translation>{} 是含 {} 个条目的 zip 归档；最多读取 {} 个。</translation>
    </message>
    <message>
        <source>{} is a zip archive with a central directory of {} bytes; at most {} are read.</source>
        <translation>{} 是中央目录长 {} 字节的 zip 归档；最多读取 {} 字节。</translation>
    </message>
    <message>
        <source>{}: the central directory declares {} entries but ends after {}.</source>
        <translation>{}：中央目录声明有 {} 个条目，但在第 {} 个之后结束。</translation>
    </message>
    <message>
        <source>{}: the entry {} is outside the archive and cannot be read.</source>
        <translation>{}：条目 {} 位于归档之外，无法读取。</translation>
    </message>
    <message>
        <source>{} is one part of a split zip archive; join the parts with the program that split them.</source>
        <translation>{} 是分卷 zip 归档的一部分；请用当初分卷的程序合并各部分。</translation>
    </message>
    <message>
        <source>{}: the entry {} has {} bytes compressed and {} uncompressed in the central directory, but {} and {} in its local header.</source>
        <translation>{}：中央目录中条目 {} 压缩后为 {} 字节、解压后为 {} 字节，而其本地文件头记为 {} 和 {}。</translation>
    </message>
    <message>
        <source>{}: the checksum of the entry {} is {} in the central directory but {} in its local header.</source>
        <translation>{}：条目 {} 的校验和在中央目录中为 {}，在其本地文件头中为 {}。</translation>
    </message>
    <message>
        <source>{}: the entry {} is named {} in its local header; programs differ in which name they use.</source>
        <translation>{}：条目 {} 在其本地文件头中名为 {}；不同程序采用的名称不同。</translation>
    </message>
    <message>
        <source>{}: the entry {} uses compression method {} in the central directory but {} in its local header.</source>
        <translation>{}：条目 {} 的压缩方法在中央目录中为 {}，在其本地文件头中为 {}。</translation>
    </message>
    <message>
        <source>{}: the entry {} has the flags {} in the central directory but {} in its local header.</source>
        <translation>{}：条目 {} 的标志在中央目录中为 {}，在其本地文件头中为 {}。</translation>
    </message>
    <message>
        <source>{}: the flags of the entry {} ({}) mark it as encrypted or patched; some loaders reject it, PyTorch ignores them.</source>
        <translation>{}：条目 {} 的标志（{}）表明它已加密或打过补丁；有些加载程序会拒绝，PyTorch 则忽略。</translation>
    </message>
    <message>
        <source>{} has more than one zip central directory; programs differ in which one they read.</source>
        <translation>{} 含有多个 zip 中央目录；不同程序读取的不同。</translation>
    </message>
    <message>
        <source>{}: the two end-of-archive records of the zip file contradict each other.</source>
        <translation>{}：zip 归档末尾的两条记录互相矛盾。</translation>
    </message>
    <message>
        <source>{}: {} bytes precede the zip archive.</source>
        <translation>{}：zip 归档之前有 {} 字节。</translation>
    </message>
    <message>
        <source>{}: {} bytes follow the zip archive.</source>
        <translation>{}：zip 归档之后有 {} 字节。</translation>
    </message>
    <message>
        <source>{}: two entries are named {}; programs differ in which one they read.</source>
        <translation>{}：有两个条目都名为 {}；不同程序读取的不同。</translation>
    </message>
    <message>
        <source>{}: the names {} and {} differ only in case; programs differ in which one they read.</source>
        <translation>{}：名称 {} 与 {} 仅大小写不同；不同程序读取的条目不同。</translation>
    </message>
    <message>
        <source>{}: the name {} points outside the extraction folder.</source>
        <translation>{}：名称 {} 指向解压文件夹之外。</translation>
    </message>
    <message>
        <source>{}: the entries {} and {} overlap, which regular programs never write.</source>
        <translation>{}：条目 {} 与 {} 重叠；正常程序不会这样写。</translation>
    </message>
    <message>
        <source>{}: the bytes {} to {} belong to no entry.</source>
        <translation>{}：字节 {} 到 {} 不属于任何条目。</translation>
    </message>
    <message>
        <source>{}: the entry {} cannot be decompressed; its data is corrupted.</source>
        <translation>{}：条目 {} 无法解压；其数据已损坏。</translation>
    </message>
    <message>
        <source>{}: the entry {} of {} bytes would decompress to {}, which exceeds the limit.</source>
        <translation>{}：条目 {} 有 {} 字节，解压后将达 {} 字节，超出上限。</translation>
    </message>
    <message>
        <source>{}: the checksum of the entry {} does not match its contents.</source>
        <translation>{}：条目 {} 的校验和与其内容不符。</translation>
    </message>
    <message>
        <source>{} starts like a zip archive but has no central directory; it is truncated. Download it again.</source>
        <translation>{} 的开头像 zip 归档，但没有中央目录；文件不完整。请重新下载。</translation>
    </message>
    <message>
        <source>{} has no file {} at this revision; check its file list.</source>
        <translation>{} 在此版本中没有文件 {}；请查看其文件列表。</translation>
    </message>
    <message>
        <source>{} has no such branch, tag or commit; omit @revision to use the main branch.</source>
        <translation>{} 没有这个分支、标签或提交；去掉 @revision 即使用其主分支。</translation>
    </message>
    <message>
        <source>{} was not found on {}, or your token has no access to it; check the name.</source>
        <translation>找不到 {}：{} 上没有它，或者您的令牌无权访问；请检查名称。</translation>
    </message>
    <message>
        <source>{} was not found on {}, or it requires a token; check the name, or sign in.</source>
        <translation>找不到 {}：{} 上没有它，或者需要令牌；请检查名称或登录。</translation>
    </message>
    <message>
        <source>{} is gated: open {}, accept its terms, set your access token and try again.</source>
        <translation>{} 需要申请访问：请打开 {}，接受条款，设置访问令牌后重试。</translation>
    </message>
    <message>
        <source>{} rejected the access token; it has expired, was revoked or is mistyped.</source>
        <translation>{} 拒绝了访问令牌；它已过期、被撤销或输入有误。</translation>
    </message>
    <message>
        <source>{} was disabled by the hub and cannot be read.</source>
        <translation>{} 已被模型社区停用，无法读取。</translation>
    </message>
    <message>
        <source>{} denied access to {}: {}</source>
        <translation>{} 拒绝访问 {}：{}</translation>
    </message>
    <message>
        <source>{} returned a web page instead of data, possibly a login page of your network; open it in a browser.</source>
        <translation>{} 返回了网页而不是数据，可能是您所在网络的登录页面；请在浏览器中打开它。</translation>
    </message>
    <message>
        <source>{} returned an unreadable response ({}); try again later.</source>
        <translation>{} 返回的响应无法读取（{}）；请稍后再试。</translation>
    </message>
    <message>
        <source>{} returned a response that is too large for one page; narrow the request.</source>
        <translation>{} 返回的响应过大；请缩小请求范围。</translation>
    </message>
    <message>
        <source>{} rejected the request: {}</source>
        <translation>{} 拒绝了请求：{}</translation>
    </message>
    <message>
        <source>{} is skipped: the hub reports an impossible size for it.</source>
        <translation>已跳过 {}：模型社区给出的大小不可能成立。</translation>
    </message>
    <message>
        <source>{} returns an endless list; listing was stopped.</source>
        <translation>{} 返回的列表没有尽头；已停止。</translation>
    </message>
    <message>
        <source>{} redirects endlessly; try again later.</source>
        <translation>{} 不停地重定向；请稍后再试。</translation>
    </message>
    <message>
        <source>{} was not contacted because Weighbridge is offline (--offline).</source>
        <translation>没有访问 {}，因为 Weighbridge 处于离线模式（--offline）。</translation>
    </message>
    <message>
        <source>{} redirects to another hub; set the endpoint to that hub to continue.</source>
        <translation>{} 重定向到另一个社区；如要继续，请把端点设为该社区。</translation>
    </message>
    <message>
        <source>{} is skipped: its path is too long or too deep.</source>
        <translation>已跳过 {}：路径过长或层级过深。</translation>
    </message>
    <message>
        <source>{} is skipped: its name contains characters that disguise it.</source>
        <translation>已跳过 {}：名称中含有伪装字符。</translation>
    </message>
    <message>
        <source>{} is skipped: its name points outside the folder or is unsafe on some systems.</source>
        <translation>已跳过 {}：名称指向文件夹之外，或在某些系统上不安全。</translation>
    </message>
    <message>
        <source>{} is skipped: its name is reserved for files that other programs trust.</source>
        <translation>已跳过 {}：该名称保留给其他程序信任的文件。</translation>
    </message>
    <message>
        <source>{} is skipped: another file in the repository has the same name apart from case.</source>
        <translation>已跳过 {}：仓库中另一个文件与它仅大小写不同。</translation>
    </message>
    <message>
        <source>{} returned a response in an unknown format; it may not be a hub.</source>
        <translation>{} 返回的响应格式未知；它可能不是模型社区。</translation>
    </message>
    <message>
        <source>{} is not a hub ID; use hf:owner/name or ms:owner/name, optionally followed by @revision.</source>
        <translation>{} 不是模型社区 ID；请使用 hf:所有者/名称 或 ms:所有者/名称，后面可加 @版本。</translation>
    </message>
    <message>
        <source>{} is not an allowed hub address; it must start with https:// (http:// only on this machine) and contain no password.</source>
        <translation>{} 不是允许的模型社区地址；地址须以 https:// 开头（http:// 仅限本机），且不含密码。</translation>
    </message>
    <message>
        <source>Cannot find {}; check the internet connection and the address.</source>
        <translation>找不到 {}；请检查网络连接和地址。</translation>
    </message>
    <message>
        <source>{} does not accept connections; check the network, the proxy and the address, and try again.</source>
        <translation>{} 不接受连接；请检查网络、代理和地址后重试。</translation>
    </message>
    <message>
        <source>The certificate of {} is not trusted; if your network replaces certificates, specify its authority with --ca.</source>
        <translation>{} 的证书不受信任；如果您的网络会替换证书，请用 --ca 指定其证书颁发机构。</translation>
    </message>
    <message>
        <source>The proxy for {} refused the connection; check its address and password.</source>
        <translation>通往 {} 的代理拒绝连接；请检查代理的地址和密码。</translation>
    </message>
    <message>
        <source>{} did not respond in time; try again later.</source>
        <translation>{} 响应超时；请稍后再试。</translation>
    </message>
    <message>
        <source>{} closed the connection before the response was complete; try again.</source>
        <translation>{} 在响应完整之前关闭了连接；请重试。</translation>
    </message>
    <message>
        <source>{} returned an invalid HTTP response; try again, or use another address.</source>
        <translation>{} 的应答不是有效的 HTTP；请重试，或改用其他地址。</translation>
    </message>
    <message>
        <source>Cannot start a network thread; close other programs.</source>
        <translation>无法启动网络线程；请关闭其他程序。</translation>
    </message>
    <message>
        <source>Invalid proxy address; use http://host:port or socks5://host:port.</source>
        <translation>代理地址无效；请使用 http://主机:端口 或 socks5://主机:端口。</translation>
    </message>
    <message>
        <source>{} contains no certificate; expected a text file starting with -----BEGIN CERTIFICATE-----.</source>
        <translation>{} 中没有证书；证书文件是以 -----BEGIN CERTIFICATE----- 开头的文本文件。</translation>
    </message>
    <message>
        <source>{} is not a JSON object; download it again.</source>
        <translation>{} 不是 JSON 对象；请重新下载。</translation>
    </message>
    <message>
        <source>The manifest of {} is corrupted; pull the model again with Ollama.</source>
        <translation>{} 的清单已损坏；请用 Ollama 重新拉取该模型。</translation>
    </message>
    <message>
        <source>{} has no model file here: it runs remotely, or was not downloaded.</source>
        <translation>{} 在此没有模型文件：它在别处运行，或尚未下载。</translation>
    </message>
    <message>
        <source>{} was kept: another model uses it.</source>
        <translation>保留 {}：另一个模型在使用它。</translation>
    </message>
    <message>
        <source>{} was kept: other models in the cache may share it.</source>
        <translation>保留 {}：缓存中的其他模型可能共用它。</translation>
    </message>
    <message>
        <source>{} was kept: another revision needs it.</source>
        <translation>保留 {}：另一个版本需要它。</translation>
    </message>
    <message>
        <source>Cannot remove {} ({}); check the permissions of its folder.</source>
        <translation>无法移除 {}（{}）；请检查其文件夹的权限。</translation>
    </message>
    <message>
        <source>{} is not in the library; run wb library to list the models.</source>
        <translation>{} 不是模型库中的模型；wb library 会列出它们。</translation>
    </message>
    <message>
        <source>{} was not found; connect its drive, or remove the folder from the library.</source>
        <translation>找不到 {}；请连接其磁盘，或将该文件夹从模型库中移除。</translation>
    </message>
    <message>
        <source>{} contains more than {} files; the rest is not listed. Choose a subfolder.</source>
        <translation>{} 含有超过 {} 个文件；其余的未列出。请选择子文件夹。</translation>
    </message>
    <message>
        <source>{} is more than {} folders deep and is not listed.</source>
        <translation>{} 位于超过 {} 层的文件夹中，未列出。</translation>
    </message>
    <message>
        <source>{} is a link to a location outside its folder and is not followed; add the target folder instead.</source>
        <translation>{} 是指向其文件夹之外的链接，不会跟随；请添加它所指向的文件夹。</translation>
    </message>
    <message>
        <source>{} in config.json is neither true nor false.</source>
        <translation>config.json 中的 {} 既不是 true 也不是 false。</translation>
    </message>
    <message>
        <source>The folder has the model class {}, whose {} cannot be converted yet.</source>
        <translation>该文件夹的模型类是 {}，其中的 {} 目前还不能转换。</translation>
    </message>
    <message>
        <source>The model class {} cannot be converted yet; the closest supported ones are {}.</source>
        <translation>目前还不能转换模型类 {}；最接近的受支持类有 {}。</translation>
    </message>
    <message>
        <source>{} vision and audio tensors are omitted, for example {}; the new file contains only the text model.</source>
        <translation>略去了 {} 个图像和音频张量，例如 {}；新文件只包含文本模型。</translation>
    </message>
    <message>
        <source>{} in config.json is not a fraction of a head between 0 and 1.</source>
        <translation>config.json 中的 {} 不是 0 到 1 之间的注意力头比例。</translation>
    </message>
    <message>
        <source>The tensor {} has quantized blocks, but their scales are missing.</source>
        <translation>张量 {} 存放的块缺少对应的缩放系数。</translation>
    </message>
    <message>
        <source>The blocks of {} and their scales do not have the shape required by config.json.</source>
        <translation>{} 的块及其缩放系数的形状与 config.json 的要求不符。</translation>
    </message>
    <message>
        <source>The tensor {} belongs to an expert or head beyond the {} in config.json, or is duplicated.</source>
        <translation>张量 {} 所属的专家或注意力头超出了 config.json 所述的 {} 个，或者重复出现。</translation>
    </message>
    <message>
        <source>The tensor {} differs in type or shape from that of the first expert or head.</source>
        <translation>张量 {} 的类型或形状与第一个专家或注意力头的不同。</translation>
    </message>
    <message>
        <source>The tensor {} of shape {} is stored in a layout that cannot be converted.</source>
        <translation>张量 {}（形状 {}）的存储方式无法转换。</translation>
    </message>
    <message>
        <source>Tensors of this form cannot be transferred.</source>
        <translation>无法传送此类张量。</translation>
    </message>
    <message>
        <source>The process that reads {} returned invalid data; the file may be malicious.</source>
        <translation>读取 {} 的进程返回了无效数据；该文件可能是恶意的。</translation>
    </message>
    <message>
        <source>Cannot start the sandboxed process that reads such files: {}.</source>
        <translation>无法启动读取此类文件的沙箱进程：{}。</translation>
    </message>
    <message>
        <source>Such files are read by the program wb, which was not found next to Weighbridge; install it there.</source>
        <translation>此类文件由 wb 程序读取，但它不在 Weighbridge 旁边；请将其安装在同一位置。</translation>
    </message>
    <message>
        <source>The process that reads {} timed out; the file may be malicious.</source>
        <translation>读取 {} 的进程超时；该文件可能是恶意的。</translation>
    </message>
    <message>
        <source>The process that reads {} crashed; the file may be corrupted or malicious.</source>
        <translation>读取 {} 的进程崩溃；该文件可能已损坏或是恶意的。</translation>
    </message>
    <message>
        <source>On this system, files are parsed in a separate process with limited memory and time, but it is not prevented from opening other files.</source>
        <translation>在此系统上，文件在内存和时间受限的单独进程中解析，但无法阻止该进程打开其他文件。</translation>
    </message>
    <message>
        <source>The reader process does not support this task; both Weighbridge programs must have the same version.</source>
        <translation>读取进程不支持此任务；Weighbridge 的两个程序必须是同一版本。</translation>
    </message>
    <message>
        <source>No Vulkan device on this machine can draw; plots are drawn by the CPU.</source>
        <translation>这台电脑上没有能绘图的 Vulkan 设备；图表由 CPU 绘制。</translation>
    </message>
    <message>
        <source>The components of {} do not match its quantization scheme ({}); only the components are listed.</source>
        <translation>{} 的组成部分与其量化方案（{}）不符，因此只列出这些组成部分。</translation>
    </message>
    <message>
        <source>{} more problems of the same kind ({}).</source>
        <translation>另有 {} 个同类问题（{}）。</translation>
    </message>
    <message>
        <source>{} refers to a group without a scale.</source>
        <translation>{} 引用了没有缩放系数的组。</translation>
    </message>
    <message>
        <source>The configuration specifies {} bits, but according to its shape {} has {} bits per weight.</source>
        <translation>配置写的是 {} 位，但按形状 {} 每个权重为 {} 位。</translation>
    </message>
    <message>
        <source>{} zero points of {} are stored as {}: read as 0 here, but some programs read {}.</source>
        <translation>有 {} 个零点（属于 {}）存为 {}：此处读作 0，但有些程序读作 {}。</translation>
    </message>
    <message>
        <source>The components of the weight that {} belongs to changed since the model was opened.</source>
        <translation>{} 所属权重的组成部分在打开模型后发生了变化。</translation>
    </message>
    <message>
        <source>The weights are quantized as {}, which Weighbridge cannot decode; their components are listed as stored.</source>
        <translation>权重以 {} 方式量化，本程序无法解码；其各部分按存储原样列出。</translation>
    </message>
    <message>
        <source>No configuration specifies the quantization scheme; it was inferred from the names, types and shapes of the components.</source>
        <translation>没有配置说明量化方案；该方案由各组成部分的名称、类型和形状推断得出。</translation>
    </message>
    <message>
        <source>{} is not a contiguous matrix and cannot be read by column.</source>
        <translation>{} 不是连续存储的矩阵，因此无法按列读取。</translation>
    </message>
    <message>
        <source>The name of {} is not valid text; rename the folder and add it again.</source>
        <translation>{} 的名称不是有效文本；请重命名该文件夹后再添加。</translation>
    </message>
    <message>
        <source>Cannot move {} to the trash; check its permissions, or delete it with a file manager.</source>
        <translation>无法将 {} 移到回收站；请检查其权限，或用文件管理器删除。</translation>
    </message>
    <message>
        <source>{} was written by a newer version of Weighbridge; use that version.</source>
        <translation>{} 由本程序的较新版本写入；请使用该版本。</translation>
    </message>
    <message>
        <source>This chat no longer exists.</source>
        <translation>此对话已不存在。</translation>
    </message>
    <message>
        <source>{} is corrupted.</source>
        <translation>{} 已损坏。</translation>
    </message>
    <message>
        <source>{} is corrupted and could not be renamed; check that its folder is writable.</source>
        <translation>{} 已损坏，且无法重命名；请检查其文件夹是否可写。</translation>
    </message>
    <message>
        <source>The chat database was corrupted: {} chats were recovered; the corrupted file was saved as {}.</source>
        <translation>对话数据库已损坏：恢复了 {} 个对话；损坏的文件另存为 {}。</translation>
    </message>
    <message>
        <source>The disk is full; {} could not be written. Free some disk space.</source>
        <translation>磁盘已满，无法写入 {}；请腾出空间。</translation>
    </message>
    <message>
        <source>Cannot read or write {}; check that its folder is writable.</source>
        <translation>无法读写 {}；请检查其文件夹是否可写。</translation>
    </message>
    <message>
        <source>The text has {} tokens; at least {} are required (two windows of {}).</source>
        <translation>文本有 {} 个词元；至少需要 {} 个（两个 {} 词元的窗口）。</translation>
    </message>
    <message>
        <source>{} is not a saved-logits file, or it is truncated; create it again with --save-logits or llama-perplexity.</source>
        <translation>{} 不是保存的 logits 文件，或者文件不完整；请用 --save-logits 或 llama-perplexity 重新生成。</translation>
    </message>
    <message>
        <source>{} exceeds the size limit for text here.</source>
        <translation>{} 超过了此处文本允许的大小。</translation>
    </message>
    <message>
        <source>{} was saved for a vocabulary of {} tokens, but the model has {}.</source>
        <translation>{} 是为 {} 个词元的词表保存的，而模型有 {} 个。</translation>
    </message>
    <message>
        <source>{} was saved for a text other than {}, or for another vocabulary.</source>
        <translation>{} 是为 {} 以外的文本保存的，或者使用了别的词表。</translation>
    </message>
    <message>
        <source>{} has {} tokens; at least {} are required (two windows of {}).</source>
        <translation>{} 有 {} 个词元；至少需要 {} 个（两个 {} 词元的窗口）。</translation>
    </message>
    <message>
        <source>Quantize the weights to {}.</source>
        <translation>将权重量化为 {}。</translation>
    </message>
    <message>
        <source>Lower precision: {} bits per weight.</source>
        <translation>权重精度降低：每权重 {} 位。</translation>
    </message>
    <message>
        <source>Turn on flash attention.</source>
        <translation>开启 Flash Attention。</translation>
    </message>
    <message>
        <source>No quality loss.</source>
        <translation>没有质量损失。</translation>
    </message>
    <message>
        <source>Limit sliding-window layers to their window.</source>
        <translation>滑动窗口层只保留窗口内的词元。</translation>
    </message>
    <message>
        <source>Going back to an earlier message requires reprocessing the prompt.</source>
        <translation>回到较早的消息时需要重新处理提示词。</translation>
    </message>
    <message>
        <source>Reduce the micro-batch size to {} tokens.</source>
        <translation>将微批次大小减至 {} 个词元。</translation>
    </message>
    <message>
        <source>Slower prompt processing.</source>
        <translation>提示词处理变慢。</translation>
    </message>
    <message>
        <source>Process one sequence at a time.</source>
        <translation>每次只处理一个序列。</translation>
    </message>
    <message>
        <source>No parallel requests.</source>
        <translation>无法并行处理请求。</translation>
    </message>
    <message>
        <source>Use a q8_0 KV cache.</source>
        <translation>使用 q8_0 KV 缓存。</translation>
    </message>
    <message>
        <source>Almost no measurable loss.</source>
        <translation>实测几乎没有损失。</translation>
    </message>
    <message>
        <source>Reduce the context length to {} tokens.</source>
        <translation>将上下文长度减至 {} 个词元。</translation>
    </message>
    <message>
        <source>Shorter conversations.</source>
        <translation>对话会更早用完上下文。</translation>
    </message>
    <message>
        <source>Halve the GPU layers: {} on the GPU.</source>
        <translation>将 GPU 层数减半：GPU 上保留 {} 层。</translation>
    </message>
    <message>
        <source>Slower generation.</source>
        <translation>生成变慢。</translation>
    </message>
    <message>
        <source>Compute the loss in chunks (as in Liger and torchtune).</source>
        <translation>分块计算损失（与 Liger 和 torchtune 相同）。</translation>
    </message>
    <message>
        <source>Turn on gradient checkpointing.</source>
        <translation>开启梯度检查点。</translation>
    </message>
    <message>
        <source>Steps take about a third longer.</source>
        <translation>每一步大约慢三分之一。</translation>
    </message>
    <message>
        <source>Share the base model as the DPO reference model.</source>
        <translation>让 DPO 参考模型共用基座模型。</translation>
    </message>
    <message>
        <source>Use batch size 1 with {} gradient accumulation steps.</source>
        <translation>批次大小设为 1，梯度累积 {} 步。</translation>
    </message>
    <message>
        <source>Slower steps.</source>
        <translation>每一步更慢。</translation>
    </message>
    <message>
        <source>Use an 8-bit optimizer.</source>
        <translation>使用 8 位优化器。</translation>
    </message>
    <message>
        <source>Use ZeRO stage {}.</source>
        <translation>使用 ZeRO 阶段 {}。</translation>
    </message>
    <message>
        <source>More communication between GPUs.</source>
        <translation>GPU 之间的通信增加。</translation>
    </message>
    <message>
        <source>Halve the LoRA rank to {}.</source>
        <translation>将 LoRA 秩减半到 {}。</translation>
    </message>
    <message>
        <source>Lower adapter capacity.</source>
        <translation>适配器容量变小。</translation>
    </message>
    <message>
        <source>Halve the sequence length to {} tokens.</source>
        <translation>将序列长度减半到 {} 个词元。</translation>
    </message>
    <message>
        <source>Longer texts are truncated.</source>
        <translation>更长的文本会被截断。</translation>
    </message>
    <message>
        <source>Train on a 4-bit base model (QLoRA).</source>
        <translation>在 4 位基座模型上训练（QLoRA）。</translation>
    </message>
    <message>
        <source>Lower base model precision and slower steps.</source>
        <translation>基座模型精度降低，每一步也更慢。</translation>
    </message>
    <message>
        <source>Train a LoRA adapter instead of all weights.</source>
        <translation>训练 LoRA 适配器，而不是全部权重。</translation>
    </message>
    <message>
        <source>Lower capacity to change the model.</source>
        <translation>对模型的改变能力变小。</translation>
    </message>
    <message>
        <source>{} uses the same type for K and V caches, not {}.</source>
        <translation>{} 的 K 和 V 缓存只能用同一种类型，不能是 {}。</translation>
    </message>
    <message>
        <source>{} does not support a {} KV cache; choose f16 or q8_0.</source>
        <translation>{} 不支持 {} KV 缓存；请选择 f16 或 q8_0。</translation>
    </message>
    <message>
        <source>{} uses one KV cache type for keys and values (f16, q8_0 or q4_0), not {}.</source>
        <translation>{} 的 K 和 V 共用一种缓存类型（f16、q8_0 或 q4_0），不能是 {}。</translation>
    </message>
    <message>
        <source>{} is a training tool; specify the method with {}.</source>
        <translation>{} 是训练工具；请用 {} 指定训练方法。</translation>
    </message>
    <message>
        <source>{} cannot train models; choose {}.</source>
        <translation>{} 不能训练模型；请选择 {}。</translation>
    </message>
    <message>
        <source>In --shape, {} must be tied=yes or tied=no.</source>
        <translation>--shape 中的 {} 必须是 tied=yes 或 tied=no。</translation>
    </message>
    <message>
        <source>In --shape, {} is not a valid number.</source>
        <translation>--shape 中的 {} 不是有效的数值。</translation>
    </message>
    <message>
        <source>--shape has no field {}; use layers=, hidden=, heads=, kv-heads=, head=, ffn=, vocab=, context=, experts=, used= and tied=.</source>
        <translation>--shape 没有字段 {}；可用 layers=、hidden=、heads=、kv-heads=、head=、ffn=、vocab=、context=、experts=、used= 和 tied=。</translation>
    </message>
    <message>
        <source>--shape requires {} of at least 1.</source>
        <translation>--shape 必须给出 {}，至少为 1。</translation>
    </message>
    <message>
        <source>In --shape, {} must divide heads, and heads must not exceed hidden.</source>
        <translation>--shape 中的 {} 必须整除 heads，并且 heads 不能超过 hidden。</translation>
    </message>
    <message>
        <source>In --shape, {} must be between 1 and experts, or 0 without experts.</source>
        <translation>--shape 中的 {} 必须在 1 和 experts 之间；没有专家时为 0。</translation>
    </message>
    <message>
        <source>Cannot estimate training of {}, because the tensors of its layers are unknown; choose a GGUF file or a plain transformer.</source>
        <translation>无法估算训练 {} 所需的内存，因为其各层的张量未知；请选择 GGUF 文件或普通的 Transformer。</translation>
    </message>
    <message>
        <source>{} trainable parameters × 4 bytes</source>
        <translation>{} 个可训练参数 × 4 字节</translation>
    </message>
    <message>
        <source>CUDA and PyTorch overhead</source>
        <translation>CUDA 和 PyTorch 的开销</translation>
    </message>
    <message>
        <source>the same for each of the {} processes</source>
        <translation>{} 个进程各有一份</translation>
    </message>
    <message>
        <source>{} other parameters × 4 bytes</source>
        <translation>其余 {} 个 × 4 字节</translation>
    </message>
    <message>
        <source>{} linear parameters × 1 byte</source>
        <translation>{} 个线性层参数 × 1 字节</translation>
    </message>
    <message>
        <source>the same again for the DPO reference model</source>
        <translation>DPO 的参考模型再加同样的一份</translation>
    </message>
    <message>
        <source>FP32 weights: {} × 4 bytes</source>
        <translation>FP32 权重：{} × 4 字节</translation>
    </message>
    <message>
        <source>{}% of {}, reserved by the allocator</source>
        <translation>分配器另外保留 {}%，已分配 {}</translation>
    </message>
    <message>
        <source>Fused kernels and torch.compile, which reduce memory.</source>
        <translation>融合内核和 torch.compile（可减少内存）。</translation>
    </message>
    <message>
        <source>Activations of expert routing: validated with dense models only.</source>
        <translation>专家路由的激活值：仅用稠密模型验证过。</translation>
    </message>
    <message>
        <source>Activations of recurrent layers: validated with transformers only.</source>
        <translation>循环层的激活值：仅用 Transformer 验证过。</translation>
    </message>
    <message>
        <source>Communication buckets of data-parallel training without ZeRO.</source>
        <translation>不使用 ZeRO 的数据并行训练的通信桶。</translation>
    </message>
    <message>
        <source>Paged optimizer states are counted on the GPU, although they may move to RAM when memory is short.</source>
        <translation>分页优化器状态按位于 GPU 上计算，尽管内存不足时可移到内存。</translation>
    </message>
    <message>
        <source>{} does not support {} tuning; only PEFT does.</source>
        <translation>{} 不支持 {} 微调；只有 PEFT 支持。</translation>
    </message>
    <message>
        <source>{} does not support the optimizer {}; choose adamw, for example.</source>
        <translation>{} 不支持优化器 {}；可以选择 adamw 等。</translation>
    </message>
    <message>
        <source>{} has no setting for a {} DPO reference model; choose shared.</source>
        <translation>{} 没有 {} DPO 参考模型的设置；请选择 shared。</translation>
    </message>
    <message>
        <source>{} supports offloading and FP32 gradient accumulation only with DeepSpeed, but the ZeRO stage is {}; choose 1, 2 or 3.</source>
        <translation>{} 仅在使用 DeepSpeed 时支持卸载和 FP32 梯度累积，但 ZeRO 阶段是 {}；请选择 1、2 或 3。</translation>
    </message>
    <message>
        <source>{} always uses double quantization with {}; turn it on.</source>
        <translation>{} 对 {} 总是使用双重量化；请开启双重量化。</translation>
    </message>
    <message>
        <source>less than {} for any model</source>
        <translation>不论哪个模型都小于 {}</translation>
    </message>
    <message>
        <source>Adapters, gradients and AdamW states are kept in FP32: 16 bytes per trainable parameter, not 12.</source>
        <translation>适配器、梯度和 AdamW 状态都以 FP32 保存：每个可训练参数 16 字节，而不是 12 字节。</translation>
    </message>
    <message>
        <source>The trainable part is negligible; the frozen base takes {}, and gradients flow through the whole model.</source>
        <translation>可训练部分几乎不占内存；冻结的基座占 {}，梯度要流经整个基座。</translation>
    </message>
    <message>
        <source>Without gradient checkpointing every layer keeps its activations; with it, only those at layer boundaries are kept.</source>
        <translation>不用梯度检查点时每一层都保留激活值；使用时只保留层边界处的激活值。</translation>
    </message>
    <message>
        <source>Without flash attention the attention scores of every head are stored.</source>
        <translation>不用 Flash Attention 时要保存每个头的注意力分数。</translation>
    </message>
    <message>
        <source>The optimizer {} keeps {}, compared with 8 bytes per parameter for AdamW plus 4 for FP32 weights.</source>
        <translation>优化器 {} 保存 {}，而 AdamW 每个参数保存 8 字节，FP32 权重另加 4 字节。</translation>
    </message>
    <message>
        <source>ZeRO shards weights, gradients and optimizer states, but not activations, logits or the CUDA context.</source>
        <translation>ZeRO 切分权重、梯度和优化器状态，但不切分激活值、logits 和 CUDA 上下文。</translation>
    </message>
    <message>
        <source>The allocator reserves an additional {}; CUDA and PyTorch take {}.</source>
        <translation>分配器另外保留 {}；CUDA 和 PyTorch 占用 {}。</translation>
    </message>
    <message>
        <source>ZeRO has stages 0 to 3, not {}.</source>
        <translation>ZeRO 只有 0 到 3 阶段，没有 {}。</translation>
    </message>
    <message>
        <source>Full fine-tuning updates the weights, which {} cannot store; choose bf16, fp16 or fp32, or train an adapter.</source>
        <translation>全参数微调会更新权重，而 {} 无法保存；请选择 bf16、fp16 或 fp32，或者训练适配器。</translation>
    </message>
    <message>
        <source>QLoRA requires a quantized base model, not {}; choose nf4 or int8, or LoRA.</source>
        <translation>QLoRA 需要量化的基座模型，而不是 {}；请选择 nf4 或 int8，或者改用 LoRA。</translation>
    </message>
    <message>
        <source>Double quantization requires an nf4 base model, not {}.</source>
        <translation>双重量化需要 nf4 基座模型，而不是 {}。</translation>
    </message>
    <message>
        <source>DoRA requires adapters, but {} trains none.</source>
        <translation>DoRA 用于适配器，而 {} 不训练适配器。</translation>
    </message>
    <message>
        <source>Offloading the base model requires ZeRO stage 3, not {}; choose offload optimizer.</source>
        <translation>卸载基座模型需要 ZeRO 阶段 3，而不是 {}；请选择只卸载优化器。</translation>
    </message>
    <message>
        <source>Could not write {}; choose another file.</source>
        <translation>{} 无法写入；请选择其他文件。</translation>
    </message>
    <message>
        <source>{} already exists with different contents; move it, or choose another folder.</source>
        <translation>{} 已存在，但内容不同；请把它移走，或选择其他文件夹。</translation>
    </message>
    <message>
        <source>{} did not match the hub&apos;s checksum in two attempts; try again later, or use another source.</source>
        <translation>{} 两次下载都与模型社区的校验和不符；请稍后再试，或换一个来源。</translation>
    </message>
    <message>
        <source>{} no longer matches the file listed by the hub; start the download again.</source>
        <translation>{} 已与模型社区所列的文件不符；请重新开始下载。</translation>
    </message>
    <message>
        <source>The disk became full while downloading {}; free some space and start again to resume.</source>
        <translation>下载 {} 时磁盘已满；请腾出空间后重新开始，将从中断处继续。</translation>
    </message>
    <message>
        <source>The file on {} has changed since the download began; start the download again.</source>
        <translation>{} 上的文件在下载开始后已更改；请重新开始下载。</translation>
    </message>
    <message>
        <source>{} sent the file in an unexpected encoding.</source>
        <translation>{} 以意外的编码发送了文件。</translation>
    </message>
    <message>
        <source>{} sent a different byte range than requested.</source>
        <translation>{} 发送的字节范围与请求的不同。</translation>
    </message>
    <message>
        <source>{} redirects to an address that is not allowed; use another endpoint, or try again later.</source>
        <translation>{} 重定向到不允许的地址；请改用其他端点，或稍后再试。</translation>
    </message>
    <message>
        <source>{} rejected the download address provided by the hub; try again later.</source>
        <translation>{} 拒绝了模型社区提供的下载地址；请稍后再试。</translation>
    </message>
    <message>
        <source>{} is a link, and downloads are not written through links; choose another folder.</source>
        <translation>{} 是一个链接，而下载不会经由链接写入；请选择其他文件夹。</translation>
    </message>
    <message>
        <source>The models folder cannot be determined because no home directory is set; specify a folder with --to DIR.</source>
        <translation>无法确定模型文件夹，因为没有设置主目录；请用 --to DIR 指定。</translation>
    </message>
    <message>
        <source>{} is not a valid speed; use the form 5MB (bytes per second).</source>
        <translation>{} 不是速度；其形式为 5MB，单位是字节每秒。</translation>
    </message>
    <message>
        <source>This build has no network support; use a build with Qt.</source>
        <translation>此版本没有网络功能；请使用带 Qt 构建的版本。</translation>
    </message>
    <message>
        <source>{}: {} cannot be decompressed.</source>
        <translation>{}：无法解压 {}。</translation>
    </message>
    <message>
        <source>{}: {} is not a supported NumPy array.</source>
        <translation>{}：{} 不是受支持的 NumPy 数组。</translation>
    </message>
    <message>
        <source>{}: {} contains pickled Python objects, which can run code when NumPy loads them; Weighbridge never loads them.</source>
        <translation>{}：{} 含有 pickle 形式的 Python 对象，NumPy 加载时可能运行代码；Weighbridge 从不加载它。</translation>
    </message>
    <message>
        <source>{}: {} has no numbers, but elements of type {}, so it is not a tensor.</source>
        <translation>{}：{} 的元素不是数字而是 {} 类型，因此没有张量。</translation>
    </message>
    <message>
        <source>{}: {} has the shape {}, but only {} bytes of data.</source>
        <translation>{}：{} 的形状为 {}，但元素只有 {} 字节。</translation>
    </message>
    <message>
        <source>{}: {} bytes follow the elements of {}.</source>
        <translation>{}：有 {} 字节位于 {} 的元素之后。</translation>
    </message>
    <message>
        <source>{}: the elements of {} are two bytes without a type; they are read as BF16 (the ml_dtypes convention).</source>
        <translation>{}：{} 的元素是没有类型的两个字节；按 ml_dtypes 的写法读作 BF16。</translation>
    </message>
    <message>
        <source>{} starts like a NumPy array, but its header cannot be read.</source>
        <translation>{} 开头像 NumPy 数组，但其文件头无法读取。</translation>
    </message>
    <message>
        <source>{} is a NumPy array of version {}.{}, which is not supported.</source>
        <translation>{} 是版本 {}.{} 的 NumPy 数组，不支持该版本。</translation>
    </message>
    <message>
        <source>{} declares a header of {} bytes; the limit is {}.</source>
        <translation>{} 声称其文件头有 {} 字节；超过 {} 字节的不予读取。</translation>
    </message>
    <message>
        <source>{} does not decompress to the size stated in its archive.</source>
        <translation>{} 解压后的大小与压缩包所写不符。</translation>
    </message>
    <message>
        <source>{} ends before the requested data.</source>
        <translation>{} 在要读取的内容之前就结束了。</translation>
    </message>
    <message>
        <source>{} starts like an ONNX model but has no graph; download it again.</source>
        <translation>{} 开头像 ONNX 模型，但没有计算图；请重新下载。</translation>
    </message>
    <message>
        <source>{} contains more than {} tensors.</source>
        <translation>{} 含有超过 {} 个张量。</translation>
    </message>
    <message>
        <source>{} stores its values in {} other files; at most {} are opened.</source>
        <translation>{} 的数值存放在另外 {} 个文件中；最多打开 {} 个。</translation>
    </message>
    <message>
        <source>{}: cannot read the values of {}: {}.</source>
        <translation>{}：{} 的数值无法读取：{}。</translation>
    </message>
    <message>
        <source>{} is corrupted: its protobuf message is truncated or invalid before byte {} ({}).</source>
        <translation>{} 已损坏：其 protobuf 消息在第 {} 字节之前中断或有误（{}）。</translation>
    </message>
    <message>
        <source>{} nests its protobuf messages more than {} levels deep.</source>
        <translation>{} 的 protobuf 消息嵌套超过 {} 层。</translation>
    </message>
    <message>
        <source>{} contains a string of {} bytes; at most {} are read.</source>
        <translation>{} 含有 {} 字节的文本，而最多读取 {} 字节。</translation>
    </message>
    <message>
        <source>{} lists more than {} numbers in a single field.</source>
        <translation>{} 在一处列出了超过 {} 个数字。</translation>
    </message>
    <message>
        <source>{} is a tar archive with more than {} entries.</source>
        <translation>{} 是含有超过 {} 个条目的 tar 归档。</translation>
    </message>
    <message>
        <source>{}: the tar archive is corrupted or truncated at byte {}.</source>
        <translation>{}：tar 归档在第 {} 字节处损坏或不完整。</translation>
    </message>
    <message>
        <source>{}: the entry {} is a link or a device.</source>
        <translation>{}：条目 {} 是链接或设备。</translation>
    </message>
    <message>
        <source>{}: the tensor list in {} is corrupted or too long; some tensors are not listed.</source>
        <translation>{}：{} 中的张量列表已损坏或过长；未全部列出。</translation>
    </message>
    <message>
        <source>{} uses the first torch.export format, whose tensors are not listed.</source>
        <translation>{} 采用 torch.export 的最初格式，本程序不列出其张量。</translation>
    </message>
    <message>
        <source>{}: {} is native code, which runs when the model is loaded.</source>
        <translation>{}：{} 是本机代码，加载模型时会运行。</translation>
    </message>
    <message>
        <source>{}: the storage {} is missing or has an unknown type; it and all following storages cannot be read.</source>
        <translation>{}：存储 {} 缺失或类型未知；它及其后的存储无法读取。</translation>
    </message>
    <message>
        <source>{} is truncated: the storage {} and all following ones are incomplete.</source>
        <translation>{} 不完整：存储 {} 及其后的存储缺少数据。</translation>
    </message>
    <message>
        <source>{}: {} bytes follow the last storage.</source>
        <translation>{}：最后一个存储之后还有 {} 字节。</translation>
    </message>
    <message>
        <source>{} is truncated or corrupted: its pickle {} of {} is invalid.</source>
        <translation>{} 不完整或已损坏：第 {} 个 pickle（共 {} 个）无法解读。</translation>
    </message>
    <message>
        <source>{}: the tensor {} has too many dimensions or elements; it is not listed.</source>
        <translation>{}：张量 {} 的维数或元素数超出可计数范围，未列出。</translation>
    </message>
    <message>
        <source>{}: the tensor {} exceeds its storage {}.</source>
        <translation>{}：张量 {} 超出了其存储 {} 的范围。</translation>
    </message>
    <message>
        <source>{}: the components of the nested tensor {} do not match; its buffer is listed as stored.</source>
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
        <source>Internal error: no file was given to read.</source>
        <translation>内部错误：没有给出要读取的文件。</translation>
    </message>
    <message>
        <source>The components of a sparse tensor do not match.</source>
        <translation>稀疏张量的各部分不匹配。</translation>
    </message>
    <message>
        <source>Sparse tensors of type {} are not supported.</source>
        <translation>不支持类型为 {} 的稀疏张量。</translation>
    </message>
    <message>
        <source>Values of type {} have no sign to change.</source>
        <translation>类型为 {} 的值没有可更改的符号。</translation>
    </message>
    <message>
        <source>{} is a tar archive without the PyTorch entries pickle and storages.</source>
        <translation>{} 是 tar 归档，但缺少 PyTorch 文件的条目 pickle 和 storages。</translation>
    </message>
    <message>
        <source>{}: the entry {} is truncated or invalid at byte {}.</source>
        <translation>{}：条目 {} 在第 {} 字节处被截断或无效。</translation>
    </message>
    <message>
        <source>{}: the values under {} are nested too deeply or referenced too often; some are not listed.</source>
        <translation>{}：{} 之下的值嵌套过深或过多；部分未列出。</translation>
    </message>
    <message>
        <source>{}: the storage {} should have {} elements of {} bytes but has {} bytes.</source>
        <translation>{}：存储 {} 应有 {} 个 {} 字节的元素，实际为 {} 字节。</translation>
    </message>
    <message>
        <source>{}: the tensor list in {} is truncated or invalid at byte {}.</source>
        <translation>{}：{} 中的张量列表在第 {} 字节处被截断或无效。</translation>
    </message>
    <message>
        <source>{} is a zip archive without data.pkl, where PyTorch stores its list of tensors.</source>
        <translation>{} 是 zip 归档，但缺少 PyTorch 存放张量列表的记录 data.pkl。</translation>
    </message>
    <message>
        <source>{} is encrypted and cannot be analyzed.</source>
        <translation>{} 已加密，无法分析。</translation>
    </message>
    <message>
        <source>{} is empty.</source>
        <translation>{} 是空的。</translation>
    </message>
    <message>
        <source>{} is nested in too many archives and was not scanned.</source>
        <translation>{} 嵌套在过多的归档中，未被扫描。</translation>
    </message>
    <message>
        <source>{} is a Git LFS pointer and not the file itself.</source>
        <translation>{} 是 Git LFS 指针，而非文件本身。</translation>
    </message>
    <message>
        <source>{} is an unsupported archive and cannot be analyzed.</source>
        <translation>{} 是不支持的归档，无法分析。</translation>
    </message>
    <message>
        <source>{} contains native code, which cannot be analyzed.</source>
        <translation>{} 含有本机代码，无法分析。</translation>
    </message>
    <message>
        <source>{} has a pickle at byte {} that would run code if loaded; nothing in this file loads it.</source>
        <translation>{} 在第 {} 字节处带有一个 pickle，若被加载会运行代码；此文件中没有内容会加载它。</translation>
    </message>
    <message>
        <source>{}: a loader fails at byte {} of the pickle; everything before it has already run.</source>
        <translation>{}：加载程序会在 pickle 的第 {} 字节处失败；在此之前的内容届时已经运行。</translation>
    </message>
    <message>
        <source>{}: {} bytes follow the pickle.</source>
        <translation>{}：pickle 之后还有 {} 字节。</translation>
    </message>
    <message>
        <source>{} contains Python objects (a pickle after its header).</source>
        <translation>{} 含有 Python 对象，即其头部之后的 pickle。</translation>
    </message>
    <message>
        <source>{}: a Lambda layer contains code that runs when the model is loaded.</source>
        <translation>{}：某个 Lambda 层含有加载模型时会运行的代码。</translation>
    </message>
    <message>
        <source>Cannot read {}: {}.</source>
        <translation>无法读取 {}：{}。</translation>
    </message>
    <message>
        <source>Compute buffers for encoding images and audio.</source>
        <translation>编码图像和音频的计算缓冲区。</translation>
    </message>
    <message>
        <source>the tensors of its file</source>
        <translation>其文件中的张量</translation>
    </message>
    <message>
        <source>weights, KV cache and compute buffers of the draft model with the same settings</source>
        <translation>草稿模型在相同设置下的权重、KV 缓存和计算缓冲区</translation>
    </message>
    <message>
        <source>{} returned something other than requested; try again later, or download it first.</source>
        <translation>{} 返回的内容与请求不符；请稍后重试，或先下载它。</translation>
    </message>
    <message>
        <source>{} has a different size than listed; reload the page.</source>
        <translation>{} 的大小与列表中的不同；请重新加载页面。</translation>
    </message>
    <message>
        <source>{} ends before the data described in its header; it is corrupted.</source>
        <translation>{} 在其文件头所述内容之前结束；它已损坏。</translation>
    </message>
    <message>
        <source>The header of {} is too long to read from the hub; download the file first.</source>
        <translation>{} 的文件头太长，无法从模型社区读取；请先下载该文件。</translation>
    </message>
    <message>
        <source>{} uses {} of JSON Schema, which is not supported; remove it.</source>
        <translation>{} 使用了 JSON Schema 的 {}，不受支持；请去掉。</translation>
    </message>
    <message>
        <source>{} is not a valid JSON Schema: {} has the wrong form.</source>
        <translation>{} 不是 JSON Schema：{} 的形式不对。</translation>
    </message>
    <message>
        <source>{} requires a {} of {}; the maximum is {}.</source>
        <translation>{} 要求 {} 为 {}；最多只能计到 {}。</translation>
    </message>
    <message>
        <source>The vocabulary has no end-of-text token, so a grammar could never finish.</source>
        <translation>词表中没有结束文本的词元，因此语法永远无法完成。</translation>
    </message>
    <message>
        <source>{}, line {}: the text is not valid UTF-8.</source>
        <translation>{} 第 {} 行：文本不是 UTF-8。</translation>
    </message>
    <message>
        <source>{} has no root rule.</source>
        <translation>{} 没有规则 root。</translation>
    </message>
    <message>
        <source>{} uses the undefined rule {}.</source>
        <translation>{} 使用了未定义的规则 {}。</translation>
    </message>
    <message>
        <source>{} has the left-recursive rule {}.</source>
        <translation>{} 有左递归规则 {}。</translation>
    </message>
    <message>
        <source>{} has more than {} elements after expanding its repetitions.</source>
        <translation>{} 在展开重复之后有超过 {} 个元素。</translation>
    </message>
    <message>
        <source>{}, line {}: rule name expected.</source>
        <translation>{} 第 {} 行：应为规则名。</translation>
    </message>
    <message>
        <source>{}, line {}: expected ::= after the rule name.</source>
        <translation>{} 第 {} 行：规则名后应为 ::=。</translation>
    </message>
    <message>
        <source>{}, line {}: unexpected text.</source>
        <translation>{} 第 {} 行：意外的内容。</translation>
    </message>
    <message>
        <source>{}, line {}: parentheses are nested too deeply.</source>
        <translation>{} 第 {} 行：括号嵌套过深。</translation>
    </message>
    <message>
        <source>{}, line {}: missing closing parenthesis.</source>
        <translation>{} 第 {} 行：缺少右括号。</translation>
    </message>
    <message>
        <source>{}, line {}: missing closing quote.</source>
        <translation>{} 第 {} 行：缺少右引号。</translation>
    </message>
    <message>
        <source>{}, line {}: a character range ends before it starts.</source>
        <translation>{} 第 {} 行：字符范围的结尾在开头之前。</translation>
    </message>
    <message>
        <source>{}, line {}: unknown escape sequence.</source>
        <translation>{} 第 {} 行：未知的转义序列。</translation>
    </message>
    <message>
        <source>{}, line {}: write tokens as &lt;[id]&gt; or &lt;text&gt;.</source>
        <translation>{} 第 {} 行：词元写作 &lt;[id]&gt; 或 &lt;text&gt;。</translation>
    </message>
    <message>
        <source>{}, line {}: no such token in the vocabulary.</source>
        <translation>{} 第 {} 行：词表中没有这个词元。</translation>
    </message>
    <message>
        <source>{}, line {}: consecutive repetitions; use parentheses.</source>
        <translation>{} 第 {} 行：连续的重复；请使用括号。</translation>
    </message>
    <message>
        <source>{}, line {}: write repetitions as {m}, {m,} or {m,n} with m ≤ n.</source>
        <translation>{} 第 {} 行：重复应写作 {m}、{m,} 或 {m,n}，m ≤ n。</translation>
    </message>
    <message>
        <source>{} needs {} with a context of {} tokens, but {} of memory is free; a context of {} tokens fits.</source>
        <translation>{} 需要 {}（{} 个词元的上下文），可用内存为 {}；{} 个词元的上下文放得下。</translation>
    </message>
    <message>
        <source>{} needs {}, but {} of memory is free; close other programs or use a smaller quantization.</source>
        <translation>{} 需要 {}，可用内存为 {}；请关闭其他程序，或使用更小的量化类型。</translation>
    </message>
    <message>
        <source>{} tensor pairs of the adapter are listed as stored: their shapes or patterns are not supported.</source>
        <translation>适配器中有 {} 对张量按存储原样列出：不支持其形状或模式。</translation>
    </message>
    <message>
        <source>The adapter type {} is not supported; its tensors are listed as stored.</source>
        <translation>不支持适配器类型 {}；其张量按存储原样列出。</translation>
    </message>
    <message>
        <source>{} and {} changed since the adapter was opened.</source>
        <translation>{} 和 {} 在打开适配器后发生了变化。</translation>
    </message>
    <message>
        <source>The tensors in {} are not listed: in a folder, only safetensors files, GGUF files and pytorch_model.bin are read.</source>
        <translation>未列出 {} 中的张量：文件夹中只读取 safetensors 文件、GGUF 文件和 pytorch_model.bin。</translation>
    </message>
    <message>
        <source>{} is not a valid --outtype; use auto, f32, f16, bf16, q8_0, tq1_0 or tq2_0.</source>
        <translation>{} 不是有效的 --outtype；可用 auto、f32、f16、bf16、q8_0、tq1_0 或 tq2_0。</translation>
    </message>
    <message>
        <source>Options for importance data and tensor types require --type.</source>
        <translation>重要性数据和张量类型的选项需要 --type。</translation>
    </message>
    <message>
        <source>--plan already specifies types, metadata and names; remove the other options about them.</source>
        <translation>--plan 已指定类型、元数据和名称；请去掉其他相关选项。</translation>
    </message>
    <message>
        <source>{} is on a hub, where only its header is read; download it first to see its values.</source>
        <translation>{} 位于社区中，只能读取其文件头；请先下载再查看其数值。</translation>
    </message>
    <message>
        <source>{} has no file {}; run wb download {} --dry-run to list the files.</source>
        <translation>{} 没有文件 {}；wb download {} --dry-run 会列出它们。</translation>
    </message>
    <message>
        <source>{} contains no GGUF or safetensors file; choose another repository.</source>
        <translation>{} 没有 GGUF 或 safetensors 文件；请选择另一个仓库。</translation>
    </message>
    <message>
        <source>{} contains {} models; specify one of its files, for example {}:{}.</source>
        <translation>{} 含有 {} 个模型；请指定其中一个文件，例如 {}:{}。</translation>
    </message>
    <message>
        <source>{} is neither GGUF nor safetensors; download it first to inspect it.</source>
        <translation>{} 既不是 GGUF 也不是 safetensors；请先下载再查看。</translation>
    </message>
    <message>
        <source>Cannot read the download list; starting with an empty one.</source>
        <translation>无法读取下载列表；将使用空列表。</translation>
    </message>
    <message>
        <source>{} runs on the CPU: the GPU {} has too little free memory for any layer.</source>
        <translation>{} 在 CPU 上运行：GPU {} 的空闲显存放不下任何一层。</translation>
    </message>
    <message>
        <source>The GPU {} produces wrong inference results; models run on the CPU.</source>
        <translation>GPU {} 的推理结果有误；模型改在 CPU 上运行。</translation>
    </message>
    <message>
        <source>{} runs on the CPU: {} is not supported on GPUs yet.</source>
        <translation>{} 在 CPU 上运行：GPU 目前还不支持{}。</translation>
    </message>
    <message>
        <source>{} runs on the CPU: weights of type {} are not supported on GPUs yet.</source>
        <translation>{} 在 CPU 上运行：GPU 目前还不支持类型为 {} 的权重。</translation>
    </message>
    <message>
        <source>{} runs on the CPU: a context of {} tokens is too long for the GPU {}.</source>
        <translation>{} 在 CPU 上运行：{} 个词元的上下文对 GPU {} 来说太长。</translation>
    </message>
    <message>
        <source>{} is not a MessagePack map of parameters.</source>
        <translation>{} 不是由参数组成的 MessagePack 映射。</translation>
    </message>
    <message>
        <source>{} is corrupted: its MessagePack data is truncated or invalid; download it again.</source>
        <translation>{} 已损坏：其 MessagePack 数据被截断或无效；请重新下载。</translation>
    </message>
    <message>
        <source>{}: unexpected data after the parameters.</source>
        <translation>{}：参数之后还有其他内容。</translation>
    </message>
    <message>
        <source>{} nests its parameters more than {} levels deep.</source>
        <translation>{} 的参数嵌套超过 {} 层。</translation>
    </message>
    <message>
        <source>{}: the leaf {} has an unknown type.</source>
        <translation>{}：叶子 {} 的类型未知。</translation>
    </message>
    <message>
        <source>{} is corrupted: one of its chunks does not decompress to its size; download it again.</source>
        <translation>{} 已损坏：其中一个分块解压后的大小不符；请重新下载。</translation>
    </message>
    <message>
        <source>{} is corrupted: its HDF5 superblock cannot be read; download it again.</source>
        <translation>{} 已损坏：无法读取其 HDF5 超级块；请重新下载。</translation>
    </message>
    <message>
        <source>{} contains more than {} objects.</source>
        <translation>{} 包含超过 {} 个对象。</translation>
    </message>
    <message>
        <source>{}: the object {} is corrupted and is not listed.</source>
        <translation>{}：对象 {} 已损坏，未列出。</translation>
    </message>
    <message>
        <source>{} is corrupted: its HDF5 root group cannot be read; download it again.</source>
        <translation>{} 已损坏：无法读取其 HDF5 根组；请重新下载。</translation>
    </message>
    <message>
        <source>{}: part of {} is corrupted.</source>
        <translation>{}：{} 的一部分已损坏。</translation>
    </message>
    <message>
        <source>{}: {} is only a link to another location and is not followed.</source>
        <translation>{}：{} 只指向别处，不会跟随。</translation>
    </message>
    <message>
        <source>{}: the groups at {} are nested too deeply.</source>
        <translation>{}：{} 处的组嵌套过深。</translation>
    </message>
    <message>
        <source>{}: cannot read attributes of {}.</source>
        <translation>{}：无法读取 {} 的属性。</translation>
    </message>
    <message>
        <source>{}: loading it requires the class {}, which is not part of Keras.</source>
        <translation>{}：加载它需要类 {}，而该类不属于 Keras 本身。</translation>
    </message>
    <message>
        <source>{}: an entry does not decompress to its size.</source>
        <translation>{}：一个条目解压后的大小不符。</translation>
    </message>
    <message>
        <source>{} is a Keras archive without readable weights; download it again.</source>
        <translation>{} 是没有可读权重的 Keras 归档；请重新下载。</translation>
    </message>
    <message>
        <source>None of the files referenced by {} can be opened.</source>
        <translation>{} 所指的文件都无法打开。</translation>
    </message>
    <message>
        <source>The components of a block-quantized weight do not match.</source>
        <translation>一个分块量化权重的各部分不相配。</translation>
    </message>
    <message>
        <source>{}: the MatMulNBits weight {} does not match its description; only its components are listed.</source>
        <translation>{}：MatMulNBits 的权重 {} 与其描述不符；只列出其组成部分。</translation>
    </message>
    <message>
        <source>{} is corrupted: an offset points outside the file; download it again.</source>
        <translation>{} 已损坏：其中一个偏移指向文件之外；请重新下载。</translation>
    </message>
    <message>
        <source>{} nests its graphs too deeply.</source>
        <translation>{} 的图嵌套过深。</translation>
    </message>
    <message>
        <source>{} contains {} sparse tensors, which are not supported.</source>
        <translation>{} 包含 {} 个稀疏张量，不受支持。</translation>
    </message>
    <message>
        <source>{} contains more than {} arrays; the rest is not listed.</source>
        <translation>{} 包含超过 {} 个数组；其余的未列出。</translation>
    </message>
    <message>
        <source>{} is not a valid pickle.</source>
        <translation>{} 不是有效的 pickle。</translation>
    </message>
    <message>
        <source>{}: the pickle is truncated or invalid at byte {}.</source>
        <translation>{}：pickle 在第 {} 字节处被截断或无效。</translation>
    </message>
    <message>
        <source>{} is compressed, and its contents are not a pickle; decompress it and open the result.</source>
        <translation>{} 是压缩文件，解压后的内容不是 pickle；请解压后再打开。</translation>
    </message>
    <message>
        <source>{} decompresses to less data than when it was opened.</source>
        <translation>{} 解压后的内容比打开时少。</translation>
    </message>
    <message>
        <source>{} is compressed with {}, but its data is corrupted or truncated; download it again.</source>
        <translation>{} 以 {} 压缩，但数据已损坏或不完整；请重新下载。</translation>
    </message>
    <message>
        <source>{} decompresses to more than {} bytes, which exceeds the limit.</source>
        <translation>{} 解压后超过 {} 字节，超出上限。</translation>
    </message>
    <message>
        <source>{} is corrupted: the index of its table cannot be read.</source>
        <translation>{} 已损坏：无法读取其表的索引。</translation>
    </message>
    <message>
        <source>{} is corrupted: it does not end like a TensorFlow table; download it again.</source>
        <translation>{} 已损坏：其结尾不像 TensorFlow 表；请重新下载。</translation>
    </message>
    <message>
        <source>{} is corrupted: a block of its table cannot be read, and its entries are missing.</source>
        <translation>{} 已损坏：其表的一个块无法读取，缺少其中的条目。</translation>
    </message>
    <message>
        <source>{} contains more than {} entries.</source>
        <translation>{} 包含超过 {} 个条目。</translation>
    </message>
    <message>
        <source>{} exceeds the size limit for a text graph.</source>
        <translation>{} 超过了图文本允许的长度。</translation>
    </message>
    <message>
        <source>{} uses the operator {}, which accesses resources outside the model when it runs.</source>
        <translation>{} 使用运算符 {}，它在运行时会访问模型之外。</translation>
    </message>
    <message>
        <source>{} belongs to a model with more than {} files.</source>
        <translation>{} 属于一个超过 {} 个文件的模型。</translation>
    </message>
    <message>
        <source>{} lists more values in one tensor than Weighbridge can copy.</source>
        <translation>{} 在一个张量中列出的值多于本程序可复制的数量。</translation>
    </message>
    <message>
        <source>{} is not a valid protobuf text graph: error at byte {}.</source>
        <translation>{} 不是有效的 protobuf 文本图：第 {} 字节处有误。</translation>
    </message>
    <message>
        <source>{} is not a TensorFlow Lite model.</source>
        <translation>{} 不是 TensorFlow Lite 模型。</translation>
    </message>
    <message>
        <source>{} uses the operator {}, which is not part of TensorFlow Lite; running it requires a library.</source>
        <translation>{} 使用运算符 {}，它不属于 TensorFlow Lite 本身：运行它需要一个库。</translation>
    </message>
    <message>
        <source>{} references other files to load values from; they are not opened.</source>
        <translation>{} 指定从其他文件加载值；这些文件不会被打开。</translation>
    </message>
    <message>
        <source>{} is on a hub; the preview limit is reached. Download it to see the rest.</source>
        <translation>{} 位于模型社区；已达到预览上限。请下载后查看其余部分。</translation>
    </message>
    <message>
        <source>{} changed since the file was opened.</source>
        <translation>{} 在打开文件后发生了变化。</translation>
    </message>
    <message>
        <source>A GGUF adapter cannot contain {}; merge the adapter into its base model instead (wb merge).</source>
        <translation>GGUF 适配器无法容纳 {}；请改为将适配器合并到其基座模型中（wb merge）。</translation>
    </message>
    <message>
        <source>The adapter modifies {}, which models of the architecture {} do not have; check that this is its base model.</source>
        <translation>该适配器修改 {}，而 {} 架构的模型没有它；请确认这是它的基座模型。</translation>
    </message>
    <message>
        <source>The architecture {} cannot be converted to a Hugging Face folder yet.</source>
        <translation>架构 {} 目前还不能转换为 Hugging Face 文件夹。</translation>
    </message>
    <message>
        <source>These fields of config.json are not in the file and were inferred from the architecture: {}.</source>
        <translation>config.json 的以下字段不在文件中，由架构推断得出：{}。</translation>
    </message>
    <message>
        <source>The architecture {} cannot be converted to a Hugging Face folder yet; --to safetensors keeps the tensor names.</source>
        <translation>架构 {} 目前还不能转换为 Hugging Face 文件夹；--to safetensors 会保留张量名称。</translation>
    </message>
    <message>
        <source>{} describes a model without layers.</source>
        <translation>{} 描述的模型没有层。</translation>
    </message>
    <message>
        <source>The tensor {} of type {} and shape {} cannot be converted back to its original form.</source>
        <translation>张量 {}（类型 {}、形状 {}）无法还原为其来源。</translation>
    </message>
    <message>
        <source>The tensor {} does not belong to the architecture {}, so the file cannot be converted to a folder; --to safetensors keeps its names.</source>
        <translation>张量 {} 不属于 {} 架构，因此该文件不能转换为文件夹；--to safetensors 会保留其名称。</translation>
    </message>
    <message>
        <source>{} tensors stay F32 because {} cannot store their values exactly: {}.</source>
        <translation>{} 个张量保持 F32，因为 {} 无法精确保存其数值：{}。</translation>
    </message>
    <message>
        <source>A vocabulary of type {} cannot be written as tokenizer files yet; copy them from the original model.</source>
        <translation>{} 类型的词表目前还不能写成分词器文件；请从原始模型中复制。</translation>
    </message>
    <message>
        <source>The pre-tokenizer {} has no regular expressions for tokenizer.json; the new file uses those of GPT-2. Copy tokenizer.json from the original model.</source>
        <translation>预分词器 {} 没有可用于 tokenizer.json 的正则表达式；新文件采用 GPT-2 的。请从原始模型中复制 tokenizer.json。</translation>
    </message>
    <message>
        <source>{} contains no tensor that safetensors can store, or none was selected.</source>
        <translation>{} 中没有 safetensors 文件可以保存的张量，或者没有选择任何张量。</translation>
    </message>
    <message>
        <source>{} tensors are omitted, for example {}: their values cannot be read, or safetensors does not support their type.</source>
        <translation>有 {} 个张量未写入，例如 {}：其数值无法读取，或 safetensors 不支持其类型。</translation>
    </message>
    <message>
        <source>{} tensors are dequantized: their values are those of the quantized file, not of the original model.</source>
        <translation>有 {} 个张量经过反量化：其数值来自量化后的文件，而不是原始模型。</translation>
    </message>
    <message>
        <source>{} tensors are duplicates of others and are written once; the metadata of the file lists their names.</source>
        <translation>有 {} 个张量与其他张量字节相同，只写入一次；文件的元数据列出了它们的名称。</translation>
    </message>
    <message>
        <source>Two tensors of the new file would be named {}.</source>
        <translation>新文件中会有两个名为 {} 的张量。</translation>
    </message>
    <message>
        <source>{} values of {} are too small for {} and became zero.</source>
        <translation>有 {} 个 {} 的数值对 {} 来说太小，变成了零。</translation>
    </message>
    <message>
        <source>Cannot create the folder {}; choose another location or name.</source>
        <translation>无法创建文件夹 {}；请选择其他位置或名称。</translation>
    </message>
    <message>
        <source>{} has the type {}, which safetensors does not support.</source>
        <translation>{} 的类型为 {}，safetensors 不支持。</translation>
    </message>
    <message>
        <source>Too many or too large tensors for one safetensors file; split them into shards.</source>
        <translation>张量太多或太大，一个 safetensors 文件放不下；请分片。</translation>
    </message>
    <message>
        <source>The adapter {} contains nothing to merge.</source>
        <translation>适配器 {} 中没有可以合并的内容。</translation>
    </message>
    <message>
        <source>The base model tensor {} has the type {}, which cannot be merged into.</source>
        <translation>基座模型的张量 {} 类型为 {}，无法合并。</translation>
    </message>
    <message>
        <source>The adapter {} modifies {}, which {} does not have; it was made for another model.</source>
        <translation>适配器 {} 修改 {}，而 {} 没有它；该适配器是为其他模型制作的。</translation>
    </message>
    <message>
        <source>The adapter {} modifies {} with shape {}, but {} has it with shape {}; it was made for another model.</source>
        <translation>适配器 {} 修改 {}，其形状为 {}，但 {} 中它的形状为 {}；该适配器是为其他模型制作的。</translation>
    </message>
    <message>
        <source>{} does not match the tensor it would be added to.</source>
        <translation>{} 与要相加的张量不匹配。</translation>
    </message>
    <message>
        <source>--vocab-only writes no tensors, so types cannot be chosen.</source>
        <translation>--vocab-only 不写入张量，因此没有可选的类型。</translation>
    </message>
    <message>
        <source>{} is an adapter; specify the folder of its base model.</source>
        <translation>{} 是适配器；请指定其基座模型的文件夹。</translation>
    </message>
    <message>
        <source>{} is an adapter, which is written as F32; remove the type.</source>
        <translation>{} 是适配器，以 F32 写入；请不要指定类型。</translation>
    </message>
    <message>
        <source>{} does not end with .gguf; rename it.</source>
        <translation>{} 不以 .gguf 结尾；请重命名。</translation>
    </message>
    <message>
        <source>{} is not a valid size; use a size such as 5GB or 300M, or none.</source>
        <translation>{} 不是 5GB 或 300M 这样的大小，也不是 none。</translation>
    </message>
    <message>
        <source>{} is not a JSON object with string values, as --metadata requires.</source>
        <translation>{} 不是由文本组成的 JSON 对象，而 --metadata 需要这样的文件。</translation>
    </message>
    <message>
        <source>{} is not a supported safetensors type; use auto, F32, F16, BF16 or F8_E4M3.</source>
        <translation>{} 不是这里 safetensors 可转换的类型；可用的有 auto、F32、F16、BF16 和 F8_E4M3。</translation>
    </message>
    <message>
        <source>{} does not have the form REGEX=TEXT.</source>
        <translation>{} 不是 REGEX=TEXT 的形式。</translation>
    </message>
    <message>
        <source>{} is not a regular expression.</source>
        <translation>{} 不是正则表达式。</translation>
    </message>
    <message>
        <source>{} applies to GGUF files only; remove it, or write a GGUF file.</source>
        <translation>{} 用于 GGUF 文件；请去掉它，或改为写入 GGUF 文件。</translation>
    </message>
    <message>
        <source>{} uses the unknown pre-tokenizer &quot;{}&quot;; choose one that splits text the same way, such as {}.</source>
        <translation>{} 使用未知的预分词器“{}”；请选择切分方式相同的预分词器，例如 {}。</translation>
    </message>
    <message>
        <source>the alignment of the file is invalid</source>
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
        <source>its row size is not a multiple of the block size</source>
        <translation>它的行长不是块大小的整数倍</translation>
    </message>
    <message>
        <source>a legacy PyTorch checkpoint</source>
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
        <source>an ONNX Runtime model</source>
        <translation>ONNX Runtime 模型</translation>
    </message>
    <message>
        <source>a Circle model</source>
        <translation>Circle 模型</translation>
    </message>
    <message>
        <source>a saved inference state</source>
        <translation>保存的推理状态</translation>
    </message>
    <message>
        <source>a PyTorch 0.4 preview file (2018)</source>
        <translation>2018 年预览版的 PyTorch 文件</translation>
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
        <source>an ELF executable</source>
        <translation>ELF 可执行文件</translation>
    </message>
    <message>
        <source>a Windows executable</source>
        <translation>Windows 可执行文件</translation>
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
        <source>it is truncated</source>
        <translation>它被截断了</translation>
    </message>
    <message>
        <source>too much data would have to be copied from the file</source>
        <translation>需要从文件中复制的内容过多</translation>
    </message>
    <message>
        <source>its offset in the other file is not a number</source>
        <translation>它在另一个文件中的偏移不是数字</translation>
    </message>
    <message>
        <source>its length in the other file does not match its shape</source>
        <translation>它在另一个文件中的长度与形状不符</translation>
    </message>
    <message>
        <source>their count does not match the shape</source>
        <translation>其数量与形状不符</translation>
    </message>
    <message>
        <source>its shape is invalid</source>
        <translation>它的形状无效</translation>
    </message>
    <message>
        <source>its sparse layout is not supported</source>
        <translation>不支持其稀疏布局</translation>
    </message>
    <message>
        <source>an index is out of range</source>
        <translation>索引超出范围</translation>
    </message>
    <message>
        <source>it ends before it starts</source>
        <translation>它的终点在起点之前</translation>
    </message>
    <message>
        <source>its size does not match its shape</source>
        <translation>它的大小与形状不符</translation>
    </message>
    <message>
        <source>the file ends before it does</source>
        <translation>文件在它结束之前就结束了</translation>
    </message>
    <message>
        <source>its type is not supported</source>
        <translation>不支持其类型</translation>
    </message>
    <message>
        <source>Could not save the queue to {}; it keeps running, but will be lost when Weighbridge quits.</source>
        <translation>无法将队列保存到 {}；队列会继续运行，但程序结束后会丢失。</translation>
    </message>
    <message>
        <source>{} is missing part {} of the model.</source>
        <translation>{} 缺少模型的分卷 {}。</translation>
    </message>
    <message>
        <source>Weighbridge supports f16, f32 and q8_0 KV caches, not {}.</source>
        <translation>Weighbridge 支持 f16、f32 和 q8_0 KV 缓存，不支持 {}。</translation>
    </message>
    <message>
        <source>Weighbridge&apos;s own plan is for the CPU; set GPU layers to 0.</source>
        <translation>Weighbridge 自身的规划针对 CPU；请将 GPU 层数设为 0。</translation>
    </message>
    <message>
        <source>Weighbridge supports one sequence at a time, not {}.</source>
        <translation>Weighbridge 一次只支持一个序列，而不是 {} 个。</translation>
    </message>
    <message>
        <source>matrices interleaved in panels of 16 rows for the kernels</source>
        <translation>按引擎的读取方式，矩阵以 16 行为一组排列</translation>
    </message>
    <message>
        <source>state of recurrent layers</source>
        <translation>循环层的状态</translation>
    </message>
    <message>
        <source>activations of 256 tokens and per-thread scratch buffers</source>
        <translation>256 个词元的激活值，以及每个线程的临时空间</translation>
    </message>
    <message>
        <source>{} vocabulary entries × 4 bytes</source>
        <translation>词表的 {} 个词元 × 4 字节</translation>
    </message>
    <message>
        <source>The program itself, its tokenizer and file pages in memory.</source>
        <translation>程序本身、其分词器以及所读文件的内存页。</translation>
    </message>
    <message>
        <source>The KV cache expanded to f16, which these builds allocate at run time as it fills.</source>
        <translation>展开为 f16 的 KV 缓存：这些版本在运行时随缓存填充而占用。</translation>
    </message>
    <message>
        <source>Differences with several devices: their compute buffers use the single-device formula and have not been validated.</source>
        <translation>多设备时的差别：其计算缓冲区按单设备公式得出，未经验证。</translation>
    </message>
    <message>
        <source>layers {} to {} of {}</source>
        <translation>第 {} 到 {} 层（共 {} 层）</translation>
    </message>
    <message>
        <source>output layer</source>
        <translation>输出层</translation>
    </message>
    <message>
        <source>CUDA context and kernel code, as measured on other GPUs</source>
        <translation>CUDA 上下文与内核代码，取自其他显卡的实测值</translation>
    </message>
    <message>
        <source>Line {} of {} is not a valid measurement; clear the measurements or fix the line.</source>
        <translation>第 {} 行（文件 {}）不是实测加载记录；请清除实测记录或修正该行。</translation>
    </message>
    <message>
        <source>{} is too large for a measurements file; clear the measurements.</source>
        <translation>{} 作为实测记录过大；请将其清除。</translation>
    </message>
    <message>
        <source>Could not remove {}; remove it manually.</source>
        <translation>无法删除 {}；请手动删除。</translation>
    </message>
    <message>
        <source>{} contains no llama.cpp buffer sizes; choose a load log (for llama-server, run it with -v).</source>
        <translation>{} 中没有 llama.cpp 的缓冲区大小；请选择加载日志（llama-server 需加 -v 运行）。</translation>
    </message>
    <message>
        <source>{} to fill {}% of the device</source>
        <translation>另有 {} 用于填满设备的 {}%</translation>
    </message>
    <message>
        <source>Activations of the vLLM profiling run, which depend on --max-num-batched-tokens.</source>
        <translation>vLLM 试运行时的激活值，取决于 --max-num-batched-tokens。</translation>
    </message>
    <message>
        <source>Savings of newer builds in sliding-window layers: every layer is counted in full.</source>
        <translation>较新版本在滑动窗口层中节省的内存：此处每层都按完整长度计算。</translation>
    </message>
    <message>
        <source>Additional memory of a transformers step: on a T4, 2.8% with 1 sequence, 8.9% with 8 and 23% with 16.</source>
        <translation>transformers 每一步额外占用的内存：在 T4 上，1 个序列为 2.8%，8 个为 8.9%，16 个为 23%。</translation>
    </message>
    <message>
        <source>{} parameters × {} bits (average) / 8</source>
        <translation>{} 个参数 × 平均 {} 位 / 8</translation>
    </message>
    <message>
        <source>{} for CUDA and its libraries</source>
        <translation>CUDA 及其库占用 {}</translation>
    </message>
    <message>
        <source>{} for CUDA graphs</source>
        <translation>CUDA Graph 占用 {}</translation>
    </message>
    <message>
        <source>CUDA context</source>
        <translation>CUDA 上下文</translation>
    </message>
    <message>
        <source>{} does not support this KV cache type; choose f16, or q8_0 for vLLM&apos;s FP8.</source>
        <translation>{} 不支持此 KV 缓存类型；请选择 f16，或用 q8_0 表示 vLLM 的 FP8。</translation>
    </message>
    <message>
        <source>{} runs all layers on its GPUs; choose all.</source>
        <translation>{} 在 GPU 上运行所有层；请选择全部。</translation>
    </message>
    <message>
        <source>{} does not keep experts in RAM; choose 0.</source>
        <translation>{} 不支持把专家放在内存中；请选择 0。</translation>
    </message>
    <message>
        <source>The backend {} conflicts with {} GPU layers.</source>
        <translation>后端 {} 与 {} 个 GPU 层相冲突。</translation>
    </message>
    <message>
        <source>The utilization must be above 0 and at most 1, not {}.</source>
        <translation>利用率必须大于 0 且不超过 1，不能是 {}。</translation>
    </message>
    <message>
        <source>{} is too large for a log; reduce it to the lines of a single load.</source>
        <translation>{} 作为日志过大；请只保留一次加载的那些行。</translation>
    </message>
    <message>
        <source>A log belongs to a specific model; enter or open that model first.</source>
        <translation>日志属于特定的模型；请先输入或打开该模型。</translation>
    </message>
    <message>
        <source>Weighbridge&apos;s own plan uses the file as stored; remove --type.</source>
        <translation>Weighbridge 自身的规划针对文件原样；请去掉 --type。</translation>
    </message>
    <message>
        <source>one of their segments is missing or has another type</source>
        <translation>其中一块缺失或类型不同</translation>
    </message>
    <message>
        <source>its chunks are in an extensible array, which is not supported</source>
        <translation>其分块位于可扩展数组中，不受支持</translation>
    </message>
    <message>
        <source>they are assembled from other datasets</source>
        <translation>其数值由其他数据集拼成</translation>
    </message>
    <message>
        <source>its shape is implausible for its size</source>
        <translation>其形状与大小不相称</translation>
    </message>
    <message>
        <source>the file does not specify their location</source>
        <translation>文件没有说明其位置</translation>
    </message>
    <message>
        <source>they are truncated</source>
        <translation>其数值被截断</translation>
    </message>
    <message>
        <source>its chunks do not match its shape</source>
        <translation>其分块与形状不符</translation>
    </message>
    <message>
        <source>part of its description is shared in an unsupported way</source>
        <translation>其描述有一部分以不支持的方式共享</translation>
    </message>
    <message>
        <source>they are in another file, which is not opened</source>
        <translation>其数值在另一个不会打开的文件中</translation>
    </message>
    <message>
        <source>there is text after the closing bracket</source>
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
        <source>a number starts with 0</source>
        <translation>有数字以 0 开头</translation>
    </message>
    <message>
        <source>a number ends with a decimal point</source>
        <translation>有数字以小数点结尾</translation>
    </message>
    <message>
        <source>a number has an incomplete exponent</source>
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
        <source>a TensorFlow SavedModel</source>
        <translation>TensorFlow SavedModel</translation>
    </message>
    <message>
        <source>a TensorFlow graph</source>
        <translation>TensorFlow 计算图</translation>
    </message>
    <message>
        <source>the file that contains them cannot be opened</source>
        <translation>应当存放其数值的文件无法打开</translation>
    </message>
    <message>
        <source>the file that contains them is too short</source>
        <translation>存放其数值的文件太短</translation>
    </message>
    <message>
        <source>they are in another file</source>
        <translation>其数值在另一个文件中</translation>
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
        <source>the file that contains them is missing</source>
        <translation>应当存放其数值的文件不存在</translation>
    </message>
    <message>
        <source>some of them are missing</source>
        <translation>缺少其中一部分</translation>
    </message>
    <message>
        <source>the file that contains some of them is too short</source>
        <translation>存放其中一部分的文件太短</translation>
    </message>
    <message>
        <source>its components do not add up to the whole</source>
        <translation>各部分拼不成整体</translation>
    </message>
    <message>
        <source>some of them are out of bounds</source>
        <translation>其中一部分越界</translation>
    </message>
    <message>
        <source>some of them cannot be read</source>
        <translation>其中一部分无法读取</translation>
    </message>
    <message>
        <source>they repeat one value too often</source>
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
        <source>its description is not supported</source>
        <translation>不支持其描述</translation>
    </message>
    <message>
        <source>its storage is not in the file</source>
        <translation>其存储不在文件中</translation>
    </message>
    <message>
        <source>its storage exceeds the storage it is part of</source>
        <translation>其存储超出了所属的存储</translation>
    </message>
    <message>
        <source>it exceeds its storage</source>
        <translation>它超出了自己的存储</translation>
    </message>
    <message>
        <source>its storage is shorter than it should be</source>
        <translation>其存储比应有的短</translation>
    </message>
    <message>
        <source>its layout is not supported</source>
        <translation>不支持其布局</translation>
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
        <source>an unsupported router type</source>
        <translation>不支持的路由器类型</translation>
    </message>
    <message>
        <source>grouped experts</source>
        <translation>分组的专家</translation>
    </message>
    <message>
        <source>experts whose width differs from the model&apos;s</source>
        <translation>宽度与模型不同的专家</translation>
    </message>
    <message>
        <source>a router with soft capping</source>
        <translation>带软上限的路由器</translation>
    </message>
    <message>
        <source>experts with their own norm</source>
        <translation>有各自归一化的专家</translation>
    </message>
    <message>
        <source>bidirectional attention</source>
        <translation>双向注意力</translation>
    </message>
    <message>
        <source>layers that are applied more than once</source>
        <translation>多次经过的层</translation>
    </message>
    <message>
        <source>attention temperature without an original context length</source>
        <translation>没有原始上下文长度的注意力温度</translation>
    </message>
    <message>
        <source>a layer is not an object</source>
        <translation>有一层不是对象</translation>
    </message>
    <message>
        <source>the digest of a layer is not sha256: followed by 64 hexadecimal digits</source>
        <translation>有一层的摘要不是 sha256 加 64 位十六进制数字</translation>
    </message>
    <message>
        <source>the size of a layer is not a number</source>
        <translation>有一层的大小不是数字</translation>
    </message>
    <message>
        <source>it is not JSON</source>
        <translation>它不是 JSON</translation>
    </message>
    <message>
        <source>it lists no layers</source>
        <translation>它没有列出任何层</translation>
    </message>
    <message>
        <source>it lists too many layers</source>
        <translation>它列出的层过多</translation>
    </message>
    <message>
        <source>a Caffe network description</source>
        <translation>Caffe 网络的描述</translation>
    </message>
    <message>
        <source>{}: its schema.json is truncated or not valid JSON; entries after the error are missing.</source>
        <translation>{}：其 schema.json 不完整或不是有效的 JSON；出错位置之后的条目缺失。</translation>
    </message>
    <message>
        <source>{} has no schema.json and is not a skops archive; download it again.</source>
        <translation>{} 没有 schema.json，不是 skops 归档；请重新下载。</translation>
    </message>
    <message>
        <source>{} lists more than {} arrays.</source>
        <translation>{} 列出的数组超过 {} 个。</translation>
    </message>
    <message>
        <source>{}: {} should be in {}, which is missing from the archive.</source>
        <translation>{}：{} 应在 {} 中，但归档里没有它。</translation>
    </message>
    <message>
        <source>{}: {} is a sparse matrix in {}, whose components are not listed.</source>
        <translation>{}：{} 是 {} 中的稀疏矩阵，其组成部分未列出。</translation>
    </message>
    <message>
        <source>{}: {} is in {}, which is not a supported NumPy array.</source>
        <translation>{}：{} 在 {} 中，而它不是本程序能读取的 NumPy 数组。</translation>
    </message>
    <message>
        <source>meta tensor: no storage</source>
        <translation>元张量：没有存储区</translation>
    </message>
    <message>
        <source>{}: it loads values from {}, which is outside its folder.</source>
        <translation>{}：它要从 {} 取值，而该路径指向其文件夹之外。</translation>
    </message>
    <message>
        <source>{}: its chat template accesses Python internals on line {}; an unsandboxed renderer would run code.</source>
        <translation>{}：其对话模板在第 {} 行访问 Python 内部；没有沙箱的渲染器会运行代码。</translation>
    </message>
    <message>
        <source>{}: its chat template loads another template on line {}, which models do not include.</source>
        <translation>{}：其对话模板在第 {} 行加载另一个模板，而模型并不附带它。</translation>
    </message>
    <message>
        <source>{}: its chat template contains invisible characters on line {}.</source>
        <translation>{}：其对话模板在第 {} 行含有不可见字符。</translation>
    </message>
    <message>
        <source>Weighbridge does not support speculative decoding; remove the draft model.</source>
        <translation>Weighbridge 不支持推测解码；请移除草稿模型。</translation>
    </message>
    <message>
        <source>KV cache and buffers of the multi-token prediction layers, which are needed only for speculative decoding.</source>
        <translation>多词元预测层的 KV 缓存和缓冲区，仅在推测解码时需要。</translation>
    </message>
    <message>
        <source>Differences between an MTP layer and a regular layer: their buffers are assumed to be equal.</source>
        <translation>MTP 层与普通层之间的差异：其缓冲区按相同计算。</translation>
    </message>
    <message>
        <source>This model has no multi-token prediction layers; specify a draft model.</source>
        <translation>此模型没有多词元预测层；请指定草稿模型。</translation>
    </message>
    <message>
        <source>Use either a draft model or the model&apos;s own MTP layers, not both.</source>
        <translation>草稿模型与模型自身的 MTP 层只能二选一。</translation>
    </message>
    <message>
        <source>{} has no setting for {}; remove it.</source>
        <translation>{} 的设置中没有 {}；请去掉。</translation>
    </message>
    <message>
        <source>{} parameters × {} to {} bytes = {} to {}</source>
        <translation>{} 参数 × {} 到 {} 字节 = {} 到 {}</translation>
    </message>
    <message>
        <source>{} parameters × {} to {} bytes ({} to {} GB for 7B) = {} to {}</source>
        <translation>{} 参数 × {} 到 {} 字节（7B 为 {} 到 {} GB）= {} 到 {}</translation>
    </message>
    <message>
        <source>{} fits, but leaves only {} of free disk space.</source>
        <translation>{} 放得下，但之后磁盘只剩 {} 可用空间。</translation>
    </message>
    <message>
        <source>{} has {} files that form one model; at most {} are opened from a hub.</source>
        <translation>{} 有 {} 个文件组成一个模型；从模型社区最多打开 {} 个。</translation>
    </message>
    <message>
        <source>{} is a distributed checkpoint, whose tensors are split into pieces; merging them is not supported yet.</source>
        <translation>{} 是分布式检查点，其张量分成多个部分；目前还不支持合并。</translation>
    </message>
    <message>
        <source>{} is not a Weighbridge plan for writing weights; choose another file.</source>
        <translation>{} 不是 Weighbridge 保存的写出权重的方案；请选择其他文件。</translation>
    </message>
    <message>
        <source>{} was discarded: {} in it does not match a recomputation from the source, so the memory, disk or device may be faulty.</source>
        <translation>已丢弃 {}：其中的 {} 与由来源重新计算的结果不一致，内存、磁盘或设备可能有故障。</translation>
    </message>
    <message>
        <source>The tensor {} is in both {} and {}.</source>
        <translation>张量 {} 既在 {} 中，又在 {} 中。</translation>
    </message>
    <message>
        <source>{} is empty and not a template.</source>
        <translation>{} 是空的，因此不是模板。</translation>
    </message>
    <message>
        <source>{} already specifies types, names, shards and adapters; remove the other options about them.</source>
        <translation>{} 已决定类型、名称、分片和适配器；请去掉与之相关的其他选项。</translation>
    </message>
    <message>
        <source>{} does not match the plan&apos;s output: one is a folder, the other a .safetensors file.</source>
        <translation>{} 与方案要写的不符：一个是文件夹，另一个是 .safetensors 文件。</translation>
    </message>
    <message>
        <source>{} contains a private key, which anyone with the file can use; revoke the key, and save the file without it.</source>
        <translation>{} 含有私钥，拿到该文件的人都能使用；请吊销该私钥，并重新保存不含它的文件。</translation>
    </message>
    <message>
        <source>{} contains what looks like an access token of {} ({} characters), which anyone with the file can use; revoke the token, and save the file without it.</source>
        <translation>{} 含有疑似 {} 的访问令牌（{} 个字符），拿到该文件的人都能使用；请吊销该令牌，并重新保存不含它的文件。</translation>
    </message>
    <message>
        <source>{0}: its chat template adds its own instructions to the model on line {1} ({2} characters): {3}</source>
        <translation>{0}：其对话模板在第 {1} 行自行向模型添加指令（{2} 个字符）：{3}</translation>
    </message>
    <message>
        <source>{}: its chat template builds unbounded text or an unbounded loop on line {}.</source>
        <translation>{}：其对话模板在第 {} 行生成无限增长的文本或循环。</translation>
    </message>
    <message>
        <source>{}: the output of its chat template on line {} is random.</source>
        <translation>{}：其对话模板在第 {} 行写出的内容是随机的。</translation>
    </message>
    <message>
        <source>{}: its chat template writes the time or date on line {}.</source>
        <translation>{}：其对话模板在第 {} 行写入时间或日期。</translation>
    </message>
    <message>
        <source>{0}: on line {1} its chat template depends on message contents: {2}</source>
        <translation>{0}：其对话模板在第 {1} 行根据消息内容行事：{2}</translation>
    </message>
    <message>
        <source>{}: its chat template contains encoded, unreadable text on line {}.</source>
        <translation>{}：其对话模板在第 {} 行含有无法阅读的编码文本。</translation>
    </message>
    <message>
        <source>{}: its chat template writes a link or an address on line {}.</source>
        <translation>{}：其对话模板在第 {} 行写入链接或地址。</translation>
    </message>
    <message>
        <source>Keep the experts of all {} MoE layers on the CPU.</source>
        <translation>将全部 {} 个 MoE 层的专家留在 CPU。</translation>
    </message>
    <message>
        <source>Slower generation, but faster than moving whole layers to the CPU.</source>
        <translation>生成变慢，但比把整层移到 CPU 更快。</translation>
    </message>
    <message>
        <source>Use a q4_0 KV cache.</source>
        <translation>使用 q4_0 KV 缓存。</translation>
    </message>
    <message>
        <source>Lower accuracy in long conversations.</source>
        <translation>长对话的准确度降低。</translation>
    </message>
    <message>
        <source>{} does not describe the weights, so it cannot be checked whether they fit in memory.</source>
        <translation>{} 没有说明权重，因此无法判断能否放入内存。</translation>
    </message>
    <message>
        <source>Weights: the config describes the layers but not their tensors, so it cannot be checked whether they fit.</source>
        <translation>权重：配置给出了层，但没有给出张量，因此无法判断能否放下。</translation>
    </message>
    <message>
        <source>{} has no positive {}; choose the config.json of a language model.</source>
        <translation>{} 中没有大于零的 {}；请选择语言模型的 config.json。</translation>
    </message>
    <message>
        <source>{} is truncated: it has {} of the {} bytes declared in its superblock.</source>
        <translation>{} 不完整：文件有 {} 字节，而其超级块声明应有 {} 字节。</translation>
    </message>
    <message>
        <source>{} is not scanned at that depth.</source>
        <translation>不会读取 {} 到那么靠后的位置。</translation>
    </message>
    <message>
        <source>The folder has no tokenizer.model, and tokenizer.json has no scores: all tokens get the same score, as in the reference converter, and text may be tokenized differently. Add tokenizer.model if available.</source>
        <translation>文件夹中没有 tokenizer.model，而 tokenizer.json 不含分数：所有词元都得到相同的分数（与参考转换器一致），分词结果可能不同。如有 tokenizer.model，请添加。</translation>
    </message>
    <message>
        <source>{} in generation_config.json has a type that GGUF cannot store; fix or remove it.</source>
        <translation>generation_config.json 中的 {} 不是 GGUF 文件能保存的类型；请修正或删除它。</translation>
    </message>
    <message>
        <source>adapter_config.json of {} has no numeric lora_alpha, so its scale is unknown.</source>
        <translation>{} 的 adapter_config.json 没有数值形式的 lora_alpha，因此无法得知其缩放比例。</translation>
    </message>
    <message>
        <source>No cached results for the search {}; run it once without --offline.</source>
        <translation>没有搜索 {} 的缓存结果；请先不带 --offline 搜索一次。</translation>
    </message>
    <message>
        <source>The value of {} is out of range ({}).</source>
        <translation>{} 的值超出其范围（{}）。</translation>
    </message>
    <message>
        <source>A logit bias uses the token {}, but the vocabulary has the tokens 0 to {}.</source>
        <translation>logit 偏置指定了词元 {}；词表中的词元为 0 到 {}。</translation>
    </message>
    <message>
        <source>{} has no chat template; enter plain text, or provide a template.</source>
        <translation>{} 没有对话模板；请输入普通文本，或提供模板。</translation>
    </message>
    <message>
        <source>config.json omits {}; the defaults of the model class are written, as in the reference converter.</source>
        <translation>config.json 未给出 {}；与参考程序一样，写入该模型类的默认值。</translation>
    </message>
    <message>
        <source>The files of {} are unknown offline; download it once without --offline.</source>
        <translation>离线时无法得知 {} 的文件；请先不带 --offline 下载一次。</translation>
    </message>
    <message>
        <source>Cannot read the values of {}: {}</source>
        <translation>无法读取 {} 的值：{}</translation>
    </message>
    <message>
        <source>{} contains no supported model folder layout; open one of its files.</source>
        <translation>{} 的文件夹结构不受支持；请打开其中的某个文件。</translation>
    </message>
    <message>
        <source>{}: {} is compressed with {}, which is not supported; save it with numpy.savez.</source>
        <translation>{}：{} 以 {} 压缩，本程序不解压；请用 numpy.savez 保存。</translation>
    </message>
    <message>
        <source>batches of compressed sparse matrices, or batches of vectors, are listed by component only</source>
        <translation>成批的压缩稀疏矩阵或由向量组成的稀疏矩阵只列出其组成部分</translation>
    </message>
    <message>
        <source>{}: the entry {} is compressed with {}, which is not supported; save it uncompressed or with deflate.</source>
        <translation>{}：条目 {} 以 {} 压缩，不受支持；请不压缩或以 deflate 压缩保存。</translation>
    </message>
    <message>
        <source>{} values of {} are NaN or infinite: the source contains such values, or the result exceeds the range of {}.</source>
        <translation>有 {} 个值（{}）是 NaN 或无穷大：其来源含有这样的值，或结果超出 {} 的范围。</translation>
    </message>
    <message>
        <source>{} values of {} in the adapter {} are NaN or infinite, and so will be the tensors they are added to.</source>
        <translation>有 {} 个值为 NaN 或无穷大（张量 {}，适配器 {}），与之相加的张量也会如此。</translation>
    </message>
    <message>
        <source>an odd head size</source>
        <translation>奇数大小的注意力头</translation>
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
        <source>{} is specified for two outputs; choose a separate name for each.</source>
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
        <source>{}: loading it reaches dangerous code: {}.</source>
        <translation>{}：加载它会用到已知危险的代码：{}。</translation>
    </message>
    <message>
        <source>{}: loading it reaches dangerous code.</source>
        <translation>{}：加载它会用到已知危险的代码。</translation>
    </message>
    <message>
        <source>{}: loading it reaches unknown code: {}.</source>
        <translation>{}：加载它会用到未知的代码：{}。</translation>
    </message>
    <message>
        <source>{}: loading it reaches unknown code.</source>
        <translation>{}：加载它会用到未知的代码。</translation>
    </message>
    <message>
        <source>{}: the pickle is truncated or invalid and cannot be followed to its end.</source>
        <translation>{}：pickle 被截断或无效，无法解析到末尾。</translation>
    </message>
    <message>
        <source>{} is damaged or invalid, so the code that it would run is unknown.</source>
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
        <source>No tensor selected for {}; select one.</source>
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
        <source>{} returned a response about {} in an unknown format; it may not be a hub.</source>
        <translation>{} 返回的关于 {} 的响应格式未知；它可能不是模型社区。</translation>
    </message>
    <message>
        <source>{} returns an endless list for {}; the request was stopped.</source>
        <translation>{} 返回的 {} 的列表没有尽头；已放弃。</translation>
    </message>
    <message>
        <source>{} rejected the request for {}: {}</source>
        <translation>{} 拒绝了对 {} 的请求：{}</translation>
    </message>
    <message>
        <source>{} rejected the access token for {}; it has expired, was revoked or is mistyped.</source>
        <translation>{} 拒绝了用于 {} 的访问令牌；它已过期、已被撤销或输入有误。</translation>
    </message>
    <message>
        <source>{} answered the request for {} with a web page instead of data; a login page of your network may be in between: open it in a browser.</source>
        <translation>{} 对 {} 的请求返回了网页而不是数据；可能是网络的登录页面：请在浏览器中打开。</translation>
    </message>
    <message>
        <source>{} returned an unreadable response about {} ({}); try again later.</source>
        <translation>{} 返回的关于 {} 的响应无法读取（{}）；请稍后再试。</translation>
    </message>
    <message>
        <source>{} returned a response about {} that is too large for one page; narrow the request.</source>
        <translation>{} 返回的关于 {} 的响应太大，超出一页；请缩小请求范围。</translation>
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
        <source>Negligible quality loss: {} bits per weight, KLD {} of Llama 3 8B without imatrix.</source>
        <translation>几乎察觉不到：每权重 {} 位，Llama 3 8B 不用 imatrix 的 KLD 为 {}。</translation>
    </message>
    <message>
        <source>Small quality loss: {} bits per weight, KLD {} of Llama 3 8B without imatrix.</source>
        <translation>损失很小：每权重 {} 位，Llama 3 8B 不用 imatrix 的 KLD 为 {}。</translation>
    </message>
    <message>
        <source>Noticeable quality loss: {} bits per weight, KLD {} of Llama 3 8B without imatrix.</source>
        <translation>损失可察觉：每权重 {} 位，Llama 3 8B 不用 imatrix 的 KLD 为 {}。</translation>
    </message>
    <message>
        <source>Large quality loss: {} bits per weight, KLD {} of Llama 3 8B without imatrix.</source>
        <translation>损失较大：每权重 {} 位，Llama 3 8B 不用 imatrix 的 KLD 为 {}。</translation>
    </message>
    <message>
        <source>Severe quality loss: {} bits per weight, KLD {} of Llama 3 8B without imatrix.</source>
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
    <message>
        <source>{0} of the requested {1} layers are on the GPU, since other layers need their caches on the same device.</source>
        <translation>请求的 {1} 层中有 {0} 层位于 GPU，因为其他层需要它们的缓存在同一设备上。</translation>
    </message>
    <message>
        <source>The GPU {} has no subgroups that the fast kernels can use.</source>
        <translation>GPU {} 没有快速内核可用的子组。</translation>
    </message>
    <message>
        <source>a head size above 512</source>
        <translation>大于 512 的注意力头</translation>
    </message>
    <message>
        <source>more than 64 experts per token</source>
        <translation>每个词元超过 64 个专家</translation>
    </message>
    <message>
        <source>GELU with the error function</source>
        <translation>使用误差函数的 GELU</translation>
    </message>
    <message>
        <source>The state of recurrent layers after {} tokens is not kept; this is a defect of the program.</source>
        <translation>未保留 {} 个词元之后循环层的状态；这是程序的缺陷。</translation>
    </message>
    <message>
        <source>recurrent layers</source>
        <translation>循环层</translation>
    </message>
    <message>
        <source>wide convolutions</source>
        <translation>宽卷积</translation>
    </message>
    <message>
        <source>{} of type {} cannot be compared with type {}.</source>
        <translation>{} 的类型为 {}，无法与类型 {} 比较。</translation>
    </message>
    <message>
        <source>{} is not a mapping of tensors; it needs &quot;pairs&quot;, a list of objects with &quot;a&quot;, &quot;b&quot; and &quot;mapping&quot;.</source>
        <translation>{} 不是张量映射；它需要 &quot;pairs&quot;，即由含 &quot;a&quot;、&quot;b&quot; 和 &quot;mapping&quot; 的对象组成的列表。</translation>
    </message>
    <message>
        <source>{} contains the unknown mapping &quot;{}&quot;.</source>
        <translation>{} 含有未知的映射“{}”。</translation>
    </message>
    <message>
        <source>{} names the tensor {}, which {} does not contain.</source>
        <translation>{} 指定了张量 {}，但 {} 中没有该张量。</translation>
    </message>
    <message>
        <source>{} maps {} to {} by &quot;{}&quot;, which their shapes and types do not allow.</source>
        <translation>{} 将 {} 映射到 {}，方式为“{}”，但其形状和类型不允许。</translation>
    </message>
    <message>
        <source>Cannot compute the checksums of {}.</source>
        <translation>无法计算 {} 的校验和。</translation>
    </message>
    <message>
        <source>{} contains {} NaN and {} infinite values.</source>
        <translation>{} 含有 {} 个 NaN 和 {} 个无穷值。</translation>
    </message>
    <message>
        <source>The structure of {} is valid (tensors: {}, files: {}).</source>
        <translation>{} 的结构有效（张量：{}，文件：{}）。</translation>
    </message>
    <message>
        <source>The index and the shards of {} list the same tensors.</source>
        <translation>{} 的索引与分片列出的张量一致。</translation>
    </message>
    <message>
        <source>The checksums (CRC-32) of all {} entries of {} match.</source>
        <translation>全部 {} 个条目的校验和（CRC-32）均一致：{}。</translation>
    </message>
    <message>
        <source>{}: no checksum is stored for {}, so it was not compared.</source>
        <translation>{}：未保存 {} 的校验和，因此未比较。</translation>
    </message>
    <message>
        <source>{}: the entry {} is encrypted or compressed with {}, so its checksum was not compared.</source>
        <translation>{}：条目 {} 已加密或使用 {} 压缩，因此未比较其校验和。</translation>
    </message>
    <message>
        <source>All values of {} weight tensors are finite.</source>
        <translation>{} 个权重张量的值均为有限值。</translation>
    </message>
    <message>
        <source>The weights are quantized in a way ({}) that cannot be decoded, so the folder cannot be converted; use the original model.</source>
        <translation>权重的量化方式（{}）无法解码，因此无法转换此文件夹；请使用原始模型。</translation>
    </message>
    <message>
        <source>{} has the model_type {}, but {} has {}; only models of one architecture can be merged.</source>
        <translation>{} 的 model_type 为 {}，而 {} 的为 {}；只能合并同一架构的模型。</translation>
    </message>
    <message>
        <source>The vocabulary of {} differs from that of {}; choose which tokenizer the merged model has.</source>
        <translation>{} 的词表与 {} 的不同；请选择合并后的模型使用哪个分词器。</translation>
    </message>
    <message>
        <source>{} is not one of the merged models, so its tokenizer cannot be used; use base or one of the models.</source>
        <translation>{} 不是要合并的模型之一，因此不能使用其分词器；请使用 base 或其中一个模型。</translation>
    </message>
    <message>
        <source>{} is not a valid mergekit configuration: its field &quot;{}&quot; is missing or invalid.</source>
        <translation>{} 不是有效的 mergekit 配置：其字段“{}”缺失或无效。</translation>
    </message>
    <message>
        <source>{} uses &quot;{}&quot; in a way that is not supported here; run it in mergekit.</source>
        <translation>{} 对“{}”的用法在此不受支持；请在 mergekit 中运行。</translation>
    </message>
    <message>
        <source>mergekit cannot express the rule {}: its filters match parts of names, not regular expressions.</source>
        <translation>mergekit 无法表达规则 {}：其过滤器匹配名称的一部分，而不是正则表达式。</translation>
    </message>
    <message>
        <source>mergekit cannot express rules about weight or density for all models at once; remove them.</source>
        <translation>mergekit 无法表达同时针对所有模型的权重或密度规则；请将其移除。</translation>
    </message>
    <message>
        <source>{} is not a valid tokenizer.json.</source>
        <translation>{} 不是有效的 tokenizer.json。</translation>
    </message>
    <message>
        <source>The weights of this folder are quantized in a way that cannot be decoded; they can be copied and sharded, but not cast.</source>
        <translation>此文件夹的权重的量化方式无法解码；可以复制和分片，但不能转换类型。</translation>
    </message>
    <message>
        <source>{} is invalid at line {}, or uses a feature of YAML that is not supported.</source>
        <translation>{} 在第 {} 行无效，或使用了不受支持的 YAML 功能。</translation>
    </message>
    <message>
        <source>{} has {} bytes, more than a configuration has.</source>
        <translation>{} 有 {} 字节，超过了配置文件的大小上限。</translation>
    </message>
    <message>
        <source>{} is not a valid regular expression: {}.</source>
        <translation>{} 不是有效的正则表达式：{}。</translation>
    </message>
    <message>
        <source>The rule for {} has no value.</source>
        <translation>{} 的规则没有值。</translation>
    </message>
    <message>
        <source>{} is out of range for {} in the rule for {}.</source>
        <translation>{} 超出了 {} 的范围，位于 {} 的规则中。</translation>
    </message>
    <message>
        <source>The method {} has no density; remove it, or use ties, dare-linear or dare-ties.</source>
        <translation>方法 {} 没有密度；请将其移除，或使用 ties、dare-linear 或 dare-ties。</translation>
    </message>
    <message>
        <source>The method {} is not rescaled; remove the setting, or use dare-linear or dare-ties.</source>
        <translation>方法 {} 不进行重新缩放；请移除该设置，或使用 dare-linear 或 dare-ties。</translation>
    </message>
    <message>
        <source>The method layers requires the layers of the result, such as A:0-15,B:8-31.</source>
        <translation>方法 layers 需要指定结果的层，例如 A:0-15,B:8-31。</translation>
    </message>
    <message>
        <source>The method {} merges all layers; remove the list of layers.</source>
        <translation>方法 {} 会合并所有层；请移除层列表。</translation>
    </message>
    <message>
        <source>The method slerp merges the base with exactly one other model, not with {}.</source>
        <translation>方法 slerp 只能将基座模型与一个其他模型合并，而不是 {} 个。</translation>
    </message>
    <message>
        <source>Merging requires at least one other model.</source>
        <translation>合并至少需要一个其他模型。</translation>
    </message>
    <message>
        <source>{} is out of range for t; use a number from 0 to 1.</source>
        <translation>{} 超出了 t 的范围；请使用 0 到 1 之间的数。</translation>
    </message>
    <message>
        <source>{} is out of range for the density; use a number above 0, up to 1.</source>
        <translation>{} 超出了密度的范围；请使用大于 0 且不超过 1 的数。</translation>
    </message>
    <message>
        <source>Weights and lambda must be finite numbers.</source>
        <translation>权重和 lambda 必须是有限数。</translation>
    </message>
    <message>
        <source>The weights add up to 0, so their average is undefined; change one.</source>
        <translation>权重之和为 0，因此平均值没有定义；请更改其中一个。</translation>
    </message>
    <message>
        <source>{} is not a valid list of layers for {} models.</source>
        <translation>{} 不是适用于 {} 个模型的有效层列表。</translation>
    </message>
    <message>
        <source>{} does not have the form REGEX:KEY=V or REGEX:KEY=V,V,… with the key weight, density or t.</source>
        <translation>{} 不符合 REGEX:KEY=V 或 REGEX:KEY=V,V,… 的形式（键为 weight、density 或 t）。</translation>
    </message>
    <message>
        <source>{} is not a list of layers such as A:0-15,B:8-31, where A is the base.</source>
        <translation>{} 不是 A:0-15,B:8-31 这样的层列表，其中 A 为基座模型。</translation>
    </message>
    <message>
        <source>{} has the tensor {}, but {} does not; only models of one architecture can be merged.</source>
        <translation>{} 有张量 {}，而 {} 没有；只能合并同一架构的模型。</translation>
    </message>
    <message>
        <source>The tensor {} has the shape {} in {}, but {} in {}; only models of one shape can be merged.</source>
        <translation>张量 {} 的形状为 {}（位于 {}），但另一个为 {}（位于 {}）；只能合并形状相同的模型。</translation>
    </message>
    <message>
        <source>The tensor {} of {} has no numbers that can be merged.</source>
        <translation>张量 {}（属于 {}）没有可以合并的数值。</translation>
    </message>
    <message>
        <source>The models have vocabularies of different lengths: embeddings of up to {} rows are cut to {}.</source>
        <translation>各模型的词表长度不同：最多 {} 行的嵌入被截断为 {} 行。</translation>
    </message>
    <message>
        <source>{} has {} layers, so layer {} cannot be used; the first one is 0.</source>
        <translation>{} 有 {} 层，因此无法使用第 {} 层；第一层为 0。</translation>
    </message>
    <message>
        <source>{} changed since the model was opened.</source>
        <translation>自打开模型以来，{} 已更改。</translation>
    </message>
    <message>
        <source>{} of {} contains NaN or infinite values, so it cannot be merged.</source>
        <translation>{}（属于 {}）包含 NaN 或无穷大的值，因此无法合并。</translation>
    </message>
    <message>
        <source>The weights for {} add up to 0, so their average is undefined; change a rule.</source>
        <translation>{} 的权重之和为 0，因此平均值没有定义；请更改规则。</translation>
    </message>
    <message>
        <source>--with is required: it names a model to merge with BASE; the other options of merging models are for it.</source>
        <translation>需要 --with：它指定要与 BASE 合并的模型；合并模型的其他选项都针对它。</translation>
    </message>
    <message>
        <source>--method is required with --with: {}.</source>
        <translation>--with 需要 --method：{}。</translation>
    </message>
    <message>
        <source>{} is not a merge method; use {}.</source>
        <translation>{} 不是合并方法；请使用 {}。</translation>
    </message>
    <message>
        <source>{} does not apply to --method {}; it is for {}.</source>
        <translation>{} 不适用于 --method {}；它用于 {}。</translation>
    </message>
    <message>
        <source>--method slerp requires --t, from 0 to 1.</source>
        <translation>--method slerp 需要 --t，取值 0 到 1。</translation>
    </message>
    <message>
        <source>--normalize takes yes or no.</source>
        <translation>--normalize 的值为 yes 或 no。</translation>
    </message>
    <message>
        <source>--rescale takes density, l1 or no.</source>
        <translation>--rescale 的值为 density、l1 或 no。</translation>
    </message>
    <message>
        <source>The tensor {} of {} cannot be written: {}. Copy the missing file, or select whole tensors.</source>
        <translation>张量 {}（位于 {}）无法写入：{}。请复制缺失的文件，或只选择完整的张量。</translation>
    </message>
    <message>
        <source>{} is damaged or too long; not all tensors are listed.</source>
        <translation>{} 已损坏或过长；并非所有张量都已列出。</translation>
    </message>
    <message>
        <source>The data file {} is missing; its tensors cannot be read. Copy it to the folder.</source>
        <translation>缺少数据文件 {}，其中的张量无法读取。请把它复制到该文件夹。</translation>
    </message>
    <message>
        <source>{} is truncated or damaged: {} of its pieces cannot be read. Copy it again.</source>
        <translation>{} 被截断或已损坏：其中 {} 个片段无法读取。请重新复制。</translation>
    </message>
    <message>
        <source>the tensors consist of too many pieces</source>
        <translation>张量由过多的片段组成</translation>
    </message>
    <message>
        <source>its pieces have another number of axes</source>
        <translation>其片段的维数不同</translation>
    </message>
    <message>
        <source>its pieces overlap or leave holes</source>
        <translation>其片段重叠或留有空缺</translation>
    </message>
    <message>
        <source>{} is truncated or not the list of a PyTorch distributed checkpoint; copy it again.</source>
        <translation>{} 被截断，或不是 PyTorch 分布式检查点的清单；请重新复制。</translation>
    </message>
    <message>
        <source>its pieces do not fit together</source>
        <translation>其片段无法拼合</translation>
    </message>
    <message>
        <source>{} files of pipeline layers or experts, for example {}, are listed as stored: joining them is not supported.</source>
        <translation>{} 个流水线层或专家文件（例如 {}）按存储形式列出：不支持合并它们。</translation>
    </message>
    <message>
        <source>the partitions do not match the parameters</source>
        <translation>分区与参数不匹配</translation>
    </message>
    <message>
        <source>{} is of another checkpoint or damaged: its partitions have other sizes than those of rank {}.</source>
        <translation>{} 属于另一个检查点或已损坏：其分区大小与 rank {} 的不同。</translation>
    </message>
    <message>
        <source>{}: the experts of this checkpoint are divided over other ranks than the rest, which is not supported; its tensors are listed as stored.</source>
        <translation>{}：此检查点的专家与其余部分分布在不同的 rank 上，目前不支持；其张量按存储形式列出。</translation>
    </message>
    <message>
        <source>no file of the optimizer can be read</source>
        <translation>没有可读取的优化器文件</translation>
    </message>
    <message>
        <source>The partitions of a rank hold {} elements, but the parameters need {}; they cannot be joined.</source>
        <translation>一个 rank 的分区有 {} 个元素，但参数需要 {} 个；无法合并。</translation>
    </message>
    <message>
        <source>The partitions of group {} hold {} elements, but its parameters need {}; they cannot be joined.</source>
        <translation>参数组 {} 的分区有 {} 个元素，但其参数需要 {} 个；无法合并。</translation>
    </message>
    <message>
        <source>its group is divided over other ranks than the rest</source>
        <translation>其参数组与其余部分分布在不同的 rank 上</translation>
    </message>
    <message>
        <source>it exceeds the partitions</source>
        <translation>它超出了分区</translation>
    </message>
    <message>
        <source>{} has no files of a DeepSpeed checkpoint: its file `latest` names the step {}, which does not exist.</source>
        <translation>{} 中没有 DeepSpeed 检查点的文件：其 `latest` 文件指向不存在的步 {}。</translation>
    </message>
    <message>
        <source>The file `latest` names {}, which does not exist; {} is shown instead.</source>
        <translation>`latest` 文件指向 {}，但它不存在；改为显示 {}。</translation>
    </message>
    <message>
        <source>{} is ignored: {} is of the same rank.</source>
        <translation>已忽略 {}：{} 属于同一 rank。</translation>
    </message>
    <message>
        <source>{} is of another checkpoint or damaged: it is of ZeRO-{} with {} ranks, where {} can be joined.</source>
        <translation>{} 属于另一个检查点或已损坏：它是 ZeRO-{}、{} 个 rank，而此处可合并 {} 个。</translation>
    </message>
    <message>
        <source>The file of rank {} of {} is missing: {}. The tensors that it shares cannot be read; copy it to the folder.</source>
        <translation>缺少 rank {} 的文件（共 {} 个）：{}。它参与分片的张量无法读取；请把它复制到该文件夹。</translation>
    </message>
    <message>
        <source>{} is missing. Without it the parameters have no names and cannot be joined; copy it to the folder.</source>
        <translation>缺少 {}。没有它，参数就没有名称，无法合并；请把它复制到该文件夹。</translation>
    </message>
    <message>
        <source>{} more files of ranks are missing or damaged.</source>
        <translation>另有 {} 个 rank 文件缺失或损坏。</translation>
    </message>
    <message>
        <source>{} is ignored: the checkpoint has {} ranks.</source>
        <translation>已忽略 {}：该检查点有 {} 个 rank。</translation>
    </message>
    <message>
        <source>{} is missing; the parameter {} cannot be read. Copy it to the folder.</source>
        <translation>缺少 {}；参数 {} 无法读取。请把它复制到该文件夹。</translation>
    </message>
    <message>
        <source>The file of the rank {} is missing. The tensors that it shares cannot be read; copy its folder.</source>
        <translation>缺少 rank {} 的文件。它参与分片的张量无法读取；请复制其文件夹。</translation>
    </message>
    <message>
        <source>{} has no files of ranks: {} names the iteration {}, which does not exist.</source>
        <translation>{} 中没有 rank 文件：{} 指向不存在的迭代 {}。</translation>
    </message>
    <message>
        <source>it consists of too many pieces</source>
        <translation>它由过多的片段组成</translation>
    </message>
    <message>
        <source>its pieces exceed it</source>
        <translation>其片段超出了它</translation>
    </message>
    <message>
        <source>The pieces of the tensor that {} belongs to changed since the model was opened.</source>
        <translation>自打开模型以来，{} 所属张量的片段已更改。</translation>
    </message>
    <message>
        <source>The pieces of the tensor that {} belongs to overlap or leave holes.</source>
        <translation>{} 所属张量的片段重叠或留有空缺。</translation>
    </message>
    <message>
        <source>{}: the files of this checkpoint list more than {} tensors.</source>
        <translation>{}：此检查点的文件列出的张量超过 {} 个。</translation>
    </message>
    <message>
        <source>{} has another byte order than the other files of the checkpoint.</source>
        <translation>{} 的字节序与检查点的其他文件不同。</translation>
    </message>
    <message>
        <source>Cannot compute the checksum: the cryptographic library of the system failed; check its installation.</source>
        <translation>无法计算校验和：系统的加密库出错；请检查其安装。</translation>
    </message>
    <message>
        <source>{} is not a GGUF file; only GGUF models can be run. Convert it to GGUF first.</source>
        <translation>{} 不是 GGUF 文件；只有 GGUF 模型可以运行。请先将其转换为 GGUF。</translation>
    </message>
    <message>
        <source>Cannot replace {}, because it is open in a program; close it there and try again.</source>
        <translation>无法替换 {}，因为有程序已打开该文件；请在其中将其关闭，然后重试。</translation>
    </message>
    <message>
        <source>they are not in one piece</source>
        <translation>它们不在一个连续的区域中</translation>
    </message>
    <message>
        <source>{} nests its pipelines more than {} levels deep.</source>
        <translation>{} 的管线嵌套超过 {} 层。</translation>
    </message>
    <message>
        <source>they do not end with a whole number</source>
        <translation>它们的末尾不是完整的数值</translation>
    </message>
    <message>
        <source>{} uses the layer {}, which is code of an app; running it requires that app.</source>
        <translation>{} 使用层 {}，该层是某个应用的代码；运行它需要该应用。</translation>
    </message>
    <message>
        <source>{} is longer than {} bytes.</source>
        <translation>{} 超过 {} 字节。</translation>
    </message>
    <message>
        <source>{} is not a complete Core ML package: its Manifest.json names no model; get a complete copy.</source>
        <translation>{} 不是完整的 Core ML 包：其 Manifest.json 未指明模型；请获取完整的副本。</translation>
    </message>
    <message>
        <source>{}: {} is quantized in an unsupported way.</source>
        <translation>{}：{} 的量化方式不受支持。</translation>
    </message>
    <message>
        <source>{}: {} does not match its quantization; only its components are listed.</source>
        <translation>{}：{} 与其量化信息不匹配；仅列出其组成部分。</translation>
    </message>
    <message>
        <source>the file with them is missing</source>
        <translation>缺少包含它们的文件</translation>
    </message>
    <message>
        <source>{}: the file {} with values is missing; get a complete copy.</source>
        <translation>{}：缺少包含数值的文件 {}；请获取完整的副本。</translation>
    </message>
    <message>
        <source>the file with them has no such entry</source>
        <translation>包含它们的文件没有此条目</translation>
    </message>
    <message>
        <source>the file with them has another type</source>
        <translation>包含它们的文件类型不同</translation>
    </message>
    <message>
        <source>{}: the weight {} is compressed in an unsupported way; only its components are listed.</source>
        <translation>{}：权重 {} 的压缩方式不受支持；仅列出其组成部分。</translation>
    </message>
    <message>
        <source>{} is not an ExecuTorch program.</source>
        <translation>{} 不是 ExecuTorch 程序。</translation>
    </message>
    <message>
        <source>{}: parts of it are compiled for the backend {}; the weights in them are not listed.</source>
        <translation>{}：其部分内容是为后端 {} 编译的；其中的权重未列出。</translation>
    </message>
    <message>
        <source>{}: the values of {} do not match its shape or are not in the file.</source>
        <translation>{}：{} 的数值与其形状不匹配，或不在文件中。</translation>
    </message>
    <message>
        <source>they do not match its shape or are not in the file</source>
        <translation>它们与其形状不匹配，或不在文件中</translation>
    </message>
    <message>
        <source>{} is a pre-GGUF GGML model of a program that Weighbridge does not support; convert it to GGUF with that program.</source>
        <translation>{} 是 Weighbridge 不支持的程序的 GGUF 之前的 GGML 模型；请用该程序将其转换为 GGUF。</translation>
    </message>
    <message>
        <source>{} is truncated: its header is incomplete; download it again.</source>
        <translation>{} 已截断：文件头不完整；请重新下载。</translation>
    </message>
    <message>
        <source>{} is damaged or truncated: no tensor is at byte {}; download it again.</source>
        <translation>{} 已损坏或截断：字节 {} 处没有张量；请重新下载。</translation>
    </message>
    <message>
        <source>{} is truncated before the values of {}; download it again.</source>
        <translation>{} 在 {} 的数值之前已截断；请重新下载。</translation>
    </message>
    <message>
        <source>{} is not a valid llama2.c model: its header is invalid.</source>
        <translation>{} 不是有效的 llama2.c 模型：其文件头无效。</translation>
    </message>
    <message>
        <source>{} is not a LiteRT-LM bundle.</source>
        <translation>{} 不是 LiteRT-LM 包。</translation>
    </message>
    <message>
        <source>{} is corrupted: its header is invalid; download it again.</source>
        <translation>{} 已损坏：其文件头无效；请重新下载。</translation>
    </message>
    <message>
        <source>{} is truncated: section {} is outside the file; download it again.</source>
        <translation>{} 已截断：区段 {} 超出文件范围；请重新下载。</translation>
    </message>
    <message>
        <source>{} has compressed convolution weights; they are listed as they are stored.</source>
        <translation>{} 包含压缩的卷积权重；按存储形式列出。</translation>
    </message>
    <message>
        <source>{} is the binary form of an ncnn network, which names no layers; open the .param text.</source>
        <translation>{} 是 ncnn 网络的二进制形式，不含层名称；请打开 .param 文本。</translation>
    </message>
    <message>
        <source>{} is not an ncnn network.</source>
        <translation>{} 不是 ncnn 网络。</translation>
    </message>
    <message>
        <source>{} contains more than {} layers.</source>
        <translation>{} 包含超过 {} 个层。</translation>
    </message>
    <message>
        <source>{} lists {} layers and declares {}.</source>
        <translation>{} 列出 {} 个层，但声明了 {} 个。</translation>
    </message>
    <message>
        <source>{} is damaged: line {} describes no layer.</source>
        <translation>{} 已损坏：第 {} 行未描述任何层。</translation>
    </message>
    <message>
        <source>{}: the layer {} of type {} is not supported; the weights from it on are not listed.</source>
        <translation>{}：不支持层 {}（类型 {}）；从该层起的权重未列出。</translation>
    </message>
    <message>
        <source>the .bin file ends before them</source>
        <translation>.bin 文件在它们之前结束</translation>
    </message>
    <message>
        <source>{}: the .bin file ends before the weights of the layer {}; get a complete copy.</source>
        <translation>{}：.bin 文件在层 {} 的权重之前结束；请获取完整的副本。</translation>
    </message>
    <message>
        <source>{}: the .bin file with its values is missing; put it next to this file.</source>
        <translation>{}：缺少包含其数值的 .bin 文件；请将其放在此文件旁边。</translation>
    </message>
    <message>
        <source>{}: the .bin file has {} bytes after the weights of the last layer.</source>
        <translation>{}：.bin 文件在最后一层的权重之后还有 {} 字节。</translation>
    </message>
    <message>
        <source>{} is not a valid OpenVINO network: its XML is damaged at byte {}.</source>
        <translation>{} 不是有效的 OpenVINO 网络：其 XML 在字节 {} 处损坏。</translation>
    </message>
    <message>
        <source>{} is not an OpenVINO network.</source>
        <translation>{} 不是 OpenVINO 网络。</translation>
    </message>
    <message>
        <source>the .bin file is missing</source>
        <translation>缺少 .bin 文件</translation>
    </message>
    <message>
        <source>{}: {} does not match its scale or zero point; only its components are listed.</source>
        <translation>{}：{} 与其缩放系数或零点不匹配；仅列出其组成部分。</translation>
    </message>
    <message>
        <source>{} uses the operator {}, which is not part of OpenVINO; running it requires a library.</source>
        <translation>{} 使用算子 {}，该算子不属于 OpenVINO；运行它需要一个库。</translation>
    </message>
    <message>
        <source>{}: a component of a compressed weight is shorter than its shape.</source>
        <translation>{}：压缩权重的某个组成部分短于其形状。</translation>
    </message>
    <message>
        <source>{}: a component of a compressed weight has an unsupported type.</source>
        <translation>{}：压缩权重的某个组成部分的类型不受支持。</translation>
    </message>
    <message>
        <source>{}: the components of a compressed weight do not match; get a complete copy.</source>
        <translation>{}：压缩权重的组成部分不匹配；请获取完整的副本。</translation>
    </message>
    <message>
        <source>{} is not a valid PMML document: its XML is damaged at byte {}.</source>
        <translation>{} 不是有效的 PMML 文档：其 XML 在字节 {} 处损坏。</translation>
    </message>
    <message>
        <source>{} is not a PMML document.</source>
        <translation>{} 不是 PMML 文档。</translation>
    </message>
    <message>
        <source>{} contains more than {} numbers in a single model.</source>
        <translation>{} 的单个模型包含超过 {} 个数值。</translation>
    </message>
    <message>
        <source>{} has extensions for the program {}.</source>
        <translation>{} 包含针对程序 {} 的扩展。</translation>
    </message>
    <message>
        <source>{} is not a TensorRT engine.</source>
        <translation>{} 不是 TensorRT 引擎。</translation>
    </message>
    <message>
        <source>{} is shorter than its header says; it may be truncated.</source>
        <translation>{} 短于其文件头声明的长度；可能已截断。</translation>
    </message>
    <message>
        <source>{} contains device code: its weights cannot be inspected, and loading it runs the code.</source>
        <translation>{} 包含设备代码：无法检查其权重，加载它会运行该代码。</translation>
    </message>
    <message>
        <source>{}: a chunk compressed by blosc is damaged; get a complete copy.</source>
        <translation>{}：由 blosc 压缩的分块已损坏；请获取完整的副本。</translation>
    </message>
    <message>
        <source>{}: a chunk is compressed by an unsupported codec.</source>
        <translation>{}：某个分块使用了不受支持的编解码器压缩。</translation>
    </message>
    <message>
        <source>{}: a chunk of an array is damaged or has another size; get a complete copy.</source>
        <translation>{}：数组的某个分块已损坏或大小不符；请获取完整的副本。</translation>
    </message>
    <message>
        <source>{}: the description of an array is longer than {} bytes.</source>
        <translation>{}：数组的描述超过 {} 字节。</translation>
    </message>
    <message>
        <source>{}: the description of the array {} is invalid.</source>
        <translation>{}：数组 {} 的描述无效。</translation>
    </message>
    <message>
        <source>their type is not supported</source>
        <translation>不支持它们的类型</translation>
    </message>
    <message>
        <source>they are compressed by an unsupported codec</source>
        <translation>它们使用了不受支持的编解码器压缩</translation>
    </message>
    <message>
        <source>{}: the codec {} of the array {} is not supported; it is listed without values.</source>
        <translation>{}：不支持编解码器 {}（用于数组 {}）；仅列出，不含数值。</translation>
    </message>
    <message>
        <source>their chunks are too many or too large</source>
        <translation>它们的分块过多或过大</translation>
    </message>
    <message>
        <source>{}: the chunks of the array {} are too many or too large.</source>
        <translation>{}：数组 {} 的分块过多或过大。</translation>
    </message>
    <message>
        <source>{} is a damaged OCDBT store: {} is invalid; get a complete copy.</source>
        <translation>{} 是已损坏的 OCDBT 存储：{} 无效；请获取完整的副本。</translation>
    </message>
    <message>
        <source>{} contains more than {} keys.</source>
        <translation>{} 包含超过 {} 个键。</translation>
    </message>
    <message>
        <source>{} changed while it was being read; start again.</source>
        <translation>{} 在读取期间已更改；请重新开始。</translation>
    </message>
    <message>
        <source>{} contains more than {} files.</source>
        <translation>{} 包含超过 {} 个文件。</translation>
    </message>
    <message>
        <source>{}: the chunks of an array do not match its description; get a complete copy.</source>
        <translation>{}：数组的分块与其描述不匹配；请获取完整的副本。</translation>
    </message>
    <message>
        <source>{} is compared by its bytes alone: its type is complex.</source>
        <translation>{} 仅按字节比较：其类型为复数。</translation>
    </message>
    <message>
        <source>{} has no values to compare.</source>
        <translation>{} 没有可供比较的值。</translation>
    </message>
    <message>
        <source>{} does not contain the tensor {}.</source>
        <translation>{} 不包含张量 {}。</translation>
    </message>
    <message>
        <source>{} of shape {} and {} of shape {} cannot be compared; choose tensors whose shapes fit.</source>
        <translation>无法比较 {}（形状 {}）与 {}（形状 {}）；请选择形状相符的张量。</translation>
    </message>
    <message>
        <source>The singular values of {} ({} x {}) need more memory than the limit of {} MiB.</source>
        <translation>{}（{} x {}）的奇异值所需内存超过 {} MiB 的限制。</translation>
    </message>
    <message>
        <source>{} contains NaN or infinite values; it has no singular values.</source>
        <translation>{} 包含 NaN 或无穷值，因此没有奇异值。</translation>
    </message>
    <message>
        <source>{} of shape {} is not a matrix of numbers; select a weight with two dimensions or the filters of a convolution.</source>
        <translation>{}（形状 {}）不是数值矩阵；请选择二维权重或卷积的滤波器。</translation>
    </message>
    <message>
        <source>{} has no multi-token prediction (MTP) layers.</source>
        <translation>{} 没有多词元预测层（MTP）。</translation>
    </message>
    <message>
        <source>multi-token prediction</source>
        <translation>多词元预测</translation>
    </message>
    <message>
        <source>--mtp needs at least two tokens.</source>
        <translation>--mtp 至少需要两个词元。</translation>
    </message>
    <message>
        <source>n-gram embeddings in several layers</source>
        <translation>多个层中的 n-gram 嵌入</translation>
    </message>
    <message>
        <source>several residual streams with norms or embeddings of each layer</source>
        <translation>多条残差流与各层的归一化或嵌入</translation>
    </message>
    <message>
        <source>{}: the tensor {} has {} rows, but its n-grams need {}; convert the model again.</source>
        <translation>{}：张量 {} 有 {} 行，但其 n-gram 需要 {} 行；请重新转换模型。</translation>
    </message>
    <message>
        <source>{} tensors stay {}: the new file has the values of the quantized folder.</source>
        <translation>{} 个张量保持 {}：新文件的值与量化文件夹中的相同。</translation>
    </message>
    <message>
        <source>{} in config.json is not a list that GGUF can store.</source>
        <translation>config.json 中的 {} 不是 GGUF 能存储的列表。</translation>
    </message>
    <message>
        <source>The tensor {} of type {} and shape {} is not a list of at most {} whole numbers.</source>
        <translation>张量 {}（类型 {}，形状 {}）不是最多 {} 个整数的列表。</translation>
    </message>
    <message>
        <source>The tensor {} is duplicated, or a shard before it is missing.</source>
        <translation>张量 {} 重复，或者缺少它之前的分片。</translation>
    </message>
    <message>
        <source>The tensor {} differs in type, columns or storage from the first shard.</source>
        <translation>张量 {} 的类型、列数或存储方式与第一个分片不同。</translation>
    </message>
    <message>
        <source>{} has scales that are negative or NaN, which NVFP4 in GGUF cannot store; use --keep-quantized=no.</source>
        <translation>{} 包含负的或 NaN 的缩放系数，GGUF 的 NVFP4 无法存储；请使用 --keep-quantized=no。</translation>
    </message>
    <message>
        <source>scales of NVFP4 tensors</source>
        <translation>NVFP4 张量的缩放系数</translation>
    </message>
    <message>
        <source>The adapter {} uses {}, which cannot be merged yet.</source>
        <translation>适配器 {} 使用 {}，目前还不能合并。</translation>
    </message>
    <message>
        <source>adapter_config.json of {} does not state the rank and alpha of {} plainly, so its scale is unknown.</source>
        <translation>{} 的 adapter_config.json 没有明确给出 {} 的秩和 alpha，因此缩放系数未知。</translation>
    </message>
    <message>
        <source>The adapter {} is missing {}, which the other tensors of the module need.</source>
        <translation>适配器 {} 缺少 {}，该模块的其他张量需要它。</translation>
    </message>
    <message>
        <source>The tensor {} of the adapter {} is not one that its kind has, so it cannot be merged.</source>
        <translation>张量 {} 不属于适配器 {} 的类型，因此无法合并。</translation>
    </message>
    <message>
        <source>{} is neither a PEFT adapter (a folder with adapter_config.json and adapter_model.safetensors or adapter_model.bin) nor a safetensors file of the Kohya scripts.</source>
        <translation>{} 既不是 PEFT 适配器（包含 adapter_config.json 以及 adapter_model.safetensors 或 adapter_model.bin 的文件夹），也不是 Kohya 脚本的 safetensors 文件。</translation>
    </message>
    <message>
        <source>Several tensors of {} may be the {} that the adapter {} modifies.</source>
        <translation>{} 中有多个张量可能是 {}，即适配器 {} 所修改的张量。</translation>
    </message>
    <message>
        <source>The tensor {} of the adapter {} is not a LoRA, LoHa or LoKr tensor, so it cannot be merged.</source>
        <translation>张量 {}（属于适配器 {}）不是 LoRA、LoHa 或 LoKr 张量，因此无法合并。</translation>
    </message>
    <message>
        <source>config.json lists no model class under &quot;architectures&quot;; docs/convert.md lists the supported ones.</source>
        <translation>config.json 的“architectures”下没有列出模型类；支持的类见 docs/convert.md。</translation>
    </message>
    <message>
        <source>The model class {} cannot be converted yet; docs/convert.md lists the supported ones.</source>
        <translation>尚不能转换模型类 {}；支持的类见 docs/convert.md。</translation>
    </message>
    <message>
        <source>{} is not a CatBoost model.</source>
        <translation>{} 不是 CatBoost 模型。</translation>
    </message>
    <message>
        <source>{} is cut: its trees continue after the end of the file; download it again.</source>
        <translation>{} 被截断：其决策树超出文件末尾；请重新下载。</translation>
    </message>
    <message>
        <source>{} is corrupted: an offset points outside its trees; download it again.</source>
        <translation>{} 已损坏：有偏移指向其决策树之外；请重新下载。</translation>
    </message>
    <message>
        <source>{} is a CTranslate2 model of version {}, which is not supported.</source>
        <translation>{} 是版本 {} 的 CTranslate2 模型，不受支持。</translation>
    </message>
    <message>
        <source>{} has {} bytes after its last variable.</source>
        <translation>{} 的最后一个变量之后还有 {} 字节。</translation>
    </message>
    <message>
        <source>{} is cut: its variables continue after the end of the file; get a complete copy.</source>
        <translation>{} 被截断：其变量超出文件末尾；请获取完整的副本。</translation>
    </message>
    <message>
        <source>{} is damaged: the variable {} has {} bytes, which do not fit its shape.</source>
        <translation>{} 已损坏：变量 {} 有 {} 字节，与其形状不符。</translation>
    </message>
    <message>
        <source>{}: the alias {} leads to a variable that does not exist.</source>
        <translation>{}：别名 {} 指向不存在的变量。</translation>
    </message>
    <message>
        <source>The parameters are one flat tensor, since the files do not store their names and shapes; save the model with FULL_STATE_DICT or SHARDED_STATE_DICT to get them.</source>
        <translation>各参数合为一个展平的张量，因为文件未存储其名称和形状；要得到它们，请用 FULL_STATE_DICT 或 SHARDED_STATE_DICT 保存模型。</translation>
    </message>
    <message>
        <source>{} is a fastText model of version {}, which is not supported.</source>
        <translation>{} 是版本 {} 的 fastText 模型，不受支持。</translation>
    </message>
    <message>
        <source>{} has {} bytes after its matrices.</source>
        <translation>{} 的矩阵之后还有 {} 字节。</translation>
    </message>
    <message>
        <source>{} is damaged at byte {}: a count does not fit the file; download it again.</source>
        <translation>{} 在字节 {} 处损坏：数量与文件不符；请重新下载。</translation>
    </message>
    <message>
        <source>{} is cut: the matrix {} continues after the end of the file; get a complete copy.</source>
        <translation>{} 被截断：矩阵 {} 超出文件末尾；请获取完整的副本。</translation>
    </message>
    <message>
        <source>an XGBoost model in the old binary form</source>
        <translation>旧二进制形式的 XGBoost 模型</translation>
    </message>
    <message>
        <source>{} is not a LightGBM model.</source>
        <translation>{} 不是 LightGBM 模型。</translation>
    </message>
    <message>
        <source>{} is damaged: line {} contains no numbers where it should; download it again.</source>
        <translation>{} 已损坏：第 {} 行应有数字之处没有数字；请重新下载。</translation>
    </message>
    <message>
        <source>{} is cut: the line &quot;end of trees&quot; is missing; download it again.</source>
        <translation>{} 被截断：缺少“end of trees”一行；请重新下载。</translation>
    </message>
    <message>
        <source>{} does not state the number of leaves of each of its {} trees.</source>
        <translation>{} 未说明其 {} 棵决策树各自的叶子数。</translation>
    </message>
    <message>
        <source>{} is cut: the values end inside of variable {}; get a complete copy.</source>
        <translation>{} 被截断：值在变量 {} 之内中断；请获取完整的副本。</translation>
    </message>
    <message>
        <source>{}: the program has {} variables and the file of its values {}, so their names are not known.</source>
        <translation>{}：程序有 {} 个变量，值文件有 {} 个，因此其名称未知。</translation>
    </message>
    <message>
        <source>{} is damaged: no variable of PaddlePaddle is at byte {} of the values; download it again.</source>
        <translation>{} 已损坏：值的字节 {} 处不是 PaddlePaddle 的变量；请重新下载。</translation>
    </message>
    <message>
        <source>the file of the values is missing</source>
        <translation>缺少值文件</translation>
    </message>
    <message>
        <source>{}: the .pdiparams file with its values is missing; put it next to this file.</source>
        <translation>{}：缺少含其值的 .pdiparams 文件；请将其放在此文件旁。</translation>
    </message>
    <message>
        <source>{}: the names of its variables are in the .pdmodel file, which is missing.</source>
        <translation>{}：变量名称位于缺失的 .pdmodel 文件中。</translation>
    </message>
    <message>
        <source>{} is a tokenizer without pieces.</source>
        <translation>{} 是没有片段的分词器。</translation>
    </message>
    <message>
        <source>{} contains more than {} pieces.</source>
        <translation>{} 包含超过 {} 个片段。</translation>
    </message>
    <message>
        <source>{}: the shard {} is missing; put it next to this file.</source>
        <translation>{}：缺少分片 {}；请将其放在此文件旁。</translation>
    </message>
    <message>
        <source>texts are not decoded</source>
        <translation>文本不解码</translation>
    </message>
    <message>
        <source>a shard of its group is missing</source>
        <translation>其组缺少一个分片</translation>
    </message>
    <message>
        <source>its place follows from texts that are not decoded</source>
        <translation>其位置取决于未解码的文本</translation>
    </message>
    <message>
        <source>the shards end before them</source>
        <translation>分片在它们之前结束</translation>
    </message>
    <message>
        <source>{}: the shards end before the values of {}; download them again.</source>
        <translation>{}：分片在 {} 的值之前结束；请重新下载。</translation>
    </message>
    <message>
        <source>{}: the shards have {} bytes after the last weight.</source>
        <translation>{}：最后一个权重之后，分片还有 {} 字节。</translation>
    </message>
    <message>
        <source>one of its elements is divided by two shards</source>
        <translation>其一个元素被两个分片分开</translation>
    </message>
    <message>
        <source>the numbers of all trees together are too long to be copied</source>
        <translation>所有决策树的数字合计过长，无法复制</translation>
    </message>
    <message>
        <source>{} is damaged: its binary JSON is invalid at byte {}; download it again.</source>
        <translation>{} 已损坏：其二进制 JSON 在字节 {} 处无效；请重新下载。</translation>
    </message>
    <message>
        <source>{} is damaged: its JSON is invalid at byte {}; download it again.</source>
        <translation>{} 已损坏：其 JSON 在字节 {} 处无效；请重新下载。</translation>
    </message>
    <message>
        <source>{} is not an XGBoost model.</source>
        <translation>{} 不是 XGBoost 模型。</translation>
    </message>
    <message>
        <source>{} is not a folder of checkpoints; --series compares those of one training run.</source>
        <translation>{} 不是检查点文件夹；--series 比较同一次训练的检查点。</translation>
    </message>
    <message>
        <source>{} is not a valid list of weights of TensorFlow.js: see its byte {}; download it again.</source>
        <translation>{} 不是有效的 TensorFlow.js 权重列表：请看其字节 {}；请重新下载。</translation>
    </message>
    <message>
        <source>{} is not an ONNX model; choose the graph that the weights are for.</source>
        <translation>{} 不是 ONNX 模型；请选择这些权重所属的计算图。</translation>
    </message>
    <message>
        <source>{} refers to {}, which cannot be opened; put the file next to the graph.</source>
        <translation>{} 引用的 {} 无法打开；请将该文件放在计算图旁边。</translation>
    </message>
    <message>
        <source>{} has shape {} in {}, but its new values have shape {}; use the weights of this graph.</source>
        <translation>{} 的形状为 {}（在 {} 中），但新值的形状为 {}；请使用此计算图的权重。</translation>
    </message>
    <message>
        <source>{} has type {} in {}, to which its new values of type {} cannot be cast.</source>
        <translation>{} 的类型为 {}（在 {} 中），类型为 {} 的新值无法转换为该类型。</translation>
    </message>
    <message>
        <source>The new values of {} cannot be read.</source>
        <translation>无法读取 {} 的新值。</translation>
    </message>
    <message>
        <source>{} is stored as a list of numbers in {}, which cannot be replaced by values of another type.</source>
        <translation>{} 在 {} 中以数字列表形式存储，无法用其他类型的值替换。</translation>
    </message>
    <message>
        <source>{} shares its bytes in {} with another tensor, so it cannot get other values.</source>
        <translation>{} 在 {} 中与另一个张量共用字节，因此无法改为其他值。</translation>
    </message>
    <message>
        <source>{} does not contain {} of the tensors, which are omitted: {}.</source>
        <translation>{} 不包含其中 {} 个张量，已忽略：{}。</translation>
    </message>
    <message>
        <source>{} is stored as a list of numbers in {} and cannot get other values; save the graph with raw data first.</source>
        <translation>{} 在 {} 中以数字列表形式存储，无法改为其他值；请先用原始数据（raw data）保存计算图。</translation>
    </message>
    <message>
        <source>{} is not a GGUF file; only GGUF files can be split or joined.</source>
        <translation>{} 不是 GGUF 文件；只有 GGUF 文件可以分片或合并。</translation>
    </message>
    <message>
        <source>{} is not a split file, so there is nothing to join.</source>
        <translation>{} 不是分片文件，没有可合并的内容。</translation>
    </message>
    <message>
        <source>The plan for {} changes tensor types, but copying keeps them; create a new plan.</source>
        <translation>{} 的方案更改了张量类型，但复制会保留类型；请新建方案。</translation>
    </message>
    <message>
        <source>{} cannot be copied, because the values of {} cannot be read.</source>
        <translation>无法复制 {}，因为无法读取 {} 的值。</translation>
    </message>
    <message>
        <source>{} would become {} files, but a split can have at most {}; choose a larger size.</source>
        <translation>{} 将变为 {} 个文件，但分片最多只能有 {} 个；请选择更大的大小。</translation>
    </message>
    <message>
        <source>The rule &quot;{}&quot; matches no tensor of {}; check its spelling.</source>
        <translation>规则“{}”与 {} 的任何张量都不匹配；请检查拼写。</translation>
    </message>
    <message>
        <source>{} cannot be started: {}.</source>
        <translation>无法启动 {}：{}。</translation>
    </message>
    <message>
        <source>The engine runs only on the GPU model and TensorRT version that built it.</source>
        <translation>引擎只能在构建它的 GPU 型号和 TensorRT 版本上运行。</translation>
    </message>
    <message>
        <source>No known tool converts {} ({}) to this format; these can be converted: {}.</source>
        <translation>没有已知工具能将 {}（{}）转换为此格式；可以转换的有：{}。</translation>
    </message>
    <message>
        <source>unknown format</source>
        <translation>未知格式</translation>
    </message>
    <message>
        <source>On this system, files are parsed in a separate process with limited memory and time that cannot change files or start programs, but it is not prevented from reading other files or connecting to the network.</source>
        <translation>在此系统上，文件在内存和时间受限的单独进程中解析，该进程不能更改文件或启动程序，但无法阻止其读取其他文件或连接网络。</translation>
    </message>
    <message>
        <source>a head size of keys above 1024</source>
        <translation>键的注意力头大小超过 1024</translation>
    </message>
    <message>
        <source>{} cannot be written yet; --to supports gguf, safetensors, huggingface and onnx.</source>
        <translation>尚不能写入 {}；--to 支持 gguf、safetensors、huggingface 和 onnx。</translation>
    </message>
    <message>
        <source>{} is not a .gguf, .safetensors or .onnx file or a folder; only these can be written.</source>
        <translation>{} 不是 .gguf、.safetensors 或 .onnx 文件，也不是文件夹；只能写入这些。</translation>
    </message>
    <message>
        <source>--keep-split and --shard-size, --max-tensors or --no-tensor-first-split cannot be used together.</source>
        <translation>--keep-split 不能与 --shard-size、--max-tensors 或 --no-tensor-first-split 同时使用。</translation>
    </message>
    <message>
        <source>{} is a folder that contains files; choose another name.</source>
        <translation>{} 是包含文件的文件夹；请选择其他名称。</translation>
    </message>
    <message>
        <source>{} was not found. To install it: {}</source>
        <translation>未找到 {}。安装方法：{}</translation>
    </message>
    <message>
        <source>{} failed with status {}; its output says why.</source>
        <translation>{} 失败，状态为 {}；原因请查看其输出。</translation>
    </message>
    <message>
        <source>{} ended, but {} cannot be opened.</source>
        <translation>{} 已结束，但无法打开 {}。</translation>
    </message>
    <message>
        <source>{} is not a conversation: expected a JSON object with &quot;messages&quot;, an array of messages, or an array of such objects.</source>
        <translation>{} 不是对话：需要含有“messages”的 JSON 对象、消息数组，或由此类对象组成的数组。</translation>
    </message>
    <message>
        <source>{} contains several conversations; expected one object with &quot;messages&quot;, or an array of messages.</source>
        <translation>{} 包含多个对话；应为一个含有“messages”的对象，或一个消息数组。</translation>
    </message>
    <message>
        <source>All {} layers are on the GPU {}: {} of {} free.</source>
        <translation>全部 {} 层都在 GPU {} 上：占用 {}，空闲 {}。</translation>
    </message>
    <message>
        <source>The last {} of {} layers are on the GPU {} (as selected): {} of {} free.</source>
        <translation>最后 {} 层（共 {} 层）按所选数量放在 GPU {} 上：占用 {}，空闲 {}。</translation>
    </message>
    <message>
        <source>The last {} of {} layers are on the GPU {} (the rest does not fit): {} of {} free.</source>
        <translation>最后 {} 层（共 {} 层）在 GPU {} 上，其余的放不下：占用 {}，空闲 {}。</translation>
    </message>
    <message>
        <source>{} contains the state of an optimizer and no weights; to write it, add --with-optimizer.</source>
        <translation>{} 只包含优化器状态，不含权重；如需写出，请添加 --with-optimizer。</translation>
    </message>
    <message>
        <source>{} is a compiled neural network of Core ML whose layers are compressed, which is not supported; open the .mlmodel or .mlpackage that it was made from.</source>
        <translation>{} 是已编译的 Core ML 神经网络，其网络层经过压缩，不受支持；请打开生成它的 .mlmodel 或 .mlpackage。</translation>
    </message>
    <message>
        <source>{} is not a compiled neural network of Core ML: it does not list layers.</source>
        <translation>{} 不是已编译的 Core ML 神经网络：其中没有列出网络层。</translation>
    </message>
    <message>
        <source>{}: the table of the weight file is truncated or invalid; get a complete copy.</source>
        <translation>{}：权重文件的表被截断或无效；请获取完整的副本。</translation>
    </message>
    <message>
        <source>{}: the weight file has two blobs of number {}; the first one is shown.</source>
        <translation>{}：权重文件有两个编号为 {} 的数据块；显示第一个。</translation>
    </message>
    <message>
        <source>{}: {} bytes follow the last blob of the weight file.</source>
        <translation>{}：权重文件的最后一个数据块之后还有 {} 字节。</translation>
    </message>
    <message>
        <source>the weight file does not contain them</source>
        <translation>权重文件不包含它们</translation>
    </message>
    <message>
        <source>their size is not a multiple of their type&apos;s</source>
        <translation>它们的大小不是其类型大小的倍数</translation>
    </message>
    <message>
        <source>the weight file ends before them</source>
        <translation>权重文件在它们之前就结束了</translation>
    </message>
    <message>
        <source>{}: {} is too long to be shown.</source>
        <translation>{}：{} 过长，无法显示。</translation>
    </message>
    <message>
        <source>they are outside the file</source>
        <translation>它们位于文件之外</translation>
    </message>
    <message>
        <source>{} contains a distributed checkpoint; unpack the archive and open its folder model_weights.</source>
        <translation>{} 包含分布式检查点；请解压该归档并打开其中的文件夹 model_weights。</translation>
    </message>
    <message>
        <source>{} is a NeMo archive without {}; get a complete copy.</source>
        <translation>{} 是缺少 {} 的 NeMo 归档；请获取完整的副本。</translation>
    </message>
    <message>
        <source>{} contains the weights of {} ranks; unpack the archive and open those of one rank.</source>
        <translation>{} 包含 {} 个 rank 的权重；请解压该归档并打开其中一个 rank 的权重。</translation>
    </message>
    <message>
        <source>{}: {} is truncated or is not JSON; get a complete copy.</source>
        <translation>{}：{} 被截断或不是 JSON；请获取完整的副本。</translation>
    </message>
    <message>
        <source>{}: tensors that are missing or cannot be read: {}, for example {}.</source>
        <translation>{}：缺失或无法读取的张量：{} 个，例如 {}。</translation>
    </message>
    <message>
        <source>{} constants of the graph are omitted; the variables are the weights of a SavedModel.</source>
        <translation>已略去计算图中的 {} 个常量；SavedModel 的权重是其变量。</translation>
    </message>
    <message>
        <source>Could not save the findings to {}: {}.</source>
        <translation>无法把检查结果保存到 {}：{}。</translation>
    </message>
    <message>
        <source>{} names {} models of the library; specify one of them: {}.</source>
        <translation>{} 对应模型库中的 {} 个模型；请指定其中一个：{}。</translation>
    </message>
    <message>
        <source>{} is neither a file nor a model of the library; run wb library to list the models.</source>
        <translation>{} 既不是文件，也不是模型库中的模型；请运行 wb library 查看模型列表。</translation>
    </message>
    <message>
        <source>{} is recommended: the smallest file that fits in memory with a barely noticeable loss of quality.</source>
        <translation>推荐 {}：它是内存放得下、质量损失几乎察觉不到的最小文件。</translation>
    </message>
    <message>
        <source>{} is recommended: it has the lowest loss of quality of the files that fit in memory.</source>
        <translation>推荐 {}：在内存放得下的文件中，它的质量损失最小。</translation>
    </message>
    <message>
        <source>Mean KL divergence from the unquantized model: {} with an importance matrix (Llama 3 8B; llama.cpp, tools/perplexity). Files of other models are similar.</source>
        <translation>相对于未量化模型的平均 KL 散度：{}，使用重要性矩阵（Llama 3 8B；llama.cpp，tools/perplexity）。其他模型的文件与此相近。</translation>
    </message>
    <message>
        <source>Mean KL divergence from the unquantized model: {} without an importance matrix (Llama 3 8B; llama.cpp, tools/perplexity). Files of other models are similar.</source>
        <translation>相对于未量化模型的平均 KL 散度：{}，不使用重要性矩阵（Llama 3 8B；llama.cpp，tools/perplexity）。其他模型的文件与此相近。</translation>
    </message>
    <message>
        <source>The tool loads the pickle, which runs the code in it; scan the file first.</source>
        <translation>该工具会加载 pickle 并运行其中的代码；请先扫描该文件。</translation>
    </message>
    <message>
        <source>a row cannot be read</source>
        <translation>无法读取一行</translation>
    </message>
    <message>
        <source>{} does not contain vectors of word2vec.</source>
        <translation>{} 不含 word2vec 词向量。</translation>
    </message>
    <message>
        <source>{} has {} of the {} words that it declares; get a complete copy.</source>
        <translation>{} 有 {} 个词，而它声明了 {} 个；请获取完整的文件。</translation>
    </message>
    <message>
        <source>{} has {} bytes after its vectors.</source>
        <translation>{} 在向量之后还有 {} 字节。</translation>
    </message>
    <message>
        <source>{} declares more numbers than a tensor can have.</source>
        <translation>{} 声明的数值数量超过一个张量的上限。</translation>
    </message>
    <message>
        <source>{} is damaged: a row of its vectors cannot be read; download it again.</source>
        <translation>{} 已损坏：无法读取其中一行向量；请重新下载。</translation>
    </message>
    <message>
        <source>There is no GPU to measure.</source>
        <translation>没有可测量的 GPU。</translation>
    </message>
    <message>
        <source>The model runs on the GPU {}, whose speed has not been measured yet; measure it in Settings or with wb devices --measure.</source>
        <translation>模型在 GPU {} 上运行，其速度尚未测量；请在“设置”中或用 wb devices --measure 测量。</translation>
    </message>
    <message>
        <source>The model runs on the CPU, which is faster than the GPU {} (measured).</source>
        <translation>模型在 CPU 上运行，实测比 GPU {} 更快。</translation>
    </message>
    <message>
        <source>The model runs on the CPU, since the speed of the GPU {} has not been measured yet; measure it in Settings or with wb devices --measure.</source>
        <translation>模型在 CPU 上运行，因为 GPU {} 的速度尚未测量；请在“设置”中或用 wb devices --measure 测量。</translation>
    </message>
    <message>
        <source>The measurement is not kept: there is no cache folder.</source>
        <translation>测量结果未保存：没有缓存文件夹。</translation>
    </message>
    <message>
        <source>There is no GPU to measure; name a software device with --device gpu:N.</source>
        <translation>没有可测量的 GPU；请用 --device gpu:N 指定软件设备。</translation>
    </message>
    <message>
        <source>Unknown field &quot;{}&quot; (position {}); did you mean {}, {} or {}?</source>
        <translation>未知字段“{}”（位置 {}）；您是否想用 {}、{} 或 {}？</translation>
    </message>
    <message>
        <source>invalid number</source>
        <translation>数字无效</translation>
    </message>
    <message>
        <source>invalid field number</source>
        <translation>字段编号无效</translation>
    </message>
    <message>
        <source>unsupported field type</source>
        <translation>字段类型不受支持</translation>
    </message>
    <message>
        <source>field longer than its message</source>
        <translation>字段比其消息更长</translation>
    </message>
    <message>
        <source>unexpected field type</source>
        <translation>字段类型不符</translation>
    </message>
    <message>
        <source>{} position(s) in tiles of 16, as {}</source>
        <translation>{} 个位置，每 16 个一组，类型为 {}</translation>
    </message>
    <message>
        <source>median of {} measured load(s)</source>
        <translation>{} 次实测加载的中位数</translation>
    </message>
    <message>
        <source>without the experts of the first {} layer(s)</source>
        <translation>不含前 {} 层的专家</translation>
    </message>
    <message>
        <source>last {} of {} layer(s) and the output layer, without the experts of the first {} layer(s)</source>
        <translation>最后 {} 层（共 {} 层）和输出层，不含前 {} 层的专家</translation>
    </message>
    <message>
        <source>token embeddings, first {} of {} layer(s) and {} of experts</source>
        <translation>词嵌入、前 {} 层（共 {} 层）以及 {} 的专家</translation>
    </message>
    <message>
        <source>last {} of {} layer(s) and the output layer</source>
        <translation>最后 {} 层（共 {} 层）和输出层</translation>
    </message>
    <message>
        <source>token embeddings and first {} of {} layer(s)</source>
        <translation>词嵌入和前 {} 层（共 {} 层）</translation>
    </message>
    <message>
        <source>{} layer(s) × {} cell(s) × {} element(s) × {} byte(s) ({})</source>
        <translation>{} 层 × {} 个单元 × {} 个元素 × {} 字节（{}）</translation>
    </message>
    <message>
        <source>{} layer(s) × ({} convolution + {} state) × 4 bytes</source>
        <translation>{} 层 × ({} 卷积 + {} 状态) × 4 字节</translation>
    </message>
    <message>
        <source>{} layer(s) × ({} convolution + {} state) × 4 bytes × {} copies</source>
        <translation>{} 层 ×（卷积 {} + 状态 {}）× 4 字节 × {} 份</translation>
    </message>
    <message>
        <source>feed-forward peak: {} token(s) × {} element(s) × 4 bytes</source>
        <translation>前馈网络峰值：{} 个词元 × {} 个元素 × 4 字节</translation>
    </message>
    <message>
        <source>expert peak: {} token(s) × {} element(s) × 4 bytes</source>
        <translation>专家峰值：{} 个词元 × {} 个元素 × 4 字节</translation>
    </message>
    <message>
        <source>latent attention peak: {} token(s) × {} element(s) × 4 bytes</source>
        <translation>潜在注意力峰值：{} 个词元 × {} 个元素 × 4 字节</translation>
    </message>
    <message>
        <source>state space peak: {} token(s) × {} element(s) × 4 bytes</source>
        <translation>状态空间峰值：{} 个词元 × {} 个元素 × 4 字节</translation>
    </message>
    <message>
        <source>time mixing peak: {} token(s) × {} element(s) × 4 bytes</source>
        <translation>时间混合峰值：{} 个词元 × {} 个元素 × 4 字节</translation>
    </message>
    <message>
        <source>attention scores: {} token(s) × {} element(s) × 4 bytes</source>
        <translation>注意力分数：{} 个词元 × {} 个元素 × 4 字节</translation>
    </message>
    <message>
        <source>logits peak: {} row(s) × {} element(s) × 4 bytes</source>
        <translation>logits 峰值：{} 行 × {} 个元素 × 4 字节</translation>
    </message>
    <message>
        <source>attention mask: {} token(s) × {} cell(s) × {} byte(s)</source>
        <translation>注意力掩码：{} 个词元 × {} 个单元 × {} 字节</translation>
    </message>
    <message>
        <source>KV cache of a layer expanded to f16: {} cell(s) × {} byte(s)</source>
        <translation>展开为 f16 的单层 KV 缓存：{} 个单元 × {} 字节</translation>
    </message>
    <message>
        <source>{} copies of the previous device&apos;s output: {} byte(s)</source>
        <translation>前一设备输出的 {} 份副本：{} 字节</translation>
    </message>
    <message>
        <source>plus {} byte(s)</source>
        <translation>另外 {} 字节</translation>
    </message>
    <message>
        <source>inputs: {} token(s) × {} element(s) × 8 bytes</source>
        <translation>输入：{} 个词元 × {} 个元素 × 8 字节</translation>
    </message>
    <message>
        <source>mask and indices: {} byte(s)</source>
        <translation>掩码与索引：{} 字节</translation>
    </message>
    <message>
        <source>minus the amount by which {} measured load(s) stayed below the estimate</source>
        <translation>减去 {} 次实测加载低于估算值的量</translation>
    </message>
    <message>
        <source>KV cache of {} multi-token prediction layer(s), as F16: {} byte(s)</source>
        <translation>{} 个多词元预测层的 KV 缓存（F16）：{} 字节</translation>
    </message>
    <message>
        <source>their mask and buffers: {} byte(s)</source>
        <translation>它们的掩码和缓冲区：{} 字节</translation>
    </message>
    <message>
        <source>{} vocabulary entries × 4 bytes × {} sequence(s)</source>
        <translation>词表 {} 个词元 × 4 字节 × {} 个序列</translation>
    </message>
    <message>
        <source>{} parameters × {} byte(s) = {} of weights; × {} at run time = {}</source>
        <translation>{} 个参数 × {} 字节 = 权重 {}；运行时 × {} = {}</translation>
    </message>
    <message>
        <source>The rule of thumb ignores the context: the KV cache of {} token(s) takes {}, plus {} byte(s) per additional token.</source>
        <translation>经验法则不考虑上下文：{} 个词元的 KV 缓存占 {}，每多一个词元再加 {} 字节。</translation>
    </message>
    <message>
        <source>{} token(s) × {} byte(s) in all layers</source>
        <translation>{} 个词元 × 所有层共 {} 字节</translation>
    </message>
    <message>
        <source>{} token(s) × {} byte(s) in all layers / {} device(s)</source>
        <translation>{} 个词元 × 所有层共 {} 字节 / {} 个设备</translation>
    </message>
    <message>
        <source>{} parameters × {} bits (average) / 8 / {} device(s)</source>
        <translation>{} 个参数 × 平均 {} 位 / 8 / {} 个设备</translation>
    </message>
    <message>
        <source>attention scores: {} sequence(s) × {} head(s) × {}² tokens × {} byte(s)</source>
        <translation>注意力分数：{} 个序列 × {} 个头 × {}² 个词元 × {} 字节</translation>
    </message>
    <message>
        <source>checkpoints: {} layer(s) × {} sequence(s) × {} token(s) × {} element(s) × {} byte(s)</source>
        <translation>检查点：{} 层 × {} 个序列 × {} 个词元 × {} 个元素 × {} 字节</translation>
    </message>
    <message>
        <source>one layer: {} sequence(s) × {} token(s) × {} element(s) × {} byte(s)</source>
        <translation>一层：{} 个序列 × {} 个词元 × {} 个元素 × {} 字节</translation>
    </message>
    <message>
        <source>all layers: {} sequence(s) × {} token(s) × {} element(s) × {} byte(s)</source>
        <translation>全部层：{} 个序列 × {} 个词元 × {} 个元素 × {} 字节</translation>
    </message>
    <message>
        <source>logits: {} sequence(s) × {} token(s) × {} vocabulary entries × {} byte(s)</source>
        <translation>logits：{} 个序列 × {} 个词元 × 词表 {} 项 × {} 字节</translation>
    </message>
    <message>
        <source>{} linear parameters × {} byte(s) including scales</source>
        <translation>{} 个线性层参数 × {} 字节（含缩放系数）</translation>
    </message>
    <message>
        <source>{} row scale(s) × 4 bytes</source>
        <translation>{} 个行缩放系数 × 4 字节</translation>
    </message>
    <message>
        <source>{} parameters × {} byte(s)</source>
        <translation>{} 个参数 × {} 字节</translation>
    </message>
    <message>
        <source>{} trainable parameters × {} byte(s)</source>
        <translation>{} 个可训练参数 × {} 字节</translation>
    </message>
    <message>
        <source>{} states: {} trainable parameters × {} byte(s)</source>
        <translation>{} 的状态：{} 个可训练参数 × {} 字节</translation>
    </message>
    <message>
        <source>their EMA: {} × {} byte(s)</source>
        <translation>其滑动平均：{} × {} 字节</translation>
    </message>
    <message>
        <source>{} bucket(s) × {} element(s) × {} byte(s)</source>
        <translation>{} 个通信桶 × {} 个元素 × {} 字节</translation>
    </message>
    <message>
        <source>{} layer(s) × {} parameters × {} byte(s)</source>
        <translation>{} 层 × {} 个参数 × {} 字节</translation>
    </message>
    <message>
        <source>{} parameters × {} to {} bytes / {} GPU(s) = {} to {} per GPU</source>
        <translation>{} 参数 × {} 到 {} 字节 / {} 个 GPU = 每个 {} 到 {}</translation>
    </message>
    <message>
        <source>{} parameters × {} byte(s) + {} trainable × {} byte(s) + {} to {} GB = {} to {}</source>
        <translation>{} 参数 × {} 字节 + {} 训练参数 × {} 字节 + {} 到 {} GB = {} 到 {}</translation>
    </message>
    <message>
        <source>The rule of thumb ignores the sequence length: {} sequence(s) of {} token(s) keep {} for the backward pass.</source>
        <translation>经验法则不考虑序列长度：{} 个 {} 词元的序列要为反向传播保留 {}。</translation>
    </message>
    <message>
        <source>{} chunk(s)</source>
        <translation>{} 个数据块</translation>
    </message>
    <message>
        <source>{} chunk(s), {}</source>
        <translation>{} 个数据块，{}</translation>
    </message>
    <message>
        <source>{} chunk(s), {} missing and filled</source>
        <translation>{} 个数据块，其中 {} 个缺失并已填充</translation>
    </message>
    <message>
        <source>never written</source>
        <translation>从未写入</translation>
    </message>
    <message>
        <source>saved in {} part(s)</source>
        <translation>分为 {} 部分保存</translation>
    </message>
    <message>
        <source>{} piece(s)</source>
        <translation>{} 个片段</translation>
    </message>
    <message>
        <source>one value for all elements</source>
        <translation>所有元素为同一个值</translation>
    </message>
    <message>
        <source>the direction before its magnitudes are applied</source>
        <translation>应用幅值之前的方向</translation>
    </message>
    <message>
        <source>sparse, {} of {} elements stored</source>
        <translation>稀疏，存储了 {} 个元素（共 {} 个）</translation>
    </message>
    <message>
        <source>tensor {} of its graph</source>
        <translation>其计算图的张量 {}</translation>
    </message>
    <message>
        <source>scale {}, zero point {}</source>
        <translation>缩放系数 {}，零点 {}</translation>
    </message>
    <message>
        <source>{} scales from {} to {} along dimension {}, zero point 0</source>
        <translation>{} 个缩放系数，从 {} 到 {}，沿维度 {}，零点为 0</translation>
    </message>
    <message>
        <source>{} scales from {} to {} along dimension {}, with zero points</source>
        <translation>{} 个缩放系数，从 {} 到 {}，沿维度 {}，带零点</translation>
    </message>
    <message>
        <source>quantized, {}</source>
        <translation>已量化，{}</translation>
    </message>
    <message>
        <source>quantized, {}, scale {}, zero point {}</source>
        <translation>已量化，{}，缩放系数 {}，零点 {}</translation>
    </message>
    <message>
        <source>quantized, {}, axis {}</source>
        <translation>已量化，{}，轴 {}</translation>
    </message>
    <message>
        <source>multi-head latent attention</source>
        <translation>多头潜在注意力</translation>
    </message>
    <message>
        <source>Mamba layers</source>
        <translation>Mamba 层</translation>
    </message>
    <message>
        <source>Mamba-2 layers</source>
        <translation>Mamba-2 层</translation>
    </message>
    <message>
        <source>gated delta rule</source>
        <translation>门控 delta 规则</translation>
    </message>
    <message>
        <source>Kimi delta attention</source>
        <translation>Kimi delta 注意力</translation>
    </message>
    <message>
        <source>short convolutions</source>
        <translation>短卷积</translation>
    </message>
    <message>
        <source>RWKV layers</source>
        <translation>RWKV 层</translation>
    </message>
    <message>
        <source>unnamed method</source>
        <translation>未命名的方法</translation>
    </message>
    <message>
        <source>a key in quotes is missing</source>
        <translation>缺少带引号的键</translation>
    </message>
    <message>
        <source>a colon is missing after a key</source>
        <translation>键后缺少冒号</translation>
    </message>
    <message>
        <source>a string has no end</source>
        <translation>字符串没有结束</translation>
    </message>
    <message>
        <source>not in its shard</source>
        <translation>不在其分片中</translation>
    </message>
    <message>
        <source>clamped attention</source>
        <translation>截断注意力</translation>
    </message>
    <message>
        <source>layers without attention and without a feed-forward part</source>
        <translation>既无注意力也无前馈部分的层</translation>
    </message>
    <message>
        <source>number of slots</source>
        <translation>槽位数</translation>
    </message>
    <message>
        <source>number of GPUs</source>
        <translation>GPU 数量</translation>
    </message>
    <message>
        <source>number of virtual tokens</source>
        <translation>虚拟词元数</translation>
    </message>
    <message>
        <source>VeRA without its shared projections (save_projection)</source>
        <translation>不含共享投影的 VeRA（save_projection）</translation>
    </message>
    <message>
        <source>OFT of earlier versions of PEFT</source>
        <translation>早期 PEFT 版本的 OFT</translation>
    </message>
    <message>
        <source>OFT with constraints or shared blocks</source>
        <translation>带约束或共享块的 OFT</translation>
    </message>
    <message>
        <source>OFT with such a number of terms</source>
        <translation>项数如此的 OFT</translation>
    </message>
    <message>
        <source>copied layers</source>
        <translation>复制的层</translation>
    </message>
    <message>
        <source>trained tokens</source>
        <translation>训练过的词元</translation>
    </message>
    <message>
        <source>Arrow routing</source>
        <translation>Arrow 路由</translation>
    </message>
    <message>
        <source>the filter {} is not supported</source>
        <translation>不支持过滤器 {}</translation>
    </message>
    <message>
        <source>its type {} ({}) was removed from the format</source>
        <translation>其类型 {}（{}）已从该格式中移除</translation>
    </message>
    <message>
        <source>its type {} ({}) exists only in ik_llama.cpp</source>
        <translation>其类型 {}（{}）仅存在于 ik_llama.cpp 中</translation>
    </message>
    <message>
        <source>its type {} is not in this format</source>
        <translation>此格式没有其类型 {}</translation>
    </message>
    <message>
        <source>its component {} cannot be read</source>
        <translation>无法读取其组成部分 {}</translation>
    </message>
    <message>
        <source>its piece in {} is missing or damaged</source>
        <translation>其位于 {} 中的片段缺失或已损坏</translation>
    </message>
    <message>
        <source>a piece of it is in no file</source>
        <translation>其某个片段不在任何文件中</translation>
    </message>
    <message>
        <source>the piece of rank {} is missing or damaged</source>
        <translation>rank {} 的片段缺失或已损坏</translation>
    </message>
    <message>
        <source>the file of rank {} is missing or damaged</source>
        <translation>rank {} 的文件缺失或已损坏</translation>
    </message>
    <message>
        <source>shard not readable</source>
        <translation>无法读取其分片</translation>
    </message>
    <message>
        <source>shard missing</source>
        <translation>其分片缺失</translation>
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
        <source>%n model(s) found so far, searching…</source>
        <translation>
            <numerusform>已找到 %n 个模型，正在搜索…</numerusform>
        </translation>
    </message>
    <message>
        <source>No models found.</source>
        <translation>未找到模型。</translation>
    </message>
    <message numerus="yes">
        <source>%n model(s); scroll down for more</source>
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
        <source>Search the hubs for models</source>
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
        <source>up to 4B</source>
        <translation>不超过 4B</translation>
    </message>
    <message>
        <source>4B to 10B</source>
        <translation>4B 到 10B</translation>
    </message>
    <message>
        <source>10B to 40B</source>
        <translation>10B 到 40B</translation>
    </message>
    <message>
        <source>over 40B</source>
        <translation>40B 以上</translation>
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
        <source>Recently updated</source>
        <translation>最近更新</translation>
    </message>
    <message>
        <source>Trending</source>
        <translation>热门</translation>
    </message>
    <message>
        <source>Sort by</source>
        <translation>排序方式</translation>
    </message>
    <message>
        <source>Search results</source>
        <translation>搜索结果</translation>
    </message>
    <message>
        <source>Select a model to see its files and model card.</source>
        <translation>选择一个模型，查看其文件和模型卡片。</translation>
    </message>
    <message>
        <source>%1 Retrying in %2.</source>
        <translation>%1 %2后重试。</translation>
    </message>
    <message>
        <source>Any license</source>
        <translation>任意许可证</translation>
    </message>
    <message>
        <source>License</source>
        <translation>许可证</translation>
    </message>
    <message>
        <source>Open or gated</source>
        <translation>不限访问权限</translation>
    </message>
    <message>
        <source>Open access</source>
        <translation>可直接下载</translation>
    </message>
    <message>
        <source>Gated</source>
        <translation>需申请访问</translation>
    </message>
    <message>
        <source>Access</source>
        <translation>访问权限</translation>
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
        <source>Any disk size</source>
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
        <source>over 30 GB</source>
        <translation>30 GB 以上</translation>
    </message>
    <message>
        <source>Repository size</source>
        <translation>仓库大小</translation>
    </message>
    <message>
        <source>Author</source>
        <translation>作者</translation>
    </message>
    <message>
        <source>More filters</source>
        <translation>更多筛选</translation>
    </message>
    <message>
        <source>Loading hub settings</source>
        <translation>正在读取模型社区设置</translation>
    </message>
    <message>
        <source>No system keychain is available; the token is kept only until you close the window.</source>
        <translation>系统没有可用的密钥链；令牌只保留到窗口关闭为止。</translation>
    </message>
    <message>
        <source>Access tokens…</source>
        <translation>访问令牌…</translation>
    </message>
    <message>
        <source>Access tokens for gated and private models</source>
        <translation>用于受限模型和私有模型的访问令牌</translation>
    </message>
    <message>
        <source>All models</source>
        <translation>所有模型</translation>
    </message>
    <message>
        <source>Any date</source>
        <translation>不限时间</translation>
    </message>
    <message>
        <source>past week</source>
        <translation>本周内更新</translation>
    </message>
    <message>
        <source>past month</source>
        <translation>一个月内</translation>
    </message>
    <message>
        <source>past 6 months</source>
        <translation>半年内</translation>
    </message>
    <message>
        <source>past year</source>
        <translation>一年内</translation>
    </message>
    <message>
        <source>Last updated</source>
        <translation>最近更新</translation>
    </message>
    <message>
        <source>Saved searches</source>
        <translation>已保存的搜索</translation>
    </message>
    <message>
        <source>Save this search or run a saved one</source>
        <translation>保存此搜索，或使用已保存的搜索</translation>
    </message>
    <message>
        <source>Low disk space</source>
        <translation>磁盘空间不足</translation>
    </message>
    <message>
        <source>Download anyway?</source>
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
        <source>ModelScope does not list file names; only models whose name or tags contain %1 are shown.</source>
        <translation>ModelScope 不提供文件名；仅显示名称或标签中含 %1 的模型。</translation>
    </message>
    <message>
        <source>Capabilities come from the author&apos;s tags and the model name.</source>
        <translation>能力来自作者的标签和模型名称。</translation>
    </message>
    <message>
        <source>Any quantization</source>
        <translation>任意量化</translation>
    </message>
    <message>
        <source>Quantization type</source>
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
        <source>Tool use</source>
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
        <source>Author, quantization, capability, license, access, language, library, disk size and last update</source>
        <translation>作者、量化、能力、许可证、访问权限、语言、框架、磁盘大小和最近更新</translation>
    </message>
    <message>
        <source>Open model page</source>
        <translation>打开模型页面</translation>
    </message>
    <message>
        <source>No response from the hubs.</source>
        <translation>模型社区没有响应。</translation>
    </message>
    <message numerus="yes">
        <source>%n model(s), some from cache: a hub is not responding</source>
        <translation>
            <numerusform>%n 个模型，部分来自缓存：有社区没有响应</numerusform>
        </translation>
    </message>
    <message>
        <source>Format; Chat uses only GGUF files</source>
        <translation>格式；对话只能使用 GGUF 文件</translation>
    </message>
    <message numerus="yes">
        <source>Show %n download(s) in Jobs</source>
        <translation>
            <numerusform>在“任务”中显示 %n 个下载</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>wb::ui::ChatTab</name>
    <message>
        <source>Chat</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>Stop generating</source>
        <translation>停止生成</translation>
    </message>
    <message>
        <source>Regenerate</source>
        <translation>重新生成</translation>
    </message>
    <message>
        <source>Edit last message</source>
        <translation>编辑上一条消息</translation>
    </message>
    <message>
        <source>Continue generating</source>
        <translation>继续生成</translation>
    </message>
    <message>
        <source>Previous response</source>
        <translation>上一个回答</translation>
    </message>
    <message>
        <source>Next response</source>
        <translation>下一个回答</translation>
    </message>
    <message>
        <source>Chat exported to %1.</source>
        <translation>对话已导出到 %1。</translation>
    </message>
    <message>
        <source>Export chat</source>
        <translation>导出对话</translation>
    </message>
    <message>
        <source>Generation settings</source>
        <translation>生成设置</translation>
    </message>
    <message>
        <source>Choose model…</source>
        <translation>选择模型…</translation>
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
        <source>Search results</source>
        <translation>搜索结果</translation>
    </message>
    <message>
        <source>No matches.</source>
        <translation>没有匹配项。</translation>
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
        <source>Discard the unfinished job?</source>
        <translation>丢弃这个未完成的任务？</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>丢弃</translation>
    </message>
    <message>
        <source>The folder of %1 no longer exists. The output written so far is kept, but the job cannot be resumed.</source>
        <translation>%1 所在的文件夹已不存在。已写入的内容会保留，但任务无法继续。</translation>
    </message>
    <message>
        <source>The partial output of %1 will be deleted.</source>
        <translation>%1 的未完成输出将被删除。</translation>
    </message>
    <message>
        <source>Your changes for %1 will be lost unless you save the plan.</source>
        <translation>如不保存方案，为 %1 所做的更改将丢失。</translation>
    </message>
    <message>
        <source>Close this plan?</source>
        <translation>关闭此方案？</translation>
    </message>
    <message>
        <source>Close plan</source>
        <translation>关闭方案</translation>
    </message>
    <message>
        <source>Choose a Hugging Face folder to convert</source>
        <translation>选择要转换的 Hugging Face 文件夹</translation>
    </message>
    <message>
        <source>Choose the base model folder of the adapter</source>
        <translation>选择适配器的基座模型文件夹</translation>
    </message>
    <message>
        <source>Choose a model</source>
        <translation>选择模型</translation>
    </message>
    <message>
        <source>Choose the base model folder</source>
        <translation>选择基座模型文件夹</translation>
    </message>
</context>
<context>
    <name>wb::ui::DangerQuestion</name>
    <message>
        <source>Loading %1 in its original program would run dangerous code.</source>
        <translation>用原程序加载 %1 会运行危险代码。</translation>
    </message>
    <message>
        <source>Loading %1 in its original program would run unknown code.</source>
        <translation>用原程序加载 %1 会运行未知代码。</translation>
    </message>
    <message>
        <source>It would call %1.</source>
        <translation>它会调用 %1。</translation>
    </message>
    <message>
        <source>Weighbridge reads the tensors without running the code. Open it anyway?</source>
        <translation>Weighbridge 只读取张量，不运行代码。仍要打开吗？</translation>
    </message>
    <message>
        <source>Model contains code</source>
        <translation>模型含有代码</translation>
    </message>
    <message>
        <source>Open anyway</source>
        <translation>仍然打开</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Scanning %1 for code</source>
        <translation>正在扫描 %1 中的代码</translation>
    </message>
</context>
<context>
    <name>wb::ui::DeviceChoice</name>
    <message>
        <source>Automatic (fastest)</source>
        <translation>自动（最快）</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>Detecting the selected device…</source>
        <translation>正在检测所选设备…</translation>
    </message>
    <message>
        <source>Selected device (not available)</source>
        <translation>所选设备（不可用）</translation>
    </message>
    <message>
        <source>%1 (software, slow)</source>
        <translation>%1（软件实现，较慢）</translation>
    </message>
    <message>
        <source>Detecting GPUs</source>
        <translation>正在检测 GPU</translation>
    </message>
</context>
<context>
    <name>wb::ui::DeviceSpeedRow</name>
    <message>
        <source>Detecting GPUs</source>
        <translation>正在检测 GPU</translation>
    </message>
    <message>
        <source>Measuring GPU speed</source>
        <translation>正在测量 GPU 速度</translation>
    </message>
    <message>
        <source>Measure again</source>
        <translation>重新测量</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>Measures how fast the GPU and the CPU read prompts and write responses. Takes up to 20 seconds.</source>
        <translation>测量 GPU 和 CPU 处理提示词与生成回答的速度。最多需要 20 秒。</translation>
    </message>
    <message>
        <source>Measuring…</source>
        <translation>正在测量…</translation>
    </message>
    <message>
        <source>No GPU</source>
        <translation>没有 GPU</translation>
    </message>
    <message>
        <source>Detecting GPUs…</source>
        <translation>正在检测 GPU…</translation>
    </message>
    <message>
        <source>%1: not measured</source>
        <translation>%1：未测量</translation>
    </message>
    <message>
        <source>%1: prompt %2 tokens/s, response %3 tokens/s. CPU: prompt %4 tokens/s, response %5 tokens/s.</source>
        <translation>%1：提示词 %2 词元/秒，回答 %3 词元/秒。CPU：提示词 %4 词元/秒，回答 %5 词元/秒。</translation>
    </message>
    <message>
        <source>The GPU is faster.</source>
        <translation>GPU 更快。</translation>
    </message>
    <message>
        <source>The CPU is faster.</source>
        <translation>CPU 更快。</translation>
    </message>
</context>
<context>
    <name>wb::ui::DistributionPlot</name>
    <message>
        <source>Distribution</source>
        <translation>分布</translation>
    </message>
    <message>
        <source>%1 to %2: %3 groups (%4%)</source>
        <translation>%1 到 %2：%3 个组（%4%）</translation>
    </message>
    <message>
        <source>%1 to %2: %3 codes (%4%)</source>
        <translation>%1 到 %2：%3 个编码（%4%）</translation>
    </message>
    <message>
        <source>%1 to %2: %3 elements (%4%)</source>
        <translation>%1 到 %2：%3 个元素（%4%）</translation>
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
    <message>
        <source>Groups</source>
        <translation>组</translation>
    </message>
    <message>
        <source>Codes</source>
        <translation>编码</translation>
    </message>
    <message>
        <source>Elements</source>
        <translation>元素</translation>
    </message>
    <message>
        <source>Cumulative share</source>
        <translation>累积占比</translation>
    </message>
    <message>
        <source>Quantization levels</source>
        <translation>量化级</translation>
    </message>
    <message>
        <source>Mean μ and multiples of σ</source>
        <translation>均值 μ 与 σ 的倍数</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>编码</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
</context>
<context>
    <name>wb::ui::DropCard</name>
    <message>
        <source>Drop a model file or folder anywhere in this window</source>
        <translation>将模型文件或文件夹拖放到此窗口的任意位置</translation>
    </message>
    <message>
        <source>The format is detected from the content, not from the file name.</source>
        <translation>根据内容识别格式，与文件名无关。</translation>
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
        <source>Open a model folder (Ctrl+Shift+O)</source>
        <translation>打开模型文件夹 (Ctrl+Shift+O)</translation>
    </message>
</context>
<context>
    <name>wb::ui::HeatMap</name>
    <message>
        <source>Heat map</source>
        <translation>热力图</translation>
    </message>
    <message>
        <source>Row %1, column %2: %3</source>
        <translation>第 %1 行，第 %2 列：%3</translation>
    </message>
    <message>
        <source>Around row %1, column %2 (%3 × %3 elements): max abs %4, mean %5, RMS %6</source>
        <translation>第 %1 行、第 %2 列附近（%3 × %3 个元素）：最大绝对值 %4，平均值 %5，均方根 %6</translation>
    </message>
    <message>
        <source>Rows %1 to %2, columns %3 to %4</source>
        <translation>第 %1 到 %2 行，第 %3 到 %4 列</translation>
    </message>
    <message>
        <source>%1 of %2 × %3; max abs %4</source>
        <translation>%1（共 %2 × %3）；最大绝对值 %4</translation>
    </message>
    <message>
        <source>Max and RMS</source>
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
    <message>
        <source>Column</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Row</source>
        <translation>行</translation>
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
        <source>Open a model folder</source>
        <translation>打开模型文件夹</translation>
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
    <message>
        <source>List of open models</source>
        <translation>已打开的模型列表</translation>
    </message>
    <message>
        <source>Close the comparison (Ctrl+W)</source>
        <translation>关闭此比较 (Ctrl+W)</translation>
    </message>
    <message>
        <source>Compare with %1</source>
        <translation>与 %1 比较</translation>
    </message>
</context>
<context>
    <name>wb::ui::JobsModel</name>
    <message>
        <source>Canceling…</source>
        <translation>正在取消…</translation>
    </message>
    <message>
        <source>Queued</source>
        <translation>排队中</translation>
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
        <source>Canceled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>%1%</source>
        <translation>%1%</translation>
    </message>
    <message>
        <source>Job</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Status</source>
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
    <message>
        <source>Running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>Interrupted</source>
        <translation>已中断</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
</context>
<context>
    <name>wb::ui::JobsTab</name>
    <message>
        <source>Jobs</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
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
        <source>Chat</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Clear finished</source>
        <translation>清除已完成项</translation>
    </message>
    <message>
        <source>No jobs. Downloads, conversions and other long work are listed here.</source>
        <translation>没有任务。下载、转换和其他耗时工作会列在这里。</translation>
    </message>
    <message numerus="yes">
        <source>%n interrupted or paused job(s) can be resumed.</source>
        <translation>
            <numerusform>%n 个中断或暂停的任务可以继续。</numerusform>
        </translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>在文件夹中显示</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>Order, speed limits, schedule and pauses</source>
        <translation>顺序、限速、时段与暂停</translation>
    </message>
</context>
<context>
    <name>wb::ui::LibraryTab</name>
    <message>
        <source>Library</source>
        <translation>模型库</translation>
    </message>
    <message>
        <source>Add a models folder</source>
        <translation>添加模型文件夹</translation>
    </message>
    <message>
        <source>Move to trash?</source>
        <translation>移到回收站？</translation>
    </message>
    <message>
        <source>Move to trash</source>
        <translation>移到回收站</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保留</translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) are corrupted, starting with %1. Download them again.</source>
        <translation>
            <numerusform>%n 个文件已损坏，第一个是 %1。请重新下载。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) match their recorded hashes.</source>
        <translation>
            <numerusform>%n 个文件与记录的哈希一致。</numerusform>
        </translation>
    </message>
    <message>
        <source>No recorded hash to compare with; the computed hashes are shown.</source>
        <translation>没有可供比较的哈希记录；显示的是计算出的哈希。</translation>
    </message>
    <message>
        <source>Show in file manager</source>
        <translation>在文件管理器中显示</translation>
    </message>
    <message>
        <source>Remove folder from library</source>
        <translation>从模型库中移除此文件夹</translation>
    </message>
    <message>
        <source>Scanning for models…</source>
        <translation>正在扫描模型…</translation>
    </message>
    <message>
        <source>No models found in the folders of Weighbridge, Hugging Face, ModelScope, Ollama, LM Studio, Jan and llama.cpp. Add a folder that contains models.</source>
        <translation>在 Weighbridge、Hugging Face、ModelScope、Ollama、LM Studio、Jan 和 llama.cpp 的文件夹中没有找到模型。请添加包含模型的文件夹。</translation>
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
        <source>Chat with this model</source>
        <translation>与此模型对话</translation>
    </message>
    <message>
        <source>Show memory requirements</source>
        <translation>查看所需内存</translation>
    </message>
    <message>
        <source>Verify files</source>
        <translation>校验文件</translation>
    </message>
    <message>
        <source>Move to trash…</source>
        <translation>移到回收站…</translation>
    </message>
    <message>
        <source>Add folder…</source>
        <translation>添加文件夹…</translation>
    </message>
    <message>
        <source>Refresh</source>
        <translation>刷新</translation>
    </message>
    <message>
        <source>Find duplicates</source>
        <translation>查找重复模型</translation>
    </message>
    <message>
        <source>Filter models</source>
        <translation>筛选模型</translation>
    </message>
    <message>
        <source>Folders</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Model folders</source>
        <translation>模型文件夹</translation>
    </message>
    <message>
        <source>Name, architecture, type or location</source>
        <translation>名称、架构、类型或位置</translation>
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
    <message>
        <source>Compare two selected models</source>
        <translation>比较选中的两个模型</translation>
    </message>
    <message>
        <source>Browse models</source>
        <translation>浏览模型</translation>
    </message>
</context>
<context>
    <name>wb::ui::MainWindow</name>
    <message>
        <source>Could not save the settings to %1.</source>
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
        <source>Cannot open this item.</source>
        <translation>无法打开此项。</translation>
    </message>
    <message>
        <source>No jobs</source>
        <translation>没有任务</translation>
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
        <source>Open a model folder</source>
        <translation>打开模型文件夹</translation>
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
        <source>Keep running</source>
        <translation>继续运行</translation>
    </message>
    <message>
        <source>Could not save the session to %1.</source>
        <translation>无法将会话保存到 %1。</translation>
    </message>
    <message>
        <source>Could not read the settings. The file was renamed to %1, and the defaults are used.</source>
        <translation>无法读取设置。原文件已更名为 %1，现使用默认设置。</translation>
    </message>
    <message>
        <source>%1 – %2 – Weighbridge</source>
        <translation>%1 – %2 – Weighbridge</translation>
    </message>
    <message>
        <source>Conversions and downloads in progress will resume the next time you start Weighbridge.</source>
        <translation>正在进行的转换和下载会在下次启动 Weighbridge 时继续。</translation>
    </message>
    <message numerus="yes">
        <source>%n job(s) paused</source>
        <translation>
            <numerusform>%n 个任务已暂停</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>剩余 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>另有 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>Show jobs (Ctrl+J)</source>
        <translation>显示任务 (Ctrl+J)</translation>
    </message>
    <message>
        <source>Stop jobs and quit</source>
        <translation>停止任务并退出</translation>
    </message>
    <message numerus="yes">
        <source>%n unfinished job(s)</source>
        <translation>
            <numerusform>%n 个未完成的任务</numerusform>
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
        <source>Choose a model to estimate</source>
        <translation>选择要估算的模型</translation>
    </message>
    <message>
        <source>Choose model…</source>
        <translation>选择模型…</translation>
    </message>
    <message>
        <source>Model size or name</source>
        <translation>模型规模或名称</translation>
    </message>
    <message>
        <source>Enter a size such as 7B, or drop a model here, to estimate its memory requirements.</source>
        <translation>输入 7B 之类的规模，或把模型拖到这里，即可估算所需内存。</translation>
    </message>
    <message>
        <source>Inference</source>
        <translation>推理</translation>
    </message>
    <message>
        <source>Full fine-tuning</source>
        <translation>全参数微调</translation>
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
        <source>Copy settings for %1</source>
        <translation>复制用于 %1 的设置</translation>
    </message>
    <message>
        <source>Save settings for %1…</source>
        <translation>保存用于 %1 的设置…</translation>
    </message>
    <message>
        <source>Save settings</source>
        <translation>保存设置</translation>
    </message>
    <message>
        <source>Saving settings</source>
        <translation>正在保存设置</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>用途</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Export settings for vLLM, llama-server, Ollama, LLaMA-Factory or Axolotl</source>
        <translation>导出用于 vLLM、llama-server、Ollama、LLaMA-Factory 或 Axolotl 的设置</translation>
    </message>
    <message>
        <source>Choose a llama.cpp log</source>
        <translation>选择 llama.cpp 日志</translation>
    </message>
    <message>
        <source>Copy table as text</source>
        <translation>将表格复制为文本</translation>
    </message>
    <message>
        <source>Copy table as Markdown</source>
        <translation>将表格复制为 Markdown</translation>
    </message>
    <message>
        <source>Copy table as JSON</source>
        <translation>将表格复制为 JSON</translation>
    </message>
    <message>
        <source>Copy table as CSV</source>
        <translation>将表格复制为 CSV</translation>
    </message>
    <message>
        <source>Export measurements…</source>
        <translation>导出实测记录…</translation>
    </message>
    <message>
        <source>Clear measurements</source>
        <translation>清除实测记录</translation>
    </message>
    <message>
        <source>Export measurements</source>
        <translation>导出实测记录</translation>
    </message>
    <message>
        <source>Exporting measurements</source>
        <translation>正在导出实测记录</translation>
    </message>
    <message>
        <source>Add to comparison</source>
        <translation>加入比较</translation>
    </message>
    <message>
        <source>Chat with these settings</source>
        <translation>用这些设置对话</translation>
    </message>
    <message>
        <source>Starts a chat with the model at this context length</source>
        <translation>以此上下文长度与模型对话</translation>
    </message>
    <message>
        <source>Add llama.cpp log…</source>
        <translation>添加 llama.cpp 日志…</translation>
    </message>
    <message>
        <source>Log that llama.cpp printed while loading this model; used to calibrate later estimates for the device</source>
        <translation>llama.cpp 加载此模型时输出的日志；用于校准该设备之后的估算</translation>
    </message>
    <message>
        <source>7B, 8x7B, 235B-A22B, Qwen3-8B, hf:owner/name:file or a model path; press Enter</source>
        <translation>7B、8x7B、235B-A22B、Qwen3-8B、hf:owner/name:file 或模型路径；按回车估算</translation>
    </message>
    <message>
        <source>Model size, name, path or hub ID</source>
        <translation>模型的规模、名称、路径或社区 ID</translation>
    </message>
    <message>
        <source>Choose a projector, adapter or draft model</source>
        <translation>选择投影器、适配器或草稿模型</translation>
    </message>
    <message>
        <source>Add projector, adapter or draft model…</source>
        <translation>添加投影器、适配器或草稿模型…</translation>
    </message>
    <message>
        <source>A multimodal projector (mmproj), a LoRA adapter or a draft model for speculative decoding</source>
        <translation>多模态投影器（mmproj）、LoRA 适配器，或用于推测解码的草稿模型</translation>
    </message>
    <message>
        <source>Remove added files</source>
        <translation>移除已添加的文件</translation>
    </message>
    <message>
        <source>What can I run?</source>
        <translation>我能运行什么？</translation>
    </message>
    <message>
        <source>Lists the models that fit on this computer or on a card</source>
        <translation>列出适合此电脑或某张显卡的模型</translation>
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
        <source>No recent files.</source>
        <translation>没有最近的文件。</translation>
    </message>
    <message>
        <source>Recent files</source>
        <translation>最近的文件</translation>
    </message>
    <message>
        <source>Press Enter to open a file, Delete to remove it from the list.</source>
        <translation>按 Enter 打开，按 Delete 从列表中移除。</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Remove from list</source>
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
        <source>missing</source>
        <translation>文件不存在</translation>
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
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>&amp;CPU threads</source>
        <translation>CPU 线程数(&amp;C)</translation>
    </message>
    <message>
        <source>Choose cache folder</source>
        <translation>选择缓存文件夹</translation>
    </message>
    <message>
        <source>C&amp;ache folder</source>
        <translation>缓存文件夹(&amp;A)</translation>
    </message>
    <message>
        <source>Choose default folder</source>
        <translation>选择默认文件夹</translation>
    </message>
    <message>
        <source>De&amp;fault folder</source>
        <translation>默认文件夹(&amp;F)</translation>
    </message>
    <message>
        <source>Compute and storage</source>
        <translation>计算与存储</translation>
    </message>
    <message numerus="yes">
        <source>All (%n)</source>
        <translation>
            <numerusform>全部 (%n)</numerusform>
        </translation>
    </message>
    <message>
        <source>Cache for results that can be recomputed.</source>
        <translation>存放可重新计算的结果。</translation>
    </message>
    <message>
        <source>Last used folder</source>
        <translation>上次使用的文件夹</translation>
    </message>
    <message>
        <source>Open dialogs start in this folder.</source>
        <translation>打开对话框从此文件夹开始。</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>浏览…</translation>
    </message>
    <message>
        <source>System</source>
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
        <source>Compute &amp;device</source>
        <translation>计算设备(&amp;D)</translation>
    </message>
    <message>
        <source>Device for statistics, heat maps and quantization. If a GPU fails, the CPU takes over. Plots are also drawn on this device, starting with the next frame; if the CPU is selected, the best GPU draws them.</source>
        <translation>用于统计、热力图和量化的设备。GPU 出错时改用 CPU。图表也由该设备绘制，从下一帧起生效；选择 CPU 时，由性能最好的 GPU 绘制。</translation>
    </message>
    <message>
        <source>Font &amp;size</source>
        <translation>字号(&amp;S)</translation>
    </message>
    <message>
        <source> pt</source>
        <translation> 磅</translation>
    </message>
    <message>
        <source>Takes effect at the next start.</source>
        <translation>下次启动时生效。</translation>
    </message>
    <message>
        <source>Choose models folder</source>
        <translation>选择模型文件夹</translation>
    </message>
    <message>
        <source>&amp;Models folder</source>
        <translation>模型文件夹(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Proxy</source>
        <translation>代理(&amp;P)</translation>
    </message>
    <message>
        <source>C&amp;ontext length</source>
        <translation>上下文长度(&amp;O)</translation>
    </message>
    <message>
        <source>Models and downloads</source>
        <translation>模型与下载</translation>
    </message>
    <message>
        <source>New downloads are saved here. Models that are already downloaded are not moved.</source>
        <translation>新的下载保存在这里。已下载的模型不会移动。</translation>
    </message>
    <message>
        <source>System; or http://host:port, socks5://host:port</source>
        <translation>系统代理；或 http://host:port、socks5://host:port</translation>
    </message>
    <message>
        <source>Proxy for hubs and downloads. Takes effect at the next start.</source>
        <translation>用于模型社区和下载的代理。下次启动时生效。</translation>
    </message>
    <message>
        <source>Automatic (up to 8,192 tokens)</source>
        <translation>自动（最多 8,192 个词元）</translation>
    </message>
    <message>
        <source> tokens</source>
        <translation> 个词元</translation>
    </message>
    <message>
        <source>Context length of new chats, unless the chat chooses another. Applies when a model is loaded.</source>
        <translation>新对话的上下文长度，对话另有选择时除外。加载模型时生效。</translation>
    </message>
    <message>
        <source>GPU sp&amp;eed</source>
        <translation>GPU 速度(&amp;E)</translation>
    </message>
</context>
<context>
    <name>wb::ui::StartPage</name>
    <message>
        <source>Search and sort all tensors, and browse all metadata.</source>
        <translation>搜索和排序所有张量，查看全部元数据。</translation>
    </message>
    <message>
        <source>Compute statistics over every element, including quantized types.</source>
        <translation>对每个元素计算统计数据，包括量化类型。</translation>
    </message>
    <message>
        <source>Find any action with Ctrl+K.</source>
        <translation>按 Ctrl+K 查找任意操作。</translation>
    </message>
    <message>
        <source>Open any model and see what is inside. Nothing leaves this computer.</source>
        <translation>打开任意模型，查看其中的内容。所有数据都留在这台电脑上。</translation>
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
        <source>Open models of any size: GGUF, safetensors, PyTorch, ONNX, Keras and more, or whole Hugging Face folders. Code in a model is reported, never run.</source>
        <translation>打开任意大小的模型：GGUF、safetensors、PyTorch、ONNX、Keras 等，以及整个 Hugging Face 文件夹。模型中的代码只会报告，绝不运行。</translation>
    </message>
    <message>
        <source>Estimate the memory needed to run or train a model.</source>
        <translation>估算运行或训练模型所需的内存。</translation>
    </message>
    <message>
        <source>Convert between Hugging Face folders and GGUF, export to safetensors, merge adapters, and quantize to a type, a file size or your memory.</source>
        <translation>在 Hugging Face 文件夹与 GGUF 之间转换，导出为 safetensors，合并适配器，并按类型、文件大小或内存量化。</translation>
    </message>
    <message>
        <source>Chat with a model on this computer.</source>
        <translation>在这台电脑上与模型对话。</translation>
    </message>
    <message>
        <source>Find models on Hugging Face and ModelScope, and manage the ones you have.</source>
        <translation>在 Hugging Face 和 ModelScope 上查找模型，并管理已有的模型。</translation>
    </message>
</context>
<context>
    <name>wb::ui::StarterCard</name>
    <message>
        <source>Starter model</source>
        <translation>入门模型</translation>
    </message>
    <message>
        <source>Open starter model</source>
        <translation>打开入门模型</translation>
    </message>
    <message>
        <source>SmolLM2 135M Instruct, a small language model, is available on this computer.</source>
        <translation>小型语言模型 SmolLM2 135M Instruct 已在这台电脑上。</translation>
    </message>
    <message>
        <source>Get a model</source>
        <translation>获取模型</translation>
    </message>
    <message>
        <source>Browse models</source>
        <translation>浏览模型</translation>
    </message>
    <message>
        <source>Choose a model in Browse, download it, and chat with it offline. GGUF files run on this computer.</source>
        <translation>在“浏览”中选择并下载模型，然后离线对话。GGUF 文件可在本机运行。</translation>
    </message>
</context>
<context>
    <name>wb::ui::TensorWords</name>
    <message>
        <source>renamed</source>
        <translation>已重命名</translation>
    </message>
    <message>
        <source>cast</source>
        <translation>已转换类型</translation>
    </message>
    <message>
        <source>dequantized</source>
        <translation>已反量化</translation>
    </message>
    <message>
        <source>rows unpermuted</source>
        <translation>行恢复原序</translation>
    </message>
    <message>
        <source>minus one</source>
        <translation>减一</translation>
    </message>
    <message>
        <source>logarithm of the negative</source>
        <translation>相反数的对数</translation>
    </message>
    <message>
        <source>transposed</source>
        <translation>转置</translation>
    </message>
    <message>
        <source>unstacked</source>
        <translation>已拆分堆叠</translation>
    </message>
    <message>
        <source>heads reordered</source>
        <translation>头已重新排序</translation>
    </message>
    <message>
        <source>concatenated</source>
        <translation>已拼接</translation>
    </message>
    <message>
        <source>blocks and scales</source>
        <translation>块与缩放系数</translation>
    </message>
    <message>
        <source>replaced by adapter</source>
        <translation>由适配器替换</translation>
    </message>
    <message>
        <source>from metadata</source>
        <translation>来自元数据</translation>
    </message>
    <message>
        <source>selected layers</source>
        <translation>所选的层</translation>
    </message>
    <message>
        <source>conjugated</source>
        <translation>已取共轭</translation>
    </message>
    <message>
        <source>negated</source>
        <translation>已取负</translation>
    </message>
    <message>
        <source>conjugated and negated</source>
        <translation>已取共轭并取负</translation>
    </message>
    <message>
        <source>sparse</source>
        <translation>稀疏</translation>
    </message>
    <message>
        <source>sparse (COO)</source>
        <translation>稀疏（COO）</translation>
    </message>
    <message>
        <source>sparse (CSR)</source>
        <translation>稀疏（CSR）</translation>
    </message>
    <message>
        <source>sparse (CSC)</source>
        <translation>稀疏（CSC）</translation>
    </message>
    <message>
        <source>sparse (BSR)</source>
        <translation>稀疏（BSR）</translation>
    </message>
    <message>
        <source>sparse (BSC)</source>
        <translation>稀疏（BSC）</translation>
    </message>
    <message>
        <source>affine</source>
        <translation>仿射</translation>
    </message>
    <message>
        <source>blockwise</source>
        <translation>分块</translation>
    </message>
    <message>
        <source>lookup table</source>
        <translation>查找表</translation>
    </message>
    <message>
        <source>constant</source>
        <translation>常量</translation>
    </message>
</context>
<context>
    <name>wb::ui::TypeTableModel</name>
    <message>
        <source>exact</source>
        <translation>精确</translation>
    </message>
    <message>
        <source>%1 bytes</source>
        <translation>%1 字节</translation>
    </message>
    <message>
        <source>Bits per weight, with scales and minimums</source>
        <translation>每权重位数，含缩放系数和最小值</translation>
    </message>
    <message>
        <source>Relative RMS error, measured on these weights</source>
        <translation>在这些权重上测得的相对均方根误差</translation>
    </message>
    <message>
        <source>Relative RMS error, weighted by the importance matrix</source>
        <translation>按重要性矩阵加权的相对均方根误差</translation>
    </message>
    <message>
        <source>Mean KL divergence without an importance matrix, as published for Llama 3 8B</source>
        <translation>不用重要性矩阵时的平均 KL 散度，为 Llama 3 8B 的公布值</translation>
    </message>
    <message>
        <source>Mean KL divergence with an importance matrix, as published for Llama 3 8B</source>
        <translation>使用重要性矩阵时的平均 KL 散度，为 Llama 3 8B 的公布值</translation>
    </message>
    <message>
        <source>Memory for weights, KV cache and compute buffers at run time</source>
        <translation>模型运行时权重、KV 缓存和计算缓冲区所需的内存</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Bits per weight</source>
        <translation>每个权重的位数</translation>
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
        <source>Weighted error</source>
        <translation>加权误差</translation>
    </message>
    <message>
        <source>SNR (dB)</source>
        <translation>信噪比 (dB)</translation>
    </message>
    <message>
        <source>RMSE</source>
        <translation>均方根误差</translation>
    </message>
    <message>
        <source>Max error</source>
        <translation>最大误差</translation>
    </message>
    <message>
        <source>Cosine similarity</source>
        <translation>余弦相似度</translation>
    </message>
    <message>
        <source>Rows measured</source>
        <translation>已测行数</translation>
    </message>
    <message>
        <source>KLD (no imatrix)</source>
        <translation>KLD（不用 imatrix）</translation>
    </message>
    <message>
        <source>KLD (imatrix)</source>
        <translation>KLD（用 imatrix）</translation>
    </message>
    <message>
        <source>Memory needed</source>
        <translation>所需内存</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>内存</translation>
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
        <source>Opening model page</source>
        <translation>正在打开模型页面</translation>
    </message>
    <message>
        <source>Searching the other hub</source>
        <translation>正在搜索另一个社区</translation>
    </message>
    <message>
        <source>Estimating memory for %1</source>
        <translation>正在估算 %1 所需的内存</translation>
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
        <source>Open link?</source>
        <translation>打开链接？</translation>
    </message>
    <message>
        <source>The link goes to %1.</source>
        <translation>链接指向 %1。</translation>
    </message>
    <message>
        <source>Open in browser</source>
        <translation>在浏览器中打开</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>wb::ui::browse::Downloads</name>
    <message>
        <source>Loading the download list</source>
        <translation>正在读取下载列表</translation>
    </message>
    <message>
        <source>Checking for interrupted downloads</source>
        <translation>正在查找中断的下载</translation>
    </message>
    <message>
        <source>Saving the download list</source>
        <translation>正在保存下载列表</translation>
    </message>
    <message>
        <source>Removing an incomplete download</source>
        <translation>正在删除未完成的下载</translation>
    </message>
    <message>
        <source>Download %1</source>
        <translation>下载 %1</translation>
    </message>
    <message>
        <source>Checking free disk space</source>
        <translation>正在检查磁盘空间</translation>
    </message>
</context>
<context>
    <name>wb::ui::browse::DownloadsWork</name>
    <message>
        <source>Download %1</source>
        <translation>下载 %1</translation>
    </message>
    <message>
        <source>Retrying in %1: %2</source>
        <translation>%1 后重试：%2</translation>
    </message>
    <message>
        <source>Remove the download?</source>
        <translation>要删除此下载吗？</translation>
    </message>
    <message>
        <source>The partial download will be deleted. To finish it later, pause it instead.</source>
        <translation>未完成的下载会被删除。如需以后继续，请改为暂停。</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>Show model page</source>
        <translation>显示模型页面</translation>
    </message>
</context>
<context>
    <name>wb::ui::browse::PageView</name>
    <message>
        <source>cached; the hub is not responding</source>
        <translation>缓存内容；社区没有响应</translation>
    </message>
    <message numerus="yes">
        <source>%n identical file(s) on %1</source>
        <translation>
            <numerusform>%1 上有 %n 个内容相同的文件</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 parameters</source>
        <translation>%1 参数</translation>
    </message>
    <message>
        <source>no license specified</source>
        <translation>未注明许可证</translation>
    </message>
    <message>
        <source>license: %1</source>
        <translation>许可证：%1</translation>
    </message>
    <message>
        <source>gated: accept the terms on the model page</source>
        <translation>受限：请在模型页面同意条款</translation>
    </message>
    <message>
        <source>based on %1</source>
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
        <source>%1 (companion file)</source>
        <translation>%1（配套文件）</translation>
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
        <source>Model files</source>
        <translation>模型的文件</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Model card</source>
        <translation>模型卡片</translation>
    </message>
    <message>
        <source>Copy as</source>
        <translation>复制为</translation>
    </message>
    <message>
        <source>Open the model page in your browser to accept its terms</source>
        <translation>在浏览器中打开模型页面以接受条款</translation>
    </message>
    <message>
        <source>Open page in browser</source>
        <translation>在浏览器中打开页面</translation>
    </message>
    <message>
        <source>Copy the download command for the selected files</source>
        <translation>复制下载所选文件的命令</translation>
    </message>
    <message>
        <source>Inspect the selected file without downloading it (reads only the header)</source>
        <translation>不下载，仅读取文件头即可查看所选文件</translation>
    </message>
    <message>
        <source>Open selected file in Inspect</source>
        <translation>在“检视”中打开所选文件</translation>
    </message>
    <message>
        <source>Show the memory breakdown of the selected file</source>
        <translation>逐项查看所选文件所需的内存</translation>
    </message>
    <message>
        <source>Estimate memory of the selected file</source>
        <translation>估算所选文件所需的内存</translation>
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
        <source>Gated model: you need an account and must accept the author&apos;s terms.</source>
        <translation>受限模型：需要登录账号并同意作者的条款。</translation>
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
        <source>License</source>
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
    <message>
        <source>Downloaded</source>
        <translation>已下载</translation>
    </message>
    <message>
        <source>Downloaded: files of this model are on this computer.</source>
        <translation>已下载：此模型的文件在此电脑上。</translation>
    </message>
</context>
<context>
    <name>wb::ui::browse::SavedSearches</name>
    <message>
        <source>Save this search</source>
        <translation>保存此搜索</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
</context>
<context>
    <name>wb::ui::browse::TokensDialog</name>
    <message>
        <source>Access tokens</source>
        <translation>访问令牌</translation>
    </message>
    <message>
        <source>Gated and private models require an access token of your account. The token is stored in the system keychain and sent only to its own hub.</source>
        <translation>受限模型和私有模型需要您账号的访问令牌。令牌保存在系统密钥链中，只会发送给所属的模型社区。</translation>
    </message>
    <message>
        <source>Using the token entered here.</source>
        <translation>正在使用在此处输入的令牌。</translation>
    </message>
    <message>
        <source>Using a token from the environment or the hub&apos;s token file.</source>
        <translation>正在使用环境变量或社区令牌文件中的令牌。</translation>
    </message>
    <message>
        <source>No token.</source>
        <translation>未设置令牌。</translation>
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
        <source>Delete the token entered here</source>
        <translation>删除在此处输入的令牌</translation>
    </message>
    <message>
        <source>Also send it to %1, which is not the official hub; its operator can read the token</source>
        <translation>也发送给 %1（并非官方社区，其运营者可以读取令牌）</translation>
    </message>
</context>
<context>
    <name>wb::ui::chat::AnswerPanel</name>
    <message>
        <source>System prompt</source>
        <translation>系统提示词</translation>
    </message>
    <message>
        <source>Instructions for the model in this chat. Leave empty for no system prompt.</source>
        <translation>给模型的指示，对本对话有效。留空则不使用系统提示词。</translation>
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
        <source>Randomness of sampling; 0 always picks the most likely token.</source>
        <translation>采样的随机程度；0 表示总是取最可能的词元。</translation>
    </message>
    <message>
        <source>Nucleus sampling: keeps the most likely tokens up to this total probability.</source>
        <translation>核采样：只保留累计概率达到此值的最可能词元。</translation>
    </message>
    <message>
        <source>Drops tokens whose probability is below this fraction of the most likely token&apos;s.</source>
        <translation>丢弃概率低于最可能词元这一比例的词元。</translation>
    </message>
    <message>
        <source>Penalizes recently used tokens; 1 is off.</source>
        <translation>降低最近出现过的词元的概率；1 表示关闭。</translation>
    </message>
    <message>
        <source>Penalizes repeated sequences (DRY); 0 is off.</source>
        <translation>降低重复序列的概率（DRY）；0 表示关闭。</translation>
    </message>
    <message>
        <source>Probability of removing the top tokens (XTC), for more variety; 0 is off.</source>
        <translation>移除最可能词元的概率（XTC），以增加变化；0 表示关闭。</translation>
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
        <source>Samples only from this many of the most likely tokens.</source>
        <translation>只从这么多个最可能的词元中采样。</translation>
    </message>
    <message>
        <source>Max tokens</source>
        <translation>最大词元数</translation>
    </message>
    <message>
        <source>up to context length</source>
        <translation>直到上下文上限</translation>
    </message>
    <message>
        <source> tokens</source>
        <translation> 个词元</translation>
    </message>
    <message>
        <source>Maximum number of tokens in a response.</source>
        <translation>单次回答的最大词元数。</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>random</source>
        <translation>随机</translation>
    </message>
    <message>
        <source>The same seed and settings reproduce the same response.</source>
        <translation>相同的种子和设置会得到相同的回答。</translation>
    </message>
    <message>
        <source>Reasoning budget</source>
        <translation>推理预算</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>不限</translation>
    </message>
    <message>
        <source>Maximum number of reasoning tokens; the model then answers.</source>
        <translation>推理的最大词元数；之后模型开始作答。</translation>
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
    <message>
        <source>Stop strings</source>
        <translation>停止字符串</translation>
    </message>
    <message>
        <source>One per line</source>
        <translation>每行一个</translation>
    </message>
    <message>
        <source>The response ends before the first of these texts.</source>
        <translation>回复在遇到其中第一个文本之前结束。</translation>
    </message>
    <message>
        <source>JSON schema</source>
        <translation>JSON Schema</translation>
    </message>
    <message>
        <source>Leave empty for any text.</source>
        <translation>留空则不限制文本。</translation>
    </message>
    <message>
        <source>Responses are JSON values that match this schema.</source>
        <translation>回复为符合此 Schema 的 JSON 值。</translation>
    </message>
    <message>
        <source>Save preset</source>
        <translation>保存预设</translation>
    </message>
    <message>
        <source>Name of the preset, which keeps all of these settings:</source>
        <translation>预设名称（保存以下全部设置）：</translation>
    </message>
    <message>
        <source>Save as preset…</source>
        <translation>保存为预设…</translation>
    </message>
    <message>
        <source>Keeps all of these settings, with the system prompt, under a name.</source>
        <translation>以一个名称保存全部设置，包括系统提示词。</translation>
    </message>
    <message>
        <source>Delete preset</source>
        <translation>删除预设</translation>
    </message>
    <message>
        <source>Chat template</source>
        <translation>对话模板</translation>
    </message>
    <message>
        <source>Of the model</source>
        <translation>模型自带</translation>
    </message>
    <message>
        <source>None: continue the text</source>
        <translation>无：续写文本</translation>
    </message>
    <message>
        <source>How messages are written for the model, in Jinja. A wrong template degrades responses.</source>
        <translation>以 Jinja 编写的消息格式。错误的模板会降低回复质量。</translation>
    </message>
</context>
<context>
    <name>wb::ui::chat::ChatSession</name>
    <message>
        <source>Reading prompt: %1 of %2 tokens</source>
        <translation>正在读取提示词：%1 / %2 个词元</translation>
    </message>
    <message>
        <source>Generating…</source>
        <translation>正在生成…</translation>
    </message>
    <message>
        <source>Generating: %1 tokens/s</source>
        <translation>正在生成：%1 词元/秒</translation>
    </message>
    <message numerus="yes">
        <source>%n tokens · %1 tokens/s · first token after %2 s</source>
        <translation>
            <numerusform>%n 个词元 · %1 词元/秒 · 首个词元在 %2 秒后</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>wb::ui::chat::ChoosePage</name>
    <message>
        <source>Choose a model to chat with, or drop a GGUF file here. It runs on this computer; nothing is sent anywhere.</source>
        <translation>选择要对话的模型，或将 GGUF 文件拖到这里。模型在此电脑上运行，不会向外发送任何内容。</translation>
    </message>
</context>
<context>
    <name>wb::ui::chat::Composer</name>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Type a message. Press Enter to send, Shift+Enter for a new line.</source>
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
    <name>wb::ui::chat::HistoryPanel</name>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>Search chats</source>
        <translation>搜索对话</translation>
    </message>
    <message>
        <source>Chats</source>
        <translation>对话</translation>
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
        <source>Your chats are stored on this computer and listed here.</source>
        <translation>您的对话保存在这台电脑上，列在此处。</translation>
    </message>
    <message>
        <source>No chats contain these words.</source>
        <translation>没有对话包含这些词。</translation>
    </message>
</context>
<context>
    <name>wb::ui::chat::ModelChoices</name>
    <message>
        <source>damaged</source>
        <translation>已损坏</translation>
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
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Runs here</source>
        <translation>本机可运行</translation>
    </message>
</context>
<context>
    <name>wb::ui::chat::ModelList</name>
    <message>
        <source>No matches.</source>
        <translation>没有匹配项。</translation>
    </message>
    <message>
        <source>No GGUF models on this computer yet.</source>
        <translation>此电脑上还没有 GGUF 模型。</translation>
    </message>
    <message>
        <source>Looking for models on this computer…</source>
        <translation>正在查找此电脑上的模型…</translation>
    </message>
    <message>
        <source>Filter models</source>
        <translation>筛选模型</translation>
    </message>
    <message>
        <source>Models on this computer</source>
        <translation>此电脑上的模型</translation>
    </message>
    <message>
        <source>Open file…</source>
        <translation>打开文件…</translation>
    </message>
    <message>
        <source>Find models to download</source>
        <translation>查找可下载的模型</translation>
    </message>
</context>
<context>
    <name>wb::ui::chat::ModelPanel</name>
    <message>
        <source>Model settings</source>
        <translation>模型设置</translation>
    </message>
    <message>
        <source>Context length</source>
        <translation>上下文长度</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source> tokens</source>
        <translation> 个词元</translation>
    </message>
    <message>
        <source>Number of tokens that the model keeps in memory. Automatic: 8,192 or the model&apos;s own context length if shorter, less if memory is short.</source>
        <translation>模型在内存中保留的词元数。自动：8,192，或模型自身更短的上下文长度；内存不足时更短。</translation>
    </message>
    <message>
        <source>This model supports %1 tokens.</source>
        <translation>此模型支持 %1 个词元。</translation>
    </message>
    <message>
        <source>KV cache K</source>
        <translation>KV 缓存 K</translation>
    </message>
    <message>
        <source>KV cache V</source>
        <translation>KV 缓存 V</translation>
    </message>
    <message>
        <source>Type of the KV cache. q8_0 takes about half the memory of f16, with a negligible loss of quality.</source>
        <translation>KV 缓存的类型。q8_0 占用的内存约为 f16 的一半，质量损失可以忽略。</translation>
    </message>
    <message>
        <source>CPU threads</source>
        <translation>CPU 线程数</translation>
    </message>
    <message>
        <source>as in Settings</source>
        <translation>与设置相同</translation>
    </message>
    <message>
        <source>Number of CPU threads that run the model.</source>
        <translation>运行模型的 CPU 线程数。</translation>
    </message>
    <message>
        <source>Reload model to apply</source>
        <translation>重新加载模型以应用</translation>
    </message>
    <message>
        <source>Loads the model again with these settings. The chat is kept.</source>
        <translation>用这些设置重新加载模型。对话会保留。</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Device that runs the model</source>
        <translation>运行模型的设备</translation>
    </message>
    <message>
        <source>GPU layers</source>
        <translation>GPU 层数</translation>
    </message>
    <message>
        <source>Number of layers offloaded to the GPU, counted from the last; the output layer counts as one. Automatic: as many as fit in free VRAM.</source>
        <translation>卸载到 GPU 的层数，从最后一层算起；输出层计为一层。自动：空闲显存能放下多少就放多少。</translation>
    </message>
    <message>
        <source>Device that runs the model: %1. A device chosen here counts for the Chat tab alone.</source>
        <translation>运行模型的设备：%1。在此选择的设备仅用于“对话”标签页。</translation>
    </message>
</context>
<context>
    <name>wb::ui::chat::ModelPicker</name>
    <message>
        <source>Choose a model to chat with</source>
        <translation>选择要对话的模型</translation>
    </message>
</context>
<context>
    <name>wb::ui::chat::Notes</name>
    <message>
        <source>Messages above are no longer in the model&apos;s context.</source>
        <translation>以上消息已不在模型的上下文中。</translation>
    </message>
    <message>
        <source>End of response.</source>
        <translation>回答结束。</translation>
    </message>
    <message>
        <source>Stopped: max tokens reached.</source>
        <translation>已停止：达到最大词元数。</translation>
    </message>
    <message>
        <source>Stopped at a stop string.</source>
        <translation>已停止：遇到停止字符串。</translation>
    </message>
    <message>
        <source>Stopped: the context is full.</source>
        <translation>已停止：上下文已满。</translation>
    </message>
    <message>
        <source>Reasoning budget reached.</source>
        <translation>已达到推理预算。</translation>
    </message>
    <message>
        <source>Stopped by you.</source>
        <translation>已由您停止。</translation>
    </message>
    <message>
        <source>Stopped by an error.</source>
        <translation>因错误而停止。</translation>
    </message>
    <message>
        <source>Interrupted: Weighbridge closed while generating.</source>
        <translation>已中断：生成时 Weighbridge 已关闭。</translation>
    </message>
</context>
<context>
    <name>wb::ui::chat::Questions</name>
    <message>
        <source>Choose a model to chat with</source>
        <translation>选择要对话的模型</translation>
    </message>
    <message>
        <source>GGUF models (*.gguf)</source>
        <translation>GGUF 模型 (*.gguf)</translation>
    </message>
    <message>
        <source>Delete chat</source>
        <translation>删除对话</translation>
    </message>
    <message>
        <source>Delete the chat “%1”? This cannot be undone.</source>
        <translation>要删除对话“%1”吗？此操作无法撤销。</translation>
    </message>
    <message>
        <source>Open link</source>
        <translation>打开链接</translation>
    </message>
    <message>
        <source>This link was written by the model. Open it in your browser?

%1</source>
        <translation>此链接由模型生成。要在浏览器中打开吗？

%1</translation>
    </message>
    <message>
        <source>JSON (*.json)</source>
        <translation>JSON (*.json)</translation>
    </message>
    <message>
        <source>Export chat</source>
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
        <source>Change model…</source>
        <translation>更换模型…</translation>
    </message>
    <message>
        <source>The context is full. How do you want to continue?</source>
        <translation>上下文已满。要如何继续？</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>Editing an earlier message. The messages after it are kept as another branch.</source>
        <translation>正在编辑先前的消息。其后的消息会保留为另一个分支。</translation>
    </message>
    <message>
        <source>Cancel editing</source>
        <translation>取消编辑</translation>
    </message>
    <message>
        <source>Loading model</source>
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
        <source>Increase context to %1 tokens</source>
        <translation>将上下文增加到 %1 个词元</translation>
    </message>
    <message numerus="yes">
        <source>Drop the first %n messages from context</source>
        <translation>
            <numerusform>略去最前面的 %n 条消息</numerusform>
        </translation>
    </message>
    <message>
        <source>No model loaded.</source>
        <translation>未加载模型。</translation>
    </message>
    <message>
        <source>%1 of %2 tokens</source>
        <translation>%1 / %2 个词元</translation>
    </message>
    <message>
        <source>Context used: %1.</source>
        <translation>已用上下文：%1。</translation>
    </message>
    <message>
        <source>CPU, %1: weights %2, context of %3 tokens %4, buffers %5.</source>
        <translation>CPU，%1：权重 %2，%3 个词元的上下文 %4，缓冲区 %5。</translation>
    </message>
    <message>
        <source>%1 of memory was free.</source>
        <translation>可用内存 %1。</translation>
    </message>
    <message>
        <source>Context length reduced from the default %1 tokens to fit in memory.</source>
        <translation>为放入内存，上下文长度已从默认的 %1 个词元减小。</translation>
    </message>
    <message>
        <source>%1, all layers: %2 of %3 free.</source>
        <translation>%1，全部层：占用 %2，空闲 %3。</translation>
    </message>
    <message>
        <source>%1, last %2 of %3 layers (the rest does not fit): %4 of %5 free.</source>
        <translation>%1，%3 层中的最后 %2 层（其余放不下）：占用 %4，空闲 %5。</translation>
    </message>
    <message>
        <source>%1, last %2 of %3 layers (as selected): %4 of %5 free.</source>
        <translation>%1，%3 层中的最后 %2 层（按所选设置）：占用 %4，空闲 %5。</translation>
    </message>
    <message>
        <source>Loading model: %1%</source>
        <translation>正在加载模型：%1%</translation>
    </message>
    <message>
        <source>This model has no chat template, so it continues your text instead of answering. It may be a base model.</source>
        <translation>此模型没有对话模板，只会续写您的文本，而不会回答。它可能是基础模型。</translation>
    </message>
    <message>
        <source>Use the %1 template</source>
        <translation>使用 %1 模板</translation>
    </message>
    <message>
        <source>%1, all layers: %2</source>
        <translation>%1，全部层：%2</translation>
    </message>
    <message>
        <source>%1, %2 of %3 layers: %4</source>
        <translation>%1，%2 / %3 层：%4</translation>
    </message>
    <message>
        <source>CPU: %1</source>
        <translation>CPU：%1</translation>
    </message>
    <message>
        <source>context of %1 tokens</source>
        <translation>上下文 %1 个词元</translation>
    </message>
    <message>
        <source>reduced from %1 to fit</source>
        <translation>为放入内存已从 %1 减少</translation>
    </message>
</context>
<context>
    <name>wb::ui::chat::Transcript</name>
    <message>
        <source>Chat</source>
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
        <source>Show %n earlier messages</source>
        <translation>
            <numerusform>显示更早的 %n 轮</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Reasoning (%n words)</source>
        <translation>
            <numerusform>推理，%n 个词</numerusform>
        </translation>
    </message>
    <message>
        <source>Thinking…</source>
        <translation>正在思考…</translation>
    </message>
    <message>
        <source>Copy code</source>
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
        <source>Regenerate</source>
        <translation>重新生成</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Continue generating</source>
        <translation>继续生成</translation>
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
        <source>Choose an adapter folder</source>
        <translation>选择适配器文件夹</translation>
    </message>
    <message>
        <source>Scale of %1</source>
        <translation>%1 的缩放比例</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>移除 %1</translation>
    </message>
    <message>
        <source>Remove this adapter</source>
        <translation>移除此适配器</translation>
    </message>
    <message>
        <source>Adapters are merged into the weights before any other step</source>
        <translation>在其他步骤之前将适配器合并到权重中</translation>
    </message>
    <message>
        <source>Add an adapter file…</source>
        <translation>添加适配器文件…</translation>
    </message>
    <message>
        <source>Choose an adapter file of Kohya scripts or LyCORIS</source>
        <translation>选择 Kohya 脚本或 LyCORIS 的适配器文件</translation>
    </message>
    <message>
        <source>Adapters (*.safetensors)</source>
        <translation>适配器 (*.safetensors)</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::BudgetSession</name>
    <message>
        <source>Choosing types for %1</source>
        <translation>正在为 %1 选择类型</translation>
    </message>
    <message>
        <source>Reading free memory</source>
        <translation>正在读取可用内存</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::ChoicesPanel</name>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Choose the output location</source>
        <translation>选择输出位置</translation>
    </message>
    <message>
        <source>Weight type</source>
        <translation>权重的类型</translation>
    </message>
    <message>
        <source>Shards</source>
        <translation>分片</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Same as source</source>
        <translation>与源模型相同</translation>
    </message>
    <message>
        <source>Single file</source>
        <translation>单个文件</translation>
    </message>
    <message>
        <source>%1 GB shards</source>
        <translation>每个 %1 GB</translation>
    </message>
    <message>
        <source>Safetensors (*.safetensors)</source>
        <translation>Safetensors (*.safetensors)</translation>
    </message>
    <message>
        <source>New folder name</source>
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
        <source>Up to %1 of RAM</source>
        <translation>内存最多 %1</translation>
    </message>
    <message>
        <source>Only %1 free on disk (not enough)</source>
        <translation>磁盘仅剩 %1，空间不足</translation>
    </message>
    <message>
        <source>%1 free on disk</source>
        <translation>磁盘可用 %1</translation>
    </message>
    <message>
        <source>Estimating time…</source>
        <translation>正在估算时间…</translation>
    </message>
    <message>
        <source>About %1, excluding disk writes</source>
        <translation>约 %1，不含写入磁盘的时间</translation>
    </message>
    <message>
        <source>The job was canceled. Its progress is saved; start it again with the same plan to resume.</source>
        <translation>任务已取消。进度已保存；用同一方案再次开始即可继续。</translation>
    </message>
    <message>
        <source>Add to queue</source>
        <translation>加入队列</translation>
    </message>
    <message>
        <source>Open recipe</source>
        <translation>打开配方</translation>
    </message>
    <message>
        <source>mergekit recipes (*.yml *.yaml)</source>
        <translation>mergekit 配方 (*.yml *.yaml)</translation>
    </message>
    <message>
        <source>Save recipe</source>
        <translation>保存配方</translation>
    </message>
    <message>
        <source>Merge</source>
        <translation>合并</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Add the folder or file of an adapter trained for this model.</source>
        <translation>请添加为此模型训练的适配器的文件夹或文件。</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::ChoosePage</name>
    <message>
        <source>You can also choose Quantize… in Inspect, or drop a file or folder here.</source>
        <translation>也可以在“检视”中打开模型并选择“量化…”，或者把文件或文件夹拖放到这里。</translation>
    </message>
    <message>
        <source>Quantize %1</source>
        <translation>量化 %1</translation>
    </message>
    <message>
        <source>You can also drop a file or folder here, or start with an open model:</source>
        <translation>也可以把文件或文件夹拖放到这里，或者从已打开的模型开始：</translation>
    </message>
    <message>
        <source>Export as safetensors…</source>
        <translation>导出为 safetensors…</translation>
    </message>
    <message>
        <source>Convert any model file to safetensors, which cannot run code when loaded.</source>
        <translation>将任何模型文件转换为 safetensors，加载时不会运行代码。</translation>
    </message>
    <message>
        <source>Merge an adapter…</source>
        <translation>合并适配器…</translation>
    </message>
    <message>
        <source>Merge LoRA, DoRA and other adapters into their base model.</source>
        <translation>将 LoRA、DoRA 等适配器合并到基座模型。</translation>
    </message>
    <message>
        <source>Convert an adapter…</source>
        <translation>转换适配器…</translation>
    </message>
    <message>
        <source>Convert a LoRA or rsLoRA adapter to a GGUF file that llama.cpp applies at load time.</source>
        <translation>把 LoRA 或 rsLoRA 适配器转换为 GGUF 文件，由 llama.cpp 加载时应用。</translation>
    </message>
    <message>
        <source>Merge models…</source>
        <translation>合并模型…</translation>
    </message>
    <message>
        <source>Merge several models of one architecture into one: linear, SLERP, task arithmetic, TIES, DARE or layers.</source>
        <translation>将同一架构的多个模型合并为一个：线性、SLERP、任务算术、TIES、DARE 或层拼接。</translation>
    </message>
    <message>
        <source>What do you want to do?</source>
        <translation>您想做什么？</translation>
    </message>
    <message>
        <source>Quantize…</source>
        <translation>量化…</translation>
    </message>
    <message>
        <source>Reduce the size of a GGUF model. Review the plan tensor by tensor; the output is byte-identical to that of llama.cpp.</source>
        <translation>缩小 GGUF 模型。可逐个张量查看计划；输出与 llama.cpp 逐字节一致。</translation>
    </message>
    <message>
        <source>Convert to GGUF…</source>
        <translation>转换为 GGUF…</translation>
    </message>
    <message>
        <source>Turn a Hugging Face folder into a GGUF file of any type in one pass.</source>
        <translation>将 Hugging Face 文件夹一步转换为任意类型的 GGUF 文件。</translation>
    </message>
    <message>
        <source>To Hugging Face folder…</source>
        <translation>导出为 Hugging Face 文件夹…</translation>
    </message>
    <message>
        <source>Write a folder with config and tokenizer for training or vLLM, from GGUF files too.</source>
        <translation>写出含配置和分词器的文件夹，用于训练或 vLLM，也支持 GGUF 文件。</translation>
    </message>
    <message>
        <source>Use another tool…</source>
        <translation>使用其他工具…</translation>
    </message>
    <message>
        <source>Convert to TensorRT, OpenVINO, Core ML, LiteRT or ONNX with the vendor&apos;s tool, if it is installed.</source>
        <translation>使用厂商的工具（如已安装）转换为 TensorRT、OpenVINO、Core ML、LiteRT 或 ONNX。</translation>
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
        <source>Undo last plan change</source>
        <translation>撤销对方案的上一次更改</translation>
    </message>
    <message>
        <source>Redo plan change</source>
        <translation>重做对方案的更改</translation>
    </message>
    <message>
        <source>Save plan…</source>
        <translation>保存方案…</translation>
    </message>
    <message>
        <source>Copy as command-line options</source>
        <translation>复制为命令行选项</translation>
    </message>
    <message>
        <source>The same tensor types as --tensor-type options for wb quantize and llama-quantize</source>
        <translation>以 --tensor-type 选项表示的相同类型，可用于 wb quantize 和 llama-quantize</translation>
    </message>
    <message>
        <source>Quantize</source>
        <translation>量化</translation>
    </message>
    <message>
        <source>Open plan…</source>
        <translation>打开方案…</translation>
    </message>
    <message>
        <source>Saves the plan to a file, to run it later or with wb on another machine</source>
        <translation>将方案保存到文件，以便以后运行，或在其他电脑上用 wb 运行</translation>
    </message>
    <message>
        <source>Show memory requirements of this model</source>
        <translation>查看此模型所需的内存</translation>
    </message>
    <message>
        <source>Opens the model in Memory: required memory by component, and the devices it fits on</source>
        <translation>在“内存”中打开模型：按组成部分列出所需内存，以及放得下的设备</translation>
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
        <source>Free disk space</source>
        <translation>磁盘可用空间</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>%1 – not enough</source>
        <translation>%1 – 不够</translation>
    </message>
    <message>
        <source>No llama.cpp quantization type is this small; these are the best types that fit.</source>
        <translation>llama.cpp 没有这么小的量化类型；以下是放得下的最佳类型。</translation>
    </message>
    <message>
        <source>%1% lower squared error than %2, the largest llama.cpp type that fits (measured on every row).</source>
        <translation>平方误差比 %2（放得下的最大 llama.cpp 类型）低 %1%（对每一行测量）。</translation>
    </message>
    <message>
        <source>%1% lower squared error than %2, the largest llama.cpp type that fits (estimated from samples).</source>
        <translation>平方误差比 %2（放得下的最大 llama.cpp 类型）低 %1%（由抽样估计）。</translation>
    </message>
    <message>
        <source>%1 (was %2)</source>
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
        <source>Memory to quantize</source>
        <translation>量化所需内存</translation>
    </message>
    <message>
        <source>%1, over your limit of %2</source>
        <translation>%1，超出您的上限 %2</translation>
    </message>
    <message>
        <source>%1, larger than the source (%2)</source>
        <translation>%1，大于源模型（%2）</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::ErrorChart</name>
    <message>
        <source>Relative error of every tensor</source>
        <translation>每个张量的相对误差</translation>
    </message>
    <message>
        <source>%1: %2 → %3, %4</source>
        <translation>%1：%2 → %3，%4</translation>
    </message>
    <message>
        <source>All tensors are lossless.</source>
        <translation>所有张量均无损失。</translation>
    </message>
    <message>
        <source>Relative errors in file order; the largest is %1</source>
        <translation>按文件顺序排列的相对误差；最大的是 %1</translation>
    </message>
    <message>
        <source>%1%</source>
        <translation>%1%</translation>
    </message>
    <message>
        <source>Relative error</source>
        <translation>相对误差</translation>
    </message>
    <message>
        <source>Tensors in file order</source>
        <translation>张量（按文件顺序）</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::ErrorModel</name>
    <message>
        <source>copied</source>
        <translation>原样复制</translation>
    </message>
    <message>
        <source>%1%</source>
        <translation>%1%</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Source</source>
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
        <source>Cosine similarity</source>
        <translation>余弦相似度</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::FolderPanel</name>
    <message>
        <source>Model name</source>
        <translation>模型名称</translation>
    </message>
    <message>
        <source>Auto-detected</source>
        <translation>自动识别</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Pre-tokenizer</source>
        <translation>预分词器</translation>
    </message>
    <message>
        <source>Unknown pre-tokenizer. Choose a model that splits text the same way; a wrong choice degrades the model.</source>
        <translation>未知的预分词器。请选择切分方式相同的模型；选错会降低模型质量。</translation>
    </message>
    <message>
        <source>Detected pre-tokenizer: %1.</source>
        <translation>已识别的预分词器：%1。</translation>
    </message>
    <message>
        <source>Use the folder&apos;s template</source>
        <translation>使用文件夹中的模板</translation>
    </message>
    <message>
        <source>Chat template</source>
        <translation>对话模板</translation>
    </message>
    <message>
        <source>Choose chat template</source>
        <translation>选择对话模板</translation>
    </message>
    <message>
        <source>Jinja templates (*.jinja *.j2 *.txt)</source>
        <translation>Jinja 模板 (*.jinja *.j2 *.txt)</translation>
    </message>
    <message>
        <source>%1 is empty, too large for a template, or unreadable; choose another file.</source>
        <translation>%1 是空的、对模板来说过大或无法读取；请选择其他文件。</translation>
    </message>
    <message>
        <source>Other…</source>
        <translation>其他…</translation>
    </message>
    <message>
        <source>From the folder…</source>
        <translation>来自文件夹…</translation>
    </message>
    <message>
        <source>Base model</source>
        <translation>基座模型</translation>
    </message>
    <message>
        <source>Choose the base model folder of the adapter</source>
        <translation>选择适配器的基座模型文件夹</translation>
    </message>
    <message>
        <source>Choose folder…</source>
        <translation>选择文件夹…</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::GoalPanel</name>
    <message>
        <source>Quantization type</source>
        <translation>量化类型</translation>
    </message>
    <message>
        <source>Best quality for a file size</source>
        <translation>限定文件大小下的最佳质量</translation>
    </message>
    <message>
        <source>Best quality that fits in memory</source>
        <translation>放得进内存的最佳质量</translation>
    </message>
    <message>
        <source>Keep split files</source>
        <translation>保留分片</translation>
    </message>
    <message>
        <source>Quantization</source>
        <translation>量化类型</translation>
    </message>
    <message>
        <source>File size</source>
        <translation>文件大小</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Context length</source>
        <translation>上下文长度</translation>
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
        <source>Importance matrix (imatrix)</source>
        <translation>重要性矩阵（imatrix）</translation>
    </message>
    <message>
        <source>Importance of each input column, measured by llama-imatrix; required for low-bit types</source>
        <translation>每个输入列的重要程度，由 llama-imatrix 测得；低位数类型需要它</translation>
    </message>
    <message>
        <source>Choose an importance matrix</source>
        <translation>选择重要性矩阵</translation>
    </message>
    <message>
        <source>Clear importance matrix</source>
        <translation>清除重要性矩阵</translation>
    </message>
    <message>
        <source>Tries every type on a sample of each tensor&apos;s rows and picks the types with the lowest loss that fit the size.</source>
        <translation>在每个张量的部分行上试验每种类型，选取在限定大小内损失最小的类型。</translation>
    </message>
    <message>
        <source>The model does not specify its KV cache size; choose a file size instead.</source>
        <translation>该模型没有说明 KV 缓存的大小；请改为选择文件大小。</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Find best types</source>
        <translation>选择最佳类型</translation>
    </message>
    <message>
        <source>Use one type for all tensors (pure)</source>
        <translation>所有张量使用同一类型（pure）</translation>
    </message>
    <message>
        <source>Measure all rows</source>
        <translation>测量所有行</translation>
    </message>
    <message>
        <source>Exact errors instead of estimates from samples; takes about as long as quantizing the model to every type.</source>
        <translation>得到精确误差而不是抽样估计；耗时约等于把模型量化为每一种类型。</translation>
    </message>
    <message>
        <source>Tries every type on all rows of each tensor and picks the types with the lowest loss that fit the size.</source>
        <translation>对每个张量的所有行试验每种类型，选取在限定大小内损失最小的类型。</translation>
    </message>
    <message>
        <source>KV cache for %L1 tokens: %2 (f16); compute buffers: %3; the rest is available for the weights.</source>
        <translation>%L1 个词元的 KV 缓存：%2（f16）；计算缓冲区：%3；其余可用于权重。</translation>
    </message>
    <message>
        <source>For example 4.2 GB, 800 MB or 3.9 GiB</source>
        <translation>例如 4.2 GB、800 MB 或 3.9 GiB</translation>
    </message>
    <message>
        <source>Equals %1.</source>
        <translation>即 %1。</translation>
    </message>
    <message>
        <source>Copies every tensor as is. Choose a quantization type to make the model smaller.</source>
        <translation>原样复制每个张量。选择一种量化类型即可缩小模型。</translation>
    </message>
    <message>
        <source>KV cache for %L1 tokens: %2 (f16); compute buffers: %3; no memory is left for the weights.</source>
        <translation>%L1 个词元的 KV 缓存：%2（f16）；计算缓冲区：%3；没有内存留给权重。</translation>
    </message>
    <message>
        <source>Enter a size with a unit, for example 4.2 GB, 800 MB or 3.9 GiB.</source>
        <translation>请输入带单位的大小，例如 4.2 GB、800 MB 或 3.9 GiB。</translation>
    </message>
    <message>
        <source>Types were chosen for a file size and differ from the quantization type; its published figures do not apply.</source>
        <translation>类型按文件大小选择，与该量化类型不同，其公布的数据不适用。</translation>
    </message>
    <message>
        <source>Types were changed manually and differ from the quantization type; its published figures do not apply.</source>
        <translation>类型已手动更改，与该量化类型不同，其公布的数据不适用。</translation>
    </message>
    <message>
        <source>The plan does not match this size yet: click Find best types, then Quantize.</source>
        <translation>方案尚未匹配此大小：请先点击“选择最佳类型”，再点击“量化”。</translation>
    </message>
    <message>
        <source>Allow requantizing</source>
        <translation>允许重新量化</translation>
    </message>
    <message>
        <source>Every tensor keeps its type and bytes.</source>
        <translation>每个张量都保留其类型和字节。</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::KeptBar</name>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Discard…</source>
        <translation>丢弃…</translation>
    </message>
    <message>
        <source>Job canceled; %1% of %2 is saved. Resume it or discard the partial output.</source>
        <translation>任务已取消；%2 已保存 %1%。可以继续，或丢弃未完成的输出。</translation>
    </message>
    <message>
        <source>Job canceled; part of %1 is saved. Resume it or discard the partial output.</source>
        <translation>任务已取消；%1 已保存一部分。可以继续，或丢弃未完成的输出。</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::MembersModel</name>
    <message>
        <source>from source</source>
        <translation>与来源相同</translation>
    </message>
    <message>
        <source>GGUF file</source>
        <translation>GGUF 文件</translation>
    </message>
    <message>
        <source>inferred from architecture</source>
        <translation>按架构推断</translation>
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
    <name>wb::ui::convert::MergePanel</name>
    <message>
        <source>Add a model…</source>
        <translation>添加模型…</translation>
    </message>
    <message>
        <source>Models of the same architecture as the base model</source>
        <translation>与基座模型架构相同的模型</translation>
    </message>
    <message>
        <source>Choose a model folder</source>
        <translation>选择模型文件夹</translation>
    </message>
    <message>
        <source>Weight of %1</source>
        <translation>%1 的权重</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>移除 %1</translation>
    </message>
    <message>
        <source>Remove this model</source>
        <translation>移除此模型</translation>
    </message>
    <message>
        <source>Open recipe…</source>
        <translation>打开配方…</translation>
    </message>
    <message>
        <source>Read a YAML configuration of mergekit</source>
        <translation>读取 mergekit 的 YAML 配置</translation>
    </message>
    <message>
        <source>Save recipe…</source>
        <translation>保存配方…</translation>
    </message>
    <message>
        <source>Write this merge as a YAML configuration of mergekit</source>
        <translation>将此合并写为 mergekit 的 YAML 配置</translation>
    </message>
    <message>
        <source>Linear (weighted average)</source>
        <translation>线性（加权平均）</translation>
    </message>
    <message>
        <source>SLERP</source>
        <translation>SLERP</translation>
    </message>
    <message>
        <source>Task arithmetic</source>
        <translation>任务算术</translation>
    </message>
    <message>
        <source>TIES</source>
        <translation>TIES</translation>
    </message>
    <message>
        <source>DARE (linear)</source>
        <translation>DARE（线性）</translation>
    </message>
    <message>
        <source>DARE (TIES)</source>
        <translation>DARE（TIES）</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Merge method</source>
        <translation>合并方法</translation>
    </message>
    <message>
        <source>Weight of the base model</source>
        <translation>基座模型的权重</translation>
    </message>
    <message>
        <source>Weight of the base model in the average</source>
        <translation>基座模型在平均值中的权重</translation>
    </message>
    <message>
        <source>Position (t)</source>
        <translation>位置（t）</translation>
    </message>
    <message>
        <source>0 is the base model, 1 the other model.</source>
        <translation>0 为基座模型，1 为另一个模型。</translation>
    </message>
    <message>
        <source>Density</source>
        <translation>密度</translation>
    </message>
    <message>
        <source>Share of the differences that is kept; 1 keeps all.</source>
        <translation>保留的差异比例；1 表示全部保留。</translation>
    </message>
    <message>
        <source>Lambda</source>
        <translation>Lambda</translation>
    </message>
    <message>
        <source>Factor of the merged differences; 1 is neutral.</source>
        <translation>合并后差异的系数；1 表示不变。</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>Seed of the random masks; the same seed gives the same file.</source>
        <translation>随机掩码的种子；相同的种子得到相同的文件。</translation>
    </message>
    <message>
        <source>Layers of the new model in order: A is the base model, B the first other model.</source>
        <translation>新模型的层，按顺序排列：A 为基座模型，B 为第一个其他模型。</translation>
    </message>
    <message>
        <source>Rules for tensors</source>
        <translation>张量规则</translation>
    </message>
    <message>
        <source>One rule per line, as REGEX:KEY=V with the key weight, density or t. Several values are spread over the layers.</source>
        <translation>每行一条规则，形式为 REGEX:KEY=V，键为 weight、density 或 t。多个值会分布到各层。</translation>
    </message>
    <message>
        <source>Tokenizer</source>
        <translation>分词器</translation>
    </message>
    <message>
        <source>Add a model to merge with the base model.</source>
        <translation>添加要与基座模型合并的模型。</translation>
    </message>
    <message>
        <source>Vocabularies must match</source>
        <translation>词表必须一致</translation>
    </message>
    <message>
        <source>Of the base model</source>
        <translation>基座模型的</translation>
    </message>
    <message>
        <source>Of %1</source>
        <translation>%1 的</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::MixPlot</name>
    <message>
        <source>%1%</source>
        <translation>%1%</translation>
    </message>
    <message>
        <source>Error vs. size of each quantization type</source>
        <translation>各量化类型的误差与大小</translation>
    </message>
    <message>
        <source>No quantization type measured yet.</source>
        <translation>尚未测量任何量化类型。</translation>
    </message>
    <message>
        <source>%1: %2, error %3</source>
        <translation>%1：%2，误差 %3</translation>
    </message>
    <message>
        <source>From %1 to %2; the line shows the best achievable error for each size.</source>
        <translation>从 %1 到 %2；曲线为各大小下可达到的最小误差。</translation>
    </message>
    <message>
        <source>Relative error</source>
        <translation>相对误差</translation>
    </message>
    <message>
        <source>File size</source>
        <translation>文件大小</translation>
    </message>
    <message>
        <source>Types</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Best mix for each size</source>
        <translation>各大小的最佳组合</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::MixSession</name>
    <message>
        <source>Comparing quantization types of %1</source>
        <translation>正在比较 %1 的量化类型</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::MixesPanel</name>
    <message>
        <source>All rows</source>
        <translation>所有行</translation>
    </message>
    <message>
        <source>Use this type</source>
        <translation>使用此类型</translation>
    </message>
    <message>
        <source>Memory that the model must fit in</source>
        <translation>模型需放入的内存</translation>
    </message>
    <message>
        <source>For example 4.2 GB, 800 MB or 3.9 GiB</source>
        <translation>例如 4.2 GB、800 MB 或 3.9 GiB</translation>
    </message>
    <message>
        <source>Context length</source>
        <translation>上下文长度</translation>
    </message>
    <message>
        <source> tokens</source>
        <translation> 个词元</translation>
    </message>
    <message>
        <source>Exact errors instead of estimates from samples; takes about as long as quantizing the model to every type.</source>
        <translation>得到精确误差而不是抽样估计；耗时约等于把模型量化为每一种类型。</translation>
    </message>
    <message>
        <source>Apply the selected quantization type to the plan</source>
        <translation>将所选量化类型应用到方案</translation>
    </message>
    <message>
        <source>&amp;Fits in</source>
        <translation>可放入(&amp;F)</translation>
    </message>
    <message>
        <source>Quantization types of this model</source>
        <translation>此模型的量化类型</translation>
    </message>
    <message>
        <source>needs imatrix</source>
        <translation>需要 imatrix</translation>
    </message>
    <message>
        <source>Measuring the loss of each quantization type…</source>
        <translation>正在测量各量化类型的损失…</translation>
    </message>
    <message>
        <source>Not measured yet.</source>
        <translation>尚未测量。</translation>
    </message>
    <message>
        <source>The model is already quantized and would lose more quality; no type is recommended.</source>
        <translation>该模型已经量化，再次量化会损失更多质量；不推荐任何类型。</translation>
    </message>
    <message>
        <source>No smaller quantization type fits in this memory; none is recommended.</source>
        <translation>没有更小的量化类型放得进此内存；不作推荐。</translation>
    </message>
    <message>
        <source>Recommended: %1, the smallest type that fits with a barely noticeable error (%2%).</source>
        <translation>推荐：%1，放得下且误差（%2%）几乎无法察觉的最小类型。</translation>
    </message>
    <message>
        <source>Recommended: %1, the lowest error of the types that fit (%2%).</source>
        <translation>推荐：%1，放得下的类型中误差最小（%2%）。</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Add to queue</source>
        <translation>加入队列</translation>
    </message>
    <message>
        <source>Quantize the model to each selected type, one after another; use Ctrl or Shift to select several</source>
        <translation>依次将模型量化为每个选中的类型；按住 Ctrl 或 Shift 可选择多个</translation>
    </message>
    <message>
        <source>Recommended</source>
        <translation>推荐</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>测量</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::OllamaRow</name>
    <message>
        <source>Add to Ollama:</source>
        <translation>添加到 Ollama：</translation>
    </message>
    <message>
        <source>Create Modelfile</source>
        <translation>生成 Modelfile</translation>
    </message>
    <message>
        <source>The command reads a Modelfile next to the model: stop strings, context length and sampling settings</source>
        <translation>该命令读取模型旁边的 Modelfile：停止字符串、上下文长度和采样设置</translation>
    </message>
    <message>
        <source>%1 already exists.</source>
        <translation>%1 已存在。</translation>
    </message>
    <message>
        <source>Replace the file?</source>
        <translation>替换该文件？</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Created %1.</source>
        <translation>已生成 %1。</translation>
    </message>
    <message>
        <source>Creating Modelfile</source>
        <translation>正在生成 Modelfile</translation>
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
        <source>set by you</source>
        <translation>由您设置</translation>
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
    <name>wb::ui::convert::ParentsModel</name>
    <message>
        <source>(all tensors)</source>
        <translation>（所有张量）</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Compared with</source>
        <translation>比较对象</translation>
    </message>
    <message>
        <source>Relative change</source>
        <translation>相对变化</translation>
    </message>
    <message>
        <source>Cosine similarity</source>
        <translation>余弦相似度</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::ParentsPanel</name>
    <message>
        <source>Compare with the merged models</source>
        <translation>与被合并的模型比较</translation>
    </message>
    <message>
        <source>Distance from the merged models</source>
        <translation>与被合并模型的距离</translation>
    </message>
    <message>
        <source>Reads all models again and measures how far every tensor is from each of them</source>
        <translation>重新读取所有模型，测量每个张量与各模型的距离</translation>
    </message>
    <message>
        <source>Comparing models</source>
        <translation>正在比较模型</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::PlanModel</name>
    <message>
        <source>This tensor is never quantized.</source>
        <translation>该张量从不量化。</translation>
    </message>
    <message>
        <source>Double-click to change the type.</source>
        <translation>双击以更改类型。</translation>
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
        <source>Source</source>
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
        <source>generated</source>
        <translation>生成</translation>
    </message>
    <message>
        <source>unchanged</source>
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
        <source>rows truncated</source>
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
        <source>Transform</source>
        <translation>变换</translation>
    </message>
    <message>
        <source>negative exponential</source>
        <translation>取负指数</translation>
    </message>
    <message>
        <source>reshaped</source>
        <translation>改变形状</translation>
    </message>
    <message>
        <source>keys of each head, transposed</source>
        <translation>各头的键，转置</translation>
    </message>
    <message>
        <source>values of each head</source>
        <translation>各头的值</translation>
    </message>
    <message>
        <source>first half, transposed</source>
        <translation>前一半，转置</translation>
    </message>
    <message>
        <source>second half, transposed</source>
        <translation>后一半，转置</translation>
    </message>
    <message>
        <source>shards joined</source>
        <translation>分片已合并</translation>
    </message>
    <message>
        <source>query rows of the indexer</source>
        <translation>索引器的查询行</translation>
    </message>
    <message>
        <source>key rows of the indexer</source>
        <translation>索引器的键行</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::PlanPage</name>
    <message>
        <source>Change model…</source>
        <translation>更换模型…</translation>
    </message>
    <message>
        <source>Quantization</source>
        <translation>量化</translation>
    </message>
    <message>
        <source>Estimate</source>
        <translation>预估</translation>
    </message>
    <message>
        <source>Search tensors by name</source>
        <translation>按名称搜索张量</translation>
    </message>
    <message>
        <source>Type to apply</source>
        <translation>要应用的类型</translation>
    </message>
    <message>
        <source>Default for this quantization</source>
        <translation>该量化的默认类型</translation>
    </message>
    <message>
        <source>Apply to selected</source>
        <translation>应用于所选</translation>
    </message>
    <message>
        <source>Apply to all shown</source>
        <translation>应用于全部显示项</translation>
    </message>
    <message>
        <source>Tensors and new types</source>
        <translation>张量及其新类型</translation>
    </message>
    <message>
        <source>Output file</source>
        <translation>输出文件</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Choose output file</source>
        <translation>选择输出文件</translation>
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
        <source>And %n similar messages.</source>
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
        <source>%1 already exists.</source>
        <translation>%1 已存在。</translation>
    </message>
    <message>
        <source>These tensors are never quantized.</source>
        <translation>这些张量从不量化。</translation>
    </message>
    <message>
        <source>%L1 of %L2 tensors keep their type: %3 requires importance data for them and row sizes divisible by its block size.</source>
        <translation>%L2 个张量中有 %L1 个保持原类型：%3 需要它们的重要性数据，且行长须为其块大小的整数倍。</translation>
    </message>
    <message>
        <source>%L1 of %L2 tensors keep their type: their row sizes are not divisible by the block size of %3.</source>
        <translation>%L2 个张量中有 %L1 个保持原类型：其行长不是 %3 块大小的整数倍。</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Resume that job</source>
        <translation>继续那个任务</translation>
    </message>
    <message>
        <source>Discard the unfinished job?</source>
        <translation>丢弃这个未完成的任务？</translation>
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
        <source>Open plan</source>
        <translation>打开方案</translation>
    </message>
    <message>
        <source>Replace it when the new file is complete</source>
        <translation>新文件完成后替换</translation>
    </message>
    <message>
        <source>An unfinished job with a different plan has written %L1% of %2.</source>
        <translation>另一方案的未完成任务已写入 %2 的 %L1%。</translation>
    </message>
    <message>
        <source>An unfinished job with a different plan has written part of %1.</source>
        <translation>另一方案的未完成任务已写入 %1 的一部分。</translation>
    </message>
    <message>
        <source>Starting over deletes it; resuming it closes this plan.</source>
        <translation>重新开始会删除它；继续它则会关闭此方案。</translation>
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
        <source>Find the best types for this size first</source>
        <translation>请先为此大小选择最佳类型</translation>
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
        <source>Metadata of the new file</source>
        <translation>新文件的元数据</translation>
    </message>
    <message>
        <source>Convert</source>
        <translation>转换</translation>
    </message>
    <message>
        <source>Compare types</source>
        <translation>比较类型</translation>
    </message>
    <message>
        <source>Add to queue</source>
        <translation>加入队列</translation>
    </message>
    <message>
        <source>Already exists, fully or in part: %1.</source>
        <translation>已经存在（全部或部分）：%1。</translation>
    </message>
    <message>
        <source>Replace each file when its new version is complete</source>
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
    <name>wb::ui::convert::QueueStrip</name>
    <message>
        <source>Show jobs</source>
        <translation>显示任务</translation>
    </message>
    <message numerus="yes">
        <source>%n unfinished job(s).</source>
        <translation>
            <numerusform>%n 个未完成的任务。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::ResultPage</name>
    <message>
        <source>Open in Inspect</source>
        <translation>在“检视”中打开</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>在文件夹中显示</translation>
    </message>
    <message>
        <source>Back to the plan</source>
        <translation>返回方案</translation>
    </message>
    <message>
        <source>Change model…</source>
        <translation>更换模型…</translation>
    </message>
    <message>
        <source>%1, %2 bits per weight, written in %3.</source>
        <translation>%1，每权重 %2 位，用时 %3。</translation>
    </message>
    <message>
        <source>%1, %2 bits per weight, written in several sessions (last one: %3).</source>
        <translation>%1，每权重 %2 位，分多次写入（最后一次用时 %3）。</translation>
    </message>
    <message>
        <source>Error by tensor</source>
        <translation>各张量的误差</translation>
    </message>
    <message>
        <source>No file manager found; the file is in %1.</source>
        <translation>找不到文件管理器；文件位于 %1。</translation>
    </message>
    <message>
        <source>The output was read back and compared with the source.</source>
        <translation>输出已重新读取并与源模型比较。</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>对话</translation>
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
        <source>%1%</source>
        <translation>%1%</translation>
    </message>
    <message>
        <source>Plan another job…</source>
        <translation>计划另一个任务…</translation>
    </message>
    <message>
        <source>The current job continues; new jobs are queued</source>
        <translation>当前任务继续运行；新任务加入队列</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>If you cancel or quit, progress is saved and you can resume on the Jobs page. The file appears under its final name once it is complete and verified.</source>
        <translation>取消或退出后进度会保存，可在“任务”页面继续。文件完整并通过校验后才会以最终名称出现。</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::RunQueue</name>
    <message>
        <source>Loading queue</source>
        <translation>正在读取队列</translation>
    </message>
    <message>
        <source>Saving queue</source>
        <translation>正在保存队列</translation>
    </message>
    <message>
        <source>Planning</source>
        <translation>制定方案</translation>
    </message>
    <message>
        <source>Checking for unfinished jobs</source>
        <translation>正在查找未完成的任务</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::RunSession</name>
    <message>
        <source>Checking output</source>
        <translation>正在检查输出</translation>
    </message>
    <message>
        <source>Preparing job</source>
        <translation>正在准备任务</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::RunsWork</name>
    <message>
        <source>%1 → %2</source>
        <translation>%1 → %2</translation>
    </message>
    <message>
        <source>Running in another process.</source>
        <translation>正在另一个进程中运行。</translation>
    </message>
    <message>
        <source>Its folder was not found.</source>
        <translation>找不到其文件夹。</translation>
    </message>
    <message>
        <source>Last written %1.</source>
        <translation>上次写入：%1。</translation>
    </message>
    <message>
        <source>Pause conversions after the current job</source>
        <translation>当前任务结束后暂停转换</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::SpeedEstimate</name>
    <message>
        <source>Estimating speed</source>
        <translation>正在估算速度</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::SplitPanel</name>
    <message>
        <source>Copy without quantizing</source>
        <translation>仅复制，不量化</translation>
    </message>
    <message>
        <source>Only splits or joins the file; every tensor keeps its type and bytes</source>
        <translation>只对文件分片或合并；每个张量都保留其类型和字节</translation>
    </message>
    <message>
        <source>One output file</source>
        <translation>一个输出文件</translation>
    </message>
    <message>
        <source>Split by file size</source>
        <translation>按文件大小分片</translation>
    </message>
    <message>
        <source>Split by number of tensors</source>
        <translation>按张量数量分片</translation>
    </message>
    <message>
        <source>Output files</source>
        <translation>输出文件</translation>
    </message>
    <message>
        <source>Maximum file size</source>
        <translation>最大文件大小</translation>
    </message>
    <message>
        <source>Maximum size of the tensors of one file, for example 5 GB</source>
        <translation>单个文件中张量的最大大小，例如 5 GB</translation>
    </message>
    <message>
        <source>Maximum tensors per file</source>
        <translation>每个文件的最大张量数</translation>
    </message>
    <message>
        <source>Enter a size with a unit, for example 5 GB or 800 MB.</source>
        <translation>请输入带单位的大小，例如 5 GB 或 800 MB。</translation>
    </message>
    <message numerus="yes">
        <source>%n output file(s)</source>
        <translation>
            <numerusform>%n 个输出文件</numerusform>
        </translation>
    </message>
    <message>
        <source>The split files are joined into one file.</source>
        <translation>分片文件将合并为一个文件。</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::UnfinishedList</name>
    <message>
        <source>Checking for unfinished jobs</source>
        <translation>正在查找未完成的任务</translation>
    </message>
    <message>
        <source>Discarding job</source>
        <translation>正在丢弃任务</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::VendorDialog</name>
    <message>
        <source>TensorRT engine</source>
        <translation>TensorRT 引擎</translation>
    </message>
    <message>
        <source>OpenVINO IR</source>
        <translation>OpenVINO IR</translation>
    </message>
    <message>
        <source>Core ML package</source>
        <translation>Core ML 包</translation>
    </message>
    <message>
        <source>LiteRT (TFLite) model</source>
        <translation>LiteRT（TFLite）模型</translation>
    </message>
    <message>
        <source>ONNX model</source>
        <translation>ONNX 模型</translation>
    </message>
    <message>
        <source>Command:</source>
        <translation>命令：</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Use another tool</source>
        <translation>使用其他工具</translation>
    </message>
    <message>
        <source>No model chosen</source>
        <translation>未选择模型</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Convert to</source>
        <translation>转换为</translation>
    </message>
    <message>
        <source>Choose a file…</source>
        <translation>选择文件…</translation>
    </message>
    <message>
        <source>Choose a folder…</source>
        <translation>选择文件夹…</translation>
    </message>
    <message>
        <source>Output of the tool</source>
        <translation>工具的输出</translation>
    </message>
    <message>
        <source>The output of the tool is shown here.</source>
        <translation>工具的输出显示在此处。</translation>
    </message>
    <message>
        <source>Choose a model</source>
        <translation>选择模型</translation>
    </message>
    <message>
        <source>Choose a model folder</source>
        <translation>选择模型文件夹</translation>
    </message>
    <message>
        <source>Opening model</source>
        <translation>正在打开模型</translation>
    </message>
    <message>
        <source>Choose the model that the tool converts.</source>
        <translation>请选择要由该工具转换的模型。</translation>
    </message>
    <message>
        <source>%1 was not found on this computer. To install it: %2</source>
        <translation>此计算机上未找到 %1。安装方法：%2</translation>
    </message>
    <message>
        <source>Found %1: %2</source>
        <translation>已找到 %1：%2</translation>
    </message>
    <message>
        <source>Found %1 %2: %3</source>
        <translation>已找到 %1 %2：%3</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Canceling</source>
        <translation>正在取消</translation>
    </message>
    <message>
        <source>%1 already exists; move or rename it.</source>
        <translation>%1 已存在；请移动或重命名它。</translation>
    </message>
    <message>
        <source>Running %1</source>
        <translation>正在运行 %1</translation>
    </message>
    <message>
        <source>Canceled; incomplete output was removed.</source>
        <translation>已取消；未完成的输出已删除。</translation>
    </message>
    <message>
        <source>The tool failed with status %1; its output says why.</source>
        <translation>工具失败，状态为 %1；原因请查看其输出。</translation>
    </message>
    <message>
        <source>Wrote %1 (%2).</source>
        <translation>已写入 %1（%2）。</translation>
    </message>
    <message>
        <source>The tool ended, but %1 cannot be opened.</source>
        <translation>工具已结束，但无法打开 %1。</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::WeightsModel</name>
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
        <source>Source</source>
        <translation>来源</translation>
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
        <source>Transform</source>
        <translation>变换</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Double-click to change the type.</source>
        <translation>双击以更改类型。</translation>
    </message>
    <message>
        <source>From</source>
        <translation>从</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::WeightsPage</name>
    <message>
        <source>Read tensors anyway</source>
        <translation>仍然读取其张量</translation>
    </message>
    <message>
        <source>Change model…</source>
        <translation>更换模型…</translation>
    </message>
    <message>
        <source>Tensors in this plan</source>
        <translation>方案中的张量</translation>
    </message>
    <message>
        <source>Open in Inspect</source>
        <translation>在“检视”中打开</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>在文件夹中显示</translation>
    </message>
    <message>
        <source>No file manager found; the output is in %1.</source>
        <translation>找不到文件管理器；输出位于 %1。</translation>
    </message>
    <message>
        <source>%1 already exists. Its files will be replaced.</source>
        <translation>%1 已存在。其中的文件将被替换。</translation>
    </message>
    <message>
        <source>Replace existing files?</source>
        <translation>替换现有文件？</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>The unfinished output of another plan in %1 will be deleted.</source>
        <translation>另一方案在 %1 中的未完成输出将被删除。</translation>
    </message>
    <message>
        <source>Delete unfinished output?</source>
        <translation>删除未完成的输出？</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>删除</translation>
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
        <source>Default type</source>
        <translation>默认类型</translation>
    </message>
    <message>
        <source>Fields of the new config.json</source>
        <translation>新 config.json 的字段</translation>
    </message>
    <message>
        <source>Back to the plan</source>
        <translation>返回方案</translation>
    </message>
    <message>
        <source>Serve with vLLM:</source>
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
        <source>Open plan</source>
        <translation>打开方案</translation>
    </message>
    <message>
        <source>%1 in %2 tensors, written in %3. The output was read back and compared with the source.</source>
        <translation>%2 个张量，共 %1，用时 %3。输出已重新读取并与源模型比较。</translation>
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
        <source>Estimating speed</source>
        <translation>正在估算速度</translation>
    </message>
    <message>
        <source>A queued job already writes to %1; choose another name or remove that job.</source>
        <translation>队列中已有任务要写入 %1；请另选名称，或移除该任务。</translation>
    </message>
    <message>
        <source>Checking output</source>
        <translation>正在检查输出</translation>
    </message>
    <message>
        <source>Opening recipe</source>
        <translation>正在打开配方</translation>
    </message>
</context>
<context>
    <name>wb::ui::convert::Wizard</name>
    <message>
        <source>A queued job already writes to %1; choose another name or remove that job.</source>
        <translation>队列中已有任务要写入 %1；请另选名称，或移除该任务。</translation>
    </message>
    <message>
        <source>Planning</source>
        <translation>制定方案</translation>
    </message>
    <message>
        <source>Already queued: %1.</source>
        <translation>已在队列中：%1。</translation>
    </message>
    <message>
        <source>Checking for unfinished jobs</source>
        <translation>正在查找未完成的任务</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::CheckpointPanel</name>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>Learning rate scheduler</source>
        <translation>学习率调度器</translation>
    </message>
    <message>
        <source>Random states</source>
        <translation>随机数状态</translation>
    </message>
    <message>
        <source>Loss scaler</source>
        <translation>损失缩放器</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>参数设置</translation>
    </message>
    <message>
        <source>Data position</source>
        <translation>数据位置</translation>
    </message>
    <message>
        <source>Other values</source>
        <translation>其他值</translation>
    </message>
    <message numerus="yes">
        <source>%n file(s)</source>
        <translation>
            <numerusform>%n 个文件</numerusform>
        </translation>
    </message>
    <message>
        <source>Property</source>
        <translation>属性</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>data parallel %1</source>
        <translation>数据并行 %1</translation>
    </message>
    <message>
        <source>tensor parallel %1</source>
        <translation>张量并行 %1</translation>
    </message>
    <message>
        <source>pipeline parallel %1</source>
        <translation>流水线并行 %1</translation>
    </message>
    <message>
        <source>expert parallel %1</source>
        <translation>专家并行 %1</translation>
    </message>
    <message>
        <source>Written by</source>
        <translation>写入程序</translation>
    </message>
    <message>
        <source>Resumable</source>
        <translation>可继续训练</translation>
    </message>
    <message>
        <source>Yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>No</source>
        <translation>否</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>ZeRO stage</source>
        <translation>ZeRO 阶段</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>Rank</translation>
    </message>
    <message>
        <source>Group %1</source>
        <translation>参数组 %1</translation>
    </message>
    <message>
        <source>Scheduler</source>
        <translation>调度器</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>组成部分</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Elements</source>
        <translation>元素</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Missing part</source>
        <translation>缺失的部分</translation>
    </message>
    <message>
        <source>File or rank</source>
        <translation>文件或 rank</translation>
    </message>
    <message>
        <source>Parts</source>
        <translation>组成部分</translation>
    </message>
    <message>
        <source>State of the training run</source>
        <translation>训练状态</translation>
    </message>
    <message>
        <source>Parts of the checkpoint</source>
        <translation>检查点的组成部分</translation>
    </message>
    <message>
        <source>Missing to resume the run</source>
        <translation>继续训练所缺的部分</translation>
    </message>
    <message>
        <source>Nothing is missing to resume the run.</source>
        <translation>继续训练所需的部分齐全。</translation>
    </message>
    <message>
        <source>Training run</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Missing to resume</source>
        <translation>继续训练所缺的部分</translation>
    </message>
    <message>
        <source>All checkpoints</source>
        <translation>所有检查点</translation>
    </message>
    <message>
        <source>Newest checkpoint</source>
        <translation>最新的检查点</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::ChooseOther</name>
    <message>
        <source>Compare with</source>
        <translation>比较对象</translation>
    </message>
    <message>
        <source>Choose the second model, or drop a file or folder here. The formats may differ.</source>
        <translation>选择第二个模型，或将文件或文件夹拖放到此处。格式可以不同。</translation>
    </message>
    <message>
        <source>Choose file…</source>
        <translation>选择文件…</translation>
    </message>
    <message>
        <source>Choose folder…</source>
        <translation>选择文件夹…</translation>
    </message>
    <message>
        <source>Open models</source>
        <translation>已打开的模型</translation>
    </message>
    <message>
        <source>Choose the second model</source>
        <translation>选择第二个模型</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::ComparePage</name>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Differences of the metadata</source>
        <translation>元数据的差异</translation>
    </message>
    <message>
        <source>The metadata is equal.</source>
        <translation>元数据相同。</translation>
    </message>
    <message>
        <source>Metadata</source>
        <translation>元数据</translation>
    </message>
    <message>
        <source>Tokenizer</source>
        <translation>分词器</translation>
    </message>
    <message>
        <source>Lines of both chat templates</source>
        <translation>两个对话模板的行</translation>
    </message>
    <message>
        <source>Chat template</source>
        <translation>对话模板</translation>
    </message>
    <message>
        <source>Swap A and B</source>
        <translation>交换 A 和 B</translation>
    </message>
    <message>
        <source>Mapping</source>
        <translation>映射</translation>
    </message>
    <message>
        <source>Pairs of tensors chosen by you and tensors to ignore</source>
        <translation>您选择的张量对和要忽略的张量</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Save the comparison as JSON, as wb diff --json prints it, or the table as CSV</source>
        <translation>将比较保存为 JSON（与 wb diff --json 的输出相同），或将表格保存为 CSV</translation>
    </message>
    <message>
        <source>Progress of the comparison</source>
        <translation>比较进度</translation>
    </message>
    <message>
        <source>Pair with another tensor…</source>
        <translation>与另一个张量配对…</translation>
    </message>
    <message>
        <source>Ignore tensors</source>
        <translation>忽略张量</translation>
    </message>
    <message>
        <source>Load mapping…</source>
        <translation>加载映射…</translation>
    </message>
    <message>
        <source>Load mapping</source>
        <translation>加载映射</translation>
    </message>
    <message>
        <source>Mapping (*.json)</source>
        <translation>映射 (*.json)</translation>
    </message>
    <message>
        <source>Save mapping…</source>
        <translation>保存映射…</translation>
    </message>
    <message>
        <source>Save mapping</source>
        <translation>保存映射</translation>
    </message>
    <message>
        <source>Reset mapping</source>
        <translation>重置映射</translation>
    </message>
    <message>
        <source>Filter by name</source>
        <translation>按名称筛选</translation>
    </message>
    <message>
        <source>Filter tensors</source>
        <translation>筛选张量</translation>
    </message>
    <message>
        <source>Tensors to show</source>
        <translation>要显示的张量</translation>
    </message>
    <message>
        <source>All tensors</source>
        <translation>所有张量</translation>
    </message>
    <message>
        <source>Different</source>
        <translation>不同</translation>
    </message>
    <message>
        <source>Equal</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>Only in A</source>
        <translation>仅在 A 中</translation>
    </message>
    <message>
        <source>Only in B</source>
        <translation>仅在 B 中</translation>
    </message>
    <message>
        <source>Pairs of tensors</source>
        <translation>张量对</translation>
    </message>
    <message>
        <source>Tokens that differ</source>
        <translation>不同的词元</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Compare again</source>
        <translation>重新比较</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>The mapping changed since this comparison.</source>
        <translation>此比较之后映射已更改。</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>正在比较…</translation>
    </message>
    <message>
        <source>Not compared yet</source>
        <translation>尚未比较</translation>
    </message>
    <message>
        <source>%1 matched tensors: %2 equal, %3 different · %4 only in A · %5 only in B</source>
        <translation>%1 个匹配的张量：%2 个相同，%3 个不同 · %4 个仅在 A 中 · %5 个仅在 B 中</translation>
    </message>
    <message>
        <source>Metadata (%1)</source>
        <translation>元数据 (%1)</translation>
    </message>
    <message>
        <source>The tokenizers have the same tokens and merges.</source>
        <translation>两个分词器的词元和合并规则相同。</translation>
    </message>
    <message>
        <source>%1 tokens added in B, %2 removed, %3 renumbered, %4 merges changed</source>
        <translation>B 中新增 %1 个词元，删除 %2 个，%3 个编号已更改，%4 条合并规则已更改</translation>
    </message>
    <message>
        <source>At least one model has no known tokenizer.</source>
        <translation>至少有一个模型没有已知的分词器。</translation>
    </message>
    <message>
        <source>Neither model has a chat template.</source>
        <translation>两个模型都没有对话模板。</translation>
    </message>
    <message>
        <source>The chat templates are equal.</source>
        <translation>对话模板相同。</translation>
    </message>
    <message>
        <source>Only B has a chat template.</source>
        <translation>仅 B 有对话模板。</translation>
    </message>
    <message>
        <source>Only A has a chat template.</source>
        <translation>仅 A 有对话模板。</translation>
    </message>
    <message>
        <source>The chat templates differ.</source>
        <translation>对话模板不同。</translation>
    </message>
    <message>
        <source>Tensor of B to compare %1 with:</source>
        <translation>与 %1 比较的 B 的张量：</translation>
    </message>
    <message>
        <source>Tensor of A to compare %1 with:</source>
        <translation>与 %1 比较的 A 的张量：</translation>
    </message>
    <message>
        <source>Pair tensors</source>
        <translation>配对张量</translation>
    </message>
    <message>
        <source>Export comparison</source>
        <translation>导出比较</translation>
    </message>
    <message>
        <source>JSON (*.json)</source>
        <translation>JSON (*.json)</translation>
    </message>
    <message>
        <source>Table (*.csv)</source>
        <translation>表格 (*.csv)</translation>
    </message>
    <message>
        <source>Comparison saved to %1.</source>
        <translation>比较已保存到 %1。</translation>
    </message>
    <message>
        <source>Mapping saved to %1.</source>
        <translation>映射已保存到 %1。</translation>
    </message>
    <message>
        <source>Saving %1</source>
        <translation>正在保存 %1</translation>
    </message>
    <message>
        <source>Loading %1</source>
        <translation>正在加载 %1</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::CompareSession</name>
    <message>
        <source>The mapping</source>
        <translation>映射</translation>
    </message>
    <message>
        <source>Comparing %1 with %2</source>
        <translation>正在比较 %1 与 %2</translation>
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
        <source>From file…</source>
        <translation>从文件…</translation>
    </message>
    <message>
        <source>Compare with the same tensor in another model</source>
        <translation>与另一个模型的同名张量比较</translation>
    </message>
    <message>
        <source>Opening %1</source>
        <translation>正在打开 %1</translation>
    </message>
    <message>
        <source>%1 has no tensor named %2; the list now shows its tensors with the same shape.</source>
        <translation>%1 中没有名为 %2 的张量；列表现在显示其中形状相同的张量。</translation>
    </message>
    <message>
        <source>Only tensors with the same shape can be compared: %1 is %2 here and %3 in %4.</source>
        <translation>只能比较形状相同的张量：%1 在此处为 %2，在 %4 中为 %3。</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::ComparisonModel</name>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 及另外 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>equal</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>different</source>
        <translation>不同</translation>
    </message>
    <message>
        <source>cannot be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>only in A</source>
        <translation>仅在 A 中</translation>
    </message>
    <message>
        <source>only in B</source>
        <translation>仅在 B 中</translation>
    </message>
    <message>
        <source>exact</source>
        <translation>精确</translation>
    </message>
    <message>
        <source>How the values of A become those of B&apos;s layout</source>
        <translation>A 的值如何转换为 B 的布局</translation>
    </message>
    <message>
        <source>Share of elements whose bits differ</source>
        <translation>比特位不同的元素所占比例</translation>
    </message>
    <message>
        <source>Root mean squared error divided by the root mean square of A</source>
        <translation>均方根误差除以 A 的均方根</translation>
    </message>
    <message>
        <source>Signal-to-noise ratio in dB; exact without any error</source>
        <translation>信噪比 (dB)；没有误差时为“精确”</translation>
    </message>
    <message>
        <source>Cosine similarity of both tensors</source>
        <translation>两个张量的余弦相似度</translation>
    </message>
    <message>
        <source>Tensor of A</source>
        <translation>A 的张量</translation>
    </message>
    <message>
        <source>Tensor of B</source>
        <translation>B 的张量</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Mapping</source>
        <translation>映射</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>已更改</translation>
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
        <source>Cosine similarity</source>
        <translation>余弦相似度</translation>
    </message>
    <message>
        <source>RMSE</source>
        <translation>均方根误差</translation>
    </message>
    <message>
        <source>Max error</source>
        <translation>最大误差</translation>
    </message>
    <message>
        <source>Elements</source>
        <translation>元素数</translation>
    </message>
    <message>
        <source>same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>cast</source>
        <translation>转换类型</translation>
    </message>
    <message>
        <source>dequantized</source>
        <translation>反量化</translation>
    </message>
    <message>
        <source>transposed</source>
        <translation>转置</translation>
    </message>
    <message>
        <source>axes reordered</source>
        <translation>轴重排</translation>
    </message>
    <message>
        <source>rows permuted</source>
        <translation>行重排</translation>
    </message>
    <message>
        <source>reshaped</source>
        <translation>改变形状</translation>
    </message>
    <message>
        <source>stacked</source>
        <translation>堆叠</translation>
    </message>
    <message>
        <source>split</source>
        <translation>拆分</translation>
    </message>
    <message>
        <source>fused</source>
        <translation>融合</translation>
    </message>
    <message>
        <source>normalization folded</source>
        <translation>合入归一化</translation>
    </message>
    <message>
        <source>plus one</source>
        <translation>加一</translation>
    </message>
    <message>
        <source>negative exponential</source>
        <translation>取负指数</translation>
    </message>
    <message>
        <source>tied</source>
        <translation>共享</translation>
    </message>
    <message>
        <source>padded</source>
        <translation>填充</translation>
    </message>
    <message>
        <source>scaled</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>guess</source>
        <translation>推测</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::DifferenceMap</name>
    <message>
        <source>%1 to %2</source>
        <translation>%1 到 %2</translation>
    </message>
    <message>
        <source>Difference map</source>
        <translation>差异图</translation>
    </message>
    <message>
        <source>Move the mouse or press the arrow keys to read individual cells.</source>
        <translation>移动鼠标或按方向键可读取单个单元格。</translation>
    </message>
    <message>
        <source>No difference in the elements that were read</source>
        <translation>已读取的元素没有差异</translation>
    </message>
    <message>
        <source>A − B up to ±%1: blue is negative, red positive</source>
        <translation>A − B，最大 ±%1：蓝色为负，红色为正</translation>
    </message>
    <message>
        <source>Rows %1, columns %2: %3</source>
        <translation>第 %1 行，第 %2 列：%3</translation>
    </message>
    <message>
        <source>no finite difference</source>
        <translation>没有有限的差值</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::DifferenceView</name>
    <message>
        <source>Histogram of differences</source>
        <translation>差值直方图</translation>
    </message>
    <message>
        <source>Log counts</source>
        <translation>对数计数</translation>
    </message>
    <message>
        <source>Measures of the pair</source>
        <translation>此张量对的度量</translation>
    </message>
    <message>
        <source>Histogram bins</source>
        <translation>直方图分箱</translation>
    </message>
    <message>
        <source>Measures</source>
        <translation>度量</translation>
    </message>
    <message>
        <source>Bins</source>
        <translation>分箱</translation>
    </message>
    <message>
        <source>Select a pair of tensors to see its differences.</source>
        <translation>选择一对张量以查看其差异。</translation>
    </message>
    <message>
        <source>%1: no elements</source>
        <translation>%1：没有元素</translation>
    </message>
    <message>
        <source>%1: reading…</source>
        <translation>%1：正在读取…</translation>
    </message>
    <message>
        <source>Reading differences</source>
        <translation>正在读取差异</translation>
    </message>
    <message>
        <source>%1: a sample of %2 elements</source>
        <translation>%1：%2 个元素的样本</translation>
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
        <source>Show opcodes</source>
        <translation>显示操作码</translation>
    </message>
    <message>
        <source>Pickle opcodes</source>
        <translation>pickle 的操作码</translation>
    </message>
    <message>
        <source>Disassemble the pickle opcode by opcode</source>
        <translation>逐条反汇编 pickle 操作码</translation>
    </message>
    <message>
        <source>Disassembling %1</source>
        <translation>正在反汇编 %1</translation>
    </message>
    <message>
        <source>Contains no pickle.</source>
        <translation>不含 pickle。</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::DistributionPanel</name>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Log counts</source>
        <translation>对数计数</translation>
    </message>
    <message>
        <source>Log values</source>
        <translation>对数数值</translation>
    </message>
    <message>
        <source>Show values on a symmetric log axis; bar areas then represent counts.</source>
        <translation>数值采用对称对数轴；此时柱的面积表示计数。</translation>
    </message>
    <message>
        <source>Cumulative curve</source>
        <translation>累积曲线</translation>
    </message>
    <message>
        <source>Code usage</source>
        <translation>编码使用情况</translation>
    </message>
    <message>
        <source>Count of each code</source>
        <translation>每个编码出现的次数</translation>
    </message>
    <message>
        <source>Codes</source>
        <translation>编码</translation>
    </message>
    <message>
        <source>Histogram bins</source>
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
        <source>Select a tensor to see its distribution.</source>
        <translation>选择一个张量以查看其分布。</translation>
    </message>
    <message>
        <source>Distribution of a tensor</source>
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
        <source>No distribution: no element is finite.</source>
        <translation>没有分布：所有元素都不是有限值。</translation>
    </message>
    <message>
        <source>Codes exist only for quantized types.</source>
        <translation>只有量化类型才有编码。</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::ErrorMapView</name>
    <message>
        <source>Error map</source>
        <translation>误差分布图</translation>
    </message>
    <message>
        <source>Rows %1 to %2, columns %3 to %4</source>
        <translation>第 %1 到 %2 行，第 %3 到 %4 列</translation>
    </message>
    <message>
        <source>%1: not measured</source>
        <translation>%1：未测量</translation>
    </message>
    <message>
        <source>%1: RMSE %2; click or press Enter to see the levels of the worst block</source>
        <translation>%1：RMSE %2；单击或按回车键可查看其中最差块的量化级</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::GuideDialog</name>
    <message>
        <source>Which format do I need?</source>
        <translation>我需要哪种格式？</translation>
    </message>
    <message>
        <source>Formats</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Tensor types</source>
        <translation>张量类型</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Meaning</source>
        <translation>含义</translation>
    </message>
    <message>
        <source>File names</source>
        <translation>文件名</translation>
    </message>
    <message>
        <source>File name</source>
        <translation>文件名</translation>
    </message>
    <message>
        <source>Goal</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Convert…</source>
        <translation>转换…</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Purpose</source>
        <translation>用途</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Safety</source>
        <translation>安全</translation>
    </message>
    <message>
        <source>Runtimes</source>
        <translation>运行程序</translation>
    </message>
    <message>
        <source>%1. %2 Runtimes: %3.</source>
        <translation>%1。%2运行程序：%3。</translation>
    </message>
    <message>
        <source>Opens the model in Convert</source>
        <translation>在“转换”中打开模型</translation>
    </message>
    <message>
        <source>Weighbridge does not write this format; use the tools of its runtime.</source>
        <translation>Weighbridge 不写入此格式；请使用其运行程序的工具。</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::HeaderCard</name>
    <message>
        <source>%1 total, %2 active</source>
        <translation>共 %1，激活 %2</translation>
    </message>
    <message>
        <source>%1 experts, %2 each</source>
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
        <source>From file name</source>
        <translation>来自文件名</translation>
    </message>
    <message>
        <source>Derived from the file name only, not from the tensors.</source>
        <translation>仅由文件名得出，并非来自张量。</translation>
    </message>
    <message>
        <source>Show problems</source>
        <translation>显示问题</translation>
    </message>
    <message>
        <source>If loaded elsewhere: %1</source>
        <translation>在其他程序中加载：%1</translation>
    </message>
    <message>
        <source>%1 bits per weight</source>
        <translation>每个权重 %1 位</translation>
    </message>
    <message>
        <source>context length %1</source>
        <translation>上下文长度 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n layer(s)</source>
        <translation>
            <numerusform>%n 层</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 heads, %2 KV heads</source>
        <translation>%1 个注意力头，%2 个 KV 头</translation>
    </message>
    <message numerus="yes">
        <source>%n head(s)</source>
        <translation>
            <numerusform>%n 个注意力头</numerusform>
        </translation>
    </message>
    <message>
        <source>vocabulary size %1</source>
        <translation>词表大小 %1</translation>
    </message>
    <message>
        <source>%1 bytes in files, %2 of them tensor data</source>
        <translation>文件共 %1 字节，其中张量 %2 字节</translation>
    </message>
    <message>
        <source>Chat template</source>
        <translation>对话模板</translation>
    </message>
    <message>
        <source>Show chat template</source>
        <translation>查看对话模板</translation>
    </message>
    <message>
        <source>Quantize</source>
        <translation>量化</translation>
    </message>
    <message>
        <source>Quantize this model (Ctrl+G)</source>
        <translation>量化此模型 (Ctrl+G)</translation>
    </message>
    <message>
        <source>Convert</source>
        <translation>转换</translation>
    </message>
    <message>
        <source>Convert this model (Ctrl+G)</source>
        <translation>转换此模型 (Ctrl+G)</translation>
    </message>
    <message>
        <source>Runs here</source>
        <translation>本机可运行</translation>
    </message>
    <message>
        <source>Runs here (tight)</source>
        <translation>本机勉强可运行</translation>
    </message>
    <message>
        <source>Does not run here</source>
        <translation>本机无法运行</translation>
    </message>
    <message>
        <source>%1 Show breakdown (Ctrl+Shift+Y)</source>
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
    <message>
        <source>Compare with…</source>
        <translation>比较…</translation>
    </message>
    <message>
        <source>Compare with another model (Ctrl+D)</source>
        <translation>与另一个模型比较 (Ctrl+D)</translation>
    </message>
    <message numerus="yes">
        <source>newest of %n checkpoint(s): %1</source>
        <translation>
            <numerusform>%n 个检查点中最新的：%1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::HeatMapPanel</name>
    <message>
        <source>Values shown as color</source>
        <translation>颜色表示的内容</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Color scale</source>
        <translation>颜色标度</translation>
    </message>
    <message>
        <source>Linear</source>
        <translation>线性</translation>
    </message>
    <message>
        <source>Symmetric log</source>
        <translation>对称对数</translation>
    </message>
    <message>
        <source>Clip at 99.9%</source>
        <translation>截断于 99.9%</translation>
    </message>
    <message>
        <source>Matrix to show</source>
        <translation>要显示的矩阵</translation>
    </message>
    <message>
        <source>Row, column</source>
        <translation>行, 列</translation>
    </message>
    <message>
        <source>Go to element</source>
        <translation>转到元素</translation>
    </message>
    <message>
        <source>Go to element: enter row and column, then press Enter.</source>
        <translation>转到元素：输入行和列，然后按回车。</translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation>比较对象</translation>
    </message>
    <message>
        <source>Show the difference from another tensor with the same shape.</source>
        <translation>显示与另一个相同形状张量的差异。</translation>
    </message>
    <message>
        <source>Fit to view (Home)</source>
        <translation>适应窗口 (Home)</translation>
    </message>
    <message>
        <source>Copy visible values as a table</source>
        <translation>将看到的数字复制为表格</translation>
    </message>
    <message>
        <source>Save image…</source>
        <translation>保存图像…</translation>
    </message>
    <message>
        <source>Block of the selected element</source>
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
        <source>Rows by max absolute value</source>
        <translation>按最大绝对值排列的行</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Columns by max absolute value</source>
        <translation>按最大绝对值排列的列</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Visible values</source>
        <translation>看到的数字</translation>
    </message>
    <message>
        <source>Visible</source>
        <translation>可见数值</translation>
    </message>
    <message>
        <source>Errors relative to the other tensor</source>
        <translation>相对另一张量的误差</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>误差</translation>
    </message>
    <message>
        <source>This tensor has no element %1.</source>
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
        <source>Select a tensor to see its heat map.</source>
        <translation>选择一个张量以查看其热力图。</translation>
    </message>
    <message>
        <source>Heat map of a tensor</source>
        <translation>张量的热力图</translation>
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
        <source>Detail view</source>
        <translation>细节视图</translation>
    </message>
    <message>
        <source>Single element</source>
        <translation>单个元素</translation>
    </message>
    <message>
        <source>Save image</source>
        <translation>保存图像</translation>
    </message>
    <message>
        <source>Image (*.png)</source>
        <translation>图像 (*.png)</translation>
    </message>
    <message>
        <source>Image saved to %1.</source>
        <translation>图像已保存到 %1。</translation>
    </message>
    <message>
        <source>Could not save the image to %1.</source>
        <translation>无法将图像保存到 %1。</translation>
    </message>
    <message>
        <source>Too many values to copy; zoom in first.</source>
        <translation>看到的数字太多，无法复制；请先放大。</translation>
    </message>
    <message>
        <source>Values copied as a table.</source>
        <translation>数值已复制为表格。</translation>
    </message>
    <message>
        <source>Point at an element to see its block.</source>
        <translation>指向一个元素即可查看其所在的块。</translation>
    </message>
    <message>
        <source>Max abs</source>
        <translation>最大绝对值</translation>
    </message>
    <message>
        <source>RMS</source>
        <translation>均方根</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::HistogramView</name>
    <message>
        <source>Histogram</source>
        <translation>直方图</translation>
    </message>
    <message>
        <source>Move the mouse or press the arrow keys to read individual bins.</source>
        <translation>移动鼠标或按方向键查看各个区间。</translation>
    </message>
    <message>
        <source>No statistics yet.</source>
        <translation>还没有统计。</translation>
    </message>
    <message>
        <source>No histogram: no element is finite.</source>
        <translation>没有直方图：所有元素都不是有限值。</translation>
    </message>
    <message>
        <source>%1 bins from %2 to %3</source>
        <translation>%1 个区间，从 %2 到 %3</translation>
    </message>
    <message>
        <source>Groups</source>
        <translation>组</translation>
    </message>
    <message>
        <source>Codes</source>
        <translation>编码</translation>
    </message>
    <message>
        <source>Elements</source>
        <translation>元素</translation>
    </message>
    <message>
        <source>Mean μ and multiples of σ</source>
        <translation>均值 μ 与 σ 的倍数</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::InspectActions</name>
    <message>
        <source>Search tensors</source>
        <translation>搜索张量</translation>
    </message>
    <message>
        <source>Search metadata</source>
        <translation>搜索元数据</translation>
    </message>
    <message>
        <source>Switch between table and tree view</source>
        <translation>切换表格与树</translation>
    </message>
    <message>
        <source>Compute statistics for the whole model, or stop</source>
        <translation>计算整个模型的统计，或停止</translation>
    </message>
    <message>
        <source>Export listed tensors…</source>
        <translation>导出列出的张量…</translation>
    </message>
    <message>
        <source>Reload model</source>
        <translation>重新载入模型</translation>
    </message>
    <message>
        <source>Show layer trend</source>
        <translation>显示逐层趋势</translation>
    </message>
    <message>
        <source>Show problems</source>
        <translation>显示问题</translation>
    </message>
    <message>
        <source>Close model</source>
        <translation>关闭模型</translation>
    </message>
    <message>
        <source>Quantize…</source>
        <translation>量化…</translation>
    </message>
    <message>
        <source>Chat with model</source>
        <translation>与模型对话</translation>
    </message>
    <message>
        <source>Show memory requirements</source>
        <translation>查看所需内存</translation>
    </message>
    <message>
        <source>Compare with…</source>
        <translation>比较…</translation>
    </message>
    <message>
        <source>Which format do I need?</source>
        <translation>我需要哪种格式？</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::IntegrityPanel</name>
    <message>
        <source>Intact</source>
        <translation>完好</translation>
    </message>
    <message>
        <source>Suspicious</source>
        <translation>可疑</translation>
    </message>
    <message>
        <source>Damaged</source>
        <translation>已损坏</translation>
    </message>
    <message>
        <source>All checks passed.</source>
        <translation>所有检查均已通过。</translation>
    </message>
    <message>
        <source>Loaders accept the model, but its files are unusual.</source>
        <translation>加载器接受该模型，但其文件存在异常。</translation>
    </message>
    <message>
        <source>A loader refuses the model or reads wrong values; get an undamaged copy of the files.</source>
        <translation>加载器会拒绝该模型或读到错误的值；请获取未损坏的文件副本。</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Location</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>passed</source>
        <translation>通过</translation>
    </message>
    <message>
        <source>damaged</source>
        <translation>已损坏</translation>
    </message>
    <message>
        <source>suspicious</source>
        <translation>可疑</translation>
    </message>
    <message>
        <source>not computed</source>
        <translation>未计算</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>正确</translation>
    </message>
    <message>
        <source>pointer, not the file</source>
        <translation>指针，不是文件本身</translation>
    </message>
    <message>
        <source>Mismatch</source>
        <translation>不一致</translation>
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
        <source>Recorded hash</source>
        <translation>记录的哈希</translation>
    </message>
    <message>
        <source>Checks</source>
        <translation>检查项</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Download the model to verify it.</source>
        <translation>请先下载模型再进行校验。</translation>
    </message>
    <message>
        <source>Checks structure, checksums and recorded hashes. Large files take time to read.</source>
        <translation>检查结构、校验和与记录的哈希。读取大文件需要时间。</translation>
    </message>
    <message>
        <source>Read all values</source>
        <translation>读取所有值</translation>
    </message>
    <message>
        <source>Reads every weight and looks for NaN and infinite values</source>
        <translation>读取每个权重，查找 NaN 和无穷值</translation>
    </message>
    <message>
        <source>Hash all files</source>
        <translation>计算所有文件的哈希</translation>
    </message>
    <message>
        <source>Computes the SHA-256 of every file, also where no hash is recorded</source>
        <translation>计算每个文件的 SHA-256，包括没有记录哈希的文件</translation>
    </message>
    <message>
        <source>Verifying %1</source>
        <translation>正在校验 %1</translation>
    </message>
    <message>
        <source>Not verified</source>
        <translation>未校验</translation>
    </message>
    <message>
        <source>Weight tensors read: %1; with NaN: %2; with infinite values: %3.</source>
        <translation>已读取的权重张量：%1；含 NaN：%2；含无穷值：%3。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Verify</source>
        <translation>校验</translation>
    </message>
    <message>
        <source>Verifying…</source>
        <translation>正在校验…</translation>
    </message>
    <message>
        <source>Not verified yet</source>
        <translation>尚未校验</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::LevelsView</name>
    <message>
        <source>Distribution of a tensor</source>
        <translation>一个张量的分布</translation>
    </message>
    <message>
        <source>Select a type to see its levels.</source>
        <translation>选择一个类型以查看其量化级。</translation>
    </message>
    <message>
        <source>%1 is not a block type and has no quantization levels.</source>
        <translation>%1 不是分块类型，没有量化级。</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>A typical block of %1 has %2 levels from %3 (too many to draw).</source>
        <translation>%1 的典型块有 %2 个量化级，范围 %3（过多，无法绘出）。</translation>
    </message>
    <message>
        <source>The %2 levels of a typical block of %1, from %3</source>
        <translation>%1 的典型块的 %2 个量化级，范围 %3</translation>
    </message>
    <message>
        <source>No distribution: no element is finite.</source>
        <translation>没有分布：所有元素都不是有限值。</translation>
    </message>
    <message>
        <source>Reading every element…</source>
        <translation>正在读取每个元素…</translation>
    </message>
    <message>
        <source>Block group</source>
        <translation>块内的组</translation>
    </message>
    <message>
        <source>Each group of a block has its own scale; the one with the largest error is shown first.</source>
        <translation>块内每组各有自己的缩放系数；首先显示误差最大的一组。</translation>
    </message>
    <message>
        <source>Typical block</source>
        <translation>典型块</translation>
    </message>
    <message>
        <source>Show the levels of a block with a typical scale</source>
        <translation>显示具有典型缩放系数的块的量化级</translation>
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
        <source>too many to draw</source>
        <translation>过多，无法绘出</translation>
    </message>
    <message>
        <source>squared error %1</source>
        <translation>平方误差 %1</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::MetadataModel</name>
    <message>
        <source>Loading more values</source>
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
        <source>%n field(s)</source>
        <translation>
            <numerusform>%n 个字段</numerusform>
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
        <source>Search metadata</source>
        <translation>搜索元数据</translation>
    </message>
    <message>
        <source>Metadata</source>
        <translation>元数据</translation>
    </message>
    <message>
        <source>Full value</source>
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
        <source>The file contains no metadata.</source>
        <translation>此文件不含元数据。</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::ModelMapPanel</name>
    <message>
        <source>Outlier tensors</source>
        <translation>离群张量</translation>
    </message>
    <message>
        <source>Model map</source>
        <translation>模型图</translation>
    </message>
    <message>
        <source>Outliers</source>
        <translation>离群值</translation>
    </message>
    <message>
        <source>All values</source>
        <translation>所有数值</translation>
    </message>
    <message>
        <source>Statistic</source>
        <translation>统计量</translation>
    </message>
    <message>
        <source>Outlier threshold</source>
        <translation>离群阈值</translation>
    </message>
    <message>
        <source> MAD</source>
        <translation> MAD</translation>
    </message>
    <message>
        <source>Number of median absolute deviations (MAD) between a layer&apos;s value and the median of its module above which the layer is listed.</source>
        <translation>某层的值与其模块中位数相差多少个绝对中位差（MAD）以上时才会列出。</translation>
    </message>
    <message>
        <source>Compute statistics for the whole model to see the full map.</source>
        <translation>计算整个模型的统计，即可查看完整的图。</translation>
    </message>
    <message>
        <source>None of the tensors with statistics belongs to a layer.</source>
        <translation>有统计的张量都不属于任何层。</translation>
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
            <numerusform>%1（%n 个张量的均值）</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 over %3; %4.</source>
        <translation>%1：%2，%3；%4。</translation>
    </message>
    <message numerus="yes">
        <source>%n module(s)</source>
        <translation>
            <numerusform>%n 个模块</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n layer(s)</source>
        <translation>
            <numerusform>%n 层</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n outlier tensor(s)</source>
        <translation>
            <numerusform>%n 个离群张量</numerusform>
        </translation>
    </message>
    <message>
        <source>negative</source>
        <translation>负</translation>
    </message>
    <message>
        <source>positive, per module</source>
        <translation>正（按模块）</translation>
    </message>
    <message>
        <source>min</source>
        <translation>最小</translation>
    </message>
    <message>
        <source>max per module</source>
        <translation>各模块的最大</translation>
    </message>
    <message>
        <source>outlier</source>
        <translation>离群</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
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
        <source>Exporting tensor list</source>
        <translation>正在导出张量列表</translation>
    </message>
    <message>
        <source>List saved to %1.</source>
        <translation>列表已保存到 %1。</translation>
    </message>
    <message>
        <source>Compare types</source>
        <translation>类型对比</translation>
    </message>
    <message>
        <source>Heat map</source>
        <translation>热力图</translation>
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
        <source>Maximize panel</source>
        <translation>最大化面板</translation>
    </message>
    <message>
        <source>Maximize panel (Ctrl+Shift+M)</source>
        <translation>最大化面板 (Ctrl+Shift+M)</translation>
    </message>
    <message>
        <source>Safety</source>
        <translation>安全</translation>
    </message>
    <message>
        <source>Saving %1</source>
        <translation>正在保存 %1</translation>
    </message>
    <message>
        <source>Values saved to %1.</source>
        <translation>数值已保存到 %1。</translation>
    </message>
    <message>
        <source>Storage</source>
        <translation>存储</translation>
    </message>
    <message>
        <source>Scanning %1 for code</source>
        <translation>正在扫描 %1 中的代码</translation>
    </message>
    <message>
        <source>The values of %1 have not been downloaded.</source>
        <translation>%1 的数值尚未下载。</translation>
    </message>
    <message>
        <source>The tensor values have not been downloaded; up to 1 GiB can be fetched.</source>
        <translation>张量的数值尚未下载；最多可获取 1 GiB。</translation>
    </message>
    <message>
        <source>Download %1</source>
        <translation>下载 %1</translation>
    </message>
    <message>
        <source>NumPy array (*.npy);;CSV table (*.csv);;safetensors (*.safetensors)</source>
        <translation>NumPy 数组 (*.npy);;CSV 表格 (*.csv);;safetensors (*.safetensors)</translation>
    </message>
    <message>
        <source>Checking whether %1 runs here</source>
        <translation>正在检查 %1 能否在此运行</translation>
    </message>
    <message>
        <source>Integrity</source>
        <translation>完整性</translation>
    </message>
    <message>
        <source>Checkpoint</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>safetensors (*.safetensors);;NumPy arrays (*.npz)</source>
        <translation>safetensors (*.safetensors);;NumPy 数组 (*.npz)</translation>
    </message>
    <message numerus="yes">
        <source>Save values of %n tensor(s)</source>
        <translation>
            <numerusform>保存 %n 个张量的数值</numerusform>
        </translation>
    </message>
    <message>
        <source>Spectrum</source>
        <translation>奇异值谱</translation>
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
        <source>%n tensor(s) with issues</source>
        <translation>
            <numerusform>%n 个张量有异常</numerusform>
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
        <source>Issues</source>
        <translation>异常</translation>
    </message>
    <message>
        <source>NaN, infinite or unreadable values.</source>
        <translation>NaN、无穷大或无法读取的数值。</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::NumbersPanel</name>
    <message>
        <source>Tensor statistics</source>
        <translation>张量统计</translation>
    </message>
    <message>
        <source>Log scale</source>
        <translation>对数刻度</translation>
    </message>
    <message>
        <source>Show counts on a log scale so that rare values stay visible.</source>
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
        <source>Histogram bins</source>
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
        <source>Select a tensor to see its statistics.</source>
        <translation>选择一个张量以查看其统计。</translation>
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
        <source>No problems found in this model&apos;s files.</source>
        <translation>未在此模型的文件中发现问题。</translation>
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
        <source>state restored</source>
        <translation>状态被恢复</translation>
    </message>
    <message>
        <source>modified</source>
        <translation>被更改</translation>
    </message>
    <message>
        <source>called</source>
        <translation>被调用</translation>
    </message>
    <message>
        <source>%1 (after the loader failed)</source>
        <translation>%1（在加载程序失败之后）</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Usage</source>
        <translation>方式</translation>
    </message>
    <message>
        <source>Byte</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
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
        <source>Cannot be verified</source>
        <translation>无法验证</translation>
    </message>
    <message>
        <source>Loading this file elsewhere only builds tensors and plain data (verified over %1 opcodes).</source>
        <translation>在其他程序中加载此文件只会构建张量和普通数据（已验证 %1 条操作码）。</translation>
    </message>
    <message>
        <source>Loading this file builds objects of known classes, which do not run code from the file.</source>
        <translation>加载此文件会构建已知类的对象，它们不会运行文件中的代码。</translation>
    </message>
    <message>
        <source>Loading this file elsewhere runs unknown code. Weighbridge reads its tensors without running it.</source>
        <translation>在其他程序中加载此文件会运行未知代码。Weighbridge 只读取张量，不运行代码。</translation>
    </message>
    <message>
        <source>Loading this file elsewhere runs dangerous code. Weighbridge reads its tensors without running it.</source>
        <translation>在其他程序中加载此文件会运行危险代码。Weighbridge 只读取张量，不运行代码。</translation>
    </message>
    <message>
        <source>This file is corrupted or cannot be fully analyzed, so it is unknown what loading it would run.</source>
        <translation>此文件已损坏或无法完整分析，因此不清楚加载它会运行什么。</translation>
    </message>
    <message>
        <source>Code that would run</source>
        <translation>会运行的代码</translation>
    </message>
    <message>
        <source>Known names</source>
        <translation>已知名称</translation>
    </message>
    <message>
        <source>Other findings</source>
        <translation>其他发现</translation>
    </message>
    <message>
        <source>This file contains no pickle; loading it elsewhere only builds tensors and plain data.</source>
        <translation>此文件不含 pickle；在其他程序中加载它只会构建张量和普通数据。</translation>
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
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Not checked</source>
        <translation>未检查</translation>
    </message>
    <message>
        <source>Weighbridge does not read this format, so the code that loading the file would run is unknown.</source>
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
    <message>
        <source>Export findings</source>
        <translation>导出检查结果</translation>
    </message>
    <message>
        <source>SARIF (*.sarif)</source>
        <translation>SARIF (*.sarif)</translation>
    </message>
    <message>
        <source>Export findings (SARIF)…</source>
        <translation>导出检查结果 (SARIF)…</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::SearchHelp</name>
    <message>
        <source>Searching tensors</source>
        <translation>搜索张量</translation>
    </message>
    <message>
        <source>Spaces mean “and”; “or”, “not” and parentheses also work. Comparison operators: : = != &lt; &lt;= &gt; &gt;=; ranges: 0-3. K, M and G stand for thousand, million and billion.</source>
        <translation>空格表示“与”；也可以使用 or、not 和括号。比较运算符：: = != &lt; &lt;= &gt; &gt;=；范围：0-3。K、M、G 表示千、百万、十亿。</translation>
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
        <source>Search syntax</source>
        <translation>搜索语法</translation>
    </message>
    <message>
        <source>Search syntax (Alt+Down)</source>
        <translation>搜索语法 (Alt+Down)</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::SeriesPanel</name>
    <message>
        <source>Log axis</source>
        <translation>对数轴</translation>
    </message>
    <message>
        <source>Checkpoints of the run</source>
        <translation>训练的检查点</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Logarithmic axis, where all values are positive</source>
        <translation>对数坐标轴，仅在所有值为正时可用</translation>
    </message>
    <message>
        <source>Computes the statistics of the selected tensor in every checkpoint</source>
        <translation>计算所选张量在每个检查点中的统计量</translation>
    </message>
    <message>
        <source>Computes the statistics of all tensors in every checkpoint; this reads the whole folder</source>
        <translation>计算所有张量在每个检查点中的统计量；会读取整个文件夹</translation>
    </message>
    <message>
        <source>Statistic</source>
        <translation>统计量</translation>
    </message>
    <message>
        <source>Statistics of %1 over the checkpoints</source>
        <translation>%1 在各检查点中的统计量</translation>
    </message>
    <message>
        <source>Statistics of the checkpoints of %1</source>
        <translation>%1 的检查点统计量</translation>
    </message>
    <message>
        <source>Checkpoint</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Parts</source>
        <translation>组成部分</translation>
    </message>
    <message>
        <source>%1 NaN and %2 infinite elements</source>
        <translation>%1 个 NaN 元素，%2 个无穷大元素</translation>
    </message>
    <message>
        <source>Showing %1 of %2 measured tensors; select a tensor to see it</source>
        <translation>显示 %2 个已测量张量中的 %1 个；选择张量即可查看</translation>
    </message>
    <message>
        <source>Select a tensor and choose Measure to see it over the training.</source>
        <translation>选择一个张量并点击“测量”，即可查看它在训练过程中的变化。</translation>
    </message>
    <message>
        <source>The checkpoints contain no loss.</source>
        <translation>这些检查点不包含损失值。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>Measure all tensors</source>
        <translation>测量所有张量</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::ShareBar</name>
    <message>
        <source>Share of stored bytes</source>
        <translation>存储字节的占比</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::SpectrumPanel</name>
    <message>
        <source>Measure</source>
        <translation>度量</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Spectral norm</source>
        <translation>谱范数</translation>
    </message>
    <message>
        <source>The largest singular value</source>
        <translation>最大的奇异值</translation>
    </message>
    <message>
        <source>Frobenius norm</source>
        <translation>弗罗贝尼乌斯范数</translation>
    </message>
    <message>
        <source>Stable rank</source>
        <translation>稳定秩</translation>
    </message>
    <message>
        <source>Squared Frobenius norm divided by the squared spectral norm</source>
        <translation>弗罗贝尼乌斯范数的平方除以谱范数的平方</translation>
    </message>
    <message>
        <source>Effective rank</source>
        <translation>有效秩</translation>
    </message>
    <message>
        <source>Exponential of the entropy of the singular values</source>
        <translation>奇异值熵的指数</translation>
    </message>
    <message>
        <source>Participation ratio</source>
        <translation>参与率</translation>
    </message>
    <message>
        <source>Rank with 90% of energy</source>
        <translation>含 90% 能量的秩</translation>
    </message>
    <message>
        <source>Rank with 99% of energy</source>
        <translation>含 99% 能量的秩</translation>
    </message>
    <message>
        <source>Rank with 99.9% of energy</source>
        <translation>含 99.9% 能量的秩</translation>
    </message>
    <message>
        <source>Condition number</source>
        <translation>条件数</translation>
    </message>
    <message>
        <source>Power-law alpha</source>
        <translation>幂律指数 α</translation>
    </message>
    <message>
        <source>Exponent of the tail of the squared singular values; 2 to 6 is typical of trained layers</source>
        <translation>奇异值平方尾部的指数；训练过的层通常为 2 到 6</translation>
    </message>
    <message>
        <source>KS distance</source>
        <translation>KS 距离</translation>
    </message>
    <message>
        <source>Kolmogorov–Smirnov distance between the tail and its fit</source>
        <translation>尾部与其拟合之间的柯尔莫哥洛夫–斯米尔诺夫距离</translation>
    </message>
    <message>
        <source>Values in the tail</source>
        <translation>尾部中的值</translation>
    </message>
    <message>
        <source>Residual</source>
        <translation>残差</translation>
    </message>
    <message>
        <source>Share of the Frobenius norm without the singular values that are known</source>
        <translation>除已知奇异值外的弗罗贝尼乌斯范数所占比例</translation>
    </message>
    <message>
        <source>Measures all matrices of the model by a randomized method</source>
        <translation>用随机化方法测量模型的所有矩阵</translation>
    </message>
    <message>
        <source>Spectral measures</source>
        <translation>谱度量</translation>
    </message>
    <message>
        <source>Singular values</source>
        <translation>奇异值</translation>
    </message>
    <message>
        <source>Matrices of the model</source>
        <translation>模型的矩阵</translation>
    </message>
    <message>
        <source>Not computed yet.</source>
        <translation>尚未计算。</translation>
    </message>
    <message>
        <source>Measures</source>
        <translation>度量</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>值</translation>
    </message>
    <message>
        <source>All matrices</source>
        <translation>所有矩阵</translation>
    </message>
    <message>
        <source>Select a matrix to see its singular values.</source>
        <translation>选择一个矩阵以查看其奇异值。</translation>
    </message>
    <message>
        <source>%1: values cannot be read; see Problems.</source>
        <translation>%1：无法读取数值；原因见“问题”。</translation>
    </message>
    <message>
        <source>Only matrices and filters of convolutions have singular values here.</source>
        <translation>此处仅矩阵和卷积滤波器有奇异值。</translation>
    </message>
    <message>
        <source>Computing singular values</source>
        <translation>正在计算奇异值</translation>
    </message>
    <message>
        <source>Singular values of %1</source>
        <translation>%1 的奇异值</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>序号</translation>
    </message>
    <message>
        <source>Singular value</source>
        <translation>奇异值</translation>
    </message>
    <message>
        <source>Energy up to here</source>
        <translation>累计能量</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Alpha</source>
        <translation>α</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>Compute all matrices</source>
        <translation>计算所有矩阵</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::SpectrumPlot</name>
    <message>
        <source>Singular values</source>
        <translation>奇异值</translation>
    </message>
    <message>
        <source>Move the mouse or press the arrow keys to read individual values.</source>
        <translation>移动鼠标或按方向键可读取单个值。</translation>
    </message>
    <message>
        <source>All singular values are zero.</source>
        <translation>所有奇异值均为零。</translation>
    </message>
    <message>
        <source>Singular value %1: %2</source>
        <translation>奇异值 %1：%2</translation>
    </message>
    <message>
        <source>All %1 singular values by rank, on logarithmic axes</source>
        <translation>全部 %1 个奇异值（按秩，对数坐标轴）</translation>
    </message>
    <message>
        <source>The %1 largest singular values by rank; the others are not known</source>
        <translation>最大的 %1 个奇异值（按秩）；其余未知</translation>
    </message>
    <message>
        <source>Singular value</source>
        <translation>奇异值</translation>
    </message>
    <message>
        <source>Power law fitted to the tail</source>
        <translation>对尾部拟合的幂律</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>序号</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::StatisticsRunner</name>
    <message>
        <source>Loading saved statistics</source>
        <translation>正在载入已保存的统计</translation>
    </message>
    <message>
        <source>Statistics of a tensor</source>
        <translation>一个张量的统计</translation>
    </message>
    <message>
        <source>Statistics of %1</source>
        <translation>%1 的统计</translation>
    </message>
    <message>
        <source>Saving statistics</source>
        <translation>正在保存统计</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::StoragePanel</name>
    <message>
        <source>Contiguous</source>
        <translation>连续</translation>
    </message>
    <message numerus="yes">
        <source>%n segment(s), concatenated on read</source>
        <translation>
            <numerusform>%n 段，读取时拼接</numerusform>
        </translation>
    </message>
    <message>
        <source>Strided view</source>
        <translation>带步长的视图</translation>
    </message>
    <message>
        <source>Computed from its components</source>
        <translation>由其组成部分计算得出</translation>
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
        <source>Offset</source>
        <translation>偏移</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>Quantization scheme</source>
        <translation>量化方案</translation>
    </message>
    <message>
        <source>Bits per weight</source>
        <translation>每权重位数</translation>
    </message>
    <message>
        <source>Archive entry</source>
        <translation>归档条目</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>组</translation>
    </message>
    <message>
        <source>Included in totals</source>
        <translation>计入汇总</translation>
    </message>
    <message>
        <source>No, an earlier tensor has the same bytes.</source>
        <translation>否：前面的张量含有相同的字节。</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>Tensor storage</source>
        <translation>张量的存储方式</translation>
    </message>
    <message>
        <source>Components and aliases</source>
        <translation>组成部分与别名</translation>
    </message>
    <message>
        <source>Singular values of the adapter</source>
        <translation>适配器的奇异值</translation>
    </message>
    <message>
        <source>Stored as is, under a single name.</source>
        <translation>它按原样存储，只有一个名称。</translation>
    </message>
    <message>
        <source>Reading both factors…</source>
        <translation>正在读取两个因子…</translation>
    </message>
    <message>
        <source>Select a tensor to see its storage.</source>
        <translation>选择一个张量以查看其存储方式。</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Relation</source>
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
        <source>Double-click to open.</source>
        <translation>双击可打开。</translation>
    </message>
    <message>
        <source>component</source>
        <translation>组成部分</translation>
    </message>
    <message>
        <source>same bytes</source>
        <translation>相同字节</translation>
    </message>
    <message>
        <source>derived from it</source>
        <translation>由它得出</translation>
    </message>
    <message>
        <source>Singular values of an adapter</source>
        <translation>适配器的奇异值</translation>
    </message>
    <message>
        <source>The rank is too high to compute singular values.</source>
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
        <source>Share of norm</source>
        <translation>占范数的份额</translation>
    </message>
    <message>
        <source>Joined from ranks</source>
        <translation>由各 rank 合并</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::TensorPanel</name>
    <message>
        <source>Table view</source>
        <translation>表格视图</translation>
    </message>
    <message>
        <source>Tree view</source>
        <translation>树状视图</translation>
    </message>
    <message>
        <source>Export listed tensors as CSV or JSON</source>
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
        <source>Stop computing; results so far are kept.</source>
        <translation>停止计算；已有结果会保留。</translation>
    </message>
    <message>
        <source>Compute statistics for all tensors of this model (Ctrl+Shift+S)</source>
        <translation>计算此模型每个张量的统计（Ctrl+Shift+S）</translation>
    </message>
    <message>
        <source>Stop computing statistics</source>
        <translation>停止计算统计</translation>
    </message>
    <message>
        <source>Compute statistics for the whole model</source>
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
        <source>%1 with statistics</source>
        <translation>%1 个有统计</translation>
    </message>
    <message>
        <source>Tensors to list</source>
        <translation>列出哪些张量</translation>
    </message>
    <message>
        <source>Logical weights, tensors as stored, or both</source>
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
    <message>
        <source>Save values of selected tensors…</source>
        <translation>保存所选张量的数值…</translation>
    </message>
    <message>
        <source>1 tensor</source>
        <translation>1 个张量</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::TensorTableModel</name>
    <message>
        <source>%1 bytes</source>
        <translation>%1 字节</translation>
    </message>
    <message>
        <source>%1: values cannot be read; see Problems.</source>
        <translation>%1：无法读取数值；原因见“问题”。</translation>
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
        <source>by module</source>
        <translation>按模块</translation>
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
        <source>Show values as a table</source>
        <translation>以表格显示数值</translation>
    </message>
    <message>
        <source>Compute statistics for the whole model to see how they change across layers.</source>
        <translation>计算整个模型的统计，即可查看它们逐层的变化。</translation>
    </message>
    <message>
        <source>None of the tensors with statistics belongs to a layer.</source>
        <translation>有统计的张量都不属于任何层。</translation>
    </message>
    <message>
        <source>Log axis</source>
        <translation>对数轴</translation>
    </message>
    <message>
        <source>Logarithmic axis, where all values are positive</source>
        <translation>对数坐标轴，仅在所有值为正时可用</translation>
    </message>
    <message>
        <source>Show lines</source>
        <translation>显示的线</translation>
    </message>
    <message>
        <source>Shows and hides lines; a click on a name in the legend does the same.</source>
        <translation>显示或隐藏线；单击图例中的名称效果相同。</translation>
    </message>
    <message>
        <source>All lines</source>
        <translation>所有线</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::TrendView</name>
    <message>
        <source>Layer trend</source>
        <translation>逐层趋势</translation>
    </message>
    <message>
        <source>%1 over layers %2 to %3, between %4 and %5.</source>
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
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>%1 is hidden; the space bar or a click on its name shows it.</source>
        <translation>%1 已隐藏；按空格键或单击其名称可显示。</translation>
    </message>
    <message>
        <source>All lines are hidden; a click on a name in the legend shows one.</source>
        <translation>所有线均已隐藏；单击图例中的名称可显示。</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>Checkpoint</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>%1 over steps %2 to %3, between %4 and %5.</source>
        <translation>%1：第 %2 到 %3 步，介于 %4 和 %5 之间。</translation>
    </message>
    <message>
        <source>%1 over epochs %2 to %3, between %4 and %5.</source>
        <translation>%1：第 %2 到 %3 轮，介于 %4 和 %5 之间。</translation>
    </message>
    <message>
        <source>%1 over checkpoints %2 to %3, between %4 and %5.</source>
        <translation>%1：第 %2 到 %3 个检查点，介于 %4 和 %5 之间。</translation>
    </message>
    <message>
        <source>%1, step %2: %3</source>
        <translation>%1，第 %2 步：%3</translation>
    </message>
    <message>
        <source>%1, epoch %2: %3</source>
        <translation>%1，第 %2 轮：%3</translation>
    </message>
    <message>
        <source>%1, checkpoint %2: %3</source>
        <translation>%1，第 %2 个检查点：%3</translation>
    </message>
</context>
<context>
    <name>wb::ui::inspect::WhatIfPanel</name>
    <message>
        <source>Tensor quantized to other types</source>
        <translation>张量量化为其他类型</translation>
    </message>
    <message>
        <source>Blocks with the largest error</source>
        <translation>误差最大的块</translation>
    </message>
    <message>
        <source>Measuring types</source>
        <translation>正在测量类型</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Measure all rows</source>
        <translation>测量所有行</translation>
    </message>
    <message>
        <source>Select a tensor to compare quantization types.</source>
        <translation>选择一个张量以对比量化类型。</translation>
    </message>
    <message>
        <source>This tensor cannot be converted to another type.</source>
        <translation>该张量不能转换为其他类型。</translation>
    </message>
    <message>
        <source>Quantizing every row in memory…</source>
        <translation>正在内存中量化每一行…</translation>
    </message>
    <message>
        <source>All rows</source>
        <translation>所有行</translation>
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
        <source>Importance of each input column, measured by llama-imatrix; required for low-bit types</source>
        <translation>每个输入列的重要程度，由 llama-imatrix 测得；低位数类型需要它</translation>
    </message>
    <message>
        <source>Clear importance matrix</source>
        <translation>清除重要性矩阵</translation>
    </message>
    <message>
        <source>Error map</source>
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
        <source>Loading importance matrix</source>
        <translation>正在读取重要性矩阵</translation>
    </message>
    <message>
        <source>Select a type to see its error.</source>
        <translation>选择一个类型以查看其误差。</translation>
    </message>
    <message>
        <source>Loading importance matrix…</source>
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
        <source>the importance matrix has no data for this tensor</source>
        <translation>重要性矩阵中没有此张量的数据</translation>
    </message>
    <message>
        <source>Importance matrix…</source>
        <translation>重要性矩阵…</translation>
    </message>
    <message>
        <source>Show levels of this block</source>
        <translation>查看此块的量化级</translation>
    </message>
    <message>
        <source>Error of %1; select a cell or block to see its levels</source>
        <translation>%1 的误差；选择格子或块可查看其量化级</translation>
    </message>
    <message>
        <source>Quantizing one block</source>
        <translation>正在量化一个块</translation>
    </message>
    <message>
        <source>For large tensors the table first samples some rows; this measures all of them.</source>
        <translation>对于较大的张量，表格先抽样部分行；此处测量所有行。</translation>
    </message>
    <message>
        <source>Quantizing sample rows in memory…</source>
        <translation>正在内存中量化抽样行…</translation>
    </message>
    <message>
        <source>Stopped before all types were measured</source>
        <translation>在测量完所有类型之前已停止</translation>
    </message>
    <message>
        <source>%L1 of %L2 rows</source>
        <translation>%L2 行中的 %L1 行</translation>
    </message>
    <message>
        <source>%1 is lossless on the measured rows.</source>
        <translation>在已测量的行上，%1 无损。</translation>
    </message>
    <message>
        <source>Q2_K to Q6_K and most IQ types are not listed: rows of %2 are not divisible by their block size of %1</source>
        <translation>未列出 Q2_K 至 Q6_K 及大多数 IQ 类型：行长 %2 不是其块大小 %1 的整数倍</translation>
    </message>
</context>
<context>
    <name>wb::ui::library::Details</name>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>%1 (corrupted or incomplete)</source>
        <translation>%1（已损坏或不完整）</translation>
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
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>%1, %2 bits per weight</source>
        <translation>%1，每权重 %2 位</translation>
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
        <source>Location</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Path</source>
        <translation>路径</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Revision</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>License</source>
        <translation>许可证</translation>
    </message>
    <message>
        <source>%1 (no recorded hash)</source>
        <translation>%1（没有记录的哈希）</translation>
    </message>
    <message>
        <source>OK: %1</source>
        <translation>正确：%1</translation>
    </message>
    <message>
        <source>Mismatch: expected %1</source>
        <translation>不一致：应为 %1</translation>
    </message>
    <message>
        <source>Select a model to see its location, files and hashes.</source>
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
        <source>Model files</source>
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
        <source>%n identical model(s).</source>
        <translation>
            <numerusform>%n 个内容相同的模型。</numerusform>
        </translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
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
        <source>Location</source>
        <translation>位置</translation>
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
        <source>Scanning for models</source>
        <translation>正在扫描模型</translation>
    </message>
    <message>
        <source>Saving library folders</source>
        <translation>正在保存模型库文件夹</translation>
    </message>
    <message>
        <source>Find duplicates</source>
        <translation>查找重复模型</translation>
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
        <source>Checking removable files</source>
        <translation>正在检查可移除的文件</translation>
    </message>
    <message>
        <source>Move to trash</source>
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
        <source>Disk usage by location</source>
        <translation>各位置的磁盘占用</translation>
    </message>
</context>
<context>
    <name>wb::ui::memory::DevicesPage</name>
    <message>
        <source>%1: %2 of %3, %4</source>
        <translation>%1：%2 / %3，%4</translation>
    </message>
    <message>
        <source>No layer fits on the GPU; the CPU computes all layers.</source>
        <translation>GPU 放不下任何一层；全部由 CPU 计算。</translation>
    </message>
    <message>
        <source>Best placement: all layers on the GPU.</source>
        <translation>最佳分配：所有层都放在 GPU 上。</translation>
    </message>
    <message>
        <source>Layers per device: %1.</source>
        <translation>各设备的层数：%1。</translation>
    </message>
    <message>
        <source>At most %1 tokens/s (bandwidth limit).</source>
        <translation>最多 %1 词元/秒（受带宽限制）。</translation>
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
        <source>Required</source>
        <translation>需要</translation>
    </message>
    <message>
        <source>Max context length</source>
        <translation>最大上下文长度</translation>
    </message>
    <message>
        <source>Fits</source>
        <translation>能否放下</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>显卡</translation>
    </message>
    <message>
        <source>Required per GPU</source>
        <translation>每张需要</translation>
    </message>
    <message>
        <source>Max tokens/s</source>
        <translation>最大词元/秒</translation>
    </message>
    <message>
        <source>Devices and whether the model fits</source>
        <translation>各设备能否放下模型</translation>
    </message>
    <message>
        <source>Smallest GPUs that fit the model</source>
        <translation>放得下模型的最小显卡</translation>
    </message>
    <message>
        <source>Smallest GPUs that fit the model (1, 2 or 4 of the same kind)</source>
        <translation>放得下模型的最小显卡（同型号 1、2 或 4 张）</translation>
    </message>
    <message>
        <source>Filter devices</source>
        <translation>筛选设备</translation>
    </message>
    <message>
        <source>Number of each selected GPU</source>
        <translation>所选显卡各几张</translation>
    </message>
    <message>
        <source> of each</source>
        <translation> 张</translation>
    </message>
    <message>
        <source>Use selected GPUs</source>
        <translation>使用所选显卡</translation>
    </message>
    <message>
        <source>Splits the layers across the GPUs selected in the table instead of this machine&apos;s devices</source>
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
        <source>Data source</source>
        <translation>数据来源</translation>
    </message>
    <message numerus="yes">
        <source>Best placement: %n layer(s) on the GPU, the rest on the CPU.</source>
        <translation>
            <numerusform>最佳分配：%n 层放在 GPU 上，其余放在 CPU 上。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Experts of the first %n layer(s) stay in RAM.</source>
        <translation>
            <numerusform>前 %n 层的专家留在内存中。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>wb::ui::memory::KeptPage</name>
    <message>
        <source>as stored</source>
        <translation>与文件相同</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Runtime</source>
        <translation>运行程序</translation>
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
        <source>VRAM</source>
        <translation>显存</translation>
    </message>
    <message>
        <source>RAM</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Compared configurations</source>
        <translation>比较的配置</translation>
    </message>
    <message>
        <source>Add to comparison</source>
        <translation>加入比较</translation>
    </message>
    <message>
        <source>Adds the current model and settings to the table for comparison</source>
        <translation>把当前模型和设置放入表中，与其他方案比较</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
</context>
<context>
    <name>wb::ui::memory::MemorySession</name>
    <message>
        <source>Estimating memory for %1</source>
        <translation>正在估算 %1 所需的内存</translation>
    </message>
    <message>
        <source>Reading %1</source>
        <translation>正在读取 %1</translation>
    </message>
    <message>
        <source>Saving measurements</source>
        <translation>正在保存实测结果</translation>
    </message>
    <message>
        <source>Recommended</source>
        <translation>推荐</translation>
    </message>
</context>
<context>
    <name>wb::ui::memory::MemoryView</name>
    <message>
        <source>based on the model&apos;s tensors</source>
        <translation>根据模型自身的张量</translation>
    </message>
    <message>
        <source>based on its config.json</source>
        <translation>根据其 config.json</translation>
    </message>
    <message>
        <source>based on a size or name: shape of a known model</source>
        <translation>根据规模或名称：采用已知模型的结构</translation>
    </message>
    <message>
        <source>%1: %2 total, %3 parameters; %4</source>
        <translation>%1：共 %2，%3 个参数；%4</translation>
    </message>
    <message>
        <source>Rule of thumb: %1</source>
        <translation>经验法则：%1</translation>
    </message>
    <message>
        <source>Not included: %1</source>
        <translation>未计入：%1</translation>
    </message>
    <message>
        <source>Component</source>
        <translation>组成部分</translation>
    </message>
    <message>
        <source>Location</source>
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
        <source>Breakdown</source>
        <translation>组成</translation>
    </message>
    <message>
        <source>Weight types</source>
        <translation>权重类型</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Memory breakdown with formulas</source>
        <translation>内存的各部分及其公式</translation>
    </message>
    <message>
        <source>Available weight types</source>
        <translation>权重可以采用的类型</translation>
    </message>
    <message>
        <source>full fine-tuning</source>
        <translation>全参数微调</translation>
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
        <source>%1, %2: %3 on each of %n GPU(s), %4 of %5 parameters trainable; %6</source>
        <translation>
            <numerusform>%1，%2：%n 个 GPU 每个 %3，%5 参数中可训练 %4；%6</numerusform>
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
        <source>Trade-off</source>
        <translation>代价</translation>
    </message>
    <message>
        <source>Reduce memory</source>
        <translation>减少内存</translation>
    </message>
    <message>
        <source>Ways to reduce memory, cheapest first</source>
        <translation>减少内存的方法，代价小的在前</translation>
    </message>
    <message>
        <source>allocated by the engine</source>
        <translation>引擎实际分配</translation>
    </message>
    <message>
        <source>the engine&apos;s own plan</source>
        <translation>引擎自身的规划</translation>
    </message>
    <message>
        <source>GPU %1</source>
        <translation>GPU %1</translation>
    </message>
    <message numerus="yes">
        <source>; calibrated, ±%1 from %n load(s)</source>
        <translation>
            <numerusform>；已校准，±%1，依据 %n 次加载</numerusform>
        </translation>
    </message>
    <message>
        <source>; error up to %1%</source>
        <translation>；误差不超过 %1%</translation>
    </message>
    <message>
        <source>Measured on %1: %2 (estimate: %3).</source>
        <translation>在 %1 上实测：%2（估算：%3）。</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Use this type</source>
        <translation>使用此类型</translation>
    </message>
    <message>
        <source>Quantize to this…</source>
        <translation>量化为此类型…</translation>
    </message>
    <message>
        <source>Opens the file in Convert with the selected type</source>
        <translation>在“转换”中以所选类型打开该文件</translation>
    </message>
    <message>
        <source>Recommended for %1: %2, %3 total.</source>
        <translation>推荐用于%1：%2，合计 %3。</translation>
    </message>
</context>
<context>
    <name>wb::ui::memory::PartsBar</name>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>KV cache: keys</source>
        <translation>KV 缓存：K</translation>
    </message>
    <message>
        <source>KV cache: values</source>
        <translation>KV 缓存：V</translation>
    </message>
    <message>
        <source>Recurrent state</source>
        <translation>循环状态</translation>
    </message>
    <message>
        <source>Compute buffers</source>
        <translation>计算缓冲区</translation>
    </message>
    <message>
        <source>Logits</source>
        <translation>Logits</translation>
    </message>
    <message>
        <source>VRAM</source>
        <translation>显存</translation>
    </message>
    <message>
        <source>RAM</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>%1 in %2: %3</source>
        <translation>%1（%2）：%3</translation>
    </message>
    <message>
        <source>Memory breakdown</source>
        <translation>内存的各部分</translation>
    </message>
    <message>
        <source>Total: %1. %2. Rule of thumb: %3.</source>
        <translation>合计 %1。%2。经验法则：%3。</translation>
    </message>
    <message>
        <source>Overhead</source>
        <translation>额外开销</translation>
    </message>
    <message>
        <source>Projector (mmproj)</source>
        <translation>投影器（mmproj）</translation>
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
        <source>Base model weights</source>
        <translation>基座模型权重</translation>
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
        <source>Communication buckets</source>
        <translation>通信桶</translation>
    </message>
    <message>
        <source>Gathered parameters</source>
        <translation>聚合的参数</translation>
    </message>
    <message>
        <source>Allocator overhead</source>
        <translation>分配器开销</translation>
    </message>
    <message>
        <source>CUDA context</source>
        <translation>CUDA 上下文</translation>
    </message>
</context>
<context>
    <name>wb::ui::memory::RunnablePage</name>
    <message>
        <source>%1, tight</source>
        <translation>%1，勉强</translation>
    </message>
    <message>
        <source>too large</source>
        <translation>放不下</translation>
    </message>
    <message>
        <source>Estimating which models fit</source>
        <translation>正在估算哪些模型适合</translation>
    </message>
    <message>
        <source>None of the known models fits.</source>
        <translation>没有已知模型适合。</translation>
    </message>
    <message>
        <source>%1 of %2 known models fit. The largest is %3 as %4. Each column shows the memory that the model needs as that type.</source>
        <translation>%2 个已知模型中有 %1 个适合，最大的是 %3（%4）。每列显示模型以该类型运行所需的内存。</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>此电脑</translation>
    </message>
    <message>
        <source>What can I run?</source>
        <translation>我能运行什么？</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Context length</source>
        <translation>上下文长度</translation>
    </message>
    <message>
        <source> tokens</source>
        <translation> 个词元</translation>
    </message>
    <message>
        <source>Show the estimate of this model</source>
        <translation>查看此模型的估算</translation>
    </message>
    <message>
        <source>Models that fit</source>
        <translation>适合的模型</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数量</translation>
    </message>
    <message>
        <source>Best type</source>
        <translation>最佳类型</translation>
    </message>
</context>
<context>
    <name>wb::ui::memory::SettingsPanel</name>
    <message>
        <source>Same as file</source>
        <translation>与文件相同</translation>
    </message>
    <message>
        <source>Weight type</source>
        <translation>权重类型</translation>
    </message>
    <message>
        <source>Context length (total)</source>
        <translation>上下文长度（总计）</translation>
    </message>
    <message>
        <source>GPU layers</source>
        <translation>GPU 层数</translation>
    </message>
    <message>
        <source>Parallel sequences</source>
        <translation>并行序列数</translation>
    </message>
    <message>
        <source>Micro-batch size</source>
        <translation>微批次大小（ubatch）</translation>
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
        <translation>Flash Attention</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>Runtime</source>
        <translation>运行程序</translation>
    </message>
    <message>
        <source>Backend</source>
        <translation>计算后端</translation>
    </message>
    <message>
        <source>llama.cpp build</source>
        <translation>llama.cpp 版本</translation>
    </message>
    <message>
        <source>K cache type</source>
        <translation>K 缓存类型</translation>
    </message>
    <message>
        <source>V cache type</source>
        <translation>V 缓存类型</translation>
    </message>
    <message>
        <source>Layers with experts on CPU</source>
        <translation>专家放在 CPU 的层数</translation>
    </message>
    <message>
        <source>Unified KV cache</source>
        <translation>统一 KV 缓存</translation>
    </message>
    <message>
        <source>latest</source>
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
        <source>Speculative decoding with MTP layers</source>
        <translation>使用 MTP 层进行推测解码</translation>
    </message>
    <message>
        <source>Loads the multi-token prediction (MTP) layers, which have their own KV cache</source>
        <translation>加载多词元预测（MTP）层，它们有自己的 KV 缓存</translation>
    </message>
</context>
<context>
    <name>wb::ui::memory::TrainingPanel</name>
    <message>
        <source>all linear layers</source>
        <translation>所有线性层</translation>
    </message>
    <message>
        <source>attention only</source>
        <translation>仅注意力层</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>gradients and optimizer states</source>
        <translation>梯度和优化器状态</translation>
    </message>
    <message>
        <source>and weights</source>
        <translation>以及权重</translation>
    </message>
    <message>
        <source>shared base model</source>
        <translation>共用基座模型</translation>
    </message>
    <message>
        <source>separate copy</source>
        <translation>独立副本</translation>
    </message>
    <message>
        <source>precomputed log-probs</source>
        <translation>预先计算对数概率</translation>
    </message>
    <message>
        <source>Base model type</source>
        <translation>基座模型类型</translation>
    </message>
    <message>
        <source>Sequence length</source>
        <translation>序列长度</translation>
    </message>
    <message>
        <source>Batch size per GPU</source>
        <translation>每个 GPU 的批次大小</translation>
    </message>
    <message>
        <source>LoRA rank</source>
        <translation>LoRA 秩</translation>
    </message>
    <message>
        <source>Target modules</source>
        <translation>目标模块</translation>
    </message>
    <message>
        <source>Virtual tokens</source>
        <translation>虚拟词元</translation>
    </message>
    <message>
        <source>DPO reference model</source>
        <translation>DPO 参考模型</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>Number of GPUs</source>
        <translation>GPU 数量</translation>
    </message>
    <message>
        <source>ZeRO stage</source>
        <translation>ZeRO 阶段</translation>
    </message>
    <message>
        <source>CPU offload</source>
        <translation>卸载到 CPU</translation>
    </message>
    <message>
        <source> tokens</source>
        <translation> 个词元</translation>
    </message>
    <message>
        <source>Gradient checkpointing</source>
        <translation>梯度检查点</translation>
    </message>
    <message>
        <source>Flash attention</source>
        <translation>Flash Attention</translation>
    </message>
    <message>
        <source>Chunked loss</source>
        <translation>分块损失</translation>
    </message>
    <message>
        <source>Double quantization</source>
        <translation>双重量化</translation>
    </message>
    <message>
        <source>Use DoRA</source>
        <translation>DoRA</translation>
    </message>
    <message>
        <source>Use rsLoRA</source>
        <translation>rsLoRA</translation>
    </message>
    <message>
        <source>FP32 gradient accumulation</source>
        <translation>FP32 梯度累积</translation>
    </message>
    <message>
        <source>EMA of weights</source>
        <translation>权重 EMA（滑动平均）</translation>
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
        <source>This machine: RAM</source>
        <translation>本机：内存</translation>
    </message>
</context>
</TS>

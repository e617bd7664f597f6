<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>Help</name>
    <message>
        <source>Action</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shortcut</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take a file off the list of recent files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&lt;h3&gt;Weighbridge %1&lt;/h3&gt;&lt;p&gt;A model workbench: it opens model files and shows what is in them. It works offline.&lt;/p&gt;&lt;p&gt;MIT licence. Made with Qt %2 (LGPL), Highway, fmt and nlohmann/json.&lt;/p&gt;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About Weighbridge</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Numbers</name>
    <message>
        <source>%1/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 min %2 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>core</name>
    <message>
        <source>Cancelled.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} has {} values in {} for {} tokens; its tokenizer cannot be trusted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} says it has {} blocks, but its tensors are numbered up to block {}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} gives {} the implausible value {}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} uses {} experts of only {}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} calls itself {}, but none of its tensors is {}; most of its bytes are {}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} does not say its architecture (general.architecture).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} holds quantized tensors but no general.quantization_version.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} is not loadable: it can be looked at, but it breaks rules that every loader enforces; get an intact copy to chat with it, convert or quantize it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} has {} further problems of the kind {}; they are not listed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} says GGUF version 0, which does not exist; get an intact copy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} says GGUF version {}; this program reads versions 1 to 3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} is in the wrong byte order (big endian) for this machine; get the little-endian file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} is GGUF version 1, which loaders no longer read; get a newer conversion.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} promises {} metadata pairs, which cannot fit its {} bytes; get an intact copy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} promises {} tensors, which cannot fit its {} bytes; get an intact copy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} does not begin with the letters GGUF; it is not a GGUF file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} holds a metadata pair without a key at byte {}; get an intact copy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} gives the key {} the unknown value type {}; get an intact copy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} holds the key {} more than once; get an intact copy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} has the unusable alignment {} ({}); it must be a power of two of type u32. Get an intact copy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} stores the tensor {} over {} bytes of another one; get an intact copy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} stores the tensor {} at offset {}, which is not a multiple of {}; get an intact copy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} has a gap of {} bytes before the tensor {}; get an intact copy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} lets the tensor {} end beyond every possible file; get an intact copy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} stores its tensors in another order than it lists them; get an intact copy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} is cut short: it ends at byte {}, its tensors at byte {}; {} of {} are incomplete. Get a complete copy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} has {} bytes after its data that belong to no tensor.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} asks for an impossible alignment; get an intact copy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} has no array named {}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} has only {} values in {}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} does not store all of {}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} has another byte order than the first part.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} says it is part {} of {}, but its name says {} of {}; get the right file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} brings the model beyond {} tensors.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} promises {} tensors in all its parts, but they hold {}; get all parts of one and the same model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} has the tensor {} in two parts, {} and {}; get all parts of one and the same model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} is incomplete without its part {}, whose tensors are unknown: {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} says it is one of {} parts; get an intact copy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} is part {} of {}; open the first part instead, whose name ends in {}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} is part {} of {} and shows only its own tensors; open the first part, whose name ends in {}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} is the first of {} parts; the others cannot be looked for here, so their tensors are unknown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} is the first of {} parts, but the others cannot be found from its name, which should end in {}; rename it back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} names a tensor with {} bytes, where loaders allow 63: {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} names a tensor with control characters: {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} gives the tensor {} {} dimensions; get an intact copy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} gives the tensor {} {} dimensions, where loaders allow 4.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} gives the tensor {} an impossible size; get an intact copy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} holds the tensor {}, which this program cannot decode: {}; get another quantization.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} gives the tensor {} rows of {} elements, which are not whole {} blocks; get an intact copy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} places the tensor {} at the impossible offset {}; get an intact copy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} holds the tensor {} more than once; get an intact copy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} ends at byte {} inside its list of {} tensors; the first {} are shown. Get a complete copy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} promises a text of {} bytes at byte {}, more than the {} allowed; get an intact copy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} promises a text of {} bytes at byte {}, but ends {} bytes later; get a complete copy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} holds a text of {} bytes; only its beginning is shown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} holds a text that is not UTF-8: &quot;{}&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} stores a truth value as {} where only 0 and 1 are meant.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} holds an array of the unknown value type {} at byte {}; get an intact copy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} promises an array of {} values at byte {}, which cannot fit the file; get an intact copy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} nests arrays deeper than {} at byte {}; get an intact copy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} holds an array of arrays at byte {}, which loaders do not read; convert it without that key.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} promises a text of {} bytes before byte {}; get an intact copy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The tensors in {} are not listed: only safetensors and GGUF files of a folder are read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model runs repository code when it is loaded with trust ({}); this program never runs it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The component {} that model_index.json names is missing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} holds more than {} files; open the model&apos;s own folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} cannot be listed ({}); check its permissions.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} holds no model that this program knows: no config.json, model_index.json, safetensors or GGUF file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Part {} of {} of {} is missing; its tensors are not known.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not read, because other files are the model: {}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} is not valid JSON: {} (byte {}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} holds the same key twice in one object.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} holds text that is not UTF-8; it is shown with replacement characters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} holds more than is kept of one file; only the beginning is shown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} is text of {} bytes, more than the {} bytes this program reads.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} is a Git LFS pointer and not the file itself, which has {} bytes; fetch it with &quot;git lfs pull&quot;.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} is {}, which this program does not read yet; open a safetensors or GGUF version of it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} is {}, not a model; open a GGUF or safetensors file or a model&apos;s folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} is in no format that this program knows; open a GGUF or safetensors file or a model&apos;s folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} is a JSON file that names no weights; open its folder instead.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} is empty; download or copy it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} is only a Git LFS pointer; the real file has {} bytes: fetch it with &quot;git lfs pull&quot;.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} is in a format that this build does not read yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{}: the tensor name {} holds control characters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{}: the tensor name {} holds combining marks; another name may look the same.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{}: the tensor {} lies beyond any file (data_offsets {} to {}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{}: the tensor {} ends at {}, before it begins at {}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{}: the tensor {} of type {} and shape {} does not fill whole bytes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{}: the tensor {} of type {} and shape {} needs {} bytes and has {}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{}: the bytes {} to {} belong to no tensor.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{}: the bytes {} to {} belong to two tensors.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} is not a safetensors file: it has {} bytes, fewer than the 8 of the header&apos;s length.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} is cut short or not a safetensors file: the header length {} at byte 0 exceeds the file ({} bytes).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{}: the header length {} at byte 0 exceeds the {} bytes that the format allows.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} is not a valid safetensors file: the tensor {} is listed twice.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{}: the bytes {} to {} after the last tensor belong to none.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} is cut short: it has {} bytes of the {} that its header promises.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{}: the header holds text that is not UTF-8 (byte {}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} is not a valid safetensors file: in its header, {} (byte {}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} is not a valid safetensors file: in its header, {} is missing (byte {}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} is not a valid safetensors file: in its header, the key {} stands twice (byte {}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{}: the header begins with {} blanks.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} is not a valid safetensors file: its header is padded with something else than blanks (byte {}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{}: __metadata__ takes {} bytes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{}: {} in __metadata__ is not a string.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{}: the tensor name at byte {} is longer than {} bytes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} lists more than {} tensors.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{}: the tensor {} has no dtype, shape or data_offsets (byte {}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{}: the tensor {} has the type {}, which this program does not know.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} is not a valid safetensors file: the number {} in its header is not allowed (byte {}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{}: the shape of {} has more elements than can be counted (byte {}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{}: the shape of the empty tensor {} overflows before its zero.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{}: the tensor {} has the unknown member {}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{}: the tensor {} has more than {} unknown members.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} is not an index of safetensors files: it has no weight_map.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} is not a valid index: {} (byte {}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{}: the file name {} leads out of the model&apos;s folder; it is not followed (byte {}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} names more than {} files.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{}: the tensor {} is listed twice.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{}: the tensor {} of {} is not listed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{}: the tensor {} is said to be in {} and lies in {}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{}: the tensor {} is not in {}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{}: total_size is {}, the tensors take {} bytes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{}: {} more problems of the same kind ({}) are not listed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file {} is missing; what the index places in it cannot be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} names {} files; {} are read for one model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{}: the tensor {} lies in {} and again in {}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The name &quot;{}&quot; found in the model leads out of its folder; it is not followed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} ends at byte {}, before byte {} that it promises.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} ends at byte {}, but {} more bytes should follow byte {}; get a complete copy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} does not exist; check the path.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} is a link that leads out of the model&apos;s folder; open the file it points to instead.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} cannot be read ({}); check its permissions.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} is a folder where a file is expected.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} is not a regular file; copy its content into one first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} cannot be read at byte {} ({}); check the disk.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} became shorter while it was read; open it again when it is complete.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} changed on disk since it was opened; open it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The values of {} in {} cannot be read: {}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The values of {} in {} cannot be read: its type {} is not known to this program.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The values of {} do not lie inside {}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A read of {} left the tensor or split a block.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} holds values of type {}, which have no single number each.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{}&quot; is not a regular expression ({}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The rows of {} have {} elements, which {} cannot hold and for which it has no substitute; choose another type for this tensor.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} does not belong to one of the model&apos;s {} layers; the model cannot be quantized with a mix, use --pure.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The &quot;)&quot; at position {} closes nothing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A search term is missing at position {}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The search is nested more than {} levels deep at position {}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The &quot;(&quot; at position {} is not closed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no field &quot;{}&quot; to search for (position {}); did you mean {}?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The quotation mark at position {} is not closed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A value for &quot;{}&quot; is missing at position {}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The regular expression at position {} is not valid: {}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no role &quot;{}&quot; (position {}); the roles are {}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{}&quot; cannot be compared by &quot;{}&quot; (position {}); use &quot;:&quot;, &quot;=&quot; or &quot;!=&quot;.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{}&quot; at position {} is no shape; write it as 4096x14336, with * for any dimension.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;{}&quot; at position {} is no number for &quot;{}&quot;; write it as 12, 1.5e-3, 10M or 0-3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The range &quot;{}&quot; at position {} ends before it begins.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The search is longer than {} characters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A histogram of {} bins is not possible; ask for 1 to 65,536.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The tensor {} has {} channels; at most {} are kept, so ask for the other axis.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stored statistics cannot be read; they will be computed again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is not enough memory for this job; close other models and try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The job stopped because of a defect in this program: {}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>wb::ui::CommandModel</name>
    <message>
        <source>%1, %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>wb::ui::CommandPalette</name>
    <message>
        <source>Find an action, a recent file or a tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What was found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing fits this text.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>wb::ui::DropCard</name>
    <message>
        <source>Drop a model file or folder anywhere in this window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The format is recognized by content, so the file name does not matter.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open file…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a model file (Ctrl+O)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a folder that holds a model (Ctrl+Shift+O)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>wb::ui::JobsModel</name>
    <message>
        <source>Cancelling…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Job</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Progress</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Speed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time left</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>wb::ui::JobsTray</name>
    <message>
        <source>Resume the chosen job</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause the chosen job</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Jobs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel the chosen job</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear finished jobs</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>wb::ui::MainWindow</name>
    <message>
        <source>The settings could not be saved to %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing here can open this.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No jobs</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n job(s) running</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Show or hide the jobs (Ctrl+J)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 – Weighbridge</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open model files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a folder that holds a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quit Weighbridge?</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n job(s) are still running.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Cancel the jobs and quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The session could not be saved to %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The settings could not be read. They were kept as %1, and the defaults are in use.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>wb::ui::NavigationRail</name>
    <message>
        <source>%1 (Ctrl+%2)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>wb::ui::RecentCard</name>
    <message>
        <source>Recent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing has been opened yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recent files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter opens, Delete takes a file off this list.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take off the list</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>wb::ui::RecentModel</name>
    <message>
        <source>%1, %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not there any more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>wb::ui::SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Threads for &amp;computing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the cache folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>C&amp;ache folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the folder for opening</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Folder for opening</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Work</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>All of this computer (%n)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Results that can be computed again are kept here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The folder used last</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The open dialogs begin in this folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As the system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dark</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>wb::ui::StartPage</name>
    <message>
        <source>Open GGUF and safetensors models of any size, and whole Hugging Face folders.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search and sort every tensor, and read all of the metadata.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compute statistics over every element, quantized types included.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find any action with Ctrl+K.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open any model and see what is in it. Nothing leaves this computer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What you can do here</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>wb::ui::StarterCard</name>
    <message>
        <source>Starter model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the starter model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SmolLM2 135M Instruct, a small language model, is on this computer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SmolLM2 135M Instruct is not on this computer yet. Running ./dev run with a network connection fetches it once, into %1.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>wb::ui::WindowActions</name>
    <message>
        <source>&amp;File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Open file…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open &amp;folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Settings…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find an action or &amp;tensor…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Jobs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>F&amp;ull screen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;About Weighbridge</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>

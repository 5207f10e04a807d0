"""Vision and audio towers -> their exact parameter counts, projectors included.

In: a `Reader` over `vision_config` or `audio_config`, the top-level config, and the width of the language model. Out: elements.
Shapes follow Hugging Face transformers; a tower without a rule is named and not counted.
"""

from collections.abc import Callable

from calculators.importing.reader import Reader

Tower = Callable[[Reader, Reader, int], int]


def _n(r: Reader, *names: str, default: int | None = None) -> int:
    for name in names:
        value = r.data.get(name)
        if isinstance(value, list) and value and isinstance(value[0], int):
            r.known(name)
            return value[0]  # a square patch or image, written as two equal numbers
    return r.whole("vision_parameters", *names, default=default)


def linear(rows: int, columns: int, *, bias: bool = True) -> int:
    """A matrix and its bias."""
    return rows * columns + (rows if bias else 0)


def _block(v: int, width: int, *, norms: int = 4) -> int:
    """A ViT block: four projections and two FFN matrices, all with biases; two LayerNorms."""
    return 4 * linear(v, v) + linear(width, v) + linear(v, width) + norms * v


def _merger(v: int, out: int, *, merge: int, norm: int) -> int:
    wide = v * merge * merge
    return norm + linear(wide, wide) + linear(out, wide)


def _qwen2_vl(r: Reader, _: Reader, __: int) -> int:
    v, depth = _n(r, "embed_dim", default=1280), _n(r, "depth", default=32)
    out, ratio, merge = (
        _n(r, "hidden_size", default=3584),
        _n(r, "mlp_ratio", default=4),
        _n(r, "spatial_merge_size", default=2),
    )
    patch = (
        v
        * _n(r, "in_channels", "in_chans", default=3)
        * _n(r, "temporal_patch_size", default=2)
        * _n(r, "patch_size", "spatial_patch_size", default=14) ** 2
    )
    r.known("num_heads")
    return depth * _block(v, ratio * v) + patch + _merger(v, out, merge=merge, norm=2 * v)


def _qwen2_5_vl(r: Reader, _: Reader, __: int) -> int:
    v, depth, f = _n(r, "hidden_size", default=3584), _n(r, "depth", default=32), _n(r, "intermediate_size", default=3420)
    out, merge = _n(r, "out_hidden_size", default=3584), _n(r, "spatial_merge_size", default=2)
    patch = (
        v
        * _n(r, "in_channels", "in_chans", default=3)
        * _n(r, "temporal_patch_size", default=2)
        * _n(r, "patch_size", "spatial_patch_size", default=14) ** 2
    )
    r.known("num_heads", "tokens_per_second", "window_size", "fullatt_block_indexes")
    block = 4 * linear(v, v) + 2 * linear(f, v) + linear(v, f) + 2 * v
    return depth * block + patch + _merger(v, out, merge=merge, norm=v)


def _qwen3_vl(r: Reader, _: Reader, __: int) -> int:
    v, depth, f = _n(r, "hidden_size"), _n(r, "depth"), _n(r, "intermediate_size")
    out, merge = _n(r, "out_hidden_size"), _n(r, "spatial_merge_size", default=2)
    pixels = _n(r, "in_channels", default=3) * _n(r, "temporal_patch_size", default=2) * _n(r, "patch_size", default=16) ** 2
    places = _n(r, "num_position_embeddings") * v
    wide = v * merge * merge
    stacked = len(r.listed("deepstack_visual_indexes"))
    r.known("num_heads")
    deep = stacked * _merger(v, out, merge=merge, norm=2 * wide)
    return depth * _block(v, f) + linear(v, pixels) + places + _merger(v, out, merge=merge, norm=2 * v) + deep


def _vit(r: Reader) -> tuple[int, int, int, int, int]:
    """Width, layers, FFN, pixels of a patch, patches of an image."""
    v, layers, f = _n(r, "hidden_size"), _n(r, "num_hidden_layers"), _n(r, "intermediate_size")
    side, patch = _n(r, "image_size", default=0), _n(r, "patch_size")
    r.known("num_attention_heads", "projection_dim", "num_image_tokens", "head_dim", "num_channels", "vocab_size")
    return v, layers, f, 3 * patch * patch, (side // max(1, patch)) ** 2


def _gemma3(r: Reader, _: Reader, h: int) -> int:
    v, layers, f, pixels, patches = _vit(r)
    return layers * _block(v, f) + linear(v, pixels) + patches * v + 2 * v + v * h + v


def _llava(r: Reader, _: Reader, h: int) -> int:
    v, layers, f, pixels, patches = _vit(r)
    tower = layers * _block(v, f) + v * pixels + v + (patches + 1) * v + 4 * v
    return tower + linear(h, v) + linear(h, h)


def _pixtral(r: Reader, top: Reader, h: int) -> int:
    v, layers, f, pixels, _ = _vit(r)
    merge, bias = _n(top, "spatial_merge_size", default=2), top.switch("multimodal_projector_bias")
    block = 4 * v * v + 3 * v * f + 2 * v
    return layers * block + v * pixels + v + v + v * v * merge**2 + linear(h, v, bias=bias) + linear(h, h, bias=bias)


def _internvl(r: Reader, top: Reader, h: int) -> int:
    v, layers, f, pixels, patches = _vit(r)
    attention = 3 * linear(v, v, bias=r.switch("attention_bias")) + linear(v, v) + (2 * v if r.switch("use_qk_norm") else 0)
    norms = 2 * v if r.word("norm_type") == "rms_norm" else 4 * v
    block = attention + linear(f, v) + linear(v, f) + norms + 2 * v
    ratio = top.raw("downsample_ratio")
    r.known("use_absolute_position_embeddings", "use_mean_pooling", "layer_scale_init_value", "use_mask_token")
    wide = v * round(1 / ratio) ** 2 if isinstance(ratio, float) and 0.05 < ratio <= 1 else 4 * v
    return layers * block + v + (patches + 1) * v + linear(v, pixels) + 2 * wide + linear(h, wide) + linear(h, h)


def _llama4(r: Reader, _: Reader, h: int) -> int:
    v, layers, f, pixels, patches = _vit(r)
    inside, outside, out = (
        _n(r, "projector_input_dim", default=4096),
        _n(r, "projector_output_dim", default=4096),
        _n(r, "vision_output_dim", default=7680),
    )
    r.known("pixel_shuffle_ratio", "multi_modal_projector_bias", "vision_feature_layer", "vision_feature_select_strategy")
    tower = layers * _block(v, f) + v * pixels + v + (patches + 1) * v + 4 * v
    return tower + inside * f + outside * inside + h * out


def _gemma4(r: Reader, _: Reader, h: int) -> int:
    v, layers, f = _n(r, "hidden_size"), _n(r, "num_hidden_layers"), _n(r, "intermediate_size")
    heads, kv, width = _n(r, "num_attention_heads"), _n(r, "num_key_value_heads", default=0), _n(r, "head_dim", default=64)
    attention = 2 * v * heads * width + 2 * v * (kv or heads) * width + 2 * width
    places, patch = 2 * _n(r, "position_embedding_size", default=10240) * v, v * 3 * _n(r, "patch_size", default=16) ** 2
    r.known("global_head_dim", "max_position_embeddings", "pooling_kernel_size", "default_output_length")
    scale = 2 * v if r.switch("standardize") else 0
    return layers * (attention + 3 * v * f + 4 * v) + places + patch + scale + h * v


def _moonvit(r: Reader, _: Reader, h: int) -> int:
    v, layers, f = (
        _n(r, "vt_hidden_size", "hidden_size"),
        _n(r, "vt_num_hidden_layers", "num_hidden_layers"),
        _n(r, "vt_intermediate_size", "intermediate_size"),
    )
    places = _n(r, "init_pos_emb_height", default=64) * _n(r, "init_pos_emb_width", default=64) * v
    patch = linear(v, 3 * _n(r, "patch_size", default=14) ** 2)
    r.known(
        "vt_num_attention_heads", "mm_hidden_size", "text_hidden_size", "mm_projector_type", "merge_kernel_size", "merge_type"
    )
    r.known("pos_emb_type", "projector_ln_eps", "video_attn_type", "init_pos_emb_time", "num_attention_heads")
    wide = 4 * v
    return layers * _block(v, f) + places + patch + 2 * v + 2 * v + linear(wide, wide) + linear(h, wide)


def whisper_encoder(r: Reader) -> int:
    """Whisper's encoder: two convolutions, stored positions, blocks whose keys have no bias."""
    d, f, layers = (
        _n(r, "d_model", "hidden_size", default=1280),
        _n(r, "encoder_ffn_dim", "intermediate_size", default=5120),
        _n(r, "encoder_layers", "num_hidden_layers", default=32),
    )
    mel, places = _n(r, "num_mel_bins", default=128), _n(r, "max_source_positions", default=1500)
    r.known(
        "encoder_attention_heads", "num_attention_heads", "num_key_value_heads", "head_dim", "scale_embedding", "vocab_size"
    )
    block = 4 * d * d + 3 * d + linear(f, d) + linear(d, f) + 4 * d
    return layers * block + d * mel * 3 + d + 3 * d * d + d + places * d + 2 * d


def _qwen2_audio(r: Reader, _: Reader, h: int) -> int:
    d = _n(r, "d_model", default=1280)
    return whisper_encoder(r) + linear(h, d)


def _voxtral(r: Reader, _: Reader, h: int) -> int:
    f = _n(r, "intermediate_size", default=5120)
    return whisper_encoder(r) + h * f + h * h


VISION: dict[str, Tower] = {
    "gemma3": _gemma3,
    "gemma4": _gemma4,
    "internvl": _internvl,
    "kimi_k25": _moonvit,
    "llama4": _llama4,
    "llava": _llava,
    "mistral3": _pixtral,
    "qwen2_5_vl": _qwen2_5_vl,
    "qwen2_vl": _qwen2_vl,
    "qwen3_5": _qwen3_vl,
    "qwen3_5_moe": _qwen3_vl,
    "qwen3_vl": _qwen3_vl,
    "qwen3_vl_moe": _qwen3_vl,
}
AUDIO: dict[str, Tower] = {"qwen2_audio": _qwen2_audio, "voxtral": _voxtral}
"""Top-level `model_type` -> the count of its tower."""

TEXT_OF = {
    "gemma3": "gemma3_text",
    "gemma4": "gemma4_text",
    "kimi_k25": "kimi_k2",
    "llama4": "llama4_text",
    "llava": "llama",
    "mistral3": "mistral",
    "internvl": "qwen2",
    "qwen2_5_vl": "qwen2",
    "qwen2_5_vl_text": "qwen2",
    "qwen2_audio": "qwen2",
    "qwen2_vl": "qwen2",
    "qwen2_vl_text": "qwen2",
    "qwen3_5": "qwen3_5_text",
    "qwen3_5_moe": "qwen3_5_moe_text",
    "qwen3_vl": "qwen3",
    "qwen3_vl_moe": "qwen3_moe",
    "qwen3_vl_moe_text": "qwen3_moe",
    "qwen3_vl_text": "qwen3",
    "voxtral": "llama",
}
"""`model_type` of a multimodal config, or of the text config inside it -> the rule of its language model."""

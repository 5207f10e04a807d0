"""Memory and decode speed of a language model: pure functions over `catalog.model.Architecture`, standard library only.

Bytes are integers, times seconds, rates per second. Public functions:

params       parameter_groups(a) -> ParameterGroups(.groups .total .language .active .non_embedding)
             hub_elements(a, double_tied=, fp8_scales=) · lora_parameters(a, rank, modules)
weights      WEIGHT_FORMATS[id] · weight_bytes(a, format_id) -> WeightBytes(.by_group .total .device .host .streamed)
spread       weights_on_gpu(a, format_id, tensor_parallel, spread)
gguf         gguf_bytes(a, file_type, imatrix=) -> GgufSize(.bytes .bits_per_weight .by_group .by_type .file_low .file_high)
kv           kv_cache(a, context, sequences, dtype, engine=, tensor_parallel=, ...)
             -> KvCache(.total .per_gpu .per_token .state .low .high .high_per_gpu .rule)
             DTYPE_BYTES · ENGINES · bytes_per_token · kv_tokens · concurrency · swa_cells · recurrent_state_bytes
activations  activation_bytes(a, tokens, sequences, tensor_parallel) -> (low, modelled, high)
             llama_cpp_compute_bytes(a, n_ctx)
overhead     overhead_bytes(engine, tensor_parallel) -> (low, high) · overhead_parts(...) · FRAGMENTATION
decode       step_bytes(a, weights, batch, kv_bytes) · bandwidth_seconds(bytes, bandwidth) · two_term_seconds(...)
             calibration(bits) · decode_bytes(a, bytes_per_weight, tensor_parallel) · touched_experts(a, batch)
tensors      model_tensors(a): the one list of shapes that everything above derives from
"""

import { CONTEXT_WINDOW_TOKENS, TOKENS } from "../buckets.js";
import { Counter } from "../counter.js";
import { Histogram } from "../histogram.js";

const ASKED = ["agent", "model"] as const;

/** The task cache, and what calls of models used. */
export const tokenMetrics = {
  cacheHits: new Counter("service_cache_hits", "Tasks answered from the cache."),
  cacheMisses: new Counter("service_cache_misses", "Cached tasks that the cache could not answer."),
  tokensInputTotal: new Counter("service_tokens_input_total", "Input tokens, cached ones included.", {
    labels: ASKED,
  }),
  tokensOutputTotal: new Counter("service_tokens_output_total", "Output tokens, reasoning included.", {
    labels: ASKED,
  }),
  tokensCacheReadTotal: new Counter(
    "service_tokens_cache_read_total",
    "Input tokens that a provider's cache answered.",
    { labels: ASKED },
  ),
  tokensCacheWriteTotal: new Counter(
    "service_tokens_cache_write_total",
    "Input tokens written to a provider's cache.",
    { labels: ASKED },
  ),
  tokensReasoningTotal: new Counter("service_tokens_reasoning_total", "Output tokens spent on reasoning.", {
    labels: ASKED,
  }),
  tokensInputPerCall: new Histogram("service_tokens_input_per_call", "Input tokens of one call.", {
    bounds: TOKENS,
    labels: ASKED,
  }),
  tokensOutputPerCall: new Histogram("service_tokens_output_per_call", "Output tokens of one call.", {
    bounds: TOKENS,
    labels: ASKED,
  }),
  tokensContextWindowPerCall: new Histogram(
    "service_tokens_context_window_per_call",
    "Tokens of the context window that one call's input filled.",
    { bounds: CONTEXT_WINDOW_TOKENS, labels: ASKED },
  ),
};

import { useEffect, useRef, useState } from "react";
import type { RunSpan } from "../../operations/index.js";
import { useClient } from "../../react/index.js";

/**
 * All attempts and waits of a run. With each news of the run what has ended is kept, and the rest is read again.
 * @param news another value with each change of the run
 */
export function useSpans(runId: string, news: unknown) {
  const client = useClient();
  const known = useRef<readonly RunSpan[]>([]);
  const [spans, setSpans] = useState<readonly RunSpan[]>();
  const [error, setError] = useState<Error>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `news` is the reason to read.
  useEffect(() => {
    const stop = new AbortController();
    const read = async () => {
      const open = known.current.findIndex(({ finishedAtMs }) => finishedAtMs === null);
      const kept = open === -1 ? known.current : known.current.slice(0, open);
      const fresh: RunSpan[] = [];
      for (let hasMore = true; hasMore; ) {
        const afterSeq = (fresh.at(-1) ?? kept.at(-1))?.seq ?? -1;
        const page = await client.listSpans({ runId, afterSeq }, { signal: stop.signal });
        fresh.push(...page.spans);
        hasMore = page.hasMore && page.spans.length > 0;
      }
      if (stop.signal.aborted) return;
      known.current = [...kept, ...fresh];
      setSpans(known.current);
      setError(undefined);
    };
    read().catch((problem: Error) => stop.signal.aborted || setError(problem));
    return () => stop.abort();
  }, [client, runId, news]);
  return { spans, error, isLoading: spans === undefined && error === undefined };
}

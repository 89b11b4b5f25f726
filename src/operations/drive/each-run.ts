import type { RunRow } from "../../model/run.js";
import type { RunPosition, Store } from "../../store/index.js";
import type { Awaitable } from "../../util/awaitable.js";

const PAGE = 500;

/** The runs of every page, one after the other; a page is read when the consumer asks for it. */
export async function* eachRun(
  readPage: (page: { limit: number; after?: RunPosition }) => Awaitable<RunRow[]>,
): AsyncGenerator<RunRow> {
  let after: RunPosition | undefined;
  for (;;) {
    const page = await readPage({ limit: PAGE, ...(after !== undefined && { after }) });
    yield* page;
    after = page.at(-1);
    if (page.length < PAGE) return;
  }
}

/** Child runs of a run, and the run that continues it, newest first. */
export function eachChildRun(store: Store, parentRunId: string): AsyncGenerator<RunRow> {
  return eachRun((page) => store.listRuns({ parentRunId, ...page }));
}

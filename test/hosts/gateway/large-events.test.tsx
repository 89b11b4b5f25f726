import { join } from "node:path";
import { createService, type ServiceWorkflow } from "treadle";
import { expect, it } from "vitest";
import { z } from "zod";
import { openGateway } from "./support/gateway.js";

/** Its tasks log thirty lines that are 6 MB together. */
function chatty(folder: string): ServiceWorkflow {
  const { Workflow, Parallel, Task, service, outputs } = createService(
    { output: z.object({ n: z.number() }) },
    { dbPath: join(folder, "chatty.db") },
  );
  return service(() => (
    <Workflow name="chatty">
      <Parallel>
        {Array.from({ length: 30 }, (_, n) => (
          <Task key={n} id={`talk-${n}`} output={outputs.output}>
            {(_rows, { log }) => {
              log("x".repeat(195_000));
              return { n };
            }}
          </Task>
        ))}
      </Parallel>
    </Workflow>
  )) as unknown as ServiceWorkflow;
}

interface Page {
  events: { seq: number }[];
  hasMore: boolean;
}

it.each([
  ["from the start", {}, (seq: number) => ({ afterSeq: seq })],
  ["newest first", { descending: true }, (seq: number) => ({ beforeSeq: seq, descending: true })],
])(
  "large events come in pages of a few megabytes, %s, and together they are all",
  async (_what, first, next) => {
    const { call, until } = await openGateway((gateway, folder) =>
      gateway.register("chatty", chatty(folder)),
    );
    const { runId } = await call<{ runId: string }>("launchRun", { workflow: "chatty" });
    await until(runId, "finished");
    const seqs: number[] = [];
    let pages = 0;
    for (let query: object = first; ; ) {
      const { events, hasMore } = await call<Page>("listEvents", { runId, ...query });
      expect(JSON.stringify(events).length).toBeLessThan(5_000_000);
      seqs.push(...events.map(({ seq }) => seq));
      pages += 1;
      if (!hasMore) break;
      query = next(seqs.at(-1) as number);
    }
    expect(pages).toBeGreaterThan(1);
    const inOrder = "descending" in first ? seqs.toReversed() : seqs;
    expect(inOrder.length).toBeGreaterThan(30);
    expect(inOrder).toEqual(inOrder.map((_seq, index) => index));
  },
);

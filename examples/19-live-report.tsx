/**
 * 19. A page that shows a run while it works: a report that fills in part by part.
 *
 *     npx treadle up examples/19-live-report.tsx
 *     npx treadle gateway --config examples/pages/treadle.gateway.ts --open   # its page is at /workflows/live-report
 *
 * The page starts the run, draws a line for each part as the gateway tells of it, and shows the report once it is
 * there. It keeps nothing of the run itself: a reload in the middle shows the same.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { createService } from "treadle";
import { z } from "zod";

const { Workflow, Sequence, Parallel, Task, service, outputs } = createService({
  // How long each part takes: time to watch.
  input: z.object({ seconds: z.number().optional() }),
  part: z.object({ region: z.string(), orders: z.int() }),
  output: z.object({ orders: z.int(), best: z.string() }),
});

const REGIONS = ["north", "east", "south", "west"];

/** Stands for a slow question to a database. */
const ordersOf = (region: string) => [...region].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);

export default service((ctx) => {
  const parts = ctx.outputs.part;
  return (
    <Workflow name="live-report">
      <Sequence>
        <Parallel>
          {REGIONS.map((region, index) => (
            <Task key={region} id={region} output={outputs.part}>
              {async (_, { signal }) => {
                await sleep((ctx.input.seconds ?? 0) * 1_000 * (index + 1), undefined, { signal });
                return { region, orders: ordersOf(region) };
              }}
            </Task>
          ))}
        </Parallel>
        <Task id="report" output={outputs.output}>
          {() => {
            const [best] = parts.toSorted((a, b) => b.orders - a.orders);
            return { orders: parts.reduce((sum, { orders }) => sum + orders, 0), best: best?.region ?? "" };
          }}
        </Task>
      </Sequence>
    </Workflow>
  );
});

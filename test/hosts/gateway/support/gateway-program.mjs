// Started as a process of its own: node gateway-program.mjs <dist folder> <options as JSON>. Registers one
// workflow of `steps` tasks in a row, each of which writes a line into `log` when it begins. `gates` names files
// by the number of the task that waits until there is one.
import { appendFileSync, existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const [, , dist, text] = process.argv;
const { createService } = await import(`${dist}/src/index.js`);
const { Gateway } = await import(`${dist}/src/hosts/gateway/index.js`);
const { jsx, jsxs } = await import(`${dist}/jsx-runtime/jsx-runtime.js`);
const { z } = await import("zod");
const { dbPath, log, gates, steps, port = 0, ...options } = JSON.parse(text);

const { Workflow, Sequence, Task, service, outputs } = createService(
  { step: z.object({ n: z.number() }) },
  { dbPath },
);
const workflow = service((ctx) =>
  jsx(Workflow, {
    name: "steps",
    children: jsxs(Sequence, {
      children: Array.from({ length: steps }, (_, n) =>
        jsx(
          Task,
          {
            id: `step-${n}`,
            output: outputs.step,
            children: async () => {
              appendFileSync(log, `${ctx.runId} step-${n}\n`);
              while (gates[n] !== undefined && !existsSync(gates[n])) await sleep(20);
              return { n };
            },
          },
          n,
        ),
      ),
    }),
  }),
);
const gateway = new Gateway(options).register("steps", workflow);
const server = await gateway.listen({ port });
console.log(server.address().port);
process.once("SIGTERM", () => gateway.close());

// Started as a process of its own: node dying-program.mjs <dist folder> <options as JSON>. Registers one workflow,
// `job`, whose task writes a line into `log`. While the file `armed` exists, rendering it takes the file away and
// kills the process: what is to be started has been written down then, and nothing of it has begun.
import { appendFileSync, existsSync, rmSync } from "node:fs";

const [, , dist, text] = process.argv;
const { createService } = await import(`${dist}/src/index.js`);
const { Gateway } = await import(`${dist}/src/hosts/gateway/index.js`);
const { jsx } = await import(`${dist}/jsx-runtime/jsx-runtime.js`);
const { z } = await import("zod");
const { dbPath, log, armed, register, ...options } = JSON.parse(text);

const { Workflow, Task, service, outputs } = createService(
  { output: z.object({ ok: z.boolean() }) },
  { dbPath },
);
const workflow = service((ctx) => {
  if (existsSync(armed)) {
    rmSync(armed);
    process.kill(process.pid, "SIGKILL");
  }
  const children = () => {
    appendFileSync(log, `${ctx.runId}\n`);
    return { ok: true };
  };
  return jsx(Workflow, {
    name: "job",
    children: jsx(Task, { id: "work", output: outputs.output, children }),
  });
});
const gateway = new Gateway(options).register("job", workflow, register);
const server = await gateway.listen({ port: 0 });
console.log(server.address().port);
process.once("SIGTERM", () => gateway.close());

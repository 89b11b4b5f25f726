// Started as a process of its own: node waiting-program.mjs <dist folder> <options as JSON>. Registers one workflow,
// whose runs wait for an approval, a timer and a signal at once.
const [, , dist, text] = process.argv;
const { approvalDecision, createService } = await import(`${dist}/src/index.js`);
const { Gateway } = await import(`${dist}/src/hosts/gateway/index.js`);
const { jsx, jsxs } = await import(`${dist}/jsx-runtime/jsx-runtime.js`);
const { z } = await import("zod");
const { dbPath, port = 0, ...options } = JSON.parse(text);

const { Workflow, Parallel, Approval, Timer, WaitForEvent, service, outputs } = createService(
  { gate: approvalDecision, order: z.object({ n: z.number() }) },
  { dbPath },
);
const workflow = service(() =>
  jsx(Workflow, {
    name: "waiting",
    children: jsxs(Parallel, {
      children: [
        jsx(Approval, { id: "gate", output: outputs.gate, request: { title: "Go?" } }, "gate"),
        jsx(Timer, { id: "nap", duration: "2h" }, "nap"),
        jsx(WaitForEvent, { id: "order", event: "order", output: outputs.order }, "order"),
      ],
    }),
  }),
);
const gateway = new Gateway(options).register("waiting", workflow);
const server = await gateway.listen({ port });
console.log(server.address().port);
process.once("SIGTERM", () => gateway.close());

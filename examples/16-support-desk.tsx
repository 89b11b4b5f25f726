/**
 * 16. A support desk: messages are sorted, answered with the help of a shop's API, and remembered.
 *
 *     npx treadle up examples/16-support-desk.tsx --run-id monday
 *     npx treadle up examples/16-support-desk.tsx --run-id tuesday   # knows what was done on Monday
 *     npx treadle memory list user:ada
 *
 * `ClassifyAndRoute` hands each message to the agent of its category. Both agents talk to a shop over HTTP,
 * which is open on the loopback interface while they work; only the models are stand-ins. What was done is
 * kept as a fact about the customer, in the commit that finishes the task. The second run asks for the same,
 * recalls that order 3 has been refunded, and does not refund it again: the shop would.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ToolLoopAgent } from "ai";
import { type AgentLike, createService } from "treadle";
import { createHttpTool } from "treadle/tools";
import { z } from "zod";
import { offlineModel, type Turn } from "./offline-model.js";

const { Workflow, Sequence, Parallel, ClassifyAndRoute, Task, service, outputs } = createService({
  input: z.object({ customer: z.string().optional() }),
  known: z.object({ facts: z.array(z.string()) }),
  sorted: z.object({ classifications: z.array(z.object({ itemId: z.string(), category: z.string() })) }),
  answer: z.object({ order: z.int(), text: z.string() }),
  fact: z.object({ order: z.int(), text: z.string() }),
  output: z.object({ answers: z.array(z.string()), recalled: z.int() }),
});

const MESSAGES = [
  { id: "M-1", text: "Where is order 7?" },
  { id: "M-2", text: "I want my money back for order 3." },
];

const Reply = z.object({ body: z.object({ status: z.string() }) });

/** `GET /orders/<n>` says where it is, `POST /orders/<n>/refund` pays it back, each time that it is asked. */
async function withShop<T>(work: (url: string) => Promise<T>): Promise<T> {
  const server = createServer((request, response) => {
    const isRefund = request.method === "POST" && request.url?.endsWith("/refund");
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ status: isRefund ? "refunded" : "on its way" }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const orderIn = (text: string) => Number(/order (\d+)/.exec(text)?.[1] ?? 0);
/** The message itself; above it stands what is known. */
const messageIn = (prompt: string) => /"text": "(.*?)"/.exec(prompt)?.[1] ?? "";

/** An agent with one tool, which it calls once, if at all. */
function clerk(id: string, first: (prompt: string, shop: string) => Turn): AgentLike {
  return {
    id,
    generate: (args) =>
      withShop(async (shop) => {
        const model = offlineModel(
          ({ prompt }) => first(prompt, shop),
          ({ prompt, results: [reply] }) => {
            const order = orderIn(messageIn(prompt));
            return { answer: { order, text: `Order ${order} is ${Reply.parse(reply).body.status}.` } };
          },
        );
        const agent = new ToolLoopAgent({ model, tools: { http: createHttpTool() } });
        const { text } = await agent.generate({ prompt: args?.prompt ?? "" });
        return JSON.parse(text);
      }),
  };
}

const shipping = clerk("shipping", (prompt, shop) => ({
  call: "http",
  input: { url: `${shop}/orders/${orderIn(messageIn(prompt))}` },
}));

const refunds = clerk("refunds", (prompt, shop) => {
  const order = orderIn(messageIn(prompt));
  if (prompt.includes(`Order ${order} is refunded.`)) {
    return { answer: { order, text: `Order ${order} was refunded before.` } };
  }
  return { call: "http", input: { url: `${shop}/orders/${order}/refund`, method: "POST" } };
});

const sorter = new ToolLoopAgent({
  id: "sorter",
  model: offlineModel(() => ({
    answer: {
      classifications: MESSAGES.map(({ id, text }) => ({
        itemId: id,
        category: text.includes("money") ? "refunds" : "shipping",
      })),
    },
  })),
});

/** Repeats what its prompt recalls, a line for each fact. */
const archivist = new ToolLoopAgent({
  id: "archivist",
  model: offlineModel(({ prompt }) => ({
    answer: { facts: prompt.split("\n").filter((line) => /order \d+: /.test(line)) },
  })),
});

export default service((ctx) => {
  const customer = { kind: "user", id: ctx.input.customer ?? "ada" } as const;
  const known = ctx.outputMaybe("known", { nodeId: "known" })?.facts ?? [];
  return (
    <Workflow name="support-desk">
      <Sequence>
        <Task
          id="known"
          output={outputs.known}
          agent={archivist}
          memory={{ namespace: customer, recall: { query: MESSAGES.map(({ text }) => text).join(" ") } }}
        >
          List what is known about these orders.
        </Task>
        <ClassifyAndRoute
          id="desk"
          items={MESSAGES}
          categories={{
            shipping: { agent: shipping, description: "Where something is." },
            refunds: { agent: refunds, description: "Money back." },
          }}
          classifierAgent={sorter}
          classifierOutput={outputs.sorted}
          routeOutput={outputs.answer}
        >
          {known.length > 0 && <p>What is known of earlier messages: {known.join("; ")}</p>}
        </ClassifyAndRoute>
        <Parallel>
          {ctx.outputs.answer.map(({ nodeId, order, text }) => (
            // The row is what is remembered.
            <Task
              key={nodeId}
              id={`remember-${nodeId}`}
              output={outputs.fact}
              memory={{ namespace: customer, remember: { key: `order ${order}` } }}
              skipIf={text.endsWith("before.")}
            >
              {{ order, text }}
            </Task>
          ))}
        </Parallel>
        <Task id="end" output={outputs.output}>
          {() => ({ answers: ctx.outputs.answer.map(({ text }) => text).sort(), recalled: known.length })}
        </Task>
      </Sequence>
    </Workflow>
  );
});

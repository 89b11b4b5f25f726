/**
 * 11. An API becomes tools: an agent shops in a petstore over HTTP.
 *
 *     npx treadle up examples/11-openapi-tools.tsx --set species=dog
 *     npx treadle openapi list examples/openapi-petstore/spec.yaml
 *
 * The 20 operations of `openapi-petstore/spec.yaml` become 20 tools with checked inputs. The agent is a
 * tool-loop agent of the AI SDK; only its model is a stand-in, so that the example works offline. Its
 * calls are real requests to a store that is open on the loopback interface while the agent works.
 */
import { join } from "node:path";
import { ToolLoopAgent } from "ai";
import { type AgentLike, createService } from "treadle";
import { createOpenApiTools, listOperations } from "treadle/openapi";
import { z } from "zod";
import { offlineModel } from "./offline-model.js";
import { startPetstore } from "./openapi-petstore/server.js";

const SPEC = join(import.meta.dirname, "openapi-petstore", "spec.yaml");
const KEY = "demo-key";

const { Workflow, Sequence, Task, service, outputs } = createService({
  input: z.object({ species: z.string().optional() }),
  catalogue: z.object({ operations: z.int() }),
  output: z.object({ pet: z.string(), order: z.int(), status: z.string(), requests: z.array(z.string()) }),
});

const Pets = z.array(z.object({ id: z.int(), name: z.string() })).min(1);
const Owner = z.object({ id: z.int() });
const Order = z.object({ id: z.int(), status: z.string() });

/** What a model would work out by itself from the prompt and the descriptions of the tools. */
const model = offlineModel(
  ({ prompt }) => ({ call: "search", input: { q: /Buy a (\w+)/.exec(prompt)?.[1] ?? "cat" } }),
  () => ({ call: "addOwner", input: { body: { name: "Grace", email: "grace@example.com", phone: null } } }),
  ({ results: [pets, owner] }) => ({
    call: "placeOrder",
    input: {
      body: { ownerId: Owner.parse(owner).id, lines: [{ kind: "pet", petId: Pets.parse(pets)[0]?.id }] },
    },
  }),
  ({ results: [, , order] }) => ({ call: "shipOrder", input: { orderId: Order.parse(order).id } }),
  ({ results: [pets, , , shipped] }) => {
    const { id, status } = Order.parse(shipped);
    return { answer: { pet: Pets.parse(pets)[0]?.name, order: id, status, requests: [] } };
  },
);

const shopper: AgentLike = {
  id: "shopper",
  async generate(args) {
    const store = await startPetstore({ apiKey: KEY });
    try {
      const tools = await createOpenApiTools(SPEC, {
        baseUrl: store.url,
        auth: { type: "apiKey", in: "header", name: "X-Store-Key", value: KEY },
      });
      const agent = new ToolLoopAgent({ model, tools });
      const { text } = await agent.generate({ prompt: args?.prompt ?? "" });
      return { ...JSON.parse(text), requests: store.calls };
    } finally {
      await store.close();
    }
  },
};

export default service((ctx) => (
  <Workflow name="openapi-tools">
    <Sequence>
      <Task id="catalogue" output={outputs.catalogue}>
        {async () => ({ operations: (await listOperations(SPEC)).length })}
      </Task>
      <Task id="shop" output={outputs.output} agent={shopper} retries={0}>
        Buy a {ctx.input.species ?? "cat"} for Grace and have it shipped.
      </Task>
    </Sequence>
  </Workflow>
));

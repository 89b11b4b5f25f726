import { createHmac } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { type AgentLike, createService, type ServiceWorkflow } from "../../../src/index.js";
import { createScorer } from "../../../src/scorers/index.js";

export const SECRET = "of the ticket system";

/** Reads, looks something up, and answers. */
const writer: AgentLike = {
  id: "writer",
  instructions: "Answer as a person would: short, friendly, with the next step.",
  supportsNativeStructuredOutput: true,
  async generate({ onEvent, onStdout } = {}) {
    const done = (action: object, more: object) =>
      onEvent?.({ type: "action", engine: "writer", phase: "completed", action, ...more } as never);
    const tool = { id: "t1", kind: "tool", title: "find_order" };
    onEvent?.({ type: "started", engine: "writer", title: "writer" });
    onStdout?.("looking for the order\n");
    onEvent?.({
      type: "action",
      engine: "writer",
      phase: "started",
      action: { ...tool, detail: { input: { customer: "ada" } } },
    } as never);
    done(tool, { ok: true });
    done(
      { id: "m1", kind: "note", title: "message" },
      { entryType: "message", message: "The parcel left the depot this morning; it arrives tomorrow." },
    );
    return {
      output: { text: "Dear Ada, your parcel arrives tomorrow.", urgent: false },
      usage: { inputTokens: 2_310, outputTokens: 96, cacheReadTokens: 1_800, model: "model-a" },
    };
  },
};

const polite = createScorer({
  id: "polite",
  name: "Polite",
  description: "Whether it greets, and thanks.",
  score: async ({ output }) => ({
    score: 0.7 + ((output as { text: string }).text.length % 7) / 25,
    reason: "It greets, and names the next step.",
  }),
});

/** An agent answers, a scorer judges, and webhooks start it. */
export function tickets(folder: string): ServiceWorkflow {
  const { Workflow, Sequence, Task, service, outputs } = createService(
    {
      input: z.object({ message: z.string() }),
      answer: z.object({ text: z.string(), urgent: z.boolean() }),
      output: z.object({ sent: z.string() }),
    },
    { dbPath: join(folder, "service.db"), description: "Answers what customers write." },
  );
  return service((ctx) => (
    <Workflow name="tickets">
      <Sequence>
        <Task
          id="answer"
          label="Write the answer"
          output={outputs.answer}
          agent={writer}
          timeoutMs={60_000}
          scorers={{ polite: { scorer: polite } }}
        >
          {`A customer writes: ${ctx.input.message}`}
        </Task>
        <Task id="send" label="Send it" output={outputs.output} deps={{ answer: outputs.answer }}>
          {({ answer }) => ({ sent: answer.text })}
        </Task>
      </Sequence>
    </Workflow>
  ));
}

/** What the ticket system sends; without its signature it is refused. */
export async function sendTicket(url: string, data: object, id: string, isSigned = true): Promise<void> {
  const body = JSON.stringify(data);
  const signature = createHmac("sha256", SECRET).update(body).digest("hex");
  await fetch(`${url}/webhooks/tickets`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-delivery-id": id,
      "x-hub-signature-256": `sha256=${isSigned ? signature : "00"}`,
    },
    body,
  });
}

import { existsSync } from "node:fs";
import { createService } from "treadle";
import { AnthropicAgent, createDemoAgent } from "treadle/agents";
import { z } from "zod";

const settings = new URL(".env", import.meta.url);
if (existsSync(settings)) process.loadEnvFile(settings);

const { Workflow, Sequence, Task, service, outputs } = createService({
  input: z.object({ topic: z.string().optional() }),
  outline: z.object({ points: z.array(z.string()).min(2) }),
  output: z.object({ title: z.string(), text: z.string() }),
});

/** Needs no key and no network: without a script it invents answers that fit the schema. */
const demo = createDemoAgent({
  id: "writer",
  script: {
    outline: { points: ["What it is", "Why it lasts"] },
    write: ({ prompt }) => ({
      title: "A demo",
      text: `Written from ${prompt.split("\n- ").length - 1} points.`,
    }),
  },
});

/**
 * `npm install @ai-sdk/anthropic`, and a model in .env answers instead. That there is a key, which may be meant for
 * something else, is no reason to spend it.
 */
const model = process.env.AGENT_MODEL;
const writer = model ? new AnthropicAgent({ model }) : demo;

export default service((ctx) => (
  <Workflow name="agent">
    <Sequence>
      {/* Text is the prompt; the answer has to fit the task's schema, or it is asked for again. */}
      <Task id="outline" output={outputs.outline} agent={writer} retries={2}>
        Outline a short page about {ctx.input.topic ?? "weaving"}.
      </Task>
      {/* A function makes the prompt of rows; elements in it become Markdown. */}
      <Task id="write" output={outputs.output} agent={writer} retries={2} deps={{ outline: outputs.outline }}>
        {({ outline }) => (
          <>
            <p>Write a page with these points:</p>
            <ul>
              {outline.points.map((point) => (
                <li key={point}>{point}</li>
              ))}
            </ul>
          </>
        )}
      </Task>
    </Sequence>
  </Workflow>
));

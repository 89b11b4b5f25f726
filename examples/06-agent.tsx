// An agent that answers with a row.
//
//   npx treadle up examples/06-agent.tsx --set topic=tides
//
// The demo agent works offline and without a key; put an AnthropicAgent, an
// OpenAIAgent or a command-line agent in its place and nothing else changes. An
// answer that does not fit the schema goes back to the agent with what is wrong.
import { createService } from "treadle";
import { createDemoAgent } from "treadle/agents";
import { z } from "zod";

const { Workflow, Sequence, Task, service, outputs } = createService({
  input: z.object({ topic: z.string().optional() }),
  outline: z.object({ title: z.string(), points: z.array(z.string()).min(2) }),
  output: z.object({ text: z.string() }),
});

const writer = createDemoAgent({
  id: "writer",
  script: {
    outline: { title: "On the matter at hand", points: ["what it is", "why it matters"] },
    text: { text: "It is what it is, and it matters because it does." },
  },
});

export default service((ctx) => (
  <Workflow name="agent">
    <Sequence>
      <Task id="outline" output={outputs.outline} agent={writer} retries={2}>
        Outline a short text about {ctx.input.topic ?? "tides"}.
      </Task>
      <Task id="text" output={outputs.output} agent={writer} retries={2} deps={{ outline: outputs.outline }}>
        {({ outline }) => (
          <>
            <h1>{outline.title}</h1>
            <p>Write one sentence about each of these points:</p>
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

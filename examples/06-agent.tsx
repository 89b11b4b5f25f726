/**
 * 6. Agents: a task that asks, an answer that fits a schema, and a tool.
 *
 *     npx treadle up examples/06-agent.tsx
 *     npx treadle up examples/06-agent.tsx --set "question=How many .json files are here?"
 *
 * The answer of a task with an `agent` has to fit the task's schema; one that does not goes back to the
 * agent with what is wrong. Both agents work offline. The first is the demo agent, whose answers come
 * from a script. The second is a tool-loop agent of the AI SDK with a tool that really runs; only its
 * model is a stand-in. With `model: anthropic("claude-sonnet-4-5")` there, nothing else changes.
 */
import { readdir } from "node:fs/promises";
import { ToolLoopAgent } from "ai";
import { createService } from "treadle";
import { createDemoAgent } from "treadle/agents";
import { defineTool } from "treadle/tools";
import { z } from "zod";
import { offlineModel } from "./offline-model.js";

const { Workflow, Sequence, Task, service, outputs } = createService({
  input: z.object({ question: z.string().optional() }),
  request: z.object({ ending: z.string() }),
  output: z.object({ sentence: z.string(), files: z.int() }),
});

/** The ending of a file name that a text speaks of. */
function endingIn(text: string): string {
  return /\.\w+/.exec(text)?.[0] ?? "";
}

const listener = createDemoAgent({
  id: "listener",
  script: { understand: ({ prompt }) => ({ ending: endingIn(prompt) }) },
});

const countFiles = defineTool({
  name: "count_files",
  description: "Counts the files with this ending in the folder that the task works in.",
  schema: z.object({ ending: z.string() }),
  async execute({ ending }, { rootDir }) {
    const names = await readdir(rootDir);
    return { files: names.filter((name) => name.endsWith(ending)).length };
  },
});

const clerk = new ToolLoopAgent({
  id: "clerk",
  tools: { count_files: countFiles },
  model: offlineModel(
    ({ prompt }) => ({ call: "count_files", input: { ending: endingIn(prompt) } }),
    ({ results: [counted] }) => {
      const { files } = z.object({ files: z.int() }).parse(counted);
      return { answer: { sentence: `There are ${files} of them.`, files } };
    },
  ),
});

export default service((ctx) => (
  <Workflow name="agent">
    <Sequence>
      {/* Text between the tags is the prompt. */}
      <Task id="understand" output={outputs.request} agent={listener} retries={2}>
        Which kind of file is meant? {ctx.input.question ?? "How many .ts files are here?"}
      </Task>
      {/* A function makes the prompt of rows; elements become Markdown. */}
      <Task
        id="count"
        output={outputs.output}
        agent={clerk}
        retries={2}
        deps={{ understand: outputs.request }}
      >
        {({ understand }) => (
          <>
            <h1>Count the {understand.ending} files</h1>
            <ul>
              <li>Use the tool rather than guessing.</li>
              <li>Answer with one sentence and the number.</li>
            </ul>
          </>
        )}
      </Task>
    </Sequence>
  </Workflow>
));

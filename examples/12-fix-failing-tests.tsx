/**
 * 12. Produce and review: an agent repairs a program until its tests pass.
 *
 *     npx treadle up examples/12-fix-failing-tests.tsx
 *
 * `failing-tests` is a small program with three mistakes. The example works on a copy of it, in `repaired`.
 * In each round of the `ReviewLoop` a programmer edits the file and a reviewer judges the result. The
 * programmer is a tool-loop agent of the AI SDK with the tools `read` and `write`; only its model is a
 * stand-in, so that the example works offline. The reviewer is no model at all: it runs the tests, and what
 * still fails is the review that the programmer gets to read.
 */
import { execFile } from "node:child_process";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { ToolLoopAgent } from "ai";
import { type AgentLike, createService } from "treadle";
import { read, write } from "treadle/tools";
import { z } from "zod";
import { offlineModel } from "./offline-model.js";

const SOURCE = join(import.meta.dirname, "failing-tests");
const FILE = "repaired/slug.mjs";

const { Workflow, Sequence, ReviewLoop, Task, service, outputs } = createService({
  tests: z.object({ failing: z.array(z.string()) }),
  change: z.object({ file: z.string(), what: z.string() }),
  review: z.object({ approved: z.boolean(), failing: z.array(z.string()) }),
  output: z.object({ failedBefore: z.int(), failsNow: z.int(), changes: z.array(z.string()) }),
});

/** What a model would work out by itself from the file and the names of the failing tests. */
const REPAIRS = [
  { test: "every space becomes a dash", from: '.replace(" ", "-")', to: '.replaceAll(" ", "-")' },
  {
    test: "punctuation goes",
    from: "title.toLowerCase()",
    to: 'title.toLowerCase().replace(/[^a-z0-9 ]/g, "")',
  },
  {
    test: "the third of one name gets a 3",
    from: "  return taken.includes(slug) ? `${slug}-2` : slug;",
    to: [
      "  let free = slug;",
      "  for (let n = 2; taken.includes(free); n += 1) free = `${slug}-${n}`;",
      "  return free;",
    ].join("\n"),
  },
];

/** The first of the tests that the newest part of the prompt names. */
function repairFor(prompt: string) {
  const news = prompt.slice(Math.max(0, prompt.lastIndexOf("Its review")));
  return REPAIRS.find(({ test }) => news.includes(test));
}

const programmer = new ToolLoopAgent({
  id: "programmer",
  tools: { read, write },
  model: offlineModel(
    () => ({ call: "read", input: { path: FILE } }),
    ({ prompt, results: [text] }) => {
      const { from = "", to = "" } = repairFor(prompt) ?? {};
      return { call: "write", input: { path: FILE, content: String(text).replace(from, () => to) } };
    },
    ({ prompt }) => ({ answer: { file: FILE, what: `So that ${repairFor(prompt)?.test}.` } }),
  ),
});

/** Runs the tests as one would by hand, and names those that fail. */
function runTests(rootDir: string, signal?: AbortSignal): Promise<string[]> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const options = { cwd: join(rootDir, "repaired"), env, ...(signal && { signal }) };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, ["--test", "--test-reporter=tap"], options, (error, stdout) => {
      // Failing tests end the command with 1, which is an answer and no failure of the task.
      if (error !== null && error.code !== 1) return reject(error);
      const failing = [...stdout.matchAll(/^\s*not ok \d+ - (.+)$/gm)].map(([, name = ""]) => name);
      resolve(failing.filter((name) => !name.endsWith(".mjs")));
    });
  });
}

const tester: AgentLike = {
  id: "tester",
  async generate({ rootDir = ".", abortSignal } = {}) {
    const failing = await runTests(rootDir, abortSignal);
    return { approved: failing.length === 0, failing };
  },
};

export default service((ctx) => {
  const before = ctx.outputMaybe("tests", { nodeId: "before" });
  return (
    <Workflow name="fix-failing-tests">
      <Sequence>
        <Task id="before" output={outputs.tests}>
          {async (_rows, { rootDir, signal }) => {
            await cp(SOURCE, join(rootDir, "repaired"), { recursive: true });
            return { failing: await runTests(rootDir, signal) };
          }}
        </Task>
        <ReviewLoop
          id="repair"
          producer={programmer}
          reviewer={tester}
          produceOutput={outputs.change}
          reviewOutput={outputs.review}
          onMaxReached="fail"
          skipIf={before?.failing.length === 0}
        >
          <p>Change {FILE} so that its tests pass. These fail:</p>
          <ul>
            {before?.failing.map((test) => (
              <li key={test}>{test}</li>
            ))}
          </ul>
        </ReviewLoop>
        <Task id="after" output={outputs.output}>
          {async (_rows, { rootDir, signal }) => ({
            failedBefore: before?.failing.length ?? 0,
            failsNow: (await runTests(rootDir, signal)).length,
            changes: ctx.outputs.change.map(({ what }) => what),
          })}
        </Task>
      </Sequence>
    </Workflow>
  );
});

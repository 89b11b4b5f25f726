import { jsx } from "../../../jsx-runtime/jsx-runtime.js";
import { z } from "zod";
import { type AgentLike, createService, runWorkflow } from "../../../src/index.js";

/** Drives a run of two tasks that remember, and dies at the given point: `node script DATABASE POINT`; without a point to its end. */
const [path = "", point = ""] = process.argv.slice(2);
process.env["SERVICE_CRASH_AT"] = point;
const { Workflow, Sequence, Task, service, outputs } = createService(
  { answer: z.object({ reply: z.string() }) },
  { dbPath: path },
);
const agent: AgentLike = {
  id: "scripted",
  supportsNativeStructuredOutput: true,
  generate: async ({ taskContext } = {}) => ({ reply: `Answer ${taskContext?.nodeId}` }),
};
const tasks = ["one", "two"].map((id) => {
  const memory = { remember: {}, threadId: "t" };
  return jsx(Task, { id, output: outputs.answer, agent, memory, children: `Question ${id}` }, id);
});
const workflow = service(() => jsx(Workflow, { name: "desk", children: jsx(Sequence, { children: tasks }) }));
const start = () => runWorkflow(workflow, { runId: "r", input: {} });
const resume = () => runWorkflow(workflow, { runId: "r", resume: true, force: true });
const { status } = await resume().catch(start);
process.stdout.write(status);

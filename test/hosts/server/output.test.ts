import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { EventSource } from "eventsource";
import { expect, it, onTestFinished } from "vitest";
import { Workspace } from "../../cli/support/treadle.js";
import { readServerSentEvents } from "../support/server-sent-events.js";
import { ServerProcess } from "../support/server-process.js";

const SPEAKS = `
import { createService } from "treadle";
import { z } from "zod";
const { Workflow, Sequence, Task, service, outputs } = createService({
  first: z.object({ ok: z.boolean() }),
  output: z.object({ ok: z.boolean() }),
});
const say = (text) => () => {
  console.log(text);
  return { ok: true };
};
export default service(() => (
  <Workflow name="speaks">
    <Sequence>
      <Task id="a" output={outputs.first}>{say("first")}</Task>
      <Task id="b" output={outputs.output}>{say("second")}</Task>
    </Sequence>
  </Workflow>
));
`;

it("Output of tasks is streamed by run and node, and a browser's source ends with the run", async () => {
  const workspace = new Workspace({ "speaks.tsx": SPEAKS });
  const server = await ServerProcess.start(workspace);
  await server.call("/v1/runs", { body: { workflowPath: "speaks.tsx", runId: "one" } });
  const url = `${server.url}/v1/runs/one/output`;
  const events = await (await readServerSentEvents(url, {})).rest();
  expect(events.map(({ event, data }) => [event, data?.["nodeId"], data?.["text"]])).toEqual([
    ["task.output", "a", "first\n"],
    ["task.output", "b", "second\n"],
    ["end", undefined, undefined],
  ]);
  expect(events[0]?.data).toMatchObject({ runId: "one", iteration: 0, attempt: 1, stream: "stdout" });
  const ofOne = await (await readServerSentEvents(`${url}?nodeId=b`, {})).rest();
  expect(ofOne.map(({ data }) => data?.["text"])).toEqual(["second\n", undefined]);
  const rest = await (await readServerSentEvents(url, { "last-event-id": events[0]?.id ?? "" })).rest();
  expect(rest).toEqual(events.slice(1));

  // As a person would look at it.
  const { stdout } = await promisify(execFile)("curl", ["-sSN", `${url}?nodeId=a`]);
  const shown = stdout.split("\n").filter((line) => line.startsWith("event: "));
  expect(shown).toEqual(["event: task.output", "event: end"]);

  const source = new EventSource(url);
  onTestFinished(() => source.close());
  const texts: string[] = [];
  source.addEventListener("task.output", ({ data }) => texts.push(JSON.parse(data).text));
  await expect.poll(() => source.readyState).toBe(source.CLOSED);
  expect(texts).toEqual(["first\n", "second\n"]);
  expect((await server.call("/v1/runs/nobody/output")).status).toBe(404);
});

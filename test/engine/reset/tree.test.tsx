import { createService, retryTask, runWorkflow, type ServiceWorkflow } from "treadle";
import { expect, it } from "vitest";
import { z } from "zod";

function scan(files: () => string[]) {
  const api = createService(
    {
      input: z.object({}),
      scan: z.object({ files: z.array(z.string()) }),
      row: z.object({ text: z.string() }),
      output: z.object({ text: z.string() }),
    },
    { dbPath: ":memory:" },
  );
  const { Workflow, Sequence, Parallel, Branch, Task, service, outputs } = api;
  const workflow = (last: string) =>
    service((ctx) => {
      const found = ctx.outputMaybe("scan", { nodeId: "scan" })?.files ?? [];
      return (
        <Workflow name="scan">
          <Sequence>
            <Task id="scan" output={outputs.scan}>
              {() => ({ files: files() })}
            </Task>
            <Parallel>
              {found.map((file) => (
                <Task key={file} id={`read-${file}`} output={outputs.row}>
                  {() => ({ text: file })}
                </Task>
              ))}
            </Parallel>
            <Branch
              if={found.length > 0}
              then={
                <Task id="report" output={outputs.row}>
                  {{ text: "report" }}
                </Task>
              }
            />
            <Task id={last} output={outputs.output}>
              {() => ({ text: ctx.outputs.row.map(({ text }) => text).join() })}
            </Task>
          </Sequence>
        </Workflow>
      );
    });
  return { workflow };
}

const resume = (workflow: ServiceWorkflow) => runWorkflow(workflow, { runId: "run", resume: true });

it("a task whose row shapes the tree runs again with the same code", async () => {
  let files = ["a", "b"];
  const workflow = scan(() => files).workflow("end");
  expect((await runWorkflow(workflow, { runId: "run", input: {} })).output).toEqual({ text: "a,b,report" });
  files = ["b", "c"];
  const { resetNodes } = await retryTask(workflow, { runId: "run", nodeId: "scan" });
  expect(resetNodes).toEqual(["scan::0", "read-a::0", "read-b::0", "report::0", "end::0"]);
  expect((await resume(workflow)).output).toEqual({ text: "b,c,report" });
});

it("two retries before the resume are as one", async () => {
  const workflow = scan(() => ["a"]).workflow("end");
  await runWorkflow(workflow, { runId: "run", input: {} });
  await retryTask(workflow, { runId: "run", nodeId: "scan" });
  await retryTask(workflow, { runId: "run", nodeId: "scan" });
  expect((await resume(workflow)).output).toEqual({ text: "a,report" });
});

it("changed code is still refused, before and after the retry, and the run continues with the old one", async () => {
  const { workflow } = scan(() => ["a"]);
  const [old, changed] = [workflow("end"), workflow("finish")];
  await runWorkflow(old, { runId: "run", input: {} });
  await retryTask(old, { runId: "run", nodeId: "scan" });
  const refused: unknown = await resume(changed).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: "RESUME_METADATA_MISMATCH" });
  expect(refused).toMatchObject({
    details: {
      changes: [
        { nodeId: "finish", change: "added" },
        { nodeId: "end", change: "removed" },
      ],
    },
  });
  expect((await resume(old)).output).toEqual({ text: "a,report" });
  await retryTask(changed, { runId: "run", nodeId: "scan" });
  await expect(resume(changed)).rejects.toMatchObject({ code: "RESUME_METADATA_MISMATCH" });
  const accepted = await runWorkflow(changed, { runId: "run", resume: true, acceptWorkflowChange: true });
  expect(accepted.status).toBe("finished");
});

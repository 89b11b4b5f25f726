import { expect, it } from "vitest";
import { z } from "zod";
import { runWorkflow } from "../../../src/index.js";
import { openScene } from "../../support/engine/scene.js";

/** The same workflow as it comes from a file with this hash; undefined: from a program, which has none. */
function versions() {
  const scene = openScene({ go: z.object({}) });
  const { Workflow, Signal, outputs, service } = scene.api;
  const version = (workflowHash: string | undefined) =>
    service(
      () => (
        <Workflow name="versions">
          <Signal id="go" schema={outputs.go} />
        </Workflow>
      ),
      workflowHash === undefined ? {} : { workflowHash },
    );
  const hash = async () => (await scene.store.getRun("run"))?.workflowHash;
  return { version, hash };
}

it("a run that continues with newer code is one of that code from then on", async () => {
  const { version, hash } = versions();
  await runWorkflow(version("old"), { runId: "run", input: {} });
  expect(await hash()).toBe("old");
  await runWorkflow(version("new"), { runId: "run", resume: true, acceptWorkflowChange: true });
  expect(await hash()).toBe("new");
});

it("a program that does not know its own code leaves what is known of the run's", async () => {
  const { version, hash } = versions();
  await runWorkflow(version("old"), { runId: "run", input: {} });
  await runWorkflow(version(undefined), { runId: "run", resume: true });
  expect(await hash()).toBe("old");
});

import { expect, it } from "vitest";
import { components } from "../../src/components/components.js";
import { outputs, rig } from "../support/render-workflow.js";

const { Approval, Workflow } = components;

it("refuses a promise of autoApprove, and a promise that fails ends nothing", async () => {
  const run = rig(() => (
    <Workflow name="w">
      <Approval
        id="ok"
        output={outputs.verdict}
        request={{ title: "Go?" }}
        autoApprove={{ condition: (() => Promise.reject(new Error("no"))) as never }}
      />
    </Workflow>
  ));
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on("unhandledRejection", note);
  expect(() => run.render()).toThrow("not a promise");
  // Node tells of it once the microtasks are done.
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
});

import { expect, it } from "vitest";
import type { Colors } from "../../../src/cli/output/styles.js";
import { reloadText } from "../../../src/cli/progress/reload-text.js";

const plain = new Proxy({}, { get: () => (text: string) => text }) as Colors;

it("a reload says which command runs a finished task again", () => {
  const text = reloadText(
    {
      type: "WorkflowReloaded",
      runId: "h2",
      timestampMs: 0,
      generation: 1,
      changedFiles: ["flow.tsx"],
      durationMs: 1,
      changes: [{ nodeId: "a", change: "changed" }],
      outdated: [{ nodeId: "a", iteration: 0 }],
    },
    { colors: plain, commandText: (command) => `npx ${command}` },
  );
  expect(text).toContain("finished with the code before: a (npx treadle retry-task h2 a)");
});

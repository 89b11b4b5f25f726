import { expect, it } from "vitest";
import { ProcessWorkspace } from "../support/treadle.js";

it("a workflow whose top-level await never settles is an error that names the file", async () => {
  const workspace = new ProcessWorkspace({ "tla.tsx": "await new Promise(() => {});\nexport default 1;\n" });
  const { code, document } = await workspace.json<{ error: { code: string; summary: string } }>([
    "graph",
    "tla.tsx",
  ]);
  expect(code).toBe(4);
  expect(document.error).toMatchObject({ code: "WORKFLOW_LOAD_UNFINISHED" });
  expect(document.error.summary).toContain("tla.tsx does not finish loading");
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { BubblewrapRuntime } from "../../../src/sandbox/runtimes/bubblewrap.js";
import { childFile, sandboxRequest } from "../../support/sandbox-request.js";
import { canSandbox } from "../../support/can-sandbox.js";

const IMPORT = `const fs = await import("node:fs");`;

it.runIf(canSandbox)(
  "says of an input that the child workflow does not take that no other attempt takes it",
  async () => {
    const wrong = { text: 7 };
    const { request } = sandboxRequest({ "child.tsx": `-${childFile("return 1;")}` }, { input: wrong });
    const result = await new BubblewrapRuntime().run(request);
    expect(result).toMatchObject({ status: "failed", retryable: false });
  },
);

it.runIf(canSandbox)("runs the child workflow in the copy of the files, and gives its result", async () => {
  let signs = 0;
  const { request, root, copy } = sandboxRequest(
    {
      "child.tsx": `-${childFile(`${IMPORT} const was = fs.readFileSync("notes", "utf8"); fs.writeFileSync("notes", "new"); return was + ctx.input.text;`)}`,
      notes: "-old",
    },
    { input: { text: "!" }, heartbeat: () => (signs += 1) },
  );
  const result = await new BubblewrapRuntime().run(request);
  expect(result).toMatchObject({ status: "finished", output: { text: "old!" } });
  expect([root, copy].map((each) => readFileSync(join(each, "notes"), "utf8"))).toEqual(["old", "new"]);
  expect(signs).toBeGreaterThan(0);
});

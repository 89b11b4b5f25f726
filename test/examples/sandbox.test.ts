import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ProcessWorkspace } from "../cli/support/treadle.js";
import { EXAMPLES } from "./support/example-files.js";
import { canSandbox } from "../support/can-sandbox.js";

it.runIf(canSandbox)(
  "a workflow in a sandbox changes nothing until its patch, which a person is shown, is approved",
  async () => {
    const workspace = new ProcessWorkspace();
    copyFileSync(join(EXAMPLES, "17-sandbox.tsx"), workspace.path("17-sandbox.tsx"));
    const greeting = workspace.path("GREETING.md");

    const started = await workspace.treadle([
      "up",
      "17-sandbox.tsx",
      "--run-id",
      "boxed",
      "--set",
      "name=Ada",
    ]);
    expect({ code: started.code, said: started.stdout + started.stderr }).toMatchObject({ code: 3 });
    expect(existsSync(greeting)).toBe(false);
    const inbox = await workspace.treadle(["inbox"]);
    expect(inbox.stdout).toContain("Accept the changes of sandbox greet: 1 file, +1 −0?");
    const asked = await workspace.treadle(["approve", "boxed", "greet-review", "--dry-run"]);
    expect(asked.stdout + asked.stderr).toContain("+Hello, Ada.");

    await workspace.treadle(["approve", "boxed", "greet-review", "--by", "ada", "--yes"]);
    const { code, document } = await workspace.json<{ output: object }>(["up", "--resume", "boxed"]);
    expect({ code, output: document.output }).toEqual({
      code: 0,
      output: { file: "GREETING.md", homes: "ENOENT", network: "ENETUNREACH" },
    });
    expect(readFileSync(greeting, "utf8")).toBe("Hello, Ada.\n");
  },
);

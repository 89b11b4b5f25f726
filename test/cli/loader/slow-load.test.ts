import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { longLoadNotice } from "../../../src/cli/drive/long-load.js";
import { loadModule } from "../../../src/loader/load-workflow.js";
import { deferred } from "../../../src/util/deferred.js";
import { memoryTerminal } from "../support/terminal.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

it("a file that takes its time to load is reported on stderr, and loaded once it is done", async () => {
  const cwd = temporaryFolder("load");
  const gate = deferred<void>();
  Object.assign(globalThis, { __gate: gate.promise });
  writeFileSync(join(cwd, "slow.ts"), "await globalThis.__gate;\nexport const done = true;");
  const terminal = memoryTerminal();
  const { notify } = longLoadNotice(terminal);
  const { module } = await loadModule("slow.ts", {
    cwd,
    longLoad: {
      afterMs: 1,
      notify(error) {
        notify(error);
        gate.resolve();
      },
    },
  });
  expect(module).toMatchObject({ done: true });
  expect(terminal.errEnd.text).toMatch(/^! slow\.ts is still loading after 1ms: a top-level `await`/);
  expect(terminal.errEnd.text).toContain("Give what it waits for a time limit");
  expect(terminal.outEnd.text).toBe("");
});

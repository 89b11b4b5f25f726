import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Readable } from "node:stream";
import { expect, it } from "vitest";
import { withProcessTerms } from "../../src/process/process-terms.js";
import { endCall, spawnSupervised } from "../../src/process/supervision.js";
import { newId } from "../../src/util/ids.js";
import { workspace } from "../tools/support/workspace.js";

async function outputOf(cmd: string, env: Record<string, string> = {}): Promise<string> {
  const callId = newId();
  const child = spawnSupervised({
    argv: ["/bin/sh", "-c", cmd],
    cwd: await workspace(),
    env: { PATH: process.env["PATH"] ?? "", ...env },
    callId,
    stdin: "pipe",
    graceSeconds: 0,
  });
  child.stdin?.end();
  const [output] = await Promise.all([text(child.stdout as Readable), once(child, "exit")]);
  await endCall(child, callId);
  return output;
}

it("children of a task carry its marks, whatever environment they are given", async () => {
  const scope = { markers: { TREADLE_TASK: "run/task" }, hidden: [], isConcealing: false, frozen: [] };
  const output = await withProcessTerms(scope, () => outputOf("echo $TREADLE_TASK", { TREADLE_TASK: "" }));
  expect(output).toBe("run/task\n");
  expect(await outputOf("echo [$TREADLE_TASK]")).toBe("[]\n");
});

it("the supervisor's shell runs no file that the environment or the home folder names", async () => {
  const folder = await workspace({ ".bashrc": "echo from bashrc\n", "env.sh": "echo from env\n" });
  const env = { HOME: folder, BASH_ENV: join(folder, "env.sh"), ENV: join(folder, "env.sh") };
  expect(await outputOf("echo fine", env)).toBe("fine\n");
});

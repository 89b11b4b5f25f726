import { expect, it } from "vitest";
import { Workspace } from "./support/treadle.js";
import { GATED, TIMED } from "./support/workflows.js";

const DEADLINE = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ, in /;
const LONG = TIMED.replace("300ms", "2h");

it("up --no-wait stays for nothing: exit code 3, with what is waited for and until when", async () => {
  const workspace = new Workspace({ "w.tsx": LONG });
  const { code, stderr } = await workspace.treadle(["up", "w.tsx", "--run-id", "t", "--no-wait"]);
  expect(code).toBe(3);
  expect(stderr).toMatch(new RegExp(`pause waits for its timer.*${DEADLINE.source}`));
  expect(stderr).toContain("treadle up --resume t");
});

it("up says what it stays for and until when, and leaves it on Ctrl-C", async () => {
  const running = new Workspace({ "w.tsx": LONG }).start(["up", "w.tsx", "--run-id", "t"]);
  await running.seen("stays: pause waits for its timer (until ");
  running.process.kill("SIGINT");
  const { code, stderr } = await running.done;
  expect(code).toBe(130);
  expect(stderr).toMatch(DEADLINE);
});

it("up --wait says that people have no deadline", async () => {
  const running = new Workspace({ "w.tsx": GATED }).start(["up", "w.tsx", "--run-id", "g", "--wait"]);
  await running.seen("(no deadline)");
  running.process.kill("SIGINT");
  expect((await running.done).code).toBe(130);
});

it("up does not say that it stays when it does not", async () => {
  const { code, stderr } = await new Workspace({ "w.tsx": GATED }).treadle(["up", "w.tsx"]);
  expect(code).toBe(3);
  expect(stderr).not.toContain("stays:");
});

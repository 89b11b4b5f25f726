import { describe, expect, it } from "vitest";
import { callIn } from "../support/in-process.js";
import { Workspace } from "../support/treadle.js";
import { GATED } from "../support/workflows.js";

const LOOKS: readonly (readonly [argv: readonly string[], before: string, after: string])[] = [
  [["inspect", "g"], "waiting-approval", "waiting-event"],
  [["inbox"], "Ship it?", "payment"],
];

describe("--watch", () => {
  it("shows what changes, and on Ctrl-C says that no run was touched", async () => {
    const workspace = new Workspace({ "gated.tsx": GATED });
    await workspace.treadle(["up", "gated.tsx", "--run-id", "g"]);
    const started = LOOKS.map(([argv, before, after]) => {
      const command = workspace.start([...argv, "--watch", "--interval", "200ms"]);
      return { command, before, after };
    });
    await Promise.all(started.map(({ command, before }) => command.seen(before)));
    await workspace.treadle(["approve", "g", "--yes"]);
    await workspace.treadle(["up", "--resume", "g", "--no-wait"]);
    for (const { command, after } of started) {
      await command.seen(after);
      command.process.kill("SIGINT");
      expect(await command.done).toMatchObject({
        code: 130,
        stderr: "Stopped watching; no run was touched.\n",
      });
    }
    expect((await workspace.json(["why", "g"])).document).toMatchObject({ status: "waiting-event" });
  });

  it.each([["inspect", "x"], ["why", "x"], ["node", "x", "y"], ["inbox"], ["ps"], ["workflow", "list"]])(
    "of %s explains itself, and refuses an interval without it or too short",
    async (...argv) => {
      const command = argv[0] === "workflow" ? argv : argv.slice(0, 1);
      expect((await callIn("/", [...command, "--help"])).stdout).toContain("never touches a run");
      for (const wrong of [
        ["--interval", "1s"],
        ["--watch", "--interval", "1ms"],
      ]) {
        const { code, stderr } = await callIn("/", [...argv, ...wrong]);
        expect({ code, stderr }).toMatchObject({ code: 4, stderr: expect.stringContaining("--interval") });
      }
    },
  );
});

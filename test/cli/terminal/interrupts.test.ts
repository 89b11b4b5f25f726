import { describe, expect, it } from "vitest";
import { TerminalSession } from "../support/pty.js";
import { ProcessWorkspace } from "../support/treadle.js";

const CTRL_C = "\u0003";
const CTRL_Z = "\u001a";

/** A task that is done when a file is there. `until` it hears of an abort, it continues. */
const waitFor = (onAbort: string) => `
import { existsSync } from "node:fs";
import { createService } from "treadle";
import { z } from "zod";

const { Workflow, Task, service, outputs } = createService({ row: z.object({ n: z.number() }) });

export default service(() => (
  <Workflow name="patient">
    <Task id="wait" output={outputs.row}>
      {async (_: object, { signal }: { signal: AbortSignal }) => {
        while (!existsSync("done")) {
          ${onAbort}
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        return { n: 1 };
      }}
    </Task>
  </Workflow>
));
`;
const HEEDING = waitFor("signal.throwIfAborted();");
const DEAF = waitFor("void signal;");
const RUNNING = /0\/1 done · 1 running/;

async function started(text: string) {
  const place = new ProcessWorkspace({ "patient.tsx": text });
  const session = TerminalSession.treadle(["up", "patient.tsx", "--run-id", "p"], place.folder);
  await session.shows(RUNNING);
  return { place, session };
}

describe("Ctrl-C", () => {
  it("releases the run, leaves the cursor and the command that continues, and that command continues", async () => {
    const { place, session } = await started(HEEDING);
    session.type(CTRL_C);
    expect(await session.ended()).toBe(130);
    const shown = session.lines.join("\n");
    expect(shown).toMatch(/^SIGINT: stopping; once more ends at once\.$/m);
    expect(shown).toMatch(/treadle up --resume p/);
    expect(shown).not.toMatch(RUNNING);
    expect(session.isCursorShown).toBe(true);
    place.write("done", "");
    expect((await place.treadle(["up", "--resume", "p"])).code).toBe(0);
  });

  it("ends a task that does not listen when it comes twice, and leaves the cursor", async () => {
    const { place, session } = await started(DEAF);
    session.type(CTRL_C);
    await session.shows(/once more ends at once/);
    session.type(CTRL_C);
    expect(await session.ended()).toBe(130);
    expect(session.isCursorShown).toBe(true);
    place.write("done", "");
    expect((await place.treadle(["up", "--resume", "p"])).code).toBe(0);
  });

  it("stops a look at the runs, and no run", async () => {
    const { place, session } = await started(HEEDING);
    const look = TerminalSession.treadle(["ps", "--watch", "--interval", "20ms"], place.folder);
    await look.shows(/p +patient +running/);
    look.type(CTRL_C);
    expect(await look.ended()).toBe(130);
    expect(look.isCursorShown).toBe(true);
    expect(look.lines.filter((line) => line.startsWith("p "))).toHaveLength(1);
    place.write("done", "");
    expect(await session.ended()).toBe(0);
  });
});

describe("Ctrl-Z", () => {
  it("gives the cursor back while the command is stopped, and fg continues where it was", async () => {
    const place = new ProcessWorkspace({ "patient.tsx": HEEDING });
    const shell = new TerminalSession(["bash", "--norc", "--noprofile", "-i"], place.folder);
    const main = TerminalSession.mainCommand;
    shell.type(`${main} up patient.tsx --run-id p\n`);
    await shell.shows(RUNNING);
    expect(shell.isCursorShown).toBe(false);
    shell.type(CTRL_Z);
    await shell.shows(/Stopped/);
    expect(shell.isCursorShown).toBe(true);
    place.write("done", "");
    shell.type("fg\n");
    await shell.shows(/✓ finished|finished/);
    shell.type("exit\n");
    await shell.ended();
    expect(shell.isCursorShown).toBe(true);
  });
});

describe("a reader that goes away", () => {
  it("does not end the run", async () => {
    const place = new ProcessWorkspace({ "patient.tsx": HEEDING, done: "" });
    const main = TerminalSession.mainCommand;
    const shell = new TerminalSession(
      ["bash", "-c", `${main} up patient.tsx --run-id p -v 2>&1 | head -n 1; ${main} ps`],
      place.folder,
    );
    expect(await shell.ended()).toBe(0);
    expect(shell.lines.join("\n")).toMatch(/p +patient +succeeded|p +patient +finished/);
  });
});

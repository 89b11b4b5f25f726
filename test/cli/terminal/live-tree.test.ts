import { describe, expect, it } from "vitest";
import { TerminalSession } from "../support/pty.js";
import { Workspace } from "../support/treadle.js";

/** Thirty tasks beside each other, each done when a file of its name is there; more than fit on a screen. */
const CROWD = `
import { existsSync } from "node:fs";
import { createService } from "treadle";
import { z } from "zod";

const { Workflow, Parallel, Task, service, outputs } = createService({ row: z.object({ n: z.number() }) });
const ids = Array.from({ length: 30 }, (_, n) => \`task-with-a-rather-long-name-\${n}\`);

async function appears(id: string, signal: AbortSignal) {
  while (!existsSync("done") && !existsSync(id)) {
    signal.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export default service(() => (
  <Workflow name="crowd">
    <Parallel maxConcurrency={30}>
      {ids.map((id, n) => (
        <Task key={id} id={id} output={outputs.row} retries={0}>
          {async (_: object, { signal }: { signal: AbortSignal }) => {
            await appears(id, signal);
            return { n };
          }}
        </Task>
      ))}
    </Parallel>
  </Workflow>
));
`;

/** The header of the picture: spinner, name, counts. */
const HEADER = /^. crowd \d+\/\d+ done/;
const headers = (lines: readonly string[]) => lines.filter((line) => HEADER.test(line)).length;

function crowd(size?: { columns: number; rows: number }) {
  const place = new Workspace({ "crowd.tsx": CROWD });
  const session = TerminalSession.treadle(
    ["up", "crowd.tsx", "--run-id", "c", "--max-concurrency", "30"],
    place.folder,
    size,
  );
  /** Most pictures that were in view at any time, and the lines of the highest. */
  const seen = { most: 0, highest: 0 };
  session.onDraw = () => {
    seen.most = Math.max(seen.most, headers(session.view));
    const from = session.lines.findIndex((line) => HEADER.test(line));
    if (from !== -1) seen.highest = Math.max(seen.highest, session.lines.length - from);
  };
  return { place, session, seen };
}

describe("the live picture of a run", () => {
  it("holds names in wide characters to one row each", async () => {
    const wide = "調査と執筆と校正と翻訳".repeat(5);
    const place = new Workspace({ "wide.tsx": CROWD.replace("task-with-a-rather-long-name-", wide) });
    const session = TerminalSession.treadle(["up", "wide.tsx", "-c", "3"], place.folder);
    let most = 0;
    session.onDraw = () => {
      most = Math.max(most, headers(session.view));
    };
    await session.shows(/3 running[\s\S]*… 27 pending/);
    const before = session.bytes.length;
    await session.shows(() => (session.bytes.slice(before).match(/crowd/g)?.length ?? 0) >= 3);
    expect(session.view.filter((line) => line.includes("調査"))).toHaveLength(3);
    place.write("done", "");
    expect(await session.ended()).toBe(0);
    expect(most).toBe(1);
  });

  it("stands once, within 80 by 24, with what does not fit counted, and makes way for the summary", async () => {
    const { place, session, seen } = crowd();
    await session.shows(/30 running[\s\S]*… 10 more/);
    expect(session.isCursorShown).toBe(false);
    place.write("task-with-a-rather-long-name-3", "");
    await session.shows(/1\/30 done/);
    place.write("done", "");
    expect(await session.ended()).toBe(0);
    expect(seen.most).toBe(1);
    expect(seen.highest).toBeLessThan(24);
    expect(headers(session.lines)).toBe(0);
    expect(session.lines.join("\n")).toMatch(/c {2}.*finished|finished/);
    expect(session.isCursorShown).toBe(true);
  });

  it("stands once also after the window became narrow, wide and low", async () => {
    const { place, session, seen } = crowd();
    await session.shows(/30 running/);
    for (const size of [
      { columns: 30, rows: 24 },
      { columns: 120, rows: 40 },
      { columns: 44, rows: 10 },
    ]) {
      session.resize(size);
      const before = session.bytes.length;
      // Two pictures of the new size at least.
      await session.shows(() => (session.bytes.slice(before).match(/crowd/g)?.length ?? 0) >= 3);
      expect(headers(session.view)).toBe(1);
      expect(session.view.every((line) => line.length <= size.columns)).toBe(true);
    }
    place.write("done", "");
    expect(await session.ended()).toBe(0);
    expect(headers(session.view)).toBe(0);
    expect(seen.most).toBe(1);
  });
});

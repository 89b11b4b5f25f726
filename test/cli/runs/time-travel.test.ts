import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callIn } from "../support/in-process.js";

/** Two tasks, one after the other; each writes down that it ran. */
const FLOW = `
import { appendFileSync } from "node:fs";
import { createService } from "treadle";
import { z } from "zod";
const { Workflow, Sequence, Task, service, outputs } = createService({
  input: z.object({ name: z.string().default("Ada") }),
  row: z.object({ text: z.string() }),
});
const note = (ctx, id) => {
  appendFileSync("ran", ctx.runId + " " + id + "\\n");
  return { text: id + " for " + ctx.input.name };
};
export default service((ctx) => (
  <Workflow name="release">
    <Sequence>
      <Task id="build" output={outputs.row}>{() => note(ctx, "build")}</Task>
      <Task id="ship" output={outputs.row}>{() => note(ctx, "ship")}</Task>
    </Sequence>
  </Workflow>
));
`;

/** Its second task comes with the row of the first, and the last one waits for it too. */
const GROWS = `
import { createService } from "treadle";
import { z } from "zod";
const { Workflow, Parallel, Task, service, outputs } = createService({ row: z.object({ n: z.number() }) });
export default service((ctx) => {
  const first = ctx.outputMaybe(outputs.row, { nodeId: "first" });
  return (
    <Workflow name="grows">
      <Parallel>
        <Task id="first" output={outputs.row}>{{ n: 1 }}</Task>
        {first && <Task id="second" output={outputs.row}>{{ n: 2 }}</Task>}
        <Task id="last" output={outputs.row} dependsOn={first ? ["first", "second"] : ["first"]}>{{ n: 3 }}</Task>
      </Parallel>
    </Workflow>
  );
});
`;

/** Its agent charges with a tool that can undo that. */
const SHOP = `
import { appendFileSync } from "node:fs";
import { createService, defineTool } from "treadle";
import { z } from "zod";
const { Workflow, Task, service, outputs } = createService({ row: z.object({ n: z.number() }) });
const did = (text) => appendFileSync("outside", text + "\\n");
const charge = defineTool({
  name: "charge",
  schema: z.object({}),
  sideEffect: true,
  execute: () => did("charged"),
  revert: () => did("refunded"),
});
const generate = async () => {
  await charge.execute({});
  return { text: JSON.stringify({ n: 1 }) };
};
const agent = { id: "clerk", tools: { charge }, generate };
export default service(() => (
  <Workflow name="shop">
    <Task id="pay" output={outputs.row} agent={agent}>Charge.</Task>
  </Workflow>
));
`;

let folder: string;
let call: (...argv: string[]) => ReturnType<typeof callIn>;
const json = async (...argv: string[]) =>
  JSON.parse((await call(...argv, "--json")).stdout) as Record<string, unknown>;
const ran = () => readFileSync(join(folder, "ran"), "utf8").trim().split("\n");

/** The frame that the end of `build` was committed with. */
async function frameAfterBuild(): Promise<string> {
  const { frames } = (await json("timeline", "r")) as {
    frames: { frameNo: number; nodeId: string | null }[];
  };
  const found = frames.find(({ nodeId }) => nodeId === "build");
  return String(found?.frameNo);
}

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "treadle-travel-")));
  writeFileSync(join(folder, "release.tsx"), FLOW);
  call = (...argv) => callIn(folder, argv);
  const { code, stderr } = await call("up", "release.tsx", "--run-id", "r");
  expect({ code, stderr }).toMatchObject({ code: 0 });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the frames of a run", () => {
  it("are listed oldest first, with what each was rendered for, and say when some are left out", async () => {
    const { stdout } = await call("timeline", "r");
    expect(stdout).toMatch(/^FRAME +AT +BECAUSE OF +TASK$/m);
    const numbers = [...stdout.matchAll(/^(\d+) /gm)].map(([, number]) => Number(number));
    expect(numbers.length).toBeGreaterThan(2);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    const cut = await call("timeline", "r", "--limit", "1");
    expect(cut.stdout).toContain("there are earlier ones: --limit <n>");
    expect(await json("timeline", "r", "--limit", "1")).toMatchObject({
      runId: "r",
      frames: [{ frameNo: numbers.at(-1) }],
      isCut: true,
    });
    expect((await call("timeline", "r", "--after-frame", "1000")).stdout).toBe("There are no such frames.\n");
  });

  it("are shown as their tree, the newest unless one is named", async () => {
    const { stdout } = await call("frame", "r", await frameAfterBuild());
    expect(stdout).toMatch(/^<.*Workflow/);
    expect(stdout).toContain("build");
    expect(await json("frame", "r")).toMatchObject({ tasks: [{ nodeId: "build" }, { nodeId: "ship" }] });
    expect((await call("frame", "r", "99")).stderr).toContain("SNAPSHOT_NOT_FOUND");
    expect((await call("frame", "r", "first")).code).toBe(4);
  });

  it("are compared by their tasks, with the newest unless another one is named", async () => {
    writeFileSync(join(folder, "grows.tsx"), GROWS);
    expect((await call("up", "grows.tsx", "--run-id", "g")).code).toBe(0);
    expect((await call("diff", "g", "1")).stdout).toBe("+ second\n~ last  fingerprint, dependsOn\n");
    const { added, removed, changed } = await json("diff", "g", "1");
    expect({ added, removed, changed }).toMatchObject({
      added: [{ nodeId: "second" }],
      removed: [],
      changed: [{ before: { dependsOn: ["first"] }, after: { dependsOn: ["first", "second"] } }],
    });
    expect((await call("diff", "g", "1", "1")).stdout).toBe("The two frames are alike.\n");
    expect((await call("diff", "g", "0")).stderr).toContain("SNAPSHOT_NOT_FOUND");
  });
});

describe("fork", () => {
  it("shows what a new run would keep and what would happen twice, and makes none, with --dry-run", async () => {
    const before = await json("ps");
    const { stdout } = await call("fork", "r", "--frame", await frameAfterBuild(), "--dry-run");
    expect(stdout).toMatch(/A new run would be what r was in frame \d+\./);
    expect(stdout).toMatch(/done already +build/);
    expect(stdout).toMatch(/begun since +ship: each runs once more/);
    expect((await json("ps"))["runs"]).toHaveLength((before["runs"] as unknown[]).length);
  });

  it("makes one, which the command that it prints continues; the other run is not touched", async () => {
    const other = await json("inspect", "r");
    const { runId, resume } = (await json("fork", "r", "--node", "ship", "--run-id", "copy")) as Record<
      string,
      string
    >;
    expect({ runId, resume }).toMatchObject({
      runId: "copy",
      resume: expect.stringContaining("up --resume copy"),
    });
    expect((await call(...(resume as string).split(" ").slice(1))).code).toBe(0);
    expect(ran().filter((line) => line.startsWith("copy "))).toEqual(["copy ship"]);
    expect(await json("inspect", "r")).toEqual(other);
  });

  it("takes another input, and checks it", async () => {
    const frame = await frameAfterBuild();
    expect((await call("fork", "r", "--frame", frame, "--set", "name=Bo", "--run-id", "bo")).code).toBe(0);
    expect((await call("up", "--resume", "bo")).code).toBe(0);
    expect(await json("output", "bo", "ship")).toEqual({ text: "ship for Bo" });
    const wrong = await call("fork", "r", "--set", "name=3", "--run-id", "no");
    expect({ code: wrong.code, said: wrong.stderr }).toMatchObject({
      code: 4,
      said: expect.stringContaining("INVALID_INPUT"),
    });
    const preview = await call("fork", "r", "--set", "name=Bo", "--dry-run");
    expect({ code: preview.code, said: preview.stderr }).toMatchObject({
      code: 4,
      said: expect.stringContaining("a preview does not load"),
    });
    expect((await call("inspect", "no")).stderr).toContain("RUN_NOT_FOUND");
  });

  it("runs named tasks again", async () => {
    expect(await json("fork", "r", "--reset", "build", "--dry-run")).toMatchObject({
      runId: null,
      resetNodes: ["build::0", "ship::0"],
      keptNodes: [],
    });
  });
});

describe("replay", () => {
  it("makes a new run and drives it to its end, in which only what is not kept runs", async () => {
    const { code, stderr } = await call("replay", "r", "--node", "ship", "--run-id", "again");
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringMatching(/done already +build/) });
    expect(ran().filter((line) => line.startsWith("again "))).toEqual(["again ship"]);
    expect(await json("inspect", "again")).toMatchObject({ run: { status: "finished" } });
  });

  it("makes none with --dry-run", async () => {
    const before = await json("ps");
    expect(await json("replay", "r", "--dry-run")).toMatchObject({ runId: null, effects: [], dryRun: true });
    expect((await json("ps"))["runs"]).toHaveLength((before["runs"] as unknown[]).length);
  });
});

describe("rewind", () => {
  it("only shows what would run again with --dry-run, and asks before it does it", async () => {
    const frame = await frameAfterBuild();
    const { stdout } = await call("rewind", "r", frame, "--dry-run");
    expect(stdout).toMatch(/pending again +ship$/m);
    expect(stdout).not.toMatch(/pending again.*build/);
    const asked = await call("rewind", "r", frame);
    expect({ code: asked.code, said: asked.stderr }).toMatchObject({
      code: 4,
      said: expect.stringContaining("add --yes"),
    });
    expect(await json("inspect", "r")).toMatchObject({ run: { status: "finished" } });
  });

  it("takes the run back, and continues from there with --up: only what came later runs again", async () => {
    const before = ran().filter((line) => line.startsWith("r "));
    const { code } = await call("rewind", "r", await frameAfterBuild(), "--yes", "--up");
    expect(code).toBe(0);
    expect(ran().filter((line) => line.startsWith("r "))).toEqual([...before, "r ship"]);
  });

  it("refuses a frame that there is not, and changes nothing", async () => {
    expect((await call("rewind", "r", "999", "--yes")).stderr).toContain("SNAPSHOT_NOT_FOUND");
    expect(await json("inspect", "r")).toMatchObject({ run: { status: "finished" } });
  });
});

it("loads the workflow to undo what its tools have done, and shows that before", async () => {
  writeFileSync(join(folder, "shop.tsx"), SHOP);
  await call("up", "shop.tsx", "--run-id", "s");
  const outside = () => readFileSync(join(folder, "outside"), "utf8");
  const preview = await call("rewind", "s", "1", "--dry-run");
  expect(preview.stdout).toContain("is undone      pay::0 charge");
  expect((await call("rewind", "s", "1", "--yes", "--no-revert")).stderr).toContain(
    "TIME_TRAVEL_SIDE_EFFECT",
  );
  expect(outside()).toBe("charged\n");
  expect(await json("rewind", "s", "1", "--yes")).toMatchObject({ reverts: ["pay::0 charge"], effects: [] });
  expect(outside()).toBe("charged\nrefunded\n");
});

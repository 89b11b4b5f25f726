import { describe, expect, it } from "vitest";
import { ProcessWorkspace, Workspace } from "./support/treadle.js";
import { FAILING, HELLO, SIX } from "./support/workflows.js";

const CHATTY = HELLO.replace("export default", 'console.log("loading");\nexport default').replace(
  "() => ({",
  '() => (console.log("working"), process.stdout.write("raw\\n"), console.error("careful"), {',
);

describe("stdout", () => {
  it("holds the result only, whatever a workflow prints while it loads and runs", async () => {
    const { stdout, stderr } = await new ProcessWorkspace({ "w.tsx": CHATTY }).treadle(["up", "w.tsx"]);
    expect(JSON.parse(stdout)).toEqual({ text: "hello world" });
    for (const text of ["loading\n", "working\n", "raw\n", "careful\n"]) expect(stderr).toContain(text);
  });

  it("holds the graph only", async () => {
    const { stdout } = await new Workspace({ "w.tsx": CHATTY }).treadle(["graph", "w.tsx"]);
    expect(stdout.trimStart().startsWith("<Workflow")).toBe(true);
  });

  it("holds the id of a run without an output, so that it pipes", async () => {
    const { stdout } = await new Workspace({ "w.tsx": FAILING }).treadle(["up", "w.tsx", "--run-id", "f"]);
    expect(stdout).toBe("f\n");
  });

  it("that is closed by its reader does not end a run", async () => {
    const workspace = new Workspace({ "w.tsx": SIX, go: "" });
    const running = workspace.start(["up", "w.tsx", "--run-id", "six", "--verbose"]);
    await running.seen("task 1 is at work");
    running.process.stdout?.destroy();
    running.process.stderr?.destroy();
    expect((await running.done).code).toBe(0);
    expect((await workspace.json(["inspect", "six"])).document).toMatchObject({
      run: { status: "finished" },
    });
  });
});

describe("stderr", () => {
  it("holds no colours and no cursor movements when it is no terminal", async () => {
    const { stderr } = await new Workspace({ "w.tsx": HELLO }).treadle(["up", "w.tsx"]);
    expect(stderr).not.toContain("\u001b");
    expect(stderr).toMatch(/^\[\+00:00:\d\d\] ▶ hello \w+$/m);
    expect(stderr).toMatch(/^\[\+00:00:\d\d\] ✓ greet \(attempt 1, .*\)$/m);
  });

  it("is coloured where that is asked for", async () => {
    const { stderr } = await new Workspace({ "w.tsx": HELLO }).treadle(["up", "w.tsx"], {
      env: { FORCE_COLOR: "1" },
    });
    expect(stderr).toContain("\u001b[32m");
  });

  it("holds the summary only with --quiet", async () => {
    const { stderr } = await new Workspace({ "w.tsx": HELLO }).treadle(["up", "w.tsx", "-q"]);
    expect(stderr).toMatch(/^✓ run \w+ finished after .*\n$/);
  });

  it("ends with first cause, task, attempt and the log command when a run fails", async () => {
    const { stderr } = await new Workspace({ "w.tsx": FAILING }).treadle(["up", "w.tsx", "--run-id", "f"]);
    const last = stderr.trimEnd().split("\n").slice(-15).join("\n");
    expect(last).toContain("the disk is on fire");
    expect(last).toContain("in broken (attempt 1)");
    expect(last).toContain("treadle logs f --node broken");
  });
});

describe("an error that no task is to blame for", () => {
  it("is reported with its line, and the run continues", async () => {
    const crashing = SIX.replace(
      "const here",
      'setTimeout(() => {\n  throw new TypeError("out of the blue");\n}, 300);\nconst here',
    );
    const workspace = new Workspace({ "w.tsx": crashing });
    const running = workspace.start(["up", "w.tsx", "--run-id", "six", "--verbose"]);
    await running.seen("out of the blue");
    workspace.write("go", "");
    const { code, stderr } = await running.done;
    expect(code).toBe(0);
    expect(stderr).toMatch(/w\.tsx:\d+:\d+/);
  });
});

describe("events", () => {
  it("are one JSON document per line, numbered without gaps", async () => {
    const workspace = new Workspace({ "w.tsx": HELLO });
    await workspace.treadle(["up", "w.tsx", "--run-id", "h"]);
    const { stdout } = await workspace.treadle(["events", "h", "--json"]);
    const all = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { seq: number; type: string });
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_, index) => index));
    expect(all[0]?.type).toBe("RunStarted");
    expect(all.at(-1)?.type).toBe("RunFinished");
  });

  it("can be chosen by type, task, number and amount", async () => {
    const workspace = new Workspace({ "w.tsx": FAILING });
    await workspace.treadle(["up", "w.tsx", "--run-id", "f"]);
    const types = async (...options: string[]) => {
      const { stdout } = await workspace.treadle(["events", "f", "--json", ...options]);
      return stdout
        .split("\n")
        .flatMap((line) => (line === "" ? [] : (JSON.parse(line) as { type: string }).type));
    };
    expect(await types("--type", "NodeFailed,RunFailed")).toEqual(["NodeFailed", "RunFailed"]);
    expect(await types("--type", "nodefinished", "--node", "fine")).toEqual(["NodeFinished"]);
    expect(await types("--limit", "1")).toEqual(["RunStarted"]);
    expect(await types("--after", "0", "--limit", "1")).not.toEqual(["RunStarted"]);
  });

  it("are followed until the run ends", async () => {
    const workspace = new Workspace({ "w.tsx": SIX });
    const running = workspace.start(["up", "w.tsx", "--run-id", "six", "--verbose"]);
    await running.seen("task 3 is at work");
    const following = workspace.start(["events", "six", "--follow"]);
    await following.seen("NodeStarted t3");
    workspace.write("go", "");
    const { code, stdout } = await following.done;
    expect(code).toBe(0);
    expect(stdout.trim().split("\n").at(-1)).toContain("RunFinished");
    expect((await running.done).code).toBe(0);
  });

  it("can be left at any time, and the run continues", async () => {
    const workspace = new Workspace({ "w.tsx": SIX });
    const running = workspace.start(["up", "w.tsx", "--run-id", "six", "--verbose"]);
    await running.seen("task 3 is at work");
    const following = workspace.start(["events", "six", "--follow"]);
    await following.seen("NodeStarted t3");
    following.process.kill("SIGINT");
    expect((await following.done).code).toBe(130);
    workspace.write("go", "");
    expect((await running.done).code).toBe(0);
  });
});

describe("logs", () => {
  it("show what tasks wrote, and how they failed", async () => {
    const workspace = new Workspace({ "six.tsx": SIX, go: "", "f.tsx": FAILING });
    await workspace.treadle(["up", "six.tsx", "--run-id", "six"]);
    await workspace.treadle(["up", "f.tsx", "--run-id", "f"]);
    const { stdout } = await workspace.treadle(["logs", "six"]);
    expect(stdout.trim().split("\n")).toHaveLength(6);
    expect(stdout).toMatch(/^\[\+00:00:\d\d\] t3 \| task 3 is at work$/m);
    expect((await workspace.treadle(["logs", "six", "--tail", "2"])).stdout).toMatch(
      /^.*t5 \|.*\n.*t6 \|.*\n$/,
    );
    expect((await workspace.treadle(["logs", "six", "--node", "t2"])).stdout.trim().split("\n")).toHaveLength(
      1,
    );
    expect((await workspace.treadle(["logs", "f"])).stdout).toContain("broken | attempt 1 failed");
  });
});

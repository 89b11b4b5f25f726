import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { flow, type HotScene, openHotScene, task } from "./support/hot-scene.js";

const GOOD = flow({ after: task("last", '"old"') });
const BETTER = flow({ after: task("last", '"new"') });

async function started(files: Readonly<Record<string, string>> = {}): Promise<HotScene> {
  const scene = await openHotScene({ "flow.tsx": GOOD, ...files });
  await scene.start();
  return scene;
}

/** The old code has gone on all the while, and the next good save counts. */
async function recovers(scene: HotScene): Promise<void> {
  expect(scene.all("WorkflowReloaded")).toEqual([]);
  scene.save("flow.tsx", BETTER);
  await scene.next("WorkflowReloaded");
  expect((await scene.finish()).status).toBe("finished");
  expect(await scene.row("last")).toEqual({ text: "new" });
}

describe("the old code continues, and the next good save counts, after", () => {
  it("a file that cannot be compiled: the error shows its lines", async () => {
    const scene = await started();
    scene.save("flow.tsx", GOOD.replace("</Sequence>", "</Sequence"));
    const { error, changedFiles } = await scene.next("WorkflowReloadFailed");
    expect(changedFiles).toEqual(["flow.tsx"]);
    expect(error.code).toBe("WORKFLOW_LOAD_FAILED");
    expect(error.summary).toMatch(/flow\.tsx:\d+:\d+: .*\n.*\d+ \|/);
    expect(error.summary).toMatch(/> +\d+ \|/);
    await recovers(scene);
  });

  it("half a file", async () => {
    const scene = await started();
    scene.save("flow.tsx", GOOD.slice(0, GOOD.length / 2));
    await scene.next("WorkflowReloadFailed");
    await recovers(scene);
  });

  it.each([
    ["emptied", ""],
    ["commented out", "// export const word = 'x';\n"],
  ])("a helper that was %s", async (_how, text) => {
    const uses = (code: string) => `import { word } from "./word.js";\n${code.replace('"old"', "word()")}`;
    const scene = await openHotScene({
      "flow.tsx": uses(GOOD),
      "word.ts": 'export const word = () => "old";\n',
    });
    await scene.start();
    scene.save("word.ts", text);
    const { error } = await scene.next("WorkflowReloadFailed");
    expect(error).toMatchObject({ code: "WORKFLOW_LOAD_FAILED" });
    expect(error.summary).toMatch(/flow\.tsx:1:\d+: .*"word"/);
    await recovers(scene);
  });

  it("nothing at all where a file is emptied and written again in one save", async () => {
    const scene = await started();
    scene.save("flow.tsx", "");
    scene.save("flow.tsx", BETTER);
    await scene.next("WorkflowReloaded");
    expect(scene.all("WorkflowReloadFailed")).toEqual([]);
    expect((await scene.finish()).status).toBe("finished");
    expect(scene.all("WorkflowReloaded")).toHaveLength(1);
  });

  it("a module that throws", async () => {
    const scene = await started();
    scene.save("flow.tsx", GOOD.replace("const row", 'throw new TypeError("no such thing");\nconst row'));
    const { error } = await scene.next("WorkflowReloadFailed");
    expect(error.code).toBe("WORKFLOW_LOAD_FAILED");
    expect(error.summary).toContain("TypeError: no such thing");
    await recovers(scene);
  });

  it("a module that never ends its work", async () => {
    const scene = await started();
    scene.save("flow.tsx", GOOD.replace("const row", "await new Promise(() => {});\nconst row"));
    await scene.next("WorkflowReloadDetected");
    await recovers(scene);
  });

  it("a module without a workflow", async () => {
    const scene = await started();
    scene.save("flow.tsx", GOOD.replace("export default", "export const workflow ="));
    const { error } = await scene.next("WorkflowReloadFailed");
    expect(error.code).toBe("HOT_RELOAD_INVALID_MODULE");
    expect(error.summary).toContain("workflow");
    await recovers(scene);
  });

  it("a component that throws in the trial render", async () => {
    const scene = await started();
    scene.save("flow.tsx", flow({ build: 'throw new Error("cannot draw");' }));
    const { error } = await scene.next("WorkflowReloadFailed");
    expect(error.code).toBe("WORKFLOW_RENDER_FAILED");
    expect(error.cause).toMatchObject({ message: "cannot draw" });
    await recovers(scene);
  });

  it("tasks that wait for each other", async () => {
    const scene = await started();
    const waiting = (id: string, other: string) =>
      task(id, '"x"').replace("<Task", `<Task dependsOn={["${other}"]}`);
    const circle = `<Parallel>${waiting("one", "two")}${waiting("two", "one")}</Parallel>`;
    scene.save("flow.tsx", flow({ after: circle }));
    const { error } = await scene.next("WorkflowReloadFailed");
    expect(error.code).toBe("SCHEDULER_ERROR");
    expect((error.details as Record<string, unknown>)["nodeIds"]).toEqual(["one", "two"]);
    await recovers(scene);
  });

  it("ids that change with every render", async () => {
    const scene = await started();
    scene.save(
      "flow.tsx",
      flow({ after: "<Task id={`t-${Math.random()}`} output={outputs.out}>{{ text: 'x' }}</Task>" }),
    );
    expect((await scene.next("WorkflowReloadFailed")).error.code).toBe("WORKFLOW_RENDER_FAILED");
    await recovers(scene);
  });

  it("a file that is deleted", async () => {
    const scene = await started();
    unlinkSync(join(scene.folder, "flow.tsx"));
    expect((await scene.next("WorkflowReloadFailed")).error.code).toBe("WORKFLOW_NOT_FOUND");
    await recovers(scene);
  });

  it("a folder in the place of a file", async () => {
    const scene = await started();
    unlinkSync(join(scene.folder, "flow.tsx"));
    mkdirSync(join(scene.folder, "flow.tsx"));
    await scene.next("WorkflowReloadFailed");
    rmSync(join(scene.folder, "flow.tsx"), { recursive: true });
    await recovers(scene);
  });
});

it("an import that leads nowhere is waited for", async () => {
  const scene = await started();
  scene.save(
    "flow.tsx",
    flow({ imports: 'import { word } from "./lib/words.js";', after: task("last", "word") }),
  );
  expect((await scene.next("WorkflowReloadFailed")).error.summary).toContain('"./lib/words.js"');
  scene.save("lib/words.ts", 'export const word = "there";');
  expect((await scene.next("WorkflowReloaded")).changedFiles).toContain(join("lib"));
  await scene.finish();
  expect(await scene.row("last")).toEqual({ text: "there" });
});

it("an editor that saves by renaming is followed more than once", async () => {
  const scene = await started();
  for (const text of ["one", "two"]) {
    writeFileSync(join(scene.folder, "flow.tsx~"), flow({ after: task("last", `"${text}"`) }));
    renameSync(join(scene.folder, "flow.tsx~"), join(scene.folder, "flow.tsx"));
    await scene.next("WorkflowReloaded");
  }
  await scene.finish();
  expect(await scene.row("last")).toEqual({ text: "two" });
});

it("a checkout of another branch, with other files, counts as one change, and so does the way back", async () => {
  const imported = (file: string, name: string) =>
    flow({ imports: `import { ${name} } from "./${file}";`, after: task("last", name) });
  const scene = await started({
    "flow.tsx": imported("one.ts", "one"),
    "one.ts": 'export const one = "one";',
  });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], {
      cwd: scene.folder,
      stdio: "pipe",
    });
  git("init", "--quiet", "--initial-branch=main");
  git("add", "flow.tsx", "one.ts");
  git("commit", "--quiet", "--message=one");
  git("checkout", "--quiet", "-b", "other");
  git("rm", "--quiet", "one.ts");
  scene.save("two.ts", 'export const two = "two";');
  scene.save("flow.tsx", imported("two.ts", "two"));
  await scene.next("WorkflowReloaded");
  git("add", "flow.tsx", "two.ts");
  git("commit", "--quiet", "--message=two");
  git("checkout", "--quiet", "main");
  expect((await scene.next("WorkflowReloaded")).changedFiles).toContain("flow.tsx");
  git("checkout", "--quiet", "other");
  expect((await scene.next("WorkflowReloaded")).changedFiles).toContain("flow.tsx");
  expect(scene.all("WorkflowReloadFailed")).toEqual([]);
  await scene.finish();
  expect(await scene.row("last")).toEqual({ text: "two" });
});

it("other hooks in another order are no trouble: a new tree begins without state", async () => {
  const scene = await openHotScene({
    "flow.tsx": flow({ imports: 'import { useState } from "react";', build: "useState(1);" }),
  });
  await scene.start();
  const build = "const ref = useRef(1); useEffect(() => {}); const [n] = useState(2);";
  const imports = 'import { useEffect, useRef, useState } from "react";';
  scene.save("flow.tsx", flow({ imports, build, after: task("last", "String(n + ref.current)") }));
  await scene.next("WorkflowReloaded");
  await scene.finish();
  expect(await scene.row("last")).toEqual({ text: "3" });
});

it("modules that import each other are no trouble", async () => {
  const scene = await started();
  scene.save("other.ts", 'import { late } from "./flow.tsx";\nexport const early = () => late;');
  const imports = 'import { early } from "./other.ts";\nexport const late = "round";';
  scene.save("flow.tsx", flow({ imports, after: task("last", "early()") }));
  await scene.next("WorkflowReloaded");
  await scene.finish();
  expect(await scene.row("last")).toEqual({ text: "round" });
});

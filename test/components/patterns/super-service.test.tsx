import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createService } from "treadle";
import { testWorkflow } from "treadle/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { temporaryFolder } from "../../support/temporary-folder.js";

const { Workflow, SuperService, service, outputs } = createService({
  output: z.object({
    summary: z.string(),
    files: z.array(z.string()),
    diff: z.string(),
    applied: z.boolean(),
  }),
});

type Props = Omit<Parameters<typeof SuperService>[0], "reportOutput">;
const agent = { id: "agent", generate: async () => ({}) };

function project(): { rootDir: string; read(path: string): string } {
  const rootDir = temporaryFolder("super");
  mkdirSync(join(rootDir, "src", "deep"), { recursive: true });
  writeFileSync(join(rootDir, "src", "a.ts"), "var a = 1;\nvar b = 2;\n");
  writeFileSync(join(rootDir, "src", "deep", "c.ts"), "var c = 3;\n");
  writeFileSync(join(rootDir, "notes.md"), "Notes\n");
  return { rootDir, read: (path) => readFileSync(join(rootDir, path), "utf8") };
}

const flow = (props: Partial<Props> = {}) =>
  service(() => (
    <Workflow name="tidy">
      <SuperService id="s" strategy="Use const." agent={agent} reportOutput={outputs.output} {...props} />
    </Workflow>
  ));

const tidied = { path: "src/a.ts", content: "const a = 1;\nvar b = 2;\n" };
const proposes = (...edits: { path: string; content: string }[]) => ({
  "s-propose": { summary: "Uses const.", edits },
});

const DIFF = `--- a/src/a.ts
+++ b/src/a.ts
@@ -1,2 +1,2 @@
-var a = 1;
+const a = 1;
 var b = 2;
`;

describe("a SuperService", () => {
  it("reads, proposes, applies, and reports a diff", async () => {
    const { rootDir, read } = project();
    const added = { path: "src/new.ts", content: "export {};\n" };
    const run = testWorkflow(flow({ targetFiles: ["src"] }), {
      options: { rootDir },
      agents: proposes(tidied, added),
    });
    expect((await run.run()).output).toEqual({
      summary: "Uses const.",
      files: ["src/a.ts", "src/new.ts"],
      diff: `${DIFF}--- /dev/null\n+++ b/src/new.ts\n@@ -0,0 +1,1 @@\n+export {};\n`,
      applied: true,
    });
    expect([read("src/a.ts"), read("src/new.ts")]).toEqual([tidied.content, added.content]);
    const prompt = run.prompt("s-propose") ?? "";
    expect(prompt).toMatch(/^Use const\.[^]*src\/a\.ts[^]*var a = 1;[^]*src\/deep\/c\.ts/);
    expect(prompt).not.toContain("Notes");
  });

  it("writes nothing in a dry run, and says what it would have", async () => {
    const { rootDir, read } = project();
    const run = testWorkflow(flow({ dryRun: true }), { options: { rootDir }, agents: proposes(tidied) });
    expect((await run.run()).output).toMatchObject({ diff: DIFF, applied: false });
    expect(read("src/a.ts")).toContain("var a");
    expect((await run.tasks()).map(({ nodeId }) => nodeId)).not.toContain("s-apply");
    expect(run.prompt("s-propose")).toContain("Notes");
  });

  it("keeps its report itself where no output takes it", async () => {
    const { rootDir } = project();
    const run = testWorkflow(
      service(() => (
        <Workflow name="kept">
          <SuperService strategy={<p>Use const.</p>} agent={agent} dryRun />
        </Workflow>
      )),
      { options: { rootDir }, agents: { "super-service-propose": { summary: "No.", edits: [] } } },
    );
    await run.run();
    const report = (await run.tasks()).find(({ nodeId }) => nodeId === "super-service-report");
    expect(report?.output).toEqual({ summary: "No.", files: [], diff: "", applied: false });
  });

  it("comes to the same files when it is cut short while it applies", async () => {
    const { rootDir, read } = project();
    const other = { path: "src/deep/c.ts", content: "const c = 3;\n" };
    const run = testWorkflow(flow(), {
      options: { rootDir },
      agents: {
        "s-propose": () => {
          // As an attempt leaves it that died after its first file.
          writeFileSync(join(rootDir, tidied.path), tidied.content);
          return proposes(tidied, other)["s-propose"];
        },
      },
    });
    expect((await run.run()).output).toMatchObject({ files: [tidied.path, other.path] });
    expect([read(tidied.path), read(other.path)]).toEqual([tidied.content, other.content]);
  });

  it("leaves everything as it is when a file has changed meanwhile", async () => {
    const { rootDir, read } = project();
    const run = testWorkflow(flow(), {
      options: { rootDir },
      agents: {
        "s-propose": () => {
          writeFileSync(join(rootDir, "src/deep/c.ts"), "mine\n");
          return proposes(tidied, { path: "src/deep/c.ts", content: "const c = 3;\n" })["s-propose"];
        },
      },
    });
    await run.run();
    expect(run.result.error).toMatchObject({ code: "TOOL_PATCH_FAILED" });
    expect([read("src/a.ts"), read("src/deep/c.ts")]).toEqual(["var a = 1;\nvar b = 2;\n", "mine\n"]);
  });

  it.each<[string, string, string, Partial<Props>]>([
    ["above the root folder", "../outside.ts", "TOOL_PATH_ESCAPE", {}],
    ["behind a link to the outside", "out/x.ts", "TOOL_PATH_ESCAPE", {}],
    ["of git", ".git/hooks/pre-commit", "TOOL_PATH_PROTECTED", {}],
    ["that is no target", "notes.md", "TOOL_PATH_INVALID", { targetFiles: ["src/**/*.ts"] }],
  ])("writes no file %s, nor any other then", async (_what, path, code, props) => {
    const { rootDir, read } = project();
    symlinkSync(tmpdir(), join(rootDir, "out"));
    const run = testWorkflow(flow(props), {
      options: { rootDir },
      agents: proposes(tidied, { path, content: "x\n" }),
    });
    await run.run();
    expect(run.result.error).toMatchObject({ code });
    expect(read("src/a.ts")).toContain("var a");
  });

  it.each([
    ["no strategy", { strategy: "" }, 'strategy=""'],
    ["an empty list of files", { targetFiles: [] }, "targetFiles={[]}"],
  ])("refuses %s in the first frame", async (_what, props, message) => {
    await expect(testWorkflow(flow(props)).run()).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining(message),
    });
  });
});

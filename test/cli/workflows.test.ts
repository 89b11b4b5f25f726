import { describe, expect, it } from "vitest";
import { openGateway } from "../hosts/gateway/support/gateway.js";
import { doubling } from "../hosts/gateway/support/workflows.js";
import { callIn } from "./support/in-process.js";
import { Workspace } from "./support/treadle.js";
import { HEAD, HELLO } from "./support/workflows.js";

const DEPLOY = `${HEAD}
const { Workflow, Task, service, outputs } = createService(
  { input: z.object({ env: z.string() }), output: z.object({ url: z.string() }) },
  {
    readableName: "Deploy", description: "Brings it out.", limits: { cloud: { concurrency: 2 } },
    alertPolicy: { rules: { "run-failed": { reaction: { kind: "deliver", destination: "https://hooks.example.com/T0/secret" } } } },
  },
);
export default service((ctx) => {
  const env = ctx.input.env.toUpperCase();
  return <Workflow name="deploy-it"><Task id={"to-" + env} output={outputs.output}>{() => ({ url: env })}</Task></Workflow>;
});
`;

const FILES = {
  ".service/workflows/hello.tsx": HELLO,
  ".service/workflows/broken.tsx": `${HEAD}\nexport default <Nothing`,
  ".service/workflows/hello.test.tsx": HELLO,
  "workflows/deploy.tsx": DEPLOY,
  "hello.tsx": HELLO.replace("hello ", "other "),
  "lib.ts": `export const helper = 1;\n`,
  "page.tsx": `import { h } from "preact";\nexport default () => h("p");\n`,
};

interface Listed {
  workflows: { name: string; path: string; readableName: string | null; problem: { code: string } | null }[];
}

describe("workflow list", () => {
  it("has those of a gateway's folder, then others that use the library; one that does not load is named", async () => {
    const workspace = new Workspace(FILES);
    const { document } = await workspace.json<Listed>(["workflow", "list"], { cwd: "workflows" });
    expect(document.workflows.map(({ name, path, problem }) => [name, path, problem?.code ?? null])).toEqual([
      ["broken", "../.service/workflows/broken.tsx", "WORKFLOW_LOAD_FAILED"],
      ["hello", "../.service/workflows/hello.tsx", null],
      ["hello", "../hello.tsx", null],
      ["deploy", "deploy.tsx", null],
    ]);
    expect(document.workflows.at(-1)).toMatchObject({
      readableName: "Deploy",
      description: "Brings it out.",
    });
    const { stdout } = await workspace.treadle(["workflow", "list"]);
    expect(stdout).toMatch(/^deploy +workflows\/deploy.tsx +Deploy +Brings it out\.$/m);
    expect(stdout).toMatch(/^broken .*✗ WORKFLOW_LOAD_FAILED/m);
  });
});

describe("workflow inspect", () => {
  it("shows schemas, limits, alerts without addresses, fingerprint and the first frame of an input", async () => {
    const workspace = new Workspace(FILES);
    const { document } = await workspace.json(["workflow", "inspect", "deploy", "--set", "env=prod"]);
    expect(document).toMatchObject({
      name: "deploy",
      path: "workflows/deploy.tsx",
      workflowName: "deploy-it",
      fingerprint: expect.stringMatching(/\w{16}/),
      input: { type: "object", required: ["env"] },
      outputs: { output: { properties: { url: { type: "string" } } } },
      limits: { cloud: { concurrency: 2 } },
      frame: { tasks: [{ nodeId: "to-PROD" }] },
    });
    expect(JSON.stringify(document)).toContain("https://hooks.example.com/…");
    expect(JSON.stringify(document)).not.toContain("secret");
    const { code, stdout } = await workspace.treadle(["workflow", "inspect", "deploy"]);
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/✗ .*\n.*--input or --set/),
    });
  });

  it("asks a gateway for the same, and for its list", async () => {
    const { url } = await openGateway((gateway, folder) => gateway.register("double", doubling(folder)));
    const { document } = await jsonIn("/", "workflow", "inspect", "double", "--gateway", url);
    expect(document).toMatchObject({
      name: "double",
      path: null,
      readableName: "Doubling",
      workflowName: "double",
    });
    const list = await jsonIn<Listed>("/", "workflow", "list", "--gateway", url);
    expect(list.document.workflows).toMatchObject([{ name: "double", path: null, problem: null }]);
  });
});

describe("a workflow", () => {
  it("is meant by its name or its path in every command that takes one", async () => {
    const workspace = new Workspace(FILES);
    for (const argv of [
      ["graph", "hello"],
      ["doctor", "hello"],
      ["workflow", "inspect", "./hello.tsx"],
    ]) {
      expect({ argv, code: (await workspace.treadle(argv)).code }).toEqual({ argv, code: 0 });
    }
    const started = await workspace.json(["workflow", "run", "hello", "--set", "name=you"]);
    expect(started).toMatchObject({ code: 0, document: { output: { text: "hello you" } } });
    expect((await workspace.json(["up", "hello"], { cwd: "workflows" })).document).toMatchObject({
      output: { text: "hello world" },
    });
    const { code, stderr } = await callIn(workspace.folder, ["up", "helo"]);
    expect({ code, stderr }).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("Did you mean hello?"),
    });
  });
});

async function jsonIn<T = Record<string, unknown>>(cwd: string, ...argv: string[]) {
  const { code, stdout } = await callIn(cwd, [...argv, "--json"]);
  return { code, document: JSON.parse(stdout) as T };
}

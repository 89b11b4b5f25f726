import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { satisfies } from "semver";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TEMPLATES, type TemplateName } from "../../src/cli/init/templates.js";
import { pack } from "./support/pack.js";
import { PackedProject } from "./support/packed-project.js";
import { whileServing } from "./support/serving.js";

const NAMES = Object.keys(TEMPLATES) as TemplateName[];

interface Made {
  files: string[];
  /** Install, test, start. */
  next: [string, string, string];
}

/** Where the package is installed; projects are made in folders of it, and find what it has. */
let project: PackedProject;
const made = new Map<TemplateName, Made>();
beforeAll(() => {
  project = new PackedProject(pack(), { more: ["@types/react", "csstype", "react-dom"] });
  for (const name of NAMES) {
    const { status, output } = project.shell(`treadle init ${name} --template ${name} --json`);
    expect(status, output).toBe(0);
    made.set(name, JSON.parse(output) as Made);
  }
});
afterAll(() => project.remove());

const madeOf = (name: TemplateName) => made.get(name) as Made;
/** npx finds the project's own command: the first template types it, for the others it is typed without. */
const startOf = (name: TemplateName) => {
  const start = madeOf(name).next[2];
  return name === NAMES[0] ? start : start.replace("npx ", "");
};
/** What `cd` of the first command leads to. */
const inside = (name: TemplateName | "mine", command: string) => project.shell(command, name);
const fieldOf = (path: string, field: string): unknown =>
  (JSON.parse(readFileSync(project.path(path), "utf8")) as Record<string, unknown>)[field];

describe.each(NAMES)("treadle init --template %s, from the packed package in an empty folder", (name) => {
  it("asks for this very version, and for others that the package works with", () => {
    const wanted = {
      ...(fieldOf(`${name}/package.json`, "dependencies") as Record<string, string>),
      ...(fieldOf(`${name}/package.json`, "devDependencies") as Record<string, string>),
    };
    expect(wanted.treadle).toBe(fieldOf("node_modules/treadle/package.json", "version"));
    for (const [dependency, range] of Object.entries(wanted)) {
      const version = fieldOf(`node_modules/${dependency}/package.json`, "version") as string;
      expect(satisfies(version, range), `${dependency} ${version} is not ${range}`).toBe(true);
    }
    expect(madeOf(name).next[0]).toBe(`cd ${name} && npm install`);
  });

  it("passes its own tests", () => {
    const { status, output } = inside(name, madeOf(name).next[1]);
    expect(status, output).toBe(0);
    expect(output).toMatch(/pass [1-9]/);
  });
});

it("the templates compile under their own settings", () => {
  const settings = JSON.parse(readFileSync(project.path("hello/tsconfig.json"), "utf8")) as object;
  const include = NAMES.map((name) => `${name}/**/*`);
  for (const name of NAMES) {
    expect(readFileSync(project.path(`${name}/tsconfig.json`), "utf8")).toBe(
      readFileSync(project.path("hello/tsconfig.json"), "utf8"),
    );
  }
  writeFileSync(project.path("tsconfig.json"), JSON.stringify({ ...settings, include }));
  expect(project.compile("typescript", [])).toBe("");
});

it("a project of npm init and tsc --init gets what it lacks, passes its own check, and no files by it", () => {
  mkdirSync(project.path("mine"));
  writeFileSync(project.path("mine/package.json"), `{ "name": "mine" }\n`);
  expect(inside("mine", "tsc --init").status).toBe(0);
  expect(inside("mine", "treadle init --yes").status).toBe(0);
  const files = readdirSync(project.path("mine"));
  const { status, output } = inside("mine", "npm run check");
  expect(status, output).toBe(0);
  expect(readdirSync(project.path("mine"))).toEqual(files);
});

describe("the last of the next commands", () => {
  it.each([
    ["hello", 0, { text: "Hello, world!", letters: 10 }],
    ["agent", 0, { title: "A demo", text: "Written from 2 points." }],
    ["package", 0, undefined],
  ] as const)("of %s finishes a run, offline and without a key", (name, code, row) => {
    const { status, output } = inside(name, `${startOf(name)} 2> /dev/null`);
    expect(status, output).toBe(code);
    if (row === undefined) expect(output).toBe("finished { text: 'Ada owes 16.49.' }\n");
    else expect(JSON.parse(output)).toEqual(row);
  });

  it("of agent needs no network either where the environment has keys of others", () => {
    const keys = "ANTHROPIC_API_KEY=k OPENAI_API_KEY=k";
    const { status, output } = inside("agent", `${keys} ${startOf("agent")} 2> /dev/null`);
    expect(status, output).toBe(0);
    expect(JSON.parse(output)).toEqual({ title: "A demo", text: "Written from 2 points." });
  });

  it("of webhook starts a run for a signed request, once, and for no other", async () => {
    const send = (url: string, more = "") => {
      const { output } = inside("webhook", `${more} tsx send.ts ${url} 2.0 delivery-1`);
      return output;
    };
    const [first, again, forged] = await serving("webhook", async (url) => [
      send(url),
      send(url),
      send(url, "WEBHOOK_SECRET=another"),
    ]);
    expect(first).toMatch(/^200 .*"duplicate":false,.*"started":\{"runId":/);
    expect(again).toMatch(/^200 .*"duplicate":true,/);
    expect(forged).toMatch(/^401 .*WEBHOOK_SIGNATURE_INVALID/);
  });

  it("of approval waits for a person, whose answer finishes the run", () => {
    expect(inside("approval", startOf("approval")).status).toBe(3);
    expect(inside("approval", "treadle approve release ship --by ada --yes").status).toBe(0);
    const { output } = inside("approval", "treadle up --resume release 2> /dev/null");
    expect(JSON.parse(output)).toEqual({ released: true, version: "1.0.0", by: "ada" });
  });

  const serving = <T>(name: TemplateName, ask: (address: string) => Promise<T>) => {
    const command = `exec env ${startOf(name)} --port 0`;
    const path = `${project.path("node_modules/.bin")}:${process.env.PATH}`;
    return whileServing({ command, folder: project.path(name), path }, ask);
  };
  const call = async (url: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: "{}",
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };

  it("of cron serves a workflow whose schedule starts it", async () => {
    const [unknown, known] = await serving("cron", async (url) => {
      const list = `${url}/v1/rpc/cronList`;
      const token = readFileSync(project.path(`cron/.service/hosts/${new URL(url).port}.token`), "utf8");
      return [await call(list), await call(list, { authorization: `Bearer ${token}` })] as const;
    });
    expect(unknown.status).toBe(401);
    expect(known.body).toMatchObject({ schedules: [{ workflowKey: "report", pattern: "0 9 * * 1-5" }] });
  });

  it("of page serves the page that is bundled with the project's own React", async () => {
    const [page, script] = await serving("page", async (url) => {
      const answer = await fetch(`${url}/workflows/desk`);
      const html = await answer.text();
      const [, path = ""] = /<script[^>]+src="([^"]+\.js)"/.exec(html) ?? [];
      return [html, await (await fetch(new URL(path, answer.url))).text()] as const;
    });
    expect(page).toContain("<title>Desk</title>");
    expect(script).toContain("Write to the desk");
  });

  it("of gateway lets in only callers who send the token", async () => {
    const [unknownName, operator] = await serving("gateway", async (url) => {
      const list = `${url}/v1/rpc/listWorkflows`;
      const authorization = "Bearer correct-horse";
      return [await call(list), await call(list, { authorization })] as const;
    });
    expect(unknownName.status).toBe(401);
    expect(operator.body).toMatchObject({ workflows: [{ key: "deploy" }] });
    const { status, output } = inside("gateway", "treadle gateway --port 0");
    expect(status).toBe(4);
    expect(output).toMatch(/Set GATEWAY_TOKEN[\s\S]*> 10 \| +throw/);
  });
});

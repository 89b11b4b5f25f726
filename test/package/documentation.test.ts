import { spawn } from "node:child_process";
import { once } from "node:events";
import { symlinkSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withClaims, writeCode } from "../docs/support/extract.js";
import { hasFragments } from "../docs/support/fragments.js";
import { allPages, codeFiles, isProgram, pagesWithFiles } from "../docs/support/pages.js";
import { pack } from "./support/pack.js";
import { PackedProject } from "./support/packed-project.js";
import { readmeSteps } from "./support/readme-steps.js";
import { whileServing } from "./support/serving.js";

/** What the documentation's code imports beside treadle and its peers. */
const MORE = ["@types/react", "csstype", "@ai-sdk/openai", "@ai-sdk/anthropic", "vitest"];

let project: PackedProject;
beforeAll(() => {
  project = new PackedProject(pack(), { more: MORE });
});
afterAll(() => project.remove());

/** Waiting for a person is a good end of `up`. */
const GOOD_ENDS = [0, 3];
/** Where the README leads to after its first commands. */
const FOLDER = "demo";

describe("the documentation, in an empty project with the packed package", () => {
  it("can be followed from the first command of the README to the last", async () => {
    const followed: string[] = [];
    let isInside = false;
    const started = new Set<string>();
    let inBackground: { pid: number; ended: Promise<unknown> } | undefined;
    for (const step of readmeSteps()) {
      if (step.kind === "file") {
        project.write(`${FOLDER}/${step.name}`, step.text);
        continue;
      }
      const { command } = step;
      followed.push(command);
      if (command === `cd ${FOLDER}`) isInside = true;
      else if (command === "npm install") {
        // Stands for what npm would download.
        symlinkSync(project.path("node_modules"), project.path(`${FOLDER}/node_modules`));
      } else if (command.endsWith("&")) inBackground = start(command.slice(0, -1));
      else if (command === "kill -9 $!") {
        await untilBuilding();
        process.kill(inBackground?.pid ?? 0, "SIGKILL");
        await inBackground?.ended;
      } else if (command.startsWith("npx treadle gateway")) {
        // Any free port: others of this machine may use the one in the text.
        const onFreePort = command.replace("--port 7331", "--port 0");
        const isHealthy = async (address: string) => (await fetch(`${address}/health`)).ok;
        expect(await whileServing({ command: onFreePort, folder: project.path(FOLDER) }, isHealthy)).toBe(
          true,
        );
      } else {
        // What npx has found once is where it was.
        const [, tool = command] = /^npx (\w+)/.exec(command) ?? [];
        const known = started.has(tool) ? command.replace(/^npx /, "") : command;
        started.add(tool);
        const { status, output } = project.shell(known, isInside ? FOLDER : ".");
        expect(GOOD_ENDS.includes(status ?? -1), `${command} ended with ${status}:\n${output}`).toBe(true);
        if (command.startsWith("npx tsx run.ts")) expect(output).toContain("letters: 8");
        if (command.startsWith("npx treadle node")) expect(output).toMatch(/interrupted[\s\S]*finished/);
      }
    }
    expect(followed).toEqual(
      expect.arrayContaining(["npx treadle init demo", "npm test", "npx tsc", "kill -9 $!"]),
    );
  });

  it("has code that compiles with TypeScript 5.9 and 7, and does what its comments say", () => {
    const pages = pagesWithFiles();
    const sketches = allPages().filter(hasFragments);
    const pathOf = writeCode(project.folder, [...pages, ...sketches], (text) => text);
    expect(project.compile("typescript", [])).toBe("");
    expect(project.compile("typescript-5", [])).toBe("");

    const programs = pages.flatMap((page) => codeFiles(page).filter(isProgram));
    for (const page of pages) {
      for (const file of codeFiles(page)) project.write(relative(pathOf(file)), withClaims(file.text));
    }
    project.write("claims.ts", CLAIMS);
    project.write(
      "run-all.ts",
      [
        'import "./claims.js";',
        ...programs.map((file) => `await import(${JSON.stringify(pathOf(file))});`),
      ].join("\n"),
    );
    const { status, output } = project.shell("tsx run-all.ts");
    expect(status, output).toBe(0);
  });
});

/** Checks what the comments of the code claim, as the tests of the documentation do from the sources. */
const CLAIMS = `import assert from "node:assert/strict";
const isPart = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
Object.assign(globalThis, {
  __claim(expression: string, actual: unknown, expected: unknown) {
    if (isPart(expected)) assert.partialDeepStrictEqual?.(actual, expected, expression);
    else assert.deepEqual(actual, expected, expression);
  },
});
`;

function relative(path: string): string {
  return path.slice(project.folder.length + 1);
}

/** The shell's `&`. @returns the process that `$!` names */
function start(command: string): { pid: number; ended: Promise<unknown> } {
  const child = spawn("bash", ["-c", `exec ${command}`], {
    cwd: project.path(FOLDER),
    stdio: "ignore",
  });
  return { pid: child.pid ?? 0, ended: once(child, "close") };
}

/** As a reader looks, until the build is under way. */
async function untilBuilding(): Promise<void> {
  for (;;) {
    const { output } = project.shell("treadle node release build --json", FOLDER);
    if (output.includes('"in-progress"')) return;
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

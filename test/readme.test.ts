import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { execFileSync, spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "./support/temporary-folder.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const cli = join(root, "dist/src/cli/main.js");
const readme = readFileSync(join(root, "README.md"), "utf8");

/** Fenced blocks of one language, in order. */
function blocks(language: string): string[] {
  return [...readme.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))].map(
    ([, code]) => code ?? "",
  );
}

describe("the README", () => {
  test("names the command that .ci/run calls", () => {
    const script = readFileSync(join(root, ".ci", "run"), "utf8");
    const command = blocks("sh").find((block) => block.includes("npm test"));
    const steps = (command ?? "").trim().split(" && ");
    expect(steps).toEqual(["npm ci", "npm test"]);
    for (const step of steps) expect(script).toContain(`\n${step}\n`);
  });

  test("links only to files that exist", () => {
    const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path]) => path ?? "");
    expect(links.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    expect(links.length).toBeGreaterThan(0);
  });

  test("shows a workflow that runs as it stands, with the result it claims", () => {
    const folder = temporaryFolder("readme");
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    writeFileSync(join(folder, "hello.tsx"), blocks("tsx")[0] ?? "");
    const stdout = execFileSync(process.execPath, [cli, "up", "hello.tsx", "--set", "name=Ada", "--json"], {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    expect(JSON.parse(stdout)).toMatchObject({
      status: "finished",
      output: { text: "Hello, Ada!", letters: 8 },
    });
  });

  test("shows the workflow that a new project begins with", () => {
    const made = readFileSync(join(root, "templates/hello/hello.tsx"), "utf8");
    expect(blocks("tsx")[0]).toBe(`// hello.tsx\n${made}`);
  });

  test("shows how to serve that workflow, at the address it claims", async () => {
    const folder = temporaryFolder("readme");
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    writeFileSync(join(folder, "hello.tsx"), blocks("tsx")[0] ?? "");
    const commands = blocks("sh").find((block) => block.includes("treadle gateway")) ?? "";
    // Another gateway of this machine may have the port.
    const script = commands.replace(/npx treadle (.*)--port \d+/, `exec node ${cli} $1--port 0`);
    const gateway = spawn("sh", ["-c", script], { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    gateway.stderr.on("data", (chunk: Buffer) => {
      said += String(chunk);
    });
    await expect.poll(() => said).toContain("/console");
    const [, url = ""] = /gateway at (http:\S+)/.exec(said) ?? [];
    expect(said).toMatch(/workflows +hello\n/);
    expect((await fetch(`${url}/console`)).status).toBe(200);
    gateway.kill("SIGTERM");
    const [code] = await once(gateway, "exit");
    expect(code).toBe(143);
  });

  test("names commands that exist", () => {
    const help = execFileSync(process.execPath, [cli, "--help"], { encoding: "utf8" });
    const named = [...readme.matchAll(/(?:`|npx )treadle ([a-z-]+)/g)].map(([, name]) => name ?? "");
    const unknown = named.filter((name) => name !== "help" && !new RegExp(`\\b${name}\\b`).test(help));
    expect(unknown).toEqual([]);
  });
});

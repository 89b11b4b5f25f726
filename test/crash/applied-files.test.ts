import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.js";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

it("a SuperService whose process is killed while it writes files writes each of them once, and leaves nothing else", () => {
  const folder = temporaryFolder();
  const [dbPath, rootDir, log] = ["service.db", "root", "log.txt"].map((name) => join(folder, name));
  mkdirSync(rootDir as string);
  const names = ["a.txt", "b.txt", "c.txt"];
  for (const name of names) writeFileSync(join(rootDir as string, name), `old ${name}\n`);
  const run = (options: object) => {
    const all = JSON.stringify({ dbPath, rootDir, log, ...options });
    const args = [at("../support/crash/applying-program.mjs"), at("../../dist"), all];
    const env = { PATH: process.env.PATH, HOME: folder };
    return spawnSync(process.execPath, args, { encoding: "utf8", env });
  };
  const texts = () => names.map((name) => readFileSync(join(rootDir as string, name), "utf8"));

  expect(run({ dies: { at: 2, when: "before" } }).signal).toBe("SIGKILL");
  expect(texts()).toEqual(["new a.txt\n", "old b.txt\n", "old c.txt\n"]);
  expect(run({ resume: true, dies: { at: 2, when: "after" } }).signal).toBe("SIGKILL");
  expect(texts()).toEqual(["new a.txt\n", "new b.txt\n", "new c.txt\n"]);
  expect(run({ resume: true })).toMatchObject({ status: 0, stderr: "" });

  const said = readFileSync(log as string, "utf8")
    .trim()
    .split("\n");
  expect(said).toEqual(["ask", "write a.txt", "write b.txt", "write c.txt", "finished"]);
  expect(readdirSync(rootDir as string).sort()).toEqual(names);
});

// Before the tests: format, lint, types and the build, two of them at a time. Everything that is wrong is said.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { delimiter } from "node:path";
import { fileURLToPath } from "node:url";
import { isBuilt } from "./built-sources.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const { scripts } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));

/** Each after the one before, beside the other row: together they take as long as either. */
const ROWS = [
  ["check:types", ...(isBuilt() ? [] : ["build"])],
  ["check:format", "check:lint", "check:pages"],
];

const env = {
  ...process.env,
  PATH: `${root}node_modules/.bin${delimiter}${process.env.PATH}`,
  // The compiler collects its garbage less often: a fourth of its time.
  GOGC: "400",
};

/** Runs a script of package.json. @returns whether it has found nothing */
function run(name) {
  return new Promise((resolve, reject) => {
    const child = spawn(scripts[name], { cwd: root, env, shell: true, stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (said += text));
    child.on("error", reject);
    child.on("close", (code) => {
      process.stdout.write(`${name} ${code === 0 ? "passed" : "failed"}\n${said}`);
      resolve(code === 0);
    });
  });
}

async function runInTurn(names) {
  let isFine = true;
  for (const name of names) isFine = (await run(name)) && isFine;
  return isFine;
}

const found = await Promise.all(ROWS.map(runInTurn));
if (found.includes(false)) process.exitCode = 1;

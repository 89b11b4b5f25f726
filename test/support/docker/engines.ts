import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { canSandbox } from "../can-sandbox.js";
import { temporaryFolder } from "../temporary-folder.js";

const STAND_IN = fileURLToPath(new URL("stand-in.mjs", import.meta.url));

/** Something that runs containers, and its program. */
export interface TestEngine {
  readonly docker: string;
  readonly image: string;
  /** Ids of the containers that there are. */
  containers(): string[];
  /** The arguments of the newest `run`; undefined where they are not seen. */
  lastRun(): string[] | undefined;
}

/** The program of this repository that acts as an engine would. */
export function standInEngine(): TestEngine & { readonly state: string } {
  const folder = temporaryFolder("docker");
  const [state, docker] = [join(folder, "state"), join(folder, "docker")];
  mkdirSync(state);
  writeFileSync(docker, `#!/bin/sh\nexec "${process.execPath}" "${STAND_IN}" "${state}" "$@"\n`);
  chmodSync(docker, 0o755);
  const calls = () => readFileSync(join(state, "calls"), "utf8").trim().split("\n");
  return {
    ...{ docker, state, image: "anything:1" },
    containers: () => readdirSync(state).filter((name) => name.endsWith(".json")),
    lastRun: () =>
      calls()
        .map((line) => JSON.parse(line) as string[])
        .findLast(([verb]) => verb === "run"),
  };
}

const REAL_IMAGE = "treadle-test:local";

/** The engine of this machine, with an image of this machine's own shell and libraries. */
function realEngine(): TestEngine {
  const docker = realpathSync(
    execFileSync("/bin/sh", ["-c", "command -v docker"], { encoding: "utf8" }).trim(),
  );
  if (spawnSync(docker, ["image", "inspect", REAL_IMAGE]).status !== 0) makeImage(docker);
  const list = ["ps", "--all", "--quiet", "--filter", "label=treadle.sandbox"];
  return {
    ...{ docker, image: REAL_IMAGE },
    containers: () => execFileSync(docker, list, { encoding: "utf8" }).split("\n").filter(Boolean),
    lastRun: () => undefined,
  };
}

function makeImage(docker: string): void {
  const root = temporaryFolder("image");
  const programs = ["sh", "cat", "grep", "sleep", "id"].map((name) => realpathSync(`/usr/bin/${name}`));
  const libraries = [...programs, realpathSync(process.execPath)].flatMap(
    (path) => execFileSync("ldd", [path], { encoding: "utf8" }).match(/\/[^\s]+/g) ?? [],
  );
  for (const path of new Set([...programs, ...libraries])) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    execFileSync("cp", ["-L", path, join(root, path)]);
  }
  for (const name of ["tmp", "proc", "sys", "dev", "run", "etc"])
    mkdirSync(join(root, name), { recursive: true });
  execFileSync("/bin/sh", [
    "-c",
    `cd "$1" && { [ -e usr/bin/sh ] || ln -s "$(basename "$(readlink -f /usr/bin/sh)")" usr/bin/sh; } && { [ -e bin ] || ln -s usr/bin bin; } && tar c . | "$2" import --change 'ENV PATH=/usr/bin:/bin' - "$3"`,
    ...["sh", root, docker, REAL_IMAGE],
  ]);
}

/** Whether an engine answers. Where none does, its scenes run against the stand-in alone, and that is said. */
const hasEngine = spawnSync("docker", ["info"], { timeout: 20_000 }).status === 0;
if (!hasEngine) {
  process.stderr.write("\nNOT TESTED: no Docker engine answers here, so containers are a stand-in's.\n\n");
}

export const ENGINES: readonly (readonly [string, () => TestEngine])[] = [
  ...(canSandbox && existsSync("/bin/sh") ? [["a stand-in", standInEngine] as const] : []),
  ...(hasEngine ? [["the engine of this machine", realEngine] as const] : []),
];

import { statfsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const at = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Folders of units and of runs in this process: no programs are started, no package is built. */
const IN_PROCESS = [
  "components",
  "errors",
  "frames",
  "graph",
  "jsx-runtime",
  "loader",
  "memory",
  "metrics",
  "model",
  "observability",
  "openapi",
  "options",
  "renderer",
  "scheduler",
  "scorers",
  "service",
  "store",
  "support",
  "testing",
  "tracing",
  "util",
];

/** Files of those folders that start programs or workers. */
const OTHER_PROCESSES = [
  "test/engine/sandbox/**/*.test.tsx",
  "test/engine/session/left-processes.test.tsx",
  "test/engine/blocked-process.test.tsx",
  "test/engine/uncaught-errors.test.ts",
  "test/engine/limits/several-processes.test.ts",
  "test/memory/{killed,several-processes}.test.ts",
  "test/observability/trace/one-tree.test.ts",
  "test/operations/find-due-runs.test.tsx",
  "test/renderer/node-env.test.ts",
  "test/service/plain-program.test.ts",
  "test/store/{beat-thread,damaged-pages,disk-full,locking,several-processes,writing-together}.test.ts",
];

/** Files that see what others leave in their process, or leave something there themselves. */
const OWN_PROCESS = [
  // Draws in a document that it makes global.
  "test/console/form/*.test.tsx",
  // Their scenes name a database for the whole process, and one of them stands in for the module that watches files.
  "test/hot/**/*.test.ts",
  // Which runs are at work in the process.
  "test/engine/session/company.test.tsx",
  "test/operations/host/alone.test.tsx",
  "test/observability/before-anything.test.ts",
  "test/observability/log/run-log.test.tsx",
  "test/observability/whole-catalog.test.tsx",
  "test/react/**/*.test.{ts,tsx}",
  "test/security/git-settings.test.ts",
];

/** Files of hosts that kill them. */
const HOSTS_HERE = ["test/hosts/gateway/killed-*.test.ts"];

/** Files of the engine whose tests read their store in the turn that asks it, or count its turns. */
const ENGINE_HERE = [
  "test/engine/{live-and-fresh-frames,lost-lease,timeouts}.test.tsx",
  "test/engine/continuing/idle-chain.test.tsx",
  "test/engine/limits/concurrency.test.tsx",
  "test/engine/scores/cost.test.tsx",
];

/**
 * Run on stores that answer late alone, and with attempts that are dispatched and report as JSON text. Composites,
 * simulations, commands, programs that are killed, browsers and examples run the same code on stores that answer at once.
 */
const ELSEWHERE = ["client", "elsewhere", "engine", "hosts", "operations"];

const folders = IN_PROCESS.join("|");

/** Room for the files of the workers, bytes. */
const ENOUGH_MEMORY = 2 * 1024 ** 3;

/** Databases of runs in this process are files in memory, where there is room: a disk would be waited for at each of their commits. */
function temporaryFiles(): { TMPDIR?: string } {
  const folder = "/dev/shm";
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= ENOUGH_MEMORY ? { TMPDIR: folder } : {};
  } catch {
    return {};
  }
}

/** What takes longest begins first, so that no worker is left with it at the end. */
const LONGEST = [
  "test/crash/",
  "test/package/",
  "test/agents/cli/",
  "test/examples/",
  "test/vcs/",
  "test/cli/",
];
const PROJECTS = ["slow", "alone", "fast", "elsewhere"];

/** One project after the other: a worker that changes the project starts again. */
class ProjectsInTurn extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const place = ({ project, moduleId }: TestSpecification) => {
      const long = LONGEST.findIndex((folder) => moduleId.includes(folder));
      return PROJECTS.indexOf(project.name) * 100 + (long === -1 ? LONGEST.length : long);
    };
    return sorted.sort((a, b) => place(a) - place(b));
  }
}

export default defineConfig({
  root: at("."),
  resolve: {
    alias: [
      { find: /^.*\/resolve-own\.js$/, replacement: at("test/support/resolve-own.ts") },
      { find: /^treadle$/, replacement: at("src/index.ts") },
      { find: /^treadle\/jsx-runtime$/, replacement: at("jsx-runtime/jsx-runtime.ts") },
      { find: /^treadle\/jsx-dev-runtime$/, replacement: at("jsx-runtime/jsx-dev-runtime.ts") },
      { find: /^treadle\/(server|serve|gateway)$/, replacement: at("src/hosts/$1/index.ts") },
      { find: /^treadle\/client$/, replacement: at("src/client/node.ts") },
      { find: /^treadle\/([a-z]+)$/, replacement: at("src/$1/index.ts") },
    ],
  },
  oxc: { jsx: { runtime: "automatic", importSource: "treadle" } },
  test: {
    // A machine may be ten times busier than a quiet one; no test takes more than some seconds there.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 100_000 } },
    // Hosts log what becomes of their runs, and tasks record the repository around them; tests look at it where they ask for it.
    // Compilers collect their garbage less often: up to a third of their time.
    env: { SERVICE_LOG_LEVEL: "none", SERVICE_RECORD_VCS: "0", GOGC: "400" },
    setupFiles: ["test/support/leave-nothing.ts"],
    pool: "forks",
    maxWorkers: 3,
    // The projects share what was compiled.
    experimental: { fsModuleCache: true },
    // Tests that say that they may run at once wait for processes.
    maxConcurrency: 8,
    // Loading the library costs more than most files take: the files of a worker share it.
    isolate: false,
    sequence: { sequencer: ProjectsInTurn },
    projects: [
      {
        extends: true,
        test: {
          name: "fast",
          env: temporaryFiles(),
          include: ["test/*.test.ts", `test/@(${folders})/**/*.test.{ts,tsx}`, ...ENGINE_HERE],
          exclude: [...OTHER_PROCESSES, ...OWN_PROCESS],
        },
      },
      {
        extends: true,
        test: {
          name: "slow",
          include: [
            `test/!(${folders}|${ELSEWHERE.join("|")})/**/*.test.{ts,tsx}`,
            ...OTHER_PROCESSES,
            ...HOSTS_HERE,
          ],
          exclude: OWN_PROCESS,
        },
      },
      {
        extends: true,
        test: {
          name: "elsewhere",
          env: temporaryFiles(),
          include: [`test/@(${ELSEWHERE.join("|")})/**/*.test.{ts,tsx}`],
          exclude: [...OTHER_PROCESSES, ...OWN_PROCESS, ...ENGINE_HERE, ...HOSTS_HERE],
          setupFiles: [
            "test/support/leave-nothing.ts",
            "test/support/elsewhere/late-stores.ts",
            "test/support/elsewhere/json-attempts.ts",
          ],
        },
      },
      { extends: true, test: { name: "alone", include: OWN_PROCESS, isolate: true } },
    ],
  },
});

/**
 * Folders from the ground up. A file imports its own folder and lower ranks only, types included;
 * folders of one rank do not see each other. A longer path wins over its parent.
 */
const RANKS: readonly (readonly string[])[] = [
  // How the built library is loaded knows nothing of what it is.
  ["src/util", "src/errors", "src/startup"],
  // Whatever takes time may have a span.
  ["src/tracing"],
  // Metrics lie below everything that records in them: tools, stores, vcs and the engine alike.
  ["src/model", "src/metrics", "src/patterns", "src/network", "src/options", "jsx-runtime"],
  ["src/process"],
  [
    "src/renderer",
    "src/graph",
    "src/scheduler",
    "src/components",
    "src/agents",
    "src/tools",
    "src/openapi",
    "src/vcs",
    "src/observability",
    "src/store",
  ],
  // Composites run commands and change files with the tools that agents have.
  ["src/components/patterns"],
  ["src/components/components.ts"],
  ["src/events", "src/frames", "src/memory", "src/scorers", "src/sandbox"],
  ["src/engine"],
  // From a file to a workflow value; the library comes to it as to any module that imports it.
  // Attempts on other machines, over the database; operations wire it.
  ["src/loader", "src/fleet"],
  // Offers newer code to the engine through its port; operations wire both.
  ["src/hot"],
  ["src/service", "src/operations"],
  ["src/testing", "src/client"],
  ["src/react"],
  ["src/hosts/http"],
  ["src/hosts/server", "src/hosts/serve", "src/hosts/gateway"],
  ["src/hosts"],
  ["src/cli", "src/console"],
  ["src/index.ts"],
];

const RANK_OF = new Map(RANKS.flatMap((areas, rank) => areas.map((area) => [area, rank] as const)));

export interface Area {
  readonly name: string;
  readonly rank: number;
}

/** The ranked area that a path belongs to; undefined when the plan does not know its folder. */
export function areaOf(path: string): Area | undefined {
  const parts = path.split("/");
  for (let length = parts.length; length > 0; length -= 1) {
    const name = parts.slice(0, length).join("/");
    const rank = RANK_OF.get(name);
    if (rank === undefined) continue;
    // `src/hosts` ranks the entry files that lie directly in it; each of its sub-folders needs its own rank.
    return name === "src/hosts" && parts.length > length + 1 ? undefined : { name, rank };
  }
  return undefined;
}

export interface Quarantine {
  readonly packages: readonly string[];
  /** Paths that may import them. */
  readonly homes: RegExp;
  readonly homesInWords: string;
}

export const QUARANTINES: readonly Quarantine[] = [
  { packages: ["react-reconciler"], homes: /^src\/renderer\//, homesInWords: "src/renderer" },
  {
    packages: [
      "drizzle-orm",
      "better-sqlite3",
      "node:sqlite",
      "pg",
      "postgres",
      "@electric-sql/pglite",
      "graphile-worker",
    ],
    homes: /^src\/store\//,
    homesInWords: "src/store",
  },
  { packages: ["hono", "@hono/node-server"], homes: /^src\/hosts\//, homesInWords: "src/hosts" },
  {
    packages: ["ws"],
    homes: /^src\/hosts\/|^src\/client\/node-socket\.ts$/,
    homesInWords: "src/hosts and src/client/node-socket.ts",
  },
  {
    packages: ["esbuild", "chokidar"],
    homes: /^src\/hot\/|^src\/loader\/|^src\/hosts\/.*bundle/,
    homesInWords: "src/hot, the workflow loader and the bundler of src/hosts",
  },
  {
    packages: ["effect"],
    homes: /^src\/(?:observability\/layer|observability\/effect\/[\w-]+|memory\/effect)\.ts$/,
    homesInWords: "src/observability/layer.ts, src/observability/effect and src/memory/effect.ts",
  },
];

export interface Island {
  readonly files: RegExp;
  /** The only packages that these files may import. */
  readonly packages: readonly string[];
}

/** The first island that a path matches counts. */
export const ISLANDS: readonly Island[] = [
  { files: /^src\/util\/(?:hash|ids)\.ts$/, packages: ["node:crypto"] },
  { files: /^src\/(?:util|errors|scheduler)\//, packages: [] },
  { files: /^src\/model\//, packages: ["zod", "react"] },
  // Browsers load them: nothing of Node, and React only where it says so.
  { files: /^src\/client\/node-socket\.ts$/, packages: ["ws"] },
  { files: /^src\/client\//, packages: [] },
  { files: /^src\/react\//, packages: ["react"] },
  {
    files: /^src\/console\//,
    packages: [
      "react",
      "react-dom",
      "@base-ui/react",
      "@tanstack/react-virtual",
      "@dagrejs/dagre",
      "@rjsf/core",
      "@rjsf/utils",
      "@cfworker/json-schema",
    ],
  },
];

/** Large folders with an `index.ts` that lists what others may use of them; `.ci/through-doors.mjs` has them too. */
export const FOLDERS_WITH_DOORS = ["src/engine/", "src/operations/", "src/scheduler/", "src/store/"] as const;

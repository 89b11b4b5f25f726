import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { packageFolder } from "../../process/installation.js";

export interface Template {
  /** One line for the help. */
  readonly summary: string;
  /** The command that shows that it works: the last of those that a new project begins with. */
  readonly start: string;
  /** Variables that its start needs, in front of the command. @default nothing */
  readonly settings?: string;
  /** Further packages that it needs to run. @default none */
  readonly packages?: readonly string[];
  /** Further members of its package.json. @default nothing */
  readonly manifest?: Readonly<Record<string, unknown>>;
}

/** Starts of a project, the default first; their files lie in `templates` of the package. */
export const TEMPLATES = {
  hello: { summary: "two tasks in a row", start: "treadle up hello.tsx" },
  agent: { summary: "an agent that needs no key until you give it one", start: "treadle up agent.tsx" },
  approval: { summary: "a run that waits for a person", start: "treadle up approval.tsx --run-id release" },
  cron: { summary: "a gateway that starts runs by a schedule", start: "treadle gateway" },
  gateway: {
    summary: "a gateway with token authentication",
    start: "treadle gateway",
    // Its configuration does not start without one.
    settings: "GATEWAY_TOKEN=correct-horse",
  },
  webhook: {
    summary: "a gateway that starts runs by signed requests",
    start: "treadle gateway",
    settings: "WEBHOOK_SECRET=correct-horse",
  },
  page: {
    summary: "a workflow with a page of its own, for the people who answer it",
    start: "treadle gateway",
    packages: ["react-dom"],
  },
  package: {
    summary: "a package of a monorepo, whose workflow the others start",
    start: "tsx start.ts",
    manifest: { exports: { ".": "./index.ts" } },
  },
} as const satisfies Record<string, Template>;

export type TemplateName = keyof typeof TEMPLATES;

/** Files of a new project, `/` between the parts of their names, without package.json. */
export function templateFiles(name: TemplateName): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  for (const folder of ["base", name]) {
    const root = join(packageFolder(), "templates", folder);
    for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const parts = path.slice(root.length + 1).split(sep);
      // A package cannot hold files such as .gitignore under their own names.
      const target = parts.map((part) => part.replace(/^dot-/, ".")).join("/");
      files.set(target, readFileSync(path));
    }
  }
  return files;
}

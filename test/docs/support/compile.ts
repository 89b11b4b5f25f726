import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

export interface CompileError {
  /** Absolute. */
  file: string;
  /** From 1. */
  line: number;
  message: string;
}

/** What the compiler says about the files of a folder, under the options of this repository. */
export function compile(folder: string): CompileError[] {
  const hosts = ["gateway", "serve", "server"];
  const parts = [
    "agents",
    "client",
    "memory",
    "observability",
    "openapi",
    "react",
    "scorers",
    "testing",
    "tools",
  ];
  const config = {
    extends: join(ROOT, "tsconfig.json"),
    compilerOptions: {
      paths: {
        treadle: [`${ROOT}src/index.ts`],
        "treadle/jsx-runtime": [`${ROOT}jsx-runtime/jsx-runtime.ts`],
        "treadle/jsx-dev-runtime": [`${ROOT}jsx-runtime/jsx-dev-runtime.ts`],
        ...Object.fromEntries(parts.map((part) => [`treadle/${part}`, [`${ROOT}src/${part}/index.ts`]])),
        ...Object.fromEntries(
          hosts.map((host) => [`treadle/${host}`, [`${ROOT}src/hosts/${host}/index.ts`]]),
        ),
      },
      // Readers see values, not uses.
      noUnusedLocals: false,
    },
    include: ["**/*.ts", "**/*.tsx"],
    exclude: ["node_modules"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const tsc = join(ROOT, "node_modules", "typescript", "bin", "tsc");
  const { stdout } = spawnSync(process.execPath, [tsc, "-p", folder, "--pretty", "false"], {
    cwd: folder,
    encoding: "utf8",
  });
  return stdout
    .split(/\n(?=\S)/)
    .filter((text) => text.trim() !== "")
    .map((text) => {
      const found = /^(.+?)\((\d+),\d+\): (.+)$/s.exec(text.trim());
      if (found === null) throw new Error(`The compiler says: ${text}`);
      const [, file = "", line = "", message = ""] = found;
      return { file: join(folder, file), line: Number(line), message };
    });
}

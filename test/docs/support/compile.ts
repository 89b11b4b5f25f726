import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
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

/** Where the built declarations of each entry are: the compiler takes them as they are, and looks at the code alone. */
function builtTypes(): Record<string, [string]> {
  const { exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    exports: Record<string, string | { types: string }>;
  };
  return Object.fromEntries(
    Object.entries(exports).flatMap(([entry, target]) =>
      typeof target === "string" ? [] : [[entry.replace(".", "treadle"), [join(ROOT, target.types)]]],
    ),
  );
}

/** What the compiler says about the files of a folder, under the options of this repository. */
export function compile(folder: string): CompileError[] {
  const config = {
    extends: join(ROOT, "tsconfig.json"),
    compilerOptions: {
      paths: builtTypes(),
      // Readers see values, not uses.
      noUnusedLocals: false,
    },
    include: ["**/*.ts", "**/*.tsx"],
    exclude: ["node_modules"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const tsc = join(ROOT, "node_modules", "typescript", "bin", "tsc");
  const { stdout } = spawnSync(
    process.execPath,
    [tsc, "-p", folder, "--pretty", "false", "--checkers", "1"],
    {
      cwd: folder,
      encoding: "utf8",
    },
  );
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

import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** Settings of a project that has installed what `npm run build` has built. */
const SETTINGS = {
  target: "ES2023",
  lib: ["ES2023"],
  module: "NodeNext",
  moduleResolution: "NodeNext",
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: ["node"],
  jsx: "react-jsx",
  jsxImportSource: "treadle",
  paths: {
    treadle: [join(ROOT, "dist/src/index.d.ts")],
    "treadle/jsx-runtime": [join(ROOT, "dist/jsx-runtime/jsx-runtime.d.ts")],
  },
};

export interface ConsumerFolder {
  folder: string;
  remove(): void;
}

/** A folder with one file that uses the built declarations, and a tsconfig for it. */
export function consumerFolder(name: string, text: string): ConsumerFolder {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "treadle-types-")));
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: SETTINGS, files: [name] }));
  writeFileSync(join(folder, name), text);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

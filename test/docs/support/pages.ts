import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** Pages whose code is written in whole files, so that it can be compiled and run. */
const WITH_FILES = /^docs\/(?:testing|run-api|(?:concepts|components)\/[\w-]+)\.md$/;

export interface Page {
  /** `docs/components/task.md` */
  path: string;
  text: string;
}

/** A fenced block whose first line is a comment with a file name. */
export interface CodeFile {
  page: string;
  /** `task.tsx` */
  name: string;
  text: string;
}

export function allPages(): Page[] {
  const files = [
    "README.md",
    ...readdirSync(`${ROOT}docs`, { recursive: true }).map((file) => `docs/${String(file)}`),
  ];
  return files
    .filter((path) => path.endsWith(".md"))
    .sort()
    .map((path) => ({ path, text: readFileSync(`${ROOT}${path}`, "utf8") }));
}

export function pagesWithFiles(): Page[] {
  return allPages().filter(({ path }) => WITH_FILES.test(path));
}

/** The files of a page in order; none where code is not written in files. @throws Error for code without a file name */
export function codeFiles({ path, text }: Page): CodeFile[] {
  if (!WITH_FILES.test(path)) return [];
  return [...text.matchAll(/^```(?:ts|tsx)\n(.*?)^```$/gms)].map(([, code = ""]) => {
    const name = /^\/\/ ([\w.-]+\.tsx?)\n/.exec(code)?.[1];
    if (name === undefined) throw new Error(`${path} has code without a file name: ${code.slice(0, 60)}`);
    return { page: path, name, text: code };
  });
}

/** The file runs the others of its page and says what comes out. */
export function isProgram({ name }: CodeFile): boolean {
  return name.startsWith("try-") && name.endsWith(".ts");
}

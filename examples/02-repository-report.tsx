/**
 * 2. A report about a folder: what is in it, what is large, what was put off, what it depends on.
 *
 *     npx treadle up examples/02-repository-report.tsx --set root=.
 *     npx treadle up examples/02-repository-report.tsx --set root=. --set pauseMs=500
 *
 * One task lists the files and cuts the list into batches. The tree then mounts one task per batch,
 * read from that row, next to a branch that looks at lock files. A join adds everything up, and the last
 * task writes Markdown. With `pauseMs` each batch takes its time: kill the process (Ctrl-C, or kill -9),
 * then `npx treadle up --resume`; batches that were counted are not counted again.
 */
import { lstat, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createService } from "treadle";
import { z } from "zod";

const languageCount = z.object({ files: z.int(), lines: z.int(), blank: z.int() });
const fileSize = z.object({ path: z.string(), bytes: z.int() });
const mark = z.object({ path: z.string(), line: z.int(), text: z.string() });

const { Workflow, Sequence, Parallel, Branch, Task, service, outputs } = createService({
  input: z.object({
    /** Folder to look at. Default: the current one. */
    root: z.string().optional(),
    /** File to write. Default: repository-report.md in the current folder. */
    out: z.string().optional(),
    /** Milliseconds that each batch waits, so that there is time to watch. */
    pauseMs: z.number().optional(),
  }),
  scan: z.object({
    root: z.string(),
    out: z.string(),
    files: z.int(),
    leftOut: z.int(),
    batches: z.array(z.array(z.string())),
    lockFiles: z.array(z.string()),
  }),
  batch: z.object({
    bytes: z.int(),
    languages: z.record(z.string(), languageCount),
    notText: z.int(),
    unreadable: z.array(z.string()),
    largest: z.array(fileSize),
    marks: z.array(mark),
    markCounts: z.record(z.string(), z.int()),
  }),
  licences: z.object({ packages: z.int(), byLicence: z.record(z.string(), z.int()) }),
  summary: z.object({ bytes: z.int(), lines: z.int(), marks: z.int(), markdown: z.string() }),
  output: z.object({ report: z.string(), files: z.int(), lines: z.int(), marks: z.int() }),
});

type Scan = z.infer<typeof outputs.scan>;
type Batch = z.infer<typeof outputs.batch>;
type Licences = z.infer<typeof outputs.licences>;

export default service((ctx) => {
  // Absent in the first frame. Once the row is there, the tree grows by one task per batch.
  const scan = ctx.outputMaybe("scan", { nodeId: "scan" });
  const { root = ".", out = "repository-report.md", pauseMs = 0 } = ctx.input;
  return (
    <Workflow name="repository-report">
      <Sequence>
        {/* A folder that cannot be read now cannot be read in a second either: no retry. */}
        <Task id="scan" output={outputs.scan} noRetry>
          {(_inputs, { rootDir }) => scanFolder(resolve(rootDir, root), resolve(rootDir, out))}
        </Task>
        <Parallel>
          {scan?.batches.map((files, index) => (
            <Task
              key={files[0]}
              id={`batch-${index + 1}`}
              label={`${files[0]} and ${files.length - 1} more`}
              output={outputs.batch}
              retries={2}
            >
              {async (_inputs, { signal }) => {
                await sleep(pauseMs, undefined, { signal });
                return countFiles(scan.root, files, signal);
              }}
            </Task>
          ))}
          <Branch
            if={(scan?.lockFiles.length ?? 0) > 0}
            then={
              <Task id="licences" output={outputs.licences} retries={2} deps={{ scan: outputs.scan }}>
                {({ scan: row }) => countLicences(row)}
              </Task>
            }
          />
        </Parallel>
        <Task id="summary" output={outputs.summary} deps={{ scan: outputs.scan }}>
          {({ scan: row }) =>
            summarize(row, [...ctx.outputs.batch], ctx.outputMaybe("licences", { nodeId: "licences" }))
          }
        </Task>
        <Task id="write" output={outputs.output} deps={{ scan: outputs.scan, summary: outputs.summary }}>
          {async ({ scan: { out: file, files }, summary: { markdown, lines, marks } }, { nodeId }) => {
            // Written beside its place and moved there: a reader never sees half a report.
            const draft = `${file}.${nodeId}.tmp`;
            await writeFile(draft, markdown);
            await rename(draft, file);
            return { report: file, files, lines, marks };
          }}
        </Task>
      </Sequence>
    </Workflow>
  );
});

const IGNORED_FOLDERS = new Set([
  ...[".git", ".hg", ".svn", ".service", ".venv", ".next", ".cache"],
  ...["node_modules", "bower_components", "__pycache__", "dist", "target", "coverage"],
]);
const LOCK_FILES = new Set([
  ...["package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml"],
  ...["composer.lock", "Cargo.lock", "poetry.lock", "uv.lock"],
]);
/** Paths of more files than these would not fit into one row. */
const MOST_FILES = 25_000;
const FILES_PER_BATCH = 25;
const MOST_BATCHES = 32;

async function scanFolder(root: string, out: string): Promise<Scan> {
  const files: string[] = [];
  const folders = [root];
  let leftOut = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    // The folder that was asked for must be readable; one below it may not be.
    const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
      if (folder === root) throw error;
      leftOut += 1;
      return [];
    });
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !IGNORED_FOLDERS.has(entry.name)) folders.push(path);
      // Links, sockets and pipes have no content of their own; databases and the report are ours.
      if (!entry.isFile() || path === out || /\.db(-wal|-shm)?$/.test(entry.name)) continue;
      if (files.length < MOST_FILES) files.push(relative(root, path));
      else leftOut += 1;
    }
  }
  files.sort();
  const size = Math.max(FILES_PER_BATCH, Math.ceil(files.length / MOST_BATCHES));
  return {
    root,
    out,
    files: files.length,
    leftOut,
    batches: Array.from({ length: Math.ceil(files.length / size) }, (_, index) =>
      files.slice(index * size, (index + 1) * size),
    ),
    lockFiles: files.filter((path) => LOCK_FILES.has(basename(path))),
  };
}

/** Languages by the ending of a file, or by its name. */
const LANGUAGES: Readonly<Record<string, string>> = {
  ...{ ".ts": "TypeScript", ".tsx": "TypeScript", ".mts": "TypeScript", ".cts": "TypeScript" },
  ...{ ".js": "JavaScript", ".jsx": "JavaScript", ".mjs": "JavaScript", ".cjs": "JavaScript" },
  ...{ ".py": "Python", ".rb": "Ruby", ".go": "Go", ".rs": "Rust", ".java": "Java", ".kt": "Kotlin" },
  ...{ ".c": "C", ".h": "C", ".cpp": "C++", ".cc": "C++", ".hpp": "C++", ".cs": "C#", ".swift": "Swift" },
  ...{ ".php": "PHP", ".scala": "Scala", ".ex": "Elixir", ".exs": "Elixir", ".lua": "Lua", ".sql": "SQL" },
  ...{ ".sh": "Shell", ".bash": "Shell", ".html": "HTML", ".css": "CSS", ".scss": "CSS", ".vue": "Vue" },
  ...{ ".md": "Markdown", ".mdx": "Markdown", ".json": "JSON", ".yaml": "YAML", ".yml": "YAML" },
  ...{ ".toml": "TOML", ".xml": "XML", Dockerfile: "Dockerfile", Makefile: "Makefile" },
};
const LARGEST_READ_BYTES = 2 * 1024 * 1024;
const MARK = /\b(?:TODO|FIXME)\b.*/;
const MOST_LISTED = 15;

async function countFiles(root: string, paths: readonly string[], signal: AbortSignal): Promise<Batch> {
  const batch: Batch = {
    ...{ bytes: 0, languages: {}, notText: 0, unreadable: [], largest: [], marks: [], markCounts: {} },
  };
  for (const path of paths) {
    signal.throwIfAborted();
    try {
      const { size } = await lstat(join(root, path));
      batch.bytes += size;
      batch.largest.push({ path, bytes: size });
      const content = size > LARGEST_READ_BYTES ? undefined : await readFile(join(root, path));
      // A zero byte near the start is what tells binary files from text.
      if (content === undefined || content.subarray(0, 8000).includes(0)) batch.notText += 1;
      else countText(batch, path, content.toString("utf8"));
    } catch {
      // Gone since the scan, or not ours to read: said in the report, no reason to fail.
      batch.unreadable.push(path);
    }
  }
  batch.largest = firstOf(batch.largest, ({ bytes }) => bytes);
  batch.marks = batch.marks.slice(0, MOST_LISTED);
  return batch;
}

function countText(batch: Batch, path: string, text: string): void {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const language = LANGUAGES[extname(path)] ?? LANGUAGES[basename(path)] ?? "Other text";
  const blank = lines.filter((line) => line.trim() === "").length;
  addTo(batch.languages, language, { files: 1, lines: lines.length, blank });
  lines.forEach((line, index) => {
    const found = line.length > 2000 ? undefined : MARK.exec(line)?.[0];
    if (found === undefined) return;
    batch.marks.push({ path, line: index + 1, text: found.slice(0, 100).trim() });
    batch.markCounts[path] = (batch.markCounts[path] ?? 0) + 1;
  });
}

function addTo(languages: Batch["languages"], language: string, more: z.infer<typeof languageCount>): void {
  const { files, lines, blank } = languages[language] ?? { files: 0, lines: 0, blank: 0 };
  languages[language] = { files: files + more.files, lines: lines + more.lines, blank: blank + more.blank };
}

function firstOf<T>(items: readonly T[], size: (item: T) => number): T[] {
  return items.toSorted((a, b) => size(b) - size(a)).slice(0, MOST_LISTED);
}

interface Dependency {
  name: string;
  licence: string | undefined;
}

const NOT_STATED = "not stated";

async function countLicences({ root, lockFiles }: Scan): Promise<Licences> {
  const byLicence: Record<string, number> = {};
  const seen = new Set<string>();
  for (const lockFile of lockFiles) {
    for (const { name, licence = NOT_STATED } of await dependenciesOf(join(root, lockFile))) {
      if (seen.has(name)) continue;
      seen.add(name);
      byLicence[licence] = (byLicence[licence] ?? 0) + 1;
    }
  }
  return { packages: seen.size, byLicence };
}

async function dependenciesOf(lockFile: string): Promise<Dependency[]> {
  const folder = dirname(lockFile);
  const text = await readFile(lockFile, "utf8").catch(() => "");
  switch (basename(lockFile)) {
    case "package-lock.json":
    case "npm-shrinkwrap.json": {
      const { packages = {} } = parseJson<{ packages?: Record<string, { license?: unknown }> }>(text);
      const installed = Object.keys(packages).filter((path) => path.includes("node_modules/"));
      return Promise.all(
        installed.map(async (path) => ({
          name: path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length),
          licence: nameOf(packages[path]?.license) ?? (await installedLicence(join(folder, path))),
        })),
      );
    }
    case "composer.lock": {
      const { packages = [] } = parseJson<{ packages?: { name: string; license?: unknown }[] }>(text);
      return packages.map(({ name, license }) => ({ name, licence: nameOf(license) }));
    }
    case "yarn.lock":
    case "pnpm-lock.yaml": {
      // These files do not tell licences; the installed packages do.
      const names = await readdir(join(folder, "node_modules")).catch(() => []);
      const packages = await Promise.all(names.map((name) => packagesIn(join(folder, "node_modules"), name)));
      return Promise.all(
        packages.flat().map(async (name) => ({
          name,
          licence: await installedLicence(join(folder, "node_modules", name)),
        })),
      );
    }
    default: // TOML: Cargo.lock, poetry.lock, uv.lock
      return [...text.matchAll(/\[\[package\]\]\s*name = "([^"]+)"/g)].map(([, name = ""]) => ({
        name,
        licence: undefined,
      }));
  }
}

async function packagesIn(folder: string, name: string): Promise<string[]> {
  if (name.startsWith(".")) return [];
  if (!name.startsWith("@")) return [name];
  return (await readdir(join(folder, name))).map((scoped) => `${name}/${scoped}`);
}

async function installedLicence(folder: string): Promise<string | undefined> {
  const text = await readFile(join(folder, "package.json"), "utf8").catch(() => "");
  return nameOf(parseJson<{ license?: unknown }>(text).license);
}

/** `"MIT"`, `{ "type": "MIT" }` and `["MIT", "Apache-2.0"]` are all in use. */
function nameOf(licence: unknown): string | undefined {
  if (typeof licence === "string" && licence !== "") return licence;
  if (Array.isArray(licence)) return licence.map(nameOf).join(" OR ") || undefined;
  if (typeof licence === "object" && licence !== null && "type" in licence) return nameOf(licence.type);
  return undefined;
}

/** An empty object for text that is not JSON. */
function parseJson<T extends object>(text: string): Partial<T> {
  try {
    return JSON.parse(text) as T;
  } catch {
    return {};
  }
}

function summarize(scan: Scan, batches: readonly Batch[], licences: Licences | undefined) {
  const languages: Batch["languages"] = {};
  for (const [language, count] of batches.flatMap((batch) => Object.entries(batch.languages))) {
    addTo(languages, language, count);
  }
  const bytes = total(batches.map((batch) => batch.bytes));
  const lines = total(Object.values(languages).map((count) => count.lines));
  const notText = total(batches.map((batch) => batch.notText));
  const largest = firstOf(
    batches.flatMap((batch) => batch.largest),
    (file) => file.bytes,
  );
  const markCounts = batches.flatMap((batch) => Object.entries(batch.markCounts));
  const marks = total(markCounts.map(([, count]) => count));
  const unreadable = batches.flatMap((batch) => batch.unreadable);
  const sections = [
    `# Report on ${basename(scan.root)}`,
    `${scan.files} files, ${sizeText(bytes)}, ${lines} lines of text. ${notText} files are binary or too large to read.`,
    scan.leftOut > 0 ? `${scan.leftOut} more files or folders were left out.` : "",
    unreadable.length > 0
      ? `Could not be read: ${unreadable.slice(0, MOST_LISTED).map(code).join(", ")}.`
      : "",
    "## Languages",
    table(
      ["Language", "Files", "Lines", "Blank", "Share"],
      Object.entries(languages)
        .toSorted(([, a], [, b]) => b.lines - a.lines)
        .map(([name, sum]) => [
          ...[name, sum.files, sum.lines, sum.blank],
          `${((100 * sum.lines) / Math.max(1, lines)).toFixed(1)} %`,
        ]),
    ),
    "## Largest files",
    table(
      ["File", "Size"],
      largest.map((file) => [code(file.path), sizeText(file.bytes)]),
    ),
    "## Put off",
    marks === 0 ? "No TODO or FIXME." : `${marks} lines with TODO or FIXME. Most of them are in:`,
    marks === 0
      ? ""
      : table(
          ["File", "Lines"],
          firstOf(markCounts, ([, n]) => n).map(([path, n]) => [code(path), n]),
        ),
    batches
      .flatMap((batch) => batch.marks)
      .slice(0, MOST_LISTED)
      .map(({ path, line, text }) => `- ${code(`${path}:${line}`)} ${code(text)}`)
      .join("\n"),
    "## Licences of dependencies",
    licences === undefined
      ? "There is no lock file."
      : table(
          ["Licence", "Packages"],
          Object.entries(licences.byLicence).toSorted(([, a], [, b]) => b - a),
        ),
  ];
  const markdown = `${sections.filter((section) => section !== "").join("\n\n")}\n`;
  return { bytes, lines, marks, markdown };
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 ** 2 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
}

/** Names of files may hold anything; a table cell may not. */
function code(text: string): string {
  return `\`${text.replaceAll(/[`|\n\r]/g, " ")}\``;
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

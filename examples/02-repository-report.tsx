// A report about a folder of code, written by a fan-out over its real files.
//
//   npx treadle up examples/02-repository-report.tsx --set root=. --set out=repository-report.md
//
// What to look at: `scan` finds the files; one `read-…` task per batch of files is
// mounted from its row; `summary` joins them; a branch looks at licences only where
// there is a lock file; `report` writes Markdown. Kill it half-way and resume it:
// batches that were read are not read again.
import { existsSync } from "node:fs";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { extname, join, relative, resolve } from "node:path";
import { createService } from "treadle";
import { z } from "zod";

const file = z.object({ path: z.string(), bytes: z.number().int() });
const hotSpot = z.object({ path: z.string(), marks: z.number().int() });

const { Workflow, Sequence, Parallel, Branch, Task, service, outputs } = createService({
  input: z.object({ root: z.string().optional(), out: z.string().optional() }),
  scan: z.object({ root: z.string(), batches: z.array(z.array(file)), hasLockFile: z.boolean() }),
  batch: z.object({
    languages: z.record(z.string(), z.object({ files: z.number().int(), lines: z.number().int() })),
    hotSpots: z.array(hotSpot),
    unreadable: z.number().int(),
  }),
  summary: z.object({
    files: z.number().int(),
    lines: z.number().int(),
    languages: z.array(z.object({ name: z.string(), files: z.number().int(), lines: z.number().int() })),
    largest: z.array(file),
    hotSpots: z.array(hotSpot),
  }),
  licences: z.object({ licences: z.array(z.object({ licence: z.string(), packages: z.number().int() })) }),
  output: z.object({ report: z.string(), files: z.number().int(), lines: z.number().int() }),
});

const SKIPPED = new Set([".git", "node_modules", "dist", "build", "target", ".venv", ".service"]);
const FILES_PER_BATCH = 40;
/** Larger files are counted by size, not read. */
const LARGEST_READ = 1_000_000;

async function findFiles(folder: string, root: string): Promise<z.infer<typeof file>[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : findFiles(path, root);
      // Links, sockets and the like are no files of this repository.
      if (!entry.isFile()) return [];
      const { size } = await stat(path).catch(() => ({ size: 0 }));
      return [{ path: relative(root, path), bytes: size }];
    }),
  );
  return found.flat().sort((a, b) => (a.path < b.path ? -1 : 1));
}

function inBatches<T>(items: T[]): T[][] {
  const batches: T[][] = [];
  for (let at = 0; at < items.length; at += FILES_PER_BATCH)
    batches.push(items.slice(at, at + FILES_PER_BATCH));
  return batches;
}

async function readBatch(root: string, files: z.infer<typeof file>[]) {
  const languages: Record<string, { files: number; lines: number }> = {};
  const hotSpots: z.infer<typeof hotSpot>[] = [];
  let unreadable = 0;
  for (const { path, bytes } of files) {
    const language = extname(path).slice(1).toLowerCase() || "other";
    const count = (languages[language] ??= { files: 0, lines: 0 });
    count.files += 1;
    if (bytes > LARGEST_READ) continue;
    const text = await readFile(join(root, path), "utf8").catch(() => undefined);
    if (text === undefined) {
      unreadable += 1;
      continue;
    }
    // A zero byte means that this is no text.
    if (text.includes("\0")) continue;
    count.lines += text.split("\n").length;
    const marks = text.match(/\b(?:TO-?DO|FIX-?ME)\b/g)?.length ?? 0;
    if (marks > 0) hotSpots.push({ path, marks });
  }
  return { languages, hotSpots, unreadable };
}

async function readLicences(root: string) {
  const lock = JSON.parse(await readFile(join(root, "package-lock.json"), "utf8")) as {
    packages?: Record<string, { license?: string }>;
  };
  const counts = new Map<string, number>();
  for (const [path, { license }] of Object.entries(lock.packages ?? {})) {
    if (path === "") continue;
    const licence = typeof license === "string" ? license : "not stated";
    counts.set(licence, (counts.get(licence) ?? 0) + 1);
  }
  const licences = [...counts].map(([licence, packages]) => ({ licence, packages }));
  return { licences: licences.sort((a, b) => b.packages - a.packages) };
}

export default service((ctx) => {
  const scan = ctx.outputMaybe(outputs.scan, { nodeId: "scan" });
  return (
    <Workflow name="repository-report">
      <Sequence>
        <Task id="scan" output={outputs.scan} retries={0}>
          {async () => {
            const root = resolve(ctx.input.root ?? ".");
            if (!existsSync(root)) throw new Error(`There is no folder ${root}.`);
            const files = await findFiles(root, root);
            return {
              root,
              batches: inBatches(files),
              hasLockFile: existsSync(join(root, "package-lock.json")),
            };
          }}
        </Task>
        <Parallel maxConcurrency={4}>
          {(scan?.batches ?? []).map((files, index) => (
            <Task key={files[0]?.path} id={`read-${index + 1}`} output={outputs.batch} retries={2}>
              {() => readBatch(scan?.root ?? ".", files)}
            </Task>
          ))}
        </Parallel>
        <Task id="summary" output={outputs.summary} deps={{ scan: outputs.scan }}>
          {(inputs) => summarize(inputs.scan.batches.flat(), ctx.outputs.batch)}
        </Task>
        <Branch
          if={scan?.hasLockFile ?? false}
          then={
            <Task id="licences" output={outputs.licences} retries={0} continueOnFail>
              {() => readLicences(scan?.root ?? ".")}
            </Task>
          }
        />
        <Task id="report" output={outputs.output} deps={{ scan: outputs.scan, summary: outputs.summary }}>
          {async ({ scan: { root }, summary }) => {
            const report = resolve(ctx.input.out ?? "repository-report.md");
            const licences = ctx.latest(outputs.licences, "licences")?.licences ?? [];
            await writeFile(report, toMarkdown(root, summary, licences));
            return { report, files: summary.files, lines: summary.lines };
          }}
        </Task>
      </Sequence>
    </Workflow>
  );
});

function summarize(files: z.infer<typeof file>[], batches: readonly z.infer<typeof outputs.batch>[]) {
  const totals = new Map<string, { files: number; lines: number }>();
  for (const { languages } of batches) {
    for (const [name, count] of Object.entries(languages)) {
      const total = totals.get(name) ?? { files: 0, lines: 0 };
      totals.set(name, { files: total.files + count.files, lines: total.lines + count.lines });
    }
  }
  const languages = [...totals]
    .map(([name, count]) => ({ name, ...count }))
    .sort((a, b) => b.lines - a.lines);
  return {
    files: files.length,
    lines: languages.reduce((sum, { lines }) => sum + lines, 0),
    languages,
    largest: files.toSorted((a, b) => b.bytes - a.bytes).slice(0, 10),
    hotSpots: batches
      .flatMap(({ hotSpots }) => hotSpots)
      .sort((a, b) => b.marks - a.marks)
      .slice(0, 10),
  };
}

function toMarkdown(
  root: string,
  summary: z.infer<typeof outputs.summary>,
  licences: { licence: string; packages: number }[],
): string {
  const table = (head: string[], rows: (string | number)[][]) =>
    [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
  const sections = [
    `# Report on ${root}`,
    `${summary.files} files, ${summary.lines} lines.`,
    "## Languages",
    table(
      ["ending", "files", "lines"],
      summary.languages.map(({ name, files, lines }) => [name, files, lines]),
    ),
    "## Largest files",
    table(
      ["file", "bytes"],
      summary.largest.map(({ path, bytes }) => [path, bytes]),
    ),
    "## Open ends",
    summary.hotSpots.length === 0
      ? "No file has a note about unfinished work."
      : table(
          ["file", "notes"],
          summary.hotSpots.map(({ path, marks }) => [path, marks]),
        ),
  ];
  if (licences.length > 0) {
    sections.push(
      "## Licences of dependencies",
      table(
        ["licence", "packages"],
        licences.map(({ licence, packages }) => [licence, packages]),
      ),
    );
  }
  return `${sections.join("\n\n")}\n`;
}

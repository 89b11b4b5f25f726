import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { Option } from "commander";
import { ServiceError } from "../../errors/service-error.js";
import { shellWord } from "../../util/shell-word.js";
import { defineCommand } from "../command.js";
import { findInstaller, INSTALLERS, type Installer } from "../init/installer.js";
import { projectManifest } from "../init/project-manifest.js";
import { type Template, templateFiles, type TemplateName, TEMPLATES } from "../init/templates.js";
import { mergeableFiles, type MergedFile } from "../init/merge-project.js";
import { monorepoOf } from "../init/monorepo.js";
import { rewriteFile, takenNames, writeProject } from "../init/write-project.js";
import { acceptSettings, GATEWAY_SETTINGS } from "../../process/found-settings.js";
import { confirm } from "../input/confirm.js";
import { EXIT } from "../exit-codes.js";
import type { Report } from "../report.js";

interface InitOptions {
  template: TemplateName;
  force?: boolean;
  dryRun?: boolean;
  yes?: boolean;
}

/** A file that was there and gets what it lacks. */
interface ChangedFile {
  file: string;
  /** Members or lines that are added. */
  added: string[];
  /** Members that the template has otherwise, and that stay. */
  kept: string[];
}

/** The document of `--json`. */
interface InitDocument {
  folder: string;
  template: TemplateName;
  packageManager: Installer;
  /** Written, or, with `--dry-run`, to be written. */
  files: string[];
  /** Those of them that were there before. */
  replaced: string[];
  /** Of those that are not the template's alone. */
  changed: ChangedFile[];
  dryRun: boolean;
  /** Commands to continue with, from the folder of the call. */
  next: string[];
}

export const init = defineCommand<InitOptions>({
  examples: [
    { command: "treadle init demo", meaning: "a project in the new folder demo" },
    { command: "treadle init demo --template approval", meaning: "one that waits for a person" },
    { command: "treadle init --dry-run", meaning: "which files it would write into this folder" },
  ],
  configure(command) {
    command
      .argument("[dir]", "folder of the project, made if it is not there (default: the current one)")
      .addOption(
        new Option("--template <name>", templatesText())
          .choices(Object.keys(TEMPLATES))
          .default("hello" satisfies TemplateName),
      )
      .option("--force", "replace files that are there; they are named")
      .option("--dry-run", "write nothing, say what would be written")
      .option("-y, --yes", "add to files that are there without a question");
  },
  async run({ terminal, args, options }): Promise<Report> {
    const { cwd, environment } = terminal;
    const { template, force = false, dryRun = false, yes = false } = options;
    const folder = resolve(cwd, (args[0] as string | undefined) ?? ".");
    const packageManager = findInstaller(folder, environment);
    const manifest = projectManifest({ folder, template, packageManager });
    const files = new Map([["package.json", Buffer.from(manifest)], ...templateFiles(template)]);
    if (existsSync(join(folder, WORKSPACE_NOTE))) files.delete(WORKSPACE_NOTE);
    const merged = mergeableFiles(folder, files);
    for (const { name } of merged) files.delete(name);
    const taken = takenNames({ folder, files });
    if (taken.length > 0 && !force) throw filesExist(folder, taken);
    const document: InitDocument = {
      folder,
      template,
      packageManager,
      files: [...files.keys()].toSorted(),
      replaced: taken,
      changed: merged.filter(({ added, kept }) => added.length + kept.length > 0).map(shownChange),
      dryRun,
      next: nextCommands({ from: cwd, folder, template, packageManager, ownTests: hasOwnTests(merged) }),
    };
    const changes = merged.filter(({ added }) => added.length > 0);
    if (changes.length > 0 && !dryRun) {
      terminal.err.line(changesText(document));
      if (!(await confirm("Change these files?", { terminal, yes }))) {
        const json = { ...document, files: [], replaced: [], changed: [], next: [] };
        return { json, text: () => "Nothing was written.", exitCode: EXIT.cancelled };
      }
    }
    if (!dryRun) {
      writeProject({ folder, files }, taken);
      for (const name of GATEWAY_SETTINGS) if (files.has(name)) acceptSettings(join(folder, name));
      for (const { name, text } of changes) rewriteFile(join(folder, name), text);
    }
    return { json: document, text: (colors) => projectText(document, colors.bold) };
  },
});

/** Says what the folder is for; the same in every project. */
const WORKSPACE_NOTE = ".service/README.md";

function shownChange({ name, added, kept }: MergedFile): ChangedFile {
  return { file: name, added: [...added], kept: [...kept] };
}

/** `npm test` is something else there. */
function hasOwnTests(merged: readonly MergedFile[]): boolean {
  return merged.some(({ kept }) => kept.some((line) => line.startsWith("scripts.test:")));
}

function templatesText(): string {
  const lines = Object.entries(TEMPLATES).map(([name, { summary }]) => `${name}: ${summary}`);
  return `what to begin with; ${lines.join("; ")}`;
}

function filesExist(folder: string, files: string[]): ServiceError {
  const [are, names] = [files.length === 1 ? "is" : "are", files.join(", ")];
  return new ServiceError("PROJECT_FILES_EXIST", `In ${folder} there ${are} already ${names}.`, {
    details: { folder, files },
  });
}

function nextCommands(about: {
  from: string;
  folder: string;
  template: TemplateName;
  packageManager: Installer;
  ownTests: boolean;
}): string[] {
  const { from, folder, template, packageManager, ownTests } = about;
  const { install, test, run } = INSTALLERS[packageManager];
  const way = relative(from, folder);
  // A folder whose name begins with a dash is no option of `cd`.
  const enter = way === "" ? "" : `cd ${way.startsWith("-") ? "./" : ""}${shellWord(way)} && `;
  const { settings, start }: Template = TEMPLATES[template];
  const tests = ownTests ? `${run} tsx --test *.test.ts` : test;
  return [`${enter}${install}`, tests, `${settings === undefined ? "" : `${settings} `}${run} ${start}`];
}

function projectText(document: InitDocument, bold: (text: string) => string): string {
  const { folder, template, files, replaced, changed, dryRun, next } = document;
  const title = `${dryRun ? "Would write" : "Wrote"} the template ${template} to ${folder}:`;
  const lines = files.map((file) => `  ${file}${replaced.includes(file) ? "  (replaced)" : ""}`);
  for (const { file, added } of changed) if (added.length > 0) lines.push(`  ${file}  (added to)`);
  if (dryRun) return [title, ...lines, ...(changed.length > 0 ? ["", changesText(document)] : [])].join("\n");
  return [
    title,
    ...lines,
    "",
    ...notes(folder),
    "Next:",
    ...next.map((command) => `  ${bold(command)}`),
  ].join("\n");
}

function changesText({ folder, changed }: InitDocument): string {
  return changed
    .flatMap(({ file, added, kept }) => [
      `${join(folder, file)}:`,
      ...added.map((line) => `  + ${line}`),
      ...kept.map((line) => `  = ${line}`),
    ])
    .join("\n");
}

/** A package that the file above it does not name is none of its monorepo. */
function notes(folder: string): string[] {
  const monorepo = monorepoOf(folder);
  if (monorepo === undefined || monorepo.isMember) return [];
  return [`Add "${monorepo.member}" to the packages that ${monorepo.file} names.`, ""];
}

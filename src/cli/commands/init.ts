import { relative, resolve } from "node:path";
import { Option } from "commander";
import { ServiceError } from "../../errors/service-error.js";
import { shellWord } from "../../util/shell-word.js";
import { defineCommand } from "../command.js";
import { findInstaller, INSTALLERS, type Installer } from "../init/installer.js";
import { projectManifest } from "../init/project-manifest.js";
import { templateFiles, type TemplateName, TEMPLATES } from "../init/templates.js";
import { takenNames, writeProject } from "../init/write-project.js";
import type { Report } from "../report.js";

interface InitOptions {
  template: TemplateName;
  force?: boolean;
  dryRun?: boolean;
}

/** What `--json` prints. */
interface InitDocument {
  folder: string;
  template: TemplateName;
  packageManager: Installer;
  /** Written, or, with `--dry-run`, to be written. */
  files: string[];
  /** Those of them that were there before. */
  replaced: string[];
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
      .option("--dry-run", "write nothing, say what would be written");
  },
  async run({ terminal, args, options }): Promise<Report> {
    const { cwd, environment } = terminal;
    const { template, force = false, dryRun = false } = options;
    const folder = resolve(cwd, (args[0] as string | undefined) ?? ".");
    const packageManager = findInstaller(folder, environment);
    const manifest = projectManifest({ folder, template, packageManager });
    const files = new Map([["package.json", Buffer.from(manifest)], ...templateFiles(template)]);
    const taken = takenNames({ folder, files });
    if (taken.length > 0 && !force) throw filesExist(folder, taken);
    if (!dryRun) writeProject({ folder, files }, taken);
    const document: InitDocument = {
      folder,
      template,
      packageManager,
      files: [...files.keys()].toSorted(),
      replaced: taken,
      dryRun,
      next: nextCommands({ from: cwd, folder, template, packageManager }),
    };
    return { json: document, text: (colors) => projectText(document, colors.bold) };
  },
});

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
}): string[] {
  const { from, folder, template, packageManager } = about;
  const { install, test, run } = INSTALLERS[packageManager];
  const way = relative(from, folder);
  // A folder whose name begins with a dash is no option of `cd`.
  const enter = way === "" ? "" : `cd ${way.startsWith("-") ? "./" : ""}${shellWord(way)} && `;
  // Its configuration starts for nobody without a token.
  const settings = template === "gateway" ? "GATEWAY_TOKEN=correct-horse " : "";
  return [`${enter}${install}`, test, `${settings}${run} ${TEMPLATES[template].start}`];
}

function projectText(document: InitDocument, bold: (text: string) => string): string {
  const { folder, template, files, replaced, dryRun, next } = document;
  const title = `${dryRun ? "Would write" : "Wrote"} the template ${template} to ${folder}:`;
  const lines = files.map((file) => `  ${file}${replaced.includes(file) ? "  (replaced)" : ""}`);
  if (dryRun) return [title, ...lines].join("\n");
  return [title, ...lines, "", "Next:", ...next.map((command) => `  ${bold(command)}`)].join("\n");
}

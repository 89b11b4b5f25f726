import { join, relative } from "node:path";
import type { WorkflowFolder } from "../../hot/workflow-folder.js";
import { chooseDatabase, DATABASE_FILE, databaseAt, findWorkspaceFolder } from "../../store/index.js";
import { type CommandCall, defineCommand } from "../command.js";
import { wholeNumber } from "../input/option-values.js";
import { type DevSettings, onSavedSettings, readDevSettings } from "../drive/dev-settings.js";
import { brokenFile } from "../output/broken-file.js";
import { toServiceError } from "../output/error-report.js";
import { treadleCommand } from "../../util/treadle-command.js";
import { visibleText } from "../output/visible-text.js";

interface DevFlags {
  port: number;
  /** False: `--no-open`. */
  open: boolean;
}

export const dev = defineCommand<DevFlags>({
  examples: [
    {
      command: "treadle dev",
      meaning: "serve the workflows in .service/workflows, open the console, and follow every save",
    },
    { command: "treadle dev flows --no-open --port 0", meaning: "those of another folder, at a free port" },
  ],
  streams: true,
  configure(command) {
    command
      .argument("[folder]", "folder with the workflow files (default: .service/workflows of the workspace)")
      .option("--port <n>", "port, 0 = any free one", wholeNumber("--port"), 7331)
      .option("--no-open", "leave the browser alone")
      .addHelpText("after", EXIT_CODES);
  },
  async run(call) {
    const { terminal, args, options, documents } = call;
    const { cwd, environment, out } = terminal;
    const root = findWorkspaceFolder(cwd) ?? cwd;
    chooseDatabase(options.db === undefined ? join(root, DATABASE_FILE) : databaseAt(cwd, options.db));
    const [{ openFolder }, { newHostToken }, { operatorToken }, { serveGateway }, { Gateway }] =
      await Promise.all([
        import("../drive/open-folder.js"),
        import("../drive/host-token.js"),
        import("../drive/open-gateway.js"),
        import("../drive/serve-gateway.js"),
        import("../../hosts/gateway/gateway.js"),
      ]);
    const settings = await readDevSettings(root, cwd);
    const more = settings === undefined ? {} : { more: settings.files };
    const folder = await openFolder({ cwd, root, folder: args[0] as string | undefined, ...more });
    let forget = () => {};
    try {
      const given = environment.SERVICE_API_KEY || undefined;
      const ownToken = given === undefined ? newHostToken() : undefined;
      const configured = settings?.options ?? {};
      const auth = configured.auth ?? operatorToken(given ?? (ownToken as string));
      const registrations = settings?.registrations ?? new Map();
      const gateway = new Gateway({ workspaceRoot: root, ...configured, auth }, { folder, registrations });
      for (const [key, workflow] of settings?.values ?? []) {
        gateway.register(key, workflow, registrations.get(key));
      }
      return await serveGateway({
        gateway,
        root,
        port: options.port,
        host: "127.0.0.1",
        ownToken: configured.auth === undefined ? ownToken : undefined,
        open: options.open,
        terminal,
        onListening: (about) => {
          documents && out.line(documents.streamed({ event: "listening", ...about }));
          folder.onChange((key) => tellOfSave(call, { folder, root, key }));
          if (settings !== undefined)
            forget = onSavedSettings(settings, () => tellOfSettings(call, settings));
        },
        notes: notesOf(call, folder, settings),
      });
    } finally {
      forget();
      await folder.close();
    }
  },
});

function notesOf(
  { terminal: { err }, args }: CommandCall<DevFlags>,
  folder: WorkflowFolder,
  settings: DevSettings | undefined,
): string[] {
  const isEmpty = folder.entries().length === 0 && (settings?.values.size ?? 0) === 0;
  const where = (args[0] as string | undefined) ?? ".service/workflows";
  const broken = folder.entries().filter(({ error }) => error !== undefined);
  return [
    ...(isEmpty
      ? [
          `${err.colors.yellow("!")} No workflow file is in ${visibleText(where)}: one that is saved there is served at once. \`${treadleCommand("dev", ["."])}\` serves those of this folder.`,
        ]
      : []),
    ...broken.map(({ error }) => brokenFile(error, err.colors.yellow("!"), err.colors)),
    ...[...(settings?.values.keys() ?? [])].map(
      (key) =>
        `${settings?.name} brings ${key} along as a value: its saves count after a restart. Name its file instead to have them followed.`,
    ),
  ];
}

/** Its options and registrations are those of the start: schedules, addresses and who is let in do not change under way. */
function tellOfSettings(
  { terminal: { err, out }, documents }: CommandCall<DevFlags>,
  { name }: DevSettings,
): void {
  documents && out.line(documents.streamed({ event: "settings-saved", file: name, needsRestart: true }));
  err.line(`${err.colors.yellow("!")} ${name} was saved: end this and start it again to have it counted.`);
}

/** A line for each save: which workflow it is of, and what is wrong with it. */
function tellOfSave(
  { terminal: { err, out }, documents }: CommandCall<DevFlags>,
  { folder, root, key }: { folder: WorkflowFolder; root: string; key: string },
): void {
  const entry = folder.entries().find((each) => each.key === key);
  const file = entry === undefined ? null : relative(root, entry.path);
  const error = entry?.error === undefined ? null : toServiceError(entry.error);
  const refused = error && { code: error.code, summary: error.summary };
  documents && out.line(documents.streamed({ event: "saved", key, file, error: refused }));
  if (error !== null) err.line(brokenFile(entry?.error, err.colors.red("✗"), err.colors));
  else if (file === null) err.line(visibleText(`${err.colors.yellow("−")} ${key} is gone`));
  else err.line(visibleText(`${err.colors.green("⟲")} ${file}`));
}

const EXIT_CODES = `
Exit codes: 4 wrong call, 130 SIGINT, 143 SIGTERM; 1 for what fails on its own.
The first Ctrl-C releases all runs, which stay resumable; the second one ends at once.`;

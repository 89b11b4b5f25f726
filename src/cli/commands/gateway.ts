import { isLoopbackHost } from "../../hosts/http/loopback.js";
import { defineCommand } from "../command.js";
import { refuseTokenBeside } from "../drive/serve-flags.js";
import { wholeNumber } from "../input/option-values.js";
import { brokenFile } from "../output/broken-file.js";

interface GatewayFlags {
  port: number;
  host: string;
  workspace?: string;
  config?: string;
  authToken?: string;
  /** False: `--no-auth`. */
  auth: boolean;
  open?: boolean;
}

export const gateway = defineCommand<GatewayFlags>({
  examples: [
    { command: "treadle gateway", meaning: "serve the workflows in .service/workflows to this machine" },
    {
      command: "treadle gateway --config ops/treadle.gateway.ts --port 0",
      meaning: "with credentials, schedules and pages of its own, at a free port",
    },
    {
      command: "treadle gateway --auth-token $TOKEN --host 0.0.0.0",
      meaning: "listen beyond this machine, with a token",
    },
  ],
  streams: true,
  configure(command) {
    command
      .option("--port <n>", "port, 0 = any free one", wholeNumber("--port"), 7331)
      .option("--host <address>", "address to listen at", "127.0.0.1")
      .option("--workspace <folder>", "folder with .service/ and service.db (default: the nearest parent)")
      .option(
        "--config <file>",
        "module that exports a gateway, or its options (default: treadle.gateway.ts)",
      )
      .option(
        "--auth-token <token>",
        "token that may do everything (default: SERVICE_API_KEY, else one of its own)",
      )
      .option("--no-auth", "without a token every program and user of this machine may start and decide runs")
      .option("--open", "open its first page in the browser of this machine")
      .addHelpText("after", EXIT_CODES);
  },
  async run({ terminal, options, documents }) {
    const { port, host, workspace, config, db, authToken, auth } = options;
    const { cwd, environment, err, out } = terminal;
    if (!auth) refuseTokenBeside(authToken, environment.SERVICE_API_KEY);
    const [{ openGateway }, { newHostToken }, { serveGateway }] = await Promise.all([
      import("../drive/open-gateway.js"),
      import("../drive/host-token.js"),
      import("../drive/serve-gateway.js"),
    ]);
    // Whom a host beyond this machine lets in is said by name.
    const ownToken = auth && isLoopbackHost(host) ? newHostToken() : undefined;
    const opened = await openGateway({
      cwd,
      workspace,
      config,
      db,
      authToken,
      environmentToken: environment.SERVICE_API_KEY || undefined,
      ownToken,
    });
    return serveGateway({
      ...opened,
      port,
      host,
      ownToken: opened.usesOwnToken ? ownToken : undefined,
      open: options.open === true,
      terminal,
      onListening: (about) => documents && out.line(documents.streamed({ event: "listening", ...about })),
      notes: opened.broken.map((error) => brokenFile(error, err.colors.yellow("!"), err.colors)),
    });
  },
});

const EXIT_CODES = `
Exit codes: 4 wrong call, configuration or workflow, 130 SIGINT, 143 SIGTERM; 1 for what fails on its own.
The first Ctrl-C releases all runs, which stay resumable; the second one ends at once.`;

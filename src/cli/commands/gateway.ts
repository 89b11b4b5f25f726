import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { GatewayDescription } from "../../hosts/gateway/gateway.js";
import { isLoopbackHost } from "../../hosts/http/loopback.js";
import { readVersion } from "../../process/installation.js";
import { defineCommand } from "../command.js";
import { portRefusal, refuseTokenBeside } from "../drive/serve-flags.js";
import { SIGNAL_EXIT } from "../exit-codes.js";
import { wholeNumber } from "../input/option-values.js";
import { watchInterrupts } from "../runs/interrupts.js";
import { openInBrowser } from "../runs/open-in-browser.js";
import { toServiceError } from "../output/error-report.js";

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
    const [{ openGateway }, { leaveHostToken, newHostToken }, { surviveStrayErrors, withholdExit }] =
      await Promise.all([
        import("../drive/open-gateway.js"),
        import("../drive/host-token.js"),
        import("../../engine/attempt/process-guard.js"),
      ]);
    // Whom a host beyond this machine lets in is said by name.
    const ownToken = auth && isLoopbackHost(host) ? newHostToken() : undefined;
    const {
      gateway: opened,
      root,
      usesOwnToken,
      broken,
    } = await openGateway({
      cwd,
      workspace,
      config,
      db,
      authToken,
      environmentToken: environment.SERVICE_API_KEY || undefined,
      ownToken,
    });
    const interrupts = watchInterrupts();
    surviveStrayErrors((error) => {
      const { code, summary } = toServiceError(error);
      err.line(`! uncaught ${code}: ${summary}`);
    });
    withholdExit();
    const server = await opened.listen({ port, host }).catch((error: unknown) => {
      throw portRefusal(error, port);
    });
    const { address, family, port: bound } = server.address() as AddressInfo;
    const url = `http://${family === "IPv6" ? `[${address}]` : address}:${bound}`;
    const about = opened.describe();
    const left = usesOwnToken && ownToken !== undefined ? leaveHostToken(root, bound, ownToken) : undefined;
    if (documents !== undefined) out.line(documents.streamed({ event: "listening", url, ...about }));
    for (const line of banner(url, about)) err.line(line);
    for (const error of broken) {
      const { code, summary } = toServiceError(error);
      err.line(`${err.colors.yellow("!")} ${code} ${summary}`);
    }
    if (about.auth === null) {
      err.line(
        `${err.colors.yellow("!")} No credentials: everybody on this machine may start and decide runs.`,
      );
    }
    if (left !== undefined) {
      err.line(
        `Commands of this workspace use the token in ${left.path}; pages ask for it, or open with --open.`,
      );
    }
    const [page] = about.pages;
    if (options.open === true && page !== undefined) {
      openInBrowser(left === undefined ? `${url}${page.path}` : left.link(`${url}${page.path}`), terminal);
    }
    err.line("Ctrl-C stops the gateway; its runs stay resumable.");
    if (!interrupts.signal.aborted) await once(interrupts.signal, "abort");
    left?.remove();
    await opened.close();
    interrupts.dispose();
    const stopped = interrupts.received();
    return stopped === undefined ? 0 : SIGNAL_EXIT[stopped];
  },
});

function banner(url: string, { auth, workflows, databases, pages }: GatewayDescription): string[] {
  const lines: [name: string, text: string][] = [
    ["workflows", workflows.join(", ") || "none"],
    ...databases.map((path): [string, string] => ["database", path]),
    ["auth", auth ?? "none"],
    ...pages.map(({ path, title }): [string, string] => ["page", `${url}${path} (${title})`]),
  ];
  return [
    `treadle ${readVersion()}: gateway at ${url}`,
    ...lines.map(([name, text]) => `  ${name.padEnd(10)} ${text}`),
  ];
}

const EXIT_CODES = `
Exit codes: 4 wrong call, configuration or workflow, 130 SIGINT, 143 SIGTERM; 1 for what fails on its own.
The first Ctrl-C releases all runs, which stay resumable; the second one ends at once.`;

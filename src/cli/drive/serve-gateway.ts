import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { surviveStrayErrors, withholdExit } from "../../engine/index.js";
import type { Gateway, GatewayDescription } from "../../hosts/gateway/gateway.js";
import { readVersion } from "../../process/installation.js";
import { SIGNAL_EXIT } from "../exit-codes.js";
import { toServiceError } from "../output/error-report.js";
import { watchInterrupts } from "../runs/interrupts.js";
import { openInBrowser } from "../runs/open-in-browser.js";
import type { Terminal } from "../terminal.js";
import { leaveHostToken } from "./host-token.js";
import { portRefusal } from "./serve-flags.js";

export interface ServeRequest {
  gateway: Gateway;
  /** Folder of the workspace. */
  root: string;
  port: number;
  host: string;
  /** The token that lets in, where it is one of the gateway's own. */
  ownToken: string | undefined;
  /** Whether its first page is opened. */
  open: boolean;
  terminal: Terminal;
  /** Called once the gateway answers, with what it says about itself, before anything is said. */
  onListening?(about: { url: string } & GatewayDescription): void;
  /** What is said besides, below the description. */
  notes: readonly string[];
}

/** Lets a gateway listen until the process is interrupted. @returns the exit code */
export async function serveGateway(request: ServeRequest): Promise<number> {
  const { gateway, root, port, host, ownToken, open, terminal, onListening, notes } = request;
  const { err } = terminal;
  const interrupts = watchInterrupts();
  surviveStrayErrors((error) => {
    const { code, summary } = toServiceError(error);
    err.line(`! uncaught ${code}: ${summary}`);
  });
  withholdExit();
  const server = await gateway.listen({ port, host }).catch((error: unknown) => {
    throw portRefusal(error, port);
  });
  const { address, family, port: bound } = server.address() as AddressInfo;
  const url = `http://${family === "IPv6" ? `[${address}]` : address}:${bound}`;
  const about = gateway.describe();
  const left = ownToken === undefined ? undefined : leaveHostToken(root, bound, ownToken);
  onListening?.({ url, ...about });
  for (const line of [...banner(url, about), ...notes]) err.line(line);
  if (about.auth === null) {
    err.line(
      `${err.colors.yellow("!")} No credentials: everybody on this machine may start and decide runs.`,
    );
  }
  if (left !== undefined) {
    const how = open ? "" : ", or open with --open";
    err.line(`Commands of this workspace use the token in ${left.path}; pages ask for it${how}.`);
  }
  const [page] = about.pages;
  if (open && page !== undefined) {
    openInBrowser(left === undefined ? `${url}${page.path}` : left.link(`${url}${page.path}`), terminal);
  }
  err.line("Ctrl-C stops the gateway; its runs stay resumable.");
  if (!interrupts.signal.aborted) await once(interrupts.signal, "abort");
  left?.remove();
  await gateway.close();
  interrupts.dispose();
  const stopped = interrupts.received();
  return stopped === undefined ? 0 : SIGNAL_EXIT[stopped];
}

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

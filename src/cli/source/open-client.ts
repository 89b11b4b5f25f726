import { ClientError, createClient } from "../../client/node.js";
import type { GatewayClient } from "../../client/index.js";
import { errorCodeEntry } from "../../errors/codes.js";
import { ServiceError } from "../../errors/service-error.js";
import { findHostToken } from "../drive/host-token.js";
import { readTextArgument } from "../input/json-argument.js";
import type { Terminal } from "../terminal.js";
import type { ChosenGateway } from "./gateway-use.js";

/** A client of the gateway that was chosen. @throws CLI_USAGE for an address or a file that cannot be used */
export async function openClient(
  gateway: ChosenGateway,
  terminal: Pick<Terminal, "cwd" | "input" | "err">,
): Promise<GatewayClient> {
  const { url } = gateway;
  const credentials = await credentialsOf(gateway, terminal);
  try {
    const client = createClient({
      url,
      id: "treadle-cli",
      ...(credentials !== undefined && credentials !== "" && { token: credentials }),
    });
    warnOfPlainText(client.url, credentials, terminal.err);
    reportOutages(client, terminal.err);
    return client;
  } catch (error) {
    throw ClientError.is(error, "INVALID_INPUT")
      ? new ServiceError("CLI_USAGE", `--gateway: ${error.message}`, { details: { option: "--gateway" } })
      : error;
  }
}

async function credentialsOf(
  gateway: ChosenGateway,
  terminal: Pick<Terminal, "cwd" | "input">,
): Promise<string | undefined> {
  const { token, typedToken } = gateway;
  if (typedToken !== undefined) return typedToken;
  if (token === undefined) return findHostToken(terminal.cwd, gateway.url);
  const { text } = await readTextArgument({ option: "--token", value: token }, terminal);
  if (token === "-") gateway.typedToken = text.trim();
  return text.trim();
}

/** Without it a person who follows a run would take an outage for a run without events. */
function reportOutages(client: GatewayClient, err: Terminal["err"]): void {
  let isAway = false;
  client.onConnection(() => {
    const { status } = client.connection;
    if (status === "offline" && !isAway) {
      isAway = true;
      err.line(`${err.colors.yellow("!")} ${client.url} cannot be reached; tried again until it can be.`);
    } else if (status === "open" && isAway) {
      isAway = false;
      err.line(`${client.url} is reached again; nothing was missed.`);
    }
  });
}

/** A machine in between can read a token that is not encrypted. */
function warnOfPlainText(url: string, credentials: string | undefined, err: Terminal["err"]): void {
  const { protocol, hostname } = new URL(url);
  if (credentials === undefined || protocol === "https:" || LOOPBACK.test(hostname)) return;
  err.line(`${err.colors.yellow("!")} ${url} is not encrypted: any machine in between can read the token.`);
}

/** As `new URL` writes names and addresses of this machine. */
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Turns a gateway's refusal into the command's own. */
export async function asked<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw asServiceError(error);
  }
}

export function asServiceError(error: unknown): unknown {
  if (!ClientError.is(error)) return error;
  const { code, message, details } = error;
  // Both ends add what to do next.
  const next = errorCodeEntry(code)?.next;
  const summary =
    next !== undefined && message.endsWith(next) ? message.slice(0, -next.length).trimEnd() : message;
  return new ServiceError(code, summary, details === undefined ? {} : { details });
}

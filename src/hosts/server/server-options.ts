import { statSync } from "node:fs";
import { resolve } from "node:path";
import { checkOptions } from "../../options/check-options.js";
import * as rules from "../../options/option-rules.js";
import { logHostFailure } from "../http/log-host-failure.js";
import { type ListenOptions, refuseInsecureBind } from "../http/listen.js";

/** Where the server listens, whom it lets in, and what its runs may do. */
export interface ServerOptions extends ListenOptions {
  /**
   * A workflow's `db`, or a ServiceDb: runs and approvals are listed from it, and runs
   * that were started before, or by other processes, are found in it.
   */
  db?: unknown;
  /**
   * Bearer token that every route except `/health` requires.
   * @default the environment variable SERVICE_API_KEY; without either, everybody on this machine is let in
   */
  authToken?: string;
  /** Largest request body, bytes. @default 1048576 */
  maxBodyBytes?: number;
  /** Folder that workflow files must lie in, and that tools work in. @default none: any file; tools work in the current folder */
  rootDir?: string;
  /** Network access of the bash tool. @default false */
  allowNetwork?: boolean;
  /** Runs driven at once; others wait for their turn, in the order in which they were made. @default any number */
  maxActiveRuns?: number;
  /** Tasks at work at once, in all runs of the host. @default any number */
  maxActiveTasks?: number;
  /** A run could not be driven on; null: a request failed through no fault of its own, or a database could not be read. @default it is logged */
  onError?(runId: string | null, error: Error): void;
}

const RULES = {
  port: rules.withDefault(
    rules.checked(
      "a port number",
      (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) < 65_536,
    ),
    7_331,
  ),
  host: rules.withDefault(rules.name, "127.0.0.1"),
  insecure: rules.withDefault(rules.flag, false),
  headersTimeout: rules.withDefault(rules.milliseconds, 30_000),
  requestTimeout: rules.withDefault(rules.milliseconds, 60_000),
  db: rules.anything,
  authToken: rules.secret(rules.name),
  maxBodyBytes: rules.withDefault(rules.positiveInteger, 1_048_576),
  rootDir: rules.checked("a folder that exists", isFolder),
  allowNetwork: rules.withDefault(rules.flag, false),
  maxActiveRuns: rules.positiveInteger,
  maxActiveTasks: rules.positiveInteger,
  onError: rules.withDefault(rules.callback, logHostFailure),
} satisfies rules.OptionRules<ServerOptions>;

export type CheckedServerOptions = rules.Checked<ServerOptions, typeof RULES>;

/** @throws INVALID_INPUT, SERVER_INSECURE_BIND */
export function checkServerOptions(options: ServerOptions): CheckedServerOptions {
  const { rootDir, ...checked } = checkOptions("startServer", options, RULES);
  const authToken = checked.authToken ?? (process.env.SERVICE_API_KEY || undefined);
  refuseInsecureBind(checked.host, { authToken, insecure: checked.insecure });
  return {
    ...checked,
    ...(authToken !== undefined && { authToken }),
    ...(rootDir !== undefined && { rootDir: resolve(rootDir) }),
  };
}

function isFolder(value: unknown): boolean {
  return typeof value === "string" && (statSync(value, { throwIfNoEntry: false })?.isDirectory() ?? false);
}

import type { Command } from "commander";
import { ServiceError } from "../../errors/service-error.js";
import { wholeNumber } from "../input/option-values.js";

/** Options of `treadle up --serve`. */
export interface ServeFlags {
  serve?: boolean;
  port?: number;
  host?: string;
  authToken?: string;
  /** False: `--no-auth`. */
  auth: boolean;
  insecure?: boolean;
  metrics: boolean;
}

export function addServeFlags(command: Command): Command {
  return command
    .optionsGroup("Serving the run over HTTP:")
    .option("--serve", "serve the run while it lasts and after it, until Ctrl-C; implies --wait")
    .option("--port <n>", "port, 0 = any free one (default: 7331)", wholeNumber("--port"))
    .option("--host <address>", "address to listen at (default: 127.0.0.1)")
    .option(
      "--auth-token <token>",
      "required by every route but /health (default: SERVICE_API_KEY, else one of its own)",
    )
    .option("--no-auth", "without a token every program and user of this machine may answer the run")
    .option("--insecure", "listen beyond this machine without a token: a proxy in front authenticates")
    .option("--no-metrics", "no /metrics");
}

/** Why nothing listens: CLI_USAGE with the way out for a port that is taken, else the error itself. */
export function portRefusal(error: unknown, port: number): unknown {
  if (!ServiceError.is(error, "ADDRESS_IN_USE")) return error;
  return new ServiceError("CLI_USAGE", `Port ${port} is taken: --port 0 uses a free one.`, { cause: error });
}

/** @throws CLI_USAGE for `--no-auth` where a token is given all the same */
export function refuseTokenBeside(authToken: string | undefined, environmentToken: string | undefined): void {
  if (authToken !== undefined) {
    throw new ServiceError("CLI_USAGE", "--auth-token and --no-auth exclude each other.");
  }
  if (environmentToken !== undefined && environmentToken !== "") {
    throw new ServiceError("CLI_USAGE", "SERVICE_API_KEY is set: unset it, or leave --no-auth out.");
  }
}

/** @throws CLI_USAGE for an option of serving without `--serve`, and for `--no-wait` with it */
export function checkServeFlags(options: ServeFlags & { wait?: boolean }): void {
  if (options.serve === true) {
    if (options.wait === false)
      throw new ServiceError("CLI_USAGE", "--serve stays: it cannot go with --no-wait.");
    return;
  }
  for (const flag of ["port", "host", "authToken", "insecure"] as const) {
    if (options[flag] === undefined) continue;
    const name = flag === "authToken" ? "auth-token" : flag;
    throw new ServiceError("CLI_USAGE", `--${name} needs --serve.`);
  }
  if (!options.auth) throw new ServiceError("CLI_USAGE", "--no-auth needs --serve.");
  if (!options.metrics) throw new ServiceError("CLI_USAGE", "--no-metrics needs --serve.");
}

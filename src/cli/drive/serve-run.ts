import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { ServiceError } from "../../errors/service-error.js";
import type { ServiceWorkflow } from "../../model/workflow.js";
import { findWorkspaceFolder, ServiceDb } from "../../store/index.js";
import { isLoopbackHost } from "../../hosts/http/loopback.js";
import { watchInterrupts } from "../runs/interrupts.js";
import type { Terminal } from "../terminal.js";
import { leaveHostToken, newHostToken } from "./host-token.js";
import { portRefusal, refuseTokenBeside, type ServeFlags } from "./serve-flags.js";

export interface ServingRun {
  readonly url: string;
  /** Keeps on serving until the process is stopped. */
  untilStopped(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Puts the app of a run behind a port; `up` itself drives the run.
 * @throws SERVER_INSECURE_BIND, CLI_USAGE; as portRefusal
 */
export async function serveRun(
  { workflow, runId }: { workflow: ServiceWorkflow; runId: string },
  { port = 7331, host = "127.0.0.1", insecure = false, metrics, auth, authToken: given }: ServeFlags,
  { err, environment, cwd }: Pick<Terminal, "err" | "environment" | "cwd">,
): Promise<ServingRun> {
  const [{ createServeApp }, { listen, refuseInsecureBind }] = await Promise.all([
    import("../../hosts/serve/create-serve-app.js"),
    import("../../hosts/http/listen.js"),
  ]);
  if (!auth) refuseTokenBeside(given, environment.SERVICE_API_KEY);
  const ownToken = auth && !insecure && isLoopbackHost(host) ? newHostToken() : undefined;
  const authToken = given ?? (environment.SERVICE_API_KEY || undefined) ?? ownToken;
  refuseInsecureBind(host, { authToken, insecure });
  const abort = new AbortController();
  const app = createServeApp({
    workflow,
    adapter: new ServiceDb(workflow.db),
    runId,
    abort,
    metrics,
    insecure,
    resumes: false,
    ...(authToken !== undefined && { authToken }),
  });
  const timeouts = { headersTimeout: 30_000, requestTimeout: 60_000 };
  const server = listen(app, { port, host, insecure, ...timeouts }, async () => {
    abort.abort(new ServiceError("PROCESS_ABORTED", "The process ends."));
  });
  await once(server, "listening").catch((error: unknown) => {
    throw portRefusal(error, port);
  });
  const address = server.address() as AddressInfo;
  const name = address.family === "IPv6" ? `[${address.address}]` : address.address;
  const left =
    ownToken !== undefined && authToken === ownToken
      ? leaveHostToken(findWorkspaceFolder(cwd) ?? cwd, address.port, ownToken)
      : undefined;
  const guard =
    authToken === undefined
      ? "no token: any client that reaches it may answer the run"
      : left === undefined
        ? "with a token"
        : `with the token in ${left.path}`;
  const url = `http://${name}:${address.port}`;
  err.line(`Serving run ${runId} at ${url} (${guard}); Ctrl-C stops.`);
  return {
    url,
    async untilStopped() {
      const { signal, dispose } = watchInterrupts();
      if (!signal.aborted) await once(signal, "abort");
      dispose();
    },
    async close() {
      left?.remove();
      server.close();
      await once(server, "close");
    },
  };
}

import { setMaxListeners } from "node:events";
import type { Server } from "node:http";
import { ServiceError } from "../../errors/service-error.js";
import type { ServiceWorkflow } from "../../model/workflow.js";
import { Nudge } from "../../util/nudge.js";
import { checkOptions } from "../../options/check-options.js";
import * as rules from "../../options/option-rules.js";
import { type Clock, systemClock } from "../../util/clock.js";
import { logHostFailure } from "../http/log-host-failure.js";
import { createHttpServer, refuseInsecureBind, warnOfOpenHost } from "../http/listen.js";
import { createAuthenticator } from "./auth/authenticator.js";
import { type CheckedGatewayOptions, checkGatewayOptions } from "./check-gateway-options.js";
import { checkRegistration } from "./check-registration.js";
import type { Schedules } from "./cron/scheduler.js";
import { Extensions, type GatewayExtension } from "./extensions.js";
import type { GatewayOptions, GatewayRegisterOptions } from "./gateway-options.js";
import type { GatewayParts } from "./gateway-parts.js";
import type { BindOptions } from "../http/address-refusal.js";
import type { BrokenWorkflow } from "../../client/gateway-descriptions.js";
import type { WorkflowFolder } from "../../hot/workflow-folder.js";
import { brokenWorkflow } from "./broken-workflow.js";
import { type FolderServing, serveFolder } from "./serve-folder.js";
import { AgentChecks } from "./agent-checks.js";
import { bind, unbind } from "./bind.js";
import type { AttachedSocket } from "./socket/attach-socket.js";
import { uiPages } from "./ui/ui-page.js";
import { GatewayWorkspace } from "./workspace.js";

/** Where a gateway listens. */
export interface GatewayListenOptions {
  /** 0: any free one. @default 7331 */
  port?: number;
  /** Address to listen at. @default "127.0.0.1" */
  host?: string;
  /** Unix socket to listen at instead; only this user can open it. */
  path?: string;
}

/** A gateway's description for its operator. */
export interface GatewayDescription {
  /** Null: everybody on this machine is let in. */
  auth: "token" | "jwt" | "trusted-proxy" | null;
  /** Keys, in the order of their registration. */
  workflows: string[];
  /** Files that give no workflow. */
  broken: BrokenWorkflow[];
  /** Paths of their files, and of the workspace's once the gateway listens. */
  databases: string[];
  /** Pages for browsers. */
  pages: { path: string; title: string }[];
}

const LISTEN_RULES = {
  port: rules.withDefault(
    rules.checked(
      "a port number",
      (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) < 65_536,
    ),
    7_331,
  ),
  host: rules.withDefault(rules.name, "127.0.0.1"),
  path: rules.name,
} satisfies rules.OptionRules<GatewayListenOptions>;

interface GatewayServices {
  clock?: Clock;
  folder?: WorkflowFolder;
  registrations?: ReadonlyMap<string, GatewayRegisterOptions>;
}

interface Listening {
  server: Server;
  schedules: Schedules;
  socket: AttachedSocket;
}

/**
 * Serves many workflows: starts, shows, answers and schedules their runs over HTTP and WebSocket, and continues
 * with those that another process has left. docs/gateway.md describes it.
 *
 * @example
 * const gateway = new Gateway({ auth: { mode: "token", tokens } }).register("deploy", workflow);
 * await gateway.listen({ port: 7331 });
 */
export class Gateway {
  readonly #options: CheckedGatewayOptions;
  readonly #clock: Clock;
  readonly #workspace: GatewayWorkspace;
  readonly #extensions = new Extensions();
  readonly #stop = new AbortController();
  readonly #folder: FolderServing | undefined;
  #listening: Promise<Listening> | undefined;
  #closing: Promise<void> | undefined;

  /**
   * @param services `clock`: what tests put in the place of the machine's; `folder`: workflows that are saved while the gateway
   *   listens, which the caller closes; `registrations`: how these are registered, by key
   * @throws INVALID_INPUT for an option that is unknown or not as described
   */
  constructor(
    options: GatewayOptions = {},
    { clock, folder, registrations = new Map() }: GatewayServices = {},
  ) {
    this.#options = checkGatewayOptions(options);
    this.#clock = clock ?? systemClock;
    this.#folder = folder && { folder, registrations };
    // Each stream listens.
    setMaxListeners(0, this.#stop.signal);
    this.#workspace = new GatewayWorkspace({
      root: this.#options.workspaceRoot,
      ...(clock !== undefined && { clock }),
      maxActiveRuns: this.#options.maxActiveRuns,
      maxActiveTasks: this.#options.maxActiveTasks,
      saved: folder,
      onError: logHostFailure,
    });
  }

  /**
   * Adds a workflow, before the gateway listens.
   * @param key names it in requests, and in the paths of its page and webhook
   * @throws INVALID_INPUT, WORKFLOW_EXISTS, GATEWAY_LISTENS
   */
  register(key: string, workflow: ServiceWorkflow, options: GatewayRegisterOptions = {}): this {
    this.#refuseOnceListening("register");
    this.#workspace.add(key, workflow, checkRegistration(key, workflow, options));
    return this;
  }

  /**
   * Lists a file that gives no workflow, before the gateway listens: `listWorkflows` and the console show it as broken,
   * and starting it is refused with its error. A workflow that is registered under the key takes its place.
   * @param key that its workflow would have
   * @param file as it is shown
   * @throws GATEWAY_LISTENS
   */
  registerBroken(key: string, file: string, error: unknown): this {
    this.#refuseOnceListening("registerBroken");
    this.#workspace.addBroken(brokenWorkflow({ key, file, thrown: error, isWatched: false }));
    return this;
  }

  /**
   * Adds methods of one's own, before the gateway listens: each is called `ext.<namespace>.<key>`.
   * @throws INVALID_INPUT, GATEWAY_LISTENS
   */
  extend(namespace: string, definition: GatewayExtension): this {
    this.#refuseOnceListening("extend");
    this.#extensions.add(namespace, definition);
    return this;
  }

  /**
   * Resolves once the gateway answers and its schedules and runs continue. A gateway listens once.
   * @throws INVALID_INPUT, SERVER_INSECURE_BIND, ADDRESS_IN_USE, GATEWAY_LISTENS, GATEWAY_CLOSED
   */
  async listen(options: GatewayListenOptions = {}): Promise<Server> {
    this.#refuseOnceListening("listen");
    const { port, host, path } = checkOptions("Gateway.listen", options, LISTEN_RULES);
    if (path === undefined && this.#options.auth === undefined) {
      refuseInsecureBind(host, { authToken: undefined, insecure: false });
    }
    const listening = this.#listen(path === undefined ? { port, host } : { path });
    this.#listening = listening;
    try {
      return (await listening).server;
    } catch (error) {
      // It may be tried again, at another address.
      if (this.#listening === listening) this.#listening = undefined;
      throw error;
    }
  }

  /**
   * Releases all runs, which stay resumable, waits for their tasks to stop, and ends all connections. A
   * closed gateway stays closed; closing it again waits for the same end.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** The gateway's workflows and its callers, without secrets. */
  describe(): GatewayDescription {
    const { auth } = this.#options;
    return {
      auth: auth?.mode ?? null,
      workflows: this.#workspace.workflows().map(({ key }) => key),
      broken: this.#workspace.broken(),
      databases: this.#workspace.databases().map(({ path }) => path),
      pages: uiPages({ options: this.#options, workspace: this.#workspace }).map(({ path, title }) => ({
        path,
        title,
      })),
    };
  }

  async #listen(where: BindOptions): Promise<Listening> {
    const parts: GatewayParts = {
      options: this.#options,
      authenticator: createAuthenticator(this.#options.auth, () => this.#clock.now(), {
        // No page of a browser reaches a Unix socket.
        guardsLoopback: !("path" in where),
        allowedOrigins: this.#options.allowedOrigins,
      }),
      workspace: this.#workspace,
      extensions: this.#extensions,
      signal: this.#stop.signal,
      schedulesChanged: new Nudge(),
      agentChecks: new AgentChecks(this.#clock),
      onFailure: (error) => logHostFailure(null, error),
    };
    const { attachSocket, createGatewayApp, finishAllDeliveries, startSchedules } = await import(
      "./surfaces.js"
    );
    const stopServing = this.#folder && serveFolder(this.#folder, this.#workspace);
    this.#stop.signal.addEventListener("abort", () => stopServing?.());
    await this.#workspace.open();
    const server = createHttpServer(createGatewayApp(parts), this.#options);
    const socket = attachSocket(server, parts);
    try {
      await bind(server, where);
      if (!parts.authenticator.requiresToken) warnOfOpenHost("The gateway");
      const schedules = await startSchedules(parts);
      this.#workspace.start();
      await finishAllDeliveries(parts);
      return { server, socket, schedules };
    } catch (error) {
      await socket.close();
      if (server.listening) await unbind(server);
      throw error;
    }
  }

  async #close(): Promise<void> {
    this.#stop.abort(new ServiceError("PROCESS_ABORTED", "The gateway closes."));
    const listening = await this.#listening?.catch(() => undefined);
    await listening?.schedules.close();
    await this.#workspace.close();
    await listening?.socket.close();
    if (listening !== undefined) await unbind(listening.server);
  }

  #refuseOnceListening(call: string): void {
    if (this.#closing !== undefined) {
      throw new ServiceError("GATEWAY_CLOSED", `${call}: the gateway was closed.`);
    }
    if (this.#listening !== undefined) {
      throw new ServiceError("GATEWAY_LISTENS", `${call}: the gateway listens already.`);
    }
  }
}

import { existsSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { ServiceError } from "../../errors/service-error.js";
import type { GatewayAuthConfig } from "../../hosts/gateway/gateway-options.js";
import type { Gateway } from "../../hosts/gateway/gateway.js";
import type { GatewayConfig } from "../../hosts/gateway/gateway-config.js";
import type { ServiceWorkflow } from "../../model/workflow.js";
import { WORKFLOW_FOLDER, workflowFilesIn } from "../../operations/index.js";
import { acceptSettings, checkFoundSettings, GATEWAY_SETTINGS } from "../../process/found-settings.js";
import {
  checkTrustedCode,
  chooseDatabase,
  DATABASE_FILE,
  databaseAt,
  findWorkspaceFolder,
} from "../../store/index.js";

export interface OpenGatewayRequest {
  cwd: string;
  /** Folder of the workspace, as given. */
  workspace: string | undefined;
  /** File of the configuration, as given. */
  config: string | undefined;
  /** `--db`, as given. */
  db: string | undefined;
  /** A token that may do everything, as given; where the configuration says itself who is let in, it is refused. */
  authToken: string | undefined;
  /** The same, for a gateway without configured credentials. */
  environmentToken: string | undefined;
  /** One of its own, for where there is none at all; undefined: then every program of this machine is let in. */
  ownToken: string | undefined;
}

export interface OpenedGateway {
  gateway: Gateway;
  /** Folder of the workspace. */
  root: string;
  /** Whether `ownToken` is what lets in. */
  usesOwnToken: boolean;
  /** Why files of its folder give no workflow. */
  broken: unknown[];
}

/**
 * The gateway of a workspace: that of its configuration, else one with the workflows in its folder.
 * @throws CLI_USAGE, INVALID_INPUT, WORKSPACE_NOT_TRUSTED; as loadWorkflow
 */
export async function openGateway(request: OpenGatewayRequest): Promise<OpenedGateway> {
  const { cwd, db } = request;
  const usesOwnToken =
    request.ownToken !== undefined &&
    request.authToken === undefined &&
    request.environmentToken === undefined;
  const root =
    request.workspace === undefined ? (findWorkspaceFolder(cwd) ?? cwd) : resolve(cwd, request.workspace);
  chooseDatabase(db === undefined ? join(root, DATABASE_FILE) : databaseAt(cwd, db));
  const found = GATEWAY_SETTINGS.map((name) => join(root, name)).find((file) => existsSync(file));
  const file = request.config === undefined ? found : resolve(cwd, request.config);
  if (found !== undefined && request.config === undefined) {
    checkTrustedCode(found);
    checkFoundSettings(found);
  } else if (file !== undefined) acceptSettings(file);
  const [{ loadModule, loadWorkflow }, { checkGatewayConfig, createConfiguredGateway }] = await Promise.all([
    import("../../loader/load-workflow.js"),
    import("../../hosts/gateway/gateway-config.js"),
  ]);
  const loadFrom = (folder: string) => async (path: string) =>
    (await loadWorkflow(resolve(folder, path), { cwd })).workflow;
  if (file === undefined) {
    const auth = authOf(request);
    const files = foundWorkflows(root);
    const { workflows, broken } = await loadEach(files, loadFrom(root));
    const config = { workflows, workspaceRoot: root, ...(auth !== undefined && { auth }) };
    const gateway = await createConfiguredGateway(config, loadFrom(root));
    for (const [key, { file, error }] of broken) gateway.registerBroken(key, file, error);
    return { gateway, root, usesOwnToken, broken: [...broken.values()].map(({ error }) => error) };
  }
  const { module, shown } = await loadModule(file, { cwd });
  const exported: unknown = module["default"];
  if (isGateway(exported)) {
    if (request.authToken !== undefined) throw tokenMisplaced(shown);
    return { gateway: exported, root, usesOwnToken: false, broken: [] };
  }
  const config: GatewayConfig = checkGatewayConfig(exported, shown);
  if (config.auth !== undefined && request.authToken !== undefined) throw tokenMisplaced(shown);
  // A member without a value, such as a variable that is not set, counts as absent.
  const { auth = authOf(request), workspaceRoot = root, ...rest } = config;
  const all = { ...rest, workspaceRoot, ...(auth !== undefined && { auth }) };
  const gateway = await createConfiguredGateway(all, loadFrom(dirname(file)));
  return { gateway, root, usesOwnToken: usesOwnToken && config.auth === undefined, broken: [] };
}

/**
 * The workflows of files that nothing but their folder names: one that gives none, such as a module that others import,
 * keeps no other from being served. @throws as loadWorkflow where none of them gives one
 */
async function loadEach(
  files: Readonly<Record<string, string>>,
  load: (file: string) => Promise<ServiceWorkflow>,
) {
  const workflows: Record<string, ServiceWorkflow> = {};
  const broken = new Map<string, { file: string; error: unknown }>();
  for (const [key, file] of Object.entries(files)) {
    try {
      workflows[key] = await load(file);
    } catch (error) {
      broken.set(key, { file, error });
    }
  }
  const [first] = broken.values();
  if (first !== undefined && Object.keys(workflows).length === 0) throw first.error;
  return { workflows, broken };
}

/** @throws CLI_USAGE when there are none, WORKSPACE_NOT_TRUSTED for one that another user could have written */
function foundWorkflows(root: string): Record<string, string> {
  const folder = join(root, WORKFLOW_FOLDER);
  const files = workflowFilesIn(folder);
  const workflows: Record<string, string> = {};
  for (const { name, path } of files) {
    if (workflows[name] !== undefined) {
      throw new ServiceError(
        "CLI_USAGE",
        `${WORKFLOW_FOLDER} has two workflows ${name}: rename one of the files.`,
      );
    }
    checkTrustedCode(path);
    workflows[name] = relative(root, path);
  }
  if (files.length > 0) return workflows;
  const where = relative(process.cwd(), folder) || folder;
  throw new ServiceError(
    "CLI_USAGE",
    `There is neither a ${GATEWAY_SETTINGS[0]} nor a workflow in ${where}: put workflow files there, or name a configuration with --config.`,
  );
}

function authOf(request: OpenGatewayRequest): GatewayAuthConfig | undefined {
  const token = request.authToken ?? request.environmentToken ?? request.ownToken;
  return token === undefined ? undefined : operatorToken(token);
}

/** A token that may do everything. */
export function operatorToken(token: string): GatewayAuthConfig {
  return { mode: "token", tokens: { [token]: { role: "operator", scopes: ["*"], userId: "operator" } } };
}

function tokenMisplaced(file: string): ServiceError {
  return new ServiceError(
    "CLI_USAGE",
    `--auth-token cannot go with ${file}, which says itself who is let in.`,
  );
}

/** By its shape: it may be of another copy of the library. */
function isGateway(value: unknown): value is Gateway {
  const { listen, register, close } = (value ?? {}) as Partial<Gateway>;
  return [listen, register, close].every((member) => typeof member === "function");
}

import { ServiceError } from "../../errors/service-error.js";
import type { ServiceWorkflow } from "../../model/workflow.js";
import { Gateway } from "./gateway.js";
import type { GatewayOptions, GatewayRegisterOptions } from "./gateway-options.js";

/** A workflow of a gateway's configuration. */
export interface GatewayConfigWorkflow extends GatewayRegisterOptions {
  /** The workflow, or its file. */
  workflow: ServiceWorkflow | string;
}

/** The default export of a configuration file of `treadle gateway`, where it exports no Gateway. */
export interface GatewayConfig extends GatewayOptions {
  /** By key: the workflow, its file relative to the configuration, or one of these with options. */
  workflows: Record<string, ServiceWorkflow | string | GatewayConfigWorkflow>;
}

/** Loads a workflow by its file. */
export type LoadConfigWorkflow = (file: string) => Promise<ServiceWorkflow>;

/**
 * The gateway that a configuration describes.
 * @throws INVALID_INPUT; as Gateway and as `load`
 */
export async function createConfiguredGateway(
  { workflows, ...options }: GatewayConfig,
  load: LoadConfigWorkflow,
): Promise<Gateway> {
  const gateway = new Gateway(options);
  for (const [key, entry] of Object.entries(workflows)) {
    const { workflow, ...registered } = isEntry(entry) ? entry : { workflow: entry };
    gateway.register(key, typeof workflow === "string" ? await load(workflow) : workflow, registered);
  }
  return gateway;
}

/** @throws INVALID_INPUT for a value that is no configuration */
export function checkGatewayConfig(value: unknown, file: string): GatewayConfig {
  const workflows = (value as { workflows?: unknown } | null | undefined)?.workflows;
  if (typeof workflows === "object" && workflows !== null) return value as GatewayConfig;
  throw new ServiceError(
    "INVALID_INPUT",
    `${file} exports neither a Gateway nor an object with \`workflows\` by default.`,
    { details: { path: file } },
  );
}

function isEntry(value: object | string): value is GatewayConfigWorkflow {
  return typeof value === "object" && "workflow" in value;
}

import type { ReactElement } from "react";
import type { OutputTarget, SchemaMap } from "../../model/schema.js";
import { hostComponent } from "../host-component.js";
import type { EmbeddedWorkflow } from "./Subflow.js";
import type { LimitProps, OrderProps } from "./task-props.js";

export interface SandboxProps<S extends SchemaMap = SchemaMap> extends OrderProps, LimitProps {
  id: string;
  workflow?: EmbeddedWorkflow;
  input?: Readonly<Record<string, unknown>>;
  output: OutputTarget<S>;
  /** A provider, or the id of a registered one. */
  provider?: string | SandboxProviderLike;
  runtime?: "bubblewrap" | "docker" | "codeplane";
  /** @default false */
  allowNetwork?: boolean;
  /** A person reviews the changes before they are taken over. */
  reviewDiffs?: boolean;
  autoAcceptDiffs?: boolean;
  /** Whether the workflow inside may start sandboxes of its own. @default false */
  allowNested?: boolean;
  image?: string;
  env?: Readonly<Record<string, string>>;
  egress?: SandboxEgress;
  ports?: readonly { host: number; container: number }[];
  volumes?: readonly { host: string; container: string; readonly?: boolean }[];
  memoryLimit?: string;
  cpuLimit?: string;
  command?: string;
  workspace?: {
    name: string;
    snapshotId?: string;
    idleTimeoutSecs?: number;
    persistence?: "ephemeral" | "sticky";
  };
}

/** What a Sandbox needs of a provider object; the sandbox part knows the request and the result. */
export interface SandboxProviderLike {
  id: string;
  run(request: never): Promise<unknown>;
}

/** How traffic may leave the sandbox. */
export interface SandboxEgress {
  env?: Readonly<Record<string, string>>;
  httpProxy?: string;
  httpsProxy?: string;
  noProxy?: string | readonly string[];
  caCertPem?: string;
  caCertPath?: string;
  secretBindings?: Readonly<Record<string, unknown>>;
}

export type SandboxComponent<S extends SchemaMap = SchemaMap> = (props: SandboxProps<S>) => ReactElement;

/** Runs a workflow or a command where it cannot touch this machine. */
export const Sandbox = hostComponent<SandboxComponent>("Sandbox");

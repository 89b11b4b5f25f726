import { COMPOSITE_ROWS } from "../../model/composite-rows.js";
import { type SandboxRow, sandboxRow } from "../../model/sandbox-row.js";
import type {
  SandboxEgress,
  SandboxPort,
  SandboxVolume,
  SandboxWorkspace,
} from "../../model/sandbox-access.js";
import type { SandboxProvider } from "../../model/sandbox-provider.js";
import type { InputOf, OutputTarget, SchemaMap } from "../../model/schema.js";
import type { SandboxEndSpec, SandboxRunSpec } from "../../model/task.js";
import {
  anything,
  checked,
  flag,
  name,
  oneOf,
  positiveInteger,
  record,
  required,
  textsByName,
  withDefault,
} from "../../options/option-rules.js";
import type { WorkflowElement } from "../../util/element.js";
import { hostComponent } from "../host-component.js";
import { Sequence } from "../structure/Sequence.js";
import { Approval } from "../tasks/Approval.js";
import type { EmbeddedWorkflow } from "../tasks/Subflow.js";
import type { LimitProps, OrderProps } from "../tasks/task-props.js";
import { useCtx } from "../use-ctx.js";
import { checkProps, output, type PropRules } from "./check-props.js";
import { partsOf } from "./parts-of.js";
import { checkAccess } from "./sandbox-access-rules.js";
import { refuseMissingParts } from "./sandbox-props.js";
import { wrongProp } from "./wrong-prop.js";

/** Props of `Sandbox`. */
export interface SandboxProps<S extends SchemaMap = SchemaMap, C extends SchemaMap = SchemaMap>
  extends OrderProps,
    Omit<LimitProps, "cache"> {
  /** Address of the node; unique in the workflow. The work inside is `<id>-run`, the question about its changes `<id>-review`. */
  id: string;
  /**
   * What runs inside: the value that `service(build)` of a module returned, for runs that are started from a file, or the
   * path of a workflow file, relative to the run's folder. Either it or `command` is given.
   */
  workflow?: EmbeddedWorkflow<C> | string;
  /**
   * A program that runs inside in the place of a workflow, in the run's folder: a line for `/bin/sh`, or the program and its
   * arguments. It reads `input` as JSON. A JSON object that it prints is the row; of other text the row is
   * `{ stdout, stderr, exitCode }`. An exit code but 0 fails the attempt.
   */
  command?: string | readonly string[];
  /** Its input; without one, an empty object. */
  input?: Readonly<InputOf<C>>;
  /** Takes the result: the row that the workflow inside writes to its output key `output`. */
  output: OutputTarget<S>;
  /** Runs it: a provider, or the id of a registered one. @default the runtime "bubblewrap" */
  provider?: SandboxProvider | string;
  /** What isolates it where no `provider` does: bubblewrap, unless a container is asked for. */
  runtime?: "bubblewrap" | "docker";
  /** The image of its container, which is on this machine already. Without one `node:<major>-slim`, of the Node that runs this. */
  image?: string;
  /** Whether it reaches the network. @default false */
  allowNetwork?: boolean;
  /** Asks a person about the changes before they are put into the run's folder. @default true */
  reviewDiffs?: boolean;
  /** Puts the changes into the run's folder without asking. @default false */
  autoAcceptDiffs?: boolean;
  /** May stand inside another sandbox. @default false */
  allowNested?: boolean;
  /** Variables of its processes; those of this process are not handed on. */
  env?: Readonly<Record<string, string>>;
  /**
   * Files and folders of the host that it sees, such as the program of a command-line agent and its configuration: read-only
   * unless `readonly` is false. None may show the run's database.
   */
  volumes?: readonly SandboxVolume[];
  /** Its ways out beside `allowNetwork`: proxies, a certificate, and secrets by the names of the host's variables. */
  egress?: SandboxEgress;
  /** Ports of the host's loopback that lead to ports inside while it runs. A `provider` sees to its own. */
  ports?: readonly SandboxPort[];
  /** Most memory that one of its processes takes, such as `"512m"` or `"2g"`. @default "8g" */
  memoryLimit?: string;
  /** Processors that all of its processes use together, a whole number. @default all of the machine's */
  cpuLimit?: number;
  /** Files that outlive it: the next sandbox of the run that names the workspace goes on with them. @default a new copy of the run's folder */
  workspace?: SandboxWorkspace;
}

/** `Sandbox`, typed by the module's schemas. */
export type SandboxComponent<S extends SchemaMap = SchemaMap> = <C extends SchemaMap>(
  props: SandboxProps<S, C>,
) => WorkflowElement;

const MEMORY = /^(\d+)([kmg])b?$/i;
const UNITS: Readonly<Record<string, number>> = { k: 1024, m: 1024 ** 2, g: 1024 ** 3 };

/** The elements check them. */
const HANDED_ON = {
  dependsOn: anything,
  needs: anything,
  label: anything,
  meta: anything,
  timeoutMs: anything,
  heartbeatTimeoutMs: anything,
  heartbeatTimeout: anything,
  retries: anything,
  retryPolicy: anything,
  continueOnFail: anything,
} satisfies Readonly<Record<Exclude<keyof (OrderProps & LimitProps), "cache" | "skipIf" | "key">, unknown>>;

const RULES = {
  id: required(name),
  key: anything,
  workflow: checked("a workflow, or the path of its file", (value) =>
    typeof value === "string"
      ? value !== ""
      : typeof (value as { build?: unknown } | null)?.build === "function",
  ),
  command: checked("a line for the shell, or a program and its arguments", (value) => {
    const parts: unknown[] = Array.isArray(value) ? value : [value];
    return (
      parts.length > 0 &&
      parts[0] !== "" &&
      parts.every((part) => typeof part === "string" && !part.includes("\0"))
    );
  }),
  input: record,
  output,
  provider: checked("a provider with id and run, or the id of a registered one", (value) =>
    typeof value === "string"
      ? value !== ""
      : typeof (value as { run?: unknown } | null)?.run === "function" &&
        typeof (value as { id?: unknown }).id === "string",
  ),
  runtime: oneOf(["bubblewrap", "docker"]),
  image: checked('the name of an image, such as "node:20-slim"', (value) =>
    /^[a-z0-9][\w.:/@-]{0,511}$/i.test(String(value)),
  ),
  allowNetwork: withDefault(flag, false),
  reviewDiffs: withDefault(flag, true),
  autoAcceptDiffs: withDefault(flag, false),
  allowNested: withDefault(flag, false),
  env: textsByName,
  volumes: checked("a list of volumes", Array.isArray),
  egress: record,
  ports: checked("a list of ports", Array.isArray),
  memoryLimit: withDefault(
    checked('a size such as "512m" or "2g"', (value) => typeof value === "string" && MEMORY.test(value)),
    "8g",
  ),
  cpuLimit: positiveInteger,
  workspace: record,
  skipIf: withDefault(flag, false),
  ...HANDED_ON,
} satisfies PropRules<SandboxProps>;

type PartProps = OrderProps &
  LimitProps & {
    id: string;
    output: OutputTarget;
    outputSchema?: unknown;
    sandbox: SandboxRunSpec | SandboxEndSpec;
  };
const RunElement = hostComponent<(props: PartProps) => WorkflowElement>("SandboxRun");
const EndElement = hostComponent<(props: PartProps) => WorkflowElement>("SandboxEnd");

/**
 * Another workflow in isolation: its functions, agents and tools run in a process of their own, on a copy of the files. What
 * they have changed comes back as a patch, about which a person is asked.
 * @example
 * <Sandbox id="fix" workflow={buildWorkflow} output={outputs.fix} />
 * @see `docs/components/sandbox.md`
 */
export const Sandbox = ((given: SandboxProps): WorkflowElement => {
  refuseMissingParts(given);
  const { composite, props } = checkProps("Sandbox", given, RULES);
  const { id, reviewDiffs, autoAcceptDiffs, label, meta, skipIf, continueOnFail } = props;
  if (props.provider !== undefined && props.runtime !== undefined) {
    throw wrongProp(composite, { prop: "runtime", expected: "no runtime beside a provider" });
  }
  checkAccess(composite, props);
  const run = `${id}-run`;
  const review = `${id}-review`;
  const row = useCtx().outputMaybe(COMPOSITE_ROWS, { nodeId: run }) as SandboxRow | undefined;
  const isReviewed = reviewDiffs && !autoAcceptDiffs;
  const isAsked = isReviewed && row !== undefined && row.patchCount > 0;
  const changes = autoAcceptDiffs ? "accept" : reviewDiffs ? "review" : "leave";
  const shown = { ...(label !== undefined && { label }), ...(meta !== undefined && { meta }) };
  const ended = { ...shown, ...(continueOnFail !== undefined && { continueOnFail }) };
  return partsOf(
    composite,
    <Sequence skipIf={skipIf}>
      <RunElement
        {...limitsOf(props)}
        {...shown}
        id={run}
        output={COMPOSITE_ROWS}
        outputSchema={sandboxRow()}
        sandbox={runSpec(props, isReviewed)}
      />
      {isAsked ? (
        <Approval id={review} output={COMPOSITE_ROWS} request={requestOf(id, row)} onDeny="continue" />
      ) : null}
      <EndElement
        {...ended}
        id={id}
        output={props.output}
        needs={isAsked ? { run, review } : { run }}
        sandbox={{ part: "end", id, changes }}
      />
    </Sequence>,
  );
}) as SandboxComponent;

type Props = Parameters<typeof limitsOf>[0] & SandboxProps;

/** The props that are the work's own. */
function limitsOf(props: OrderProps & LimitProps): OrderProps & LimitProps {
  const names = [
    ...["dependsOn", "needs", "timeoutMs", "heartbeatTimeoutMs", "heartbeatTimeout"],
    ...["retries", "retryPolicy", "continueOnFail"],
  ] as readonly (keyof LimitProps | keyof OrderProps)[];
  return Object.fromEntries(
    names.flatMap((each) => (props[each] === undefined ? [] : [[each, props[each]]])),
  );
}

function runSpec(props: Props, isReviewed: boolean): SandboxRunSpec {
  const { id, workflow, input, provider, runtime, allowNetwork, allowNested, env, memoryLimit } = props;
  const { volumes, egress, ports, cpuLimit, workspace, command, image } = props;
  const [, count, unit = ""] = MEMORY.exec(memoryLimit ?? "") ?? [];
  return {
    part: "run",
    id,
    ...(workflow !== undefined && { workflow }),
    ...(command !== undefined && {
      command: typeof command === "string" ? ["/bin/sh", "-c", command] : command,
    }),
    ...(image !== undefined && { image }),
    ...(input !== undefined && { input }),
    provider: provider ?? runtime ?? "bubblewrap",
    allowNetwork: allowNetwork ?? false,
    allowNested: allowNested ?? false,
    env: env ?? {},
    volumes: volumes ?? [],
    ...(egress !== undefined && { egress }),
    memoryBytes: Number(count) * (UNITS[unit.toLowerCase()] ?? 1),
    ...(ports !== undefined && { ports }),
    ...(cpuLimit !== undefined && { cpuLimit }),
    ...(workspace !== undefined && { workspace }),
    isReviewed,
    isAutoAccepted: props.autoAcceptDiffs ?? false,
  };
}

function requestOf(id: string, row: SandboxRow) {
  const { patchCount, addedLines, removedLines, patch, patchHash, changes } = row;
  const files = patchCount === 1 ? "1 file" : `${patchCount} files`;
  return {
    title: `Accept the changes of sandbox ${id}: ${files}, +${addedLines} −${removedLines}?`,
    summary: patch,
    metadata: { sandboxId: id, patchHash, changes },
  };
}

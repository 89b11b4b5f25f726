import type { AgentInput } from "../../model/agent.js";
import type { OutputRow, OutputTarget, SchemaMap } from "../../model/schema.js";
import type { TaskRuntime } from "../../model/task.js";
import {
  callback,
  checked,
  flag,
  name,
  record,
  required,
  withDefault,
  type Checked,
} from "../../options/option-rules.js";
import type { Composite } from "../../model/composite.js";
import type { WorkflowElement, WorkflowNode } from "../../util/element.js";
import { isPlainObject } from "../../util/same-data.js";
import { Loop } from "../structure/Loop.js";
import { Parallel } from "../structure/Parallel.js";
import { Sequence } from "../structure/Sequence.js";
import { type AgentTaskProps, Task } from "../tasks/Task.js";
import { useCtx } from "../use-ctx.js";
import { bookkeeping } from "./bookkeeping.js";
import { checkItems, type ItemRules } from "./check-items.js";
import {
  agent,
  checkProps,
  concurrency,
  isAgentOrChain,
  limit,
  nonEmptyList,
  optionalOutput,
  output,
  type PropRules,
} from "./check-props.js";
import { itemId } from "./item-id.js";
import { newestRow } from "./newest-row.js";
import { partsOf } from "./parts-of.js";
import { jsonSection } from "./prompt-parts.js";
import type { TakesRow } from "./takes-row.js";
import { withReason } from "./with-reason.js";
import { wrongProp } from "./wrong-prop.js";

/** A ticket: an id, any text, and whatever the agents need to know. */
export interface KanbanTicket {
  /** Tells it from the other tickets; part of the ids of its tasks. */
  readonly id: string;
}

/** The argument of a column's prompt. */
export interface KanbanCard<K extends KanbanTicket = KanbanTicket> {
  /** The ticket. */
  item: K;
  /** Name of the column that works on it. */
  column: string;
  /** The row that the column before made of it; undefined in the first one. */
  previous: OutputRow | undefined;
}

/** A column of a board. */
export interface KanbanColumn<S extends SchemaMap = SchemaMap, K extends KanbanTicket = KanbanTicket> {
  /** Names it in its nodes `<board>-<name>-<ticket>`. */
  name: string;
  /** Takes a row for each ticket. */
  output: OutputTarget<S>;
  /** Works here, unless `agents` says who: one agent, or a chain. */
  agent?: AgentInput | readonly AgentInput[];
  /** The agent's prompt. @default to work on the ticket, with the row of the column before */
  prompt?(card: KanbanCard<K>): WorkflowNode;
  /** Further props of the column's tasks, such as `retries` and `timeoutMs`. @default only that failures do not stop others */
  task?: Partial<
    Omit<AgentTaskProps<S, OutputTarget<S>, Record<never, never>, Record<never, never>>, OwnProps>
  >;
}

type OwnProps = "id" | "key" | "output" | "agent" | "children" | "skipIf" | "deps" | "needs" | "dependsOn";

/** The result of the board. */
export type KanbanSummary = {
  total: number;
  /** Ids of the tickets that have left the last column. */
  done: string[];
  /** Ids of the others. */
  left: string[];
  /** Where each of the others stands and why, by id: the column, and what its task has failed with. */
  reasons: Record<string, string>;
};

/** Props of `Kanban`. */
export interface KanbanProps<
  S extends SchemaMap = SchemaMap,
  K extends KanbanTicket = KanbanTicket,
  T = OutputTarget<S>,
> {
  /** Prefix of the ids `<id>-loop`, `<id>-<column>-<ticket>` and `<id>-complete`. @default "kanban" */
  id?: string;
  /** From left to right. */
  columns: readonly KanbanColumn<S, K>[];
  /** The tickets as they are now. Called in each render, so it may use `useCtx`. */
  useTickets(): readonly K[];
  /** Who works where, by column: each one agent, or a chain. @default the columns' own */
  agents?: Readonly<Record<string, AgentInput | readonly AgentInput[]>>;
  /** Tickets that are worked on at once, on the whole board. @default unbounded */
  maxConcurrency?: number;
  /** Takes `{total, done, left, reasons}`, or the part that it has fields for, when the board is over. @default nothing is written */
  onComplete?: T;
  /** With it, all tickets go through all columns, round after round, until it holds. @default one way through is enough */
  until?: boolean;
  /** Rounds at most; without `until`, those after the first are for tickets that failed. @default 5 */
  maxIterations?: number;
  /** Marks every task inside as skipped. @default false */
  skipIf?: boolean;
}

/** `Kanban`, typed by the module's schemas. */
export type KanbanComponent<S extends SchemaMap = SchemaMap> = <
  K extends KanbanTicket,
  const T extends OutputTarget<S>,
>(
  props: KanbanProps<S, K, T & TakesRow<S, T, KanbanSummary>>,
) => WorkflowElement;

const RULES = {
  id: withDefault(name, "kanban"),
  columns: required(nonEmptyList),
  useTickets: required(callback),
  agents: checked(
    "an object of agents or chains of agents by column",
    (value) => isPlainObject(value) && Object.values(value).every(isAgentOrChain),
  ),
  maxConcurrency: concurrency,
  onComplete: optionalOutput,
  until: flag,
  maxIterations: withDefault(limit, 5),
  skipIf: withDefault(flag, false),
} satisfies PropRules<KanbanProps>;

const COLUMN: ItemRules<KanbanColumn> = {
  what: "a column",
  fields: { name: required(name), output, agent, prompt: callback, task: record },
};

/**
 * Tickets move through columns; in each of them an agent works on them.
 * @example
 * <Kanban
 *   columns={[
 *     { name: "write", agent: writer, output: outputs.draft },
 *     { name: "review", agent: reviewer, output: outputs.review },
 *   ]}
 *   useTickets={() => [{ id: "1", title: "The loom" }]}
 * />
 * @see `docs/components/kanban.md`
 */
export const Kanban = ((given: KanbanProps): WorkflowElement => {
  const { composite, props } = checkProps("Kanban", given, RULES);
  const { id, columns, until, maxIterations, onComplete } = props;
  checkColumns(composite, props);
  const tickets = props.useTickets();
  checkTickets(composite, tickets);
  const ctx = useCtx();
  const nodeId = idsOn(id, columns);
  const last = columns.at(-1) as KanbanColumn;
  const hasLeft = ({ id: ticket }: KanbanTicket) =>
    newestRow(ctx, last.output, { nodeId: nodeId(last.name, ticket), loop: `${id}-loop` }) !== undefined;
  const reasonOf = (ticket: string, failure: TaskRuntime["failure"]) => {
    const isThrough = ({ name: column, output }: KanbanColumn) =>
      newestRow(ctx, output, { nodeId: nodeId(column, ticket), loop: `${id}-loop` }) !== undefined;
    const { name: column } = columns.find((each) => !isThrough(each)) ?? last;
    const error = failure(nodeId(column, ticket));
    return error === null ? `${column}: was not done when the board was over` : withReason(column, error);
  };
  return partsOf(
    composite,
    <Sequence skipIf={props.skipIf}>
      <Loop
        id={`${id}-loop`}
        until={until ?? tickets.every(hasLeft)}
        maxIterations={maxIterations}
        onMaxReached="return-last"
      >
        <KanbanRound {...props} tickets={tickets} nodeId={nodeId} />
      </Loop>
      {onComplete === undefined ? null : (
        <Task {...bookkeeping()} id={`${id}-complete`} output={onComplete} cache={false}>
          {(_rows, { failure }) => {
            const left = tickets.filter((ticket) => !hasLeft(ticket)).map((ticket) => ticket.id);
            return {
              total: tickets.length,
              done: tickets.filter(hasLeft).map((ticket) => ticket.id),
              left,
              reasons: Object.fromEntries(left.map((ticket) => [ticket, reasonOf(ticket, failure)])),
            };
          }}
        </Task>
      )}
    </Sequence>,
  );
}) as KanbanComponent;

type NodeIds = (column: string, ticket: string) => string;

interface RoundProps extends Checked<KanbanProps, typeof RULES> {
  tickets: readonly KanbanTicket[];
  nodeId: NodeIds;
}

/** Inside the loop, so that rows without an iteration are those of this round. */
function KanbanRound({ tickets, nodeId, ...props }: RoundProps): WorkflowElement {
  const { id, columns, agents, maxConcurrency, until } = props;
  const ctx = useCtx();
  /** With `until`, each round begins on the left; without, where the ticket is. */
  const rowOf = ({ output, name: column }: KanbanColumn, ticket: string) => {
    const node = { nodeId: nodeId(column, ticket), loop: `${id}-loop` };
    return until === undefined ? newestRow(ctx, output, node) : ctx.outputMaybe(output, node);
  };
  return (
    <Parallel {...(maxConcurrency !== undefined && { maxConcurrency })}>
      {columns.map((column, at) => {
        const before = columns[at - 1];
        const here = tickets.filter((ticket) => {
          const row = rowOf(column, ticket.id);
          // A ticket that has left the column in this round stays in sight, one of an earlier round does not.
          if (row !== undefined) return row.iteration === ctx.iteration;
          return before === undefined || rowOf(before, ticket.id) !== undefined;
        });
        return (
          <Parallel key={column.name} id={itemId(`${id}-col`, column.name)}>
            {here.map((item) => (
              <Task
                key={item.id}
                continueOnFail
                label={`${column.name}: ${item.id}`}
                {...column.task}
                id={nodeId(column.name, item.id)}
                output={column.output}
                agent={agentOf(column, agents) as AgentInput}
                skipIf={until === true}
              >
                {promptOf(column, before, { item, previous: before && rowOf(before, item.id) })}
              </Task>
            ))}
          </Parallel>
        );
      })}
    </Parallel>
  );
}

function promptOf(
  { name: column, prompt }: KanbanColumn,
  before: KanbanColumn | undefined,
  card: Omit<KanbanCard, "column">,
): WorkflowNode {
  if (prompt !== undefined) return prompt({ ...card, column });
  return (
    <>
      <p>Do what the column {column} of the board is for with this ticket.</p>
      {jsonSection("Ticket", card.item)}
      {jsonSection(`What the column ${before?.name ?? ""} made of it`, card.previous)}
    </>
  );
}

/** `board-review-7`. Where one column's name begins with another's, the id marks where the name ends. */
function idsOn(id: string, columns: readonly KanbanColumn[]): NodeIds {
  const names = columns.map((column) => column.name);
  const isUnclear = names.some((one) => names.some((other) => other.startsWith(`${one}-`)));
  return isUnclear
    ? (column, ticket) => itemId(id, column, ticket)
    : (column, ticket) => itemId(itemId(id, column), ticket);
}

function agentOf(column: KanbanColumn, agents: KanbanProps["agents"] = {}) {
  return Object.hasOwn(agents, column.name) ? agents[column.name] : column.agent;
}

function checkColumns(composite: Composite, { columns, agents = {} }: KanbanProps): void {
  checkItems(composite, { prop: "columns", list: columns, rules: COLUMN, known: "name" });
  for (const [index, column] of columns.entries()) {
    const { name: own, agent: here } = column;
    if (agentOf(column, agents) !== undefined) continue;
    throw wrongProp(composite, {
      prop: `columns[${index}].agent`,
      value: here,
      expected: `an agent or a chain of them, here or as agents.${own}`,
    });
  }
  const names = columns.map((column) => column.name);
  const stray = Object.keys(agents).find((column) => !names.includes(column));
  if (stray === undefined) return;
  throw wrongProp(composite, {
    prop: `agents.${stray}`,
    value: agents[stray],
    expected: `only columns: ${names.join(", ")}`,
  });
}

function checkTickets(composite: Composite, tickets: unknown): asserts tickets is readonly KanbanTicket[] {
  if (!Array.isArray(tickets))
    throw wrongProp(composite, { prop: "useTickets()", value: tickets, expected: "a list of tickets" });
  const ids = new Set<unknown>();
  for (const [index, ticket] of tickets.entries()) {
    const id = (ticket as Partial<KanbanTicket> | null | undefined)?.id;
    if (typeof id !== "string" || ids.has(id)) {
      throw wrongProp(composite, {
        prop: `useTickets()[${index}].id`,
        value: id,
        expected: "a text that no ticket before it has",
      });
    }
    ids.add(id);
  }
}

import type { ReactElement, ReactNode } from "react";
import type { AgentLike } from "../../../../src/model/agent.js";

type Row = Readonly<Record<string, unknown>>;

/** What a member of a composite is asked. */
export interface Call {
  /** As the composite wrote it. */
  nodeId: string;
  /** Of the innermost loop. */
  iteration: number;
  prompt: string;
}

/** What the case needs to mount its composite once. */
export interface Mounting {
  /** Undefined: the composite's own default. */
  id: string | undefined;
  /** Members, items or rounds: whatever the composite has any number of. */
  size: number;
  /** One member fails, whatever is done. */
  isFailing: boolean;
  skipIf: boolean;
  /** An agent that answers by what it is asked and nothing else; what it throws ends its task at once. */
  agent(answer: (call: Call) => Row): AgentLike;
}

/** What a run comes to: the rows of the nodes that finished, and the states of those that ended otherwise. */
export interface End {
  /** The code of a run that failed. */
  failed?: string;
  /** By `node` or, in a later iteration, `node::2`. Rows may leave fields out. */
  nodes: Readonly<Record<string, Row | "failed" | "skipped" | "cancelled">>;
}

/** The composite does not take so few members: the code of the first frame, and what its message names. */
export interface Refusal {
  refused: string;
  naming: string;
}

/** The answer of a person who is asked: a decision, a choice or a row. */
export interface Answer {
  isDenied?: boolean;
  selected?: string;
  data?: unknown;
}

/** One composite as the rules for all of them need to know it. What it comes to is written by hand, from its page. */
export interface CompositeCase {
  /** The module that the composite stands in. */
  module: { readonly db: unknown; service(build: () => ReactNode): unknown };
  mount(mounting: Mounting): ReactElement;
  /** Makes the folder that a run works in. @default the current one, which it leaves alone */
  rootDir?(): string;
  none(id: string): End | Refusal;
  one(id: string): End;
  /** With three. */
  many(id: string): End;
  /** With three, of which one fails. Names the nodes that matter. */
  failing(id: string): End;
  /** Answers for people; `earlier` counts the answers that this node was given before. */
  answer?(nodeId: string, earlier: number): Answer;
  /** Rules that it does not follow, each with the reason that its page gives. */
  except?: { loop?: string; skipIf?: string; defaultId?: string };
}

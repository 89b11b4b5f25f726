/** Compiled, never run: the props that a frame accepts are those of the components' types. */
import type {
  ApprovalProps,
  AspectsProps,
  HumanTaskProps,
  LoopProps,
  ParallelProps,
  SagaProps,
  SequenceProps,
  SignalProps,
  SubflowProps,
  TaskProps,
  TimerProps,
  WaitForEventProps,
  WorkflowProps,
  WorktreeProps,
} from "../../src/index.js";
import type { ELEMENT_PROPS } from "../../src/model/element-props.js";

type Names<P> = P extends unknown ? Exclude<keyof P, "key" | "children"> : never;
type Known<Tag extends keyof typeof ELEMENT_PROPS> = (typeof ELEMENT_PROPS)[Tag][number];
/** `true` when both are the same names. */
type Same<A, B> = [A] extends [B]
  ? [B] extends [A]
    ? true
    : { missing: Exclude<B, A> }
  : { surplus: Exclude<A, B> };
declare function same<T extends true>(proof?: T): void;

same<Same<Known<"Workflow">, Names<WorkflowProps>>>();
same<Same<Known<"Sequence">, Names<SequenceProps>>>();
same<Same<Known<"Parallel"> | Known<"MergeQueue">, Names<ParallelProps>>>();
same<Same<Exclude<Known<"Loop">, "token" | "iteration">, Names<LoopProps>>>();
same<Same<Known<"Worktree">, Names<WorktreeProps>>>();
same<Same<Known<"Aspects">, Names<AspectsProps>>>();
same<Same<Known<"Saga"> | "steps", Names<SagaProps>>>();
same<Same<Exclude<Known<"Task">, "bookkeeping" | "sampledAs">, Names<TaskProps>>>();
same<Same<Known<"Approval">, Names<ApprovalProps>>>();
same<Same<Known<"Signal">, Names<SignalProps>>>();
same<Same<Known<"WaitForEvent">, Names<WaitForEventProps>>>();
same<Same<Known<"Timer">, Names<TimerProps>>>();
same<Same<Known<"HumanTask"> | "prompt", Names<HumanTaskProps>>>();
same<Same<Known<"Subflow"> & Known<"InlineSubflow">, Names<SubflowProps>>>();

import { z } from "zod";
import { components } from "../../../src/components/components.js";
import type { ApprovalProps } from "../../../src/components/tasks/Approval.js";
import type { ApprovalGateProps } from "../../../src/components/tasks/ApprovalGate.js";
import type { HumanTaskProps } from "../../../src/components/tasks/HumanTask.js";
import type { SignalProps } from "../../../src/components/tasks/Signal.js";
import type { WaitForEventProps } from "../../../src/components/tasks/WaitForEvent.js";
import { outputs } from "../render-workflow.js";
import type { PropEffect, PropEffects, PropTable } from "./prop-table.js";
import { field, limitEffects, orderEffects, tasksInside } from "./shared-effects.js";

const { Approval, ApprovalGate, HumanTask, Signal, Task, WaitForEvent } = components;

const narrow = z.object({ text: z.literal("a") });
const options = [
  { key: "x", label: "X" },
  { key: "y", label: "Y" },
];
const id: PropEffect = { to: "b", shows: tasksInside, as: ["b"] };
const output: PropEffect = { to: outputs.output, shows: field("outputKey"), as: "output" };
const outputSchema: PropEffect = { to: narrow, shows: field("outputSchema"), as: narrow };
const approvedOnly = z.object({ approved: z.literal(true) });
const decided: PropEffect = {
  to: outputs.decidedElsewhere,
  shows: field("outputKey"),
  as: "decidedElsewhere",
};
const isAsync: PropEffect = { to: true, shows: field("waitAsync"), as: true };
const request: PropEffect = {
  to: { title: "Really?", summary: "s", metadata: { n: 1 } },
  shows: field("approvalRequest"),
  as: { title: "Really?", summary: "s", metadata: { n: 1 } },
};
const onDeny: PropEffect = { to: "skip", shows: field("approvalOnDeny"), as: "skip" };

/** How waiting for an event goes, `name` being what it waits for. */
const eventEffects = (name: string) => ({
  correlationId: {
    to: "order-1",
    shows: field("eventWait"),
    as: { name, correlationId: "order-1", onTimeout: "fail" },
  },
  timeoutMs: { to: 5, shows: field("eventWait"), as: { name, timeoutMs: 5, onTimeout: "fail" } },
  onTimeout: { to: "skip", shows: field("eventWait"), as: { name, onTimeout: "skip" } },
  async: isAsync,
});

const { cache: _cache, ...gateLimits } = limitEffects;
const { skipIf } = orderEffects();

export const waitTables = {
  Approval: {
    component: Approval,
    base: { id: "a", output: outputs.decided, request: { title: "Continue?" } },
    effects: {
      ...orderEffects(),
      ...limitEffects,
      id,
      output: decided,
      outputSchema: { to: approvedOnly, shows: field("outputSchema"), as: approvedOnly },
      request,
      onDeny,
      async: isAsync,
      mode: { to: "rank", given: { options }, shows: field("approvalMode"), as: "rank" },
      options: { to: options, shows: field("approvalOptions"), as: options },
      allowedScopes: { to: ["ops"], shows: field("approvalAllowedScopes"), as: ["ops"] },
      allowedUsers: { to: ["ada"], shows: field("approvalAllowedUsers"), as: ["ada"] },
      autoApprove: {
        to: { after: 2, audit: true, condition: () => true, revertOn: () => false },
        shows: field("approvalAutoApprove"),
        as: { after: 2, audit: true, conditionMet: true, revertOnMet: false },
      },
    } satisfies PropEffects<ApprovalProps>,
  },
  ApprovalGate: {
    component: ApprovalGate,
    base: { id: "a", output: outputs.decided, request: { title: "Continue?" }, when: true },
    effects: {
      ...gateLimits,
      id,
      output: decided,
      request,
      onDeny,
      skipIf,
      when: { to: false, shows: field("kind"), as: "static" },
    } satisfies PropEffects<ApprovalGateProps>,
  },
  HumanTask: {
    component: HumanTask,
    base: { id: "a", output: outputs.note, prompt: "What now?" },
    effects: {
      ...orderEffects(),
      id,
      output,
      outputSchema,
      prompt: { to: "And now?", shows: field("prompt"), as: "And now?" },
      maxAttempts: { to: 3, shows: field("retries"), as: 2 },
      async: isAsync,
      timeoutMs: limitEffects.timeoutMs,
      continueOnFail: limitEffects.continueOnFail,
    } satisfies PropEffects<HumanTaskProps>,
  },
  Signal: {
    component: Signal,
    base: { id: "a", schema: outputs.note },
    effects: {
      ...orderEffects(),
      ...eventEffects("a"),
      id,
      schema: { to: outputs.output, shows: field("outputKey"), as: "output" },
      children: {
        to: ({ text }: { text: string }) => (
          <Task id={`read-${text}`} output={outputs.output}>
            {{ text }}
          </Task>
        ),
        after: (flow) => flow.setRow("a", { text: "mail" }),
        shows: tasksInside,
        as: ["a", "read-mail"],
      },
    } satisfies PropEffects<SignalProps>,
  },
  WaitForEvent: {
    component: WaitForEvent,
    base: { id: "a", event: "paid", output: outputs.note },
    effects: {
      ...orderEffects(),
      ...eventEffects("paid"),
      id,
      output,
      outputSchema,
      event: { to: "sent", shows: field("eventWait"), as: { name: "sent", onTimeout: "fail" } },
    } satisfies PropEffects<WaitForEventProps>,
  },
} satisfies Record<string, PropTable>;

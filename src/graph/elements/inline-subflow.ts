import { taskAddress } from "../ancestor-context.js";
import type { GroupRule } from "../element-rule.js";
import { frameError } from "../frame-error.js";
import { readObject, readTaskId, readTextMap, readTexts } from "../props.js";
import { scopeInside } from "../inline-scopes.js";
import { planInSequence, withSkip } from "./arrangement.js";

/** Limits of a node of its own, which an inline subflow is not. */
const CHILD_RUN_ONLY = [
  "timeoutMs",
  "heartbeatTimeoutMs",
  "heartbeatTimeout",
  "retries",
  "retryPolicy",
  "continueOnFail",
  "cache",
] as const;

/** The tree of another workflow as a part of this one. */
export const inlineSubflowRule: GroupRule = {
  kind: "group",
  attributes: ["mode", "dependsOn", "needs", "skipIf", "label"],
  children: ["Workflow", "SubflowResult"],
  enter({ element, around, facts, extraction }) {
    const id = readTaskId(element);
    facts.address = taskAddress(id, around);
    const scope = scopeInside(element, around, extraction);
    if (element.props["prefix"] !== scope.prefix) extraction.needsRender = true;
    const stray = CHILD_RUN_ONLY.find((name) => element.props[name] !== undefined);
    if (stray !== undefined) {
      throw frameError(
        "INVALID_INPUT",
        element,
        `has ${stray} and mode="inline"; set it on the tasks inside, or use mode="childRun".`,
      );
    }
    const dependsOn = readTexts(element, "dependsOn") ?? [];
    const needs = Object.values(readTextMap(element, "needs") ?? {});
    return withSkip(
      {
        ...around,
        scope,
        input: readObject(element, "input") ?? {},
        workflows: [element.props["workflow"], ...around.workflows],
        after: [...around.after, ...[...dependsOn, ...needs].map((each) => around.scope.prefix + each)],
      },
      element,
    );
  },
  plan: planInSequence,
};

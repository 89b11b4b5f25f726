import type { ServiceWorkflow } from "../../model/workflow.js";
import type { GroupRule } from "../element-rule.js";
import { invalid, readFlag, readText } from "../props.js";
import { readQueue } from "../tasks/queue.js";
import { planInSequence } from "./arrangement.js";

export const workflowRule: GroupRule = {
  kind: "group",
  attributes: ["name", "cache", "queue"],
  parents: ["#root", "InlineSubflow"],
  enter({ element, around: outside, extraction }) {
    if (readText(element, "name") === undefined) throw invalid(element, "name", "the workflow's name");
    const queue = readQueue(element) ?? outside.queue ?? extraction.runtime.queue;
    const around = queue === outside.queue ? outside : { ...outside, queue };
    const given = readFlag(element, "cache");
    const subflow = element.parent;
    // The frame says so for the workflow at the root.
    if (subflow?.tag !== "InlineSubflow") return around;
    const { opts } = subflow.props["workflow"] as Pick<Partial<ServiceWorkflow>, "opts">;
    return (given ?? opts?.cache) === true ? { ...around, cache: true } : around;
  },
  plan: planInSequence,
};

import { Fragment as ReactFragment } from "react";
import type { WorkflowNode } from "../src/util/element.js";

/** As React's: several elements where one is expected. It adds nothing of its own to the tree. */
export const Fragment: (props: { children?: WorkflowNode }) => WorkflowNode = ReactFragment as never;

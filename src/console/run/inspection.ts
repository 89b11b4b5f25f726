import type { GatewayMethods } from "../../client/index.js";

/** A run with its tasks, as the gateway describes it. */
export type Inspection = GatewayMethods["inspectRun"]["result"];

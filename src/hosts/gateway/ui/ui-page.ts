import { ServiceError } from "../../../errors/service-error.js";
import type { GatewayUiConfig } from "../gateway-options.js";
import type { GatewayParts } from "../gateway-parts.js";
import { withoutEnd } from "./own-paths.js";

/** A page that the gateway serves. */
export interface UiPage {
  /** Begins with a slash, and ends with one only at the root. */
  path: string;
  title: string;
  /** Null for pages of the gateway. */
  workflowKey: string | null;
  /** File of the browser module; null for the operator's page, which is built with the package. */
  entry: string | null;
  props: Record<string, unknown>;
}

/** Where assets of all pages are served, below the root. */
export const ASSETS = "_ui";

/** First folders of the addresses below the operator's page. */
export const OPERATOR_SECTIONS = [
  "runs",
  "inbox",
  "catalog",
  "schedules",
  "webhooks",
  "agents",
  "scores",
  "memory",
  "status",
] as const;

/** The pages that the options ask for. @throws INVALID_INPUT for two at one path */
export function uiPages({ options, workspace }: Pick<GatewayParts, "options" | "workspace">): UiPage[] {
  const { ui, operatorUi } = options;
  const pages: UiPage[] = [];
  if (ui !== undefined) pages.push(toPage(ui, { path: "/", title: "treadle", workflowKey: null }));
  for (const { key, options: registered } of workspace.workflows()) {
    if (registered.ui === undefined) continue;
    pages.push(toPage(registered.ui, { path: `/workflows/${key}`, title: key, workflowKey: key }));
  }
  if (operatorUi !== false) {
    const { path, title, props } = operatorUi;
    pages.push({ path: withoutEnd(path), title, workflowKey: null, entry: null, props });
  }
  refuseCollisions(pages);
  return pages;
}

function toPage(ui: GatewayUiConfig, defaults: Pick<UiPage, "path" | "title" | "workflowKey">): UiPage {
  if (ui === true) return { ...defaults, entry: null, props: {} };
  const { entry, path = defaults.path, title = defaults.title, props = {} } = ui;
  return { path: withoutEnd(path), title, workflowKey: defaults.workflowKey, entry, props };
}

function refuseCollisions(pages: readonly UiPage[]): void {
  const taken = new Set<string>();
  for (const { path } of pages) {
    if (taken.has(path)) {
      throw new ServiceError("INVALID_INPUT", `Two pages have the path ${path}.`, { details: { path } });
    }
    taken.add(path);
  }
}

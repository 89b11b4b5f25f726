import type { GatewayMethods } from "../../client/index.js";
import { RUN_WAITS, type RunWait } from "../../model/run.js";
import { rangeNamed, rangeOf } from "./time-range.js";
import { type ViewName, VIEWS, viewNamed } from "./views.js";

/** Members of the address that choose runs, in its order. */
const NAMES = ["view", "workflow", "since", "from", "until", "only", "waits", "text", "annotation"] as const;

/** What the address says of the list; undefined = all of it. */
export type RunFilters = { readonly [N in (typeof NAMES)[number]]: string | undefined };

/** Filters that go beyond states, workflow and time, by their names in the address. */
export const ONLY = { failures: "With failures", me: "Needs me" } as const;
export type Only = keyof typeof ONLY;

const WAITS: Readonly<Record<RunWait, string>> = {
  approval: "a person",
  event: "a signal",
  timer: "time",
  quota: "quota",
};

export const WAIT_NAMES = RUN_WAITS.map((wait) => ({ wait, name: WAITS[wait] }));

export function filtersOf(query: URLSearchParams): RunFilters {
  const given = Object.fromEntries(NAMES.map((name) => [name, query.get(name) || undefined])) as RunFilters;
  const view = viewNamed(given.view ?? null);
  const kept = (chosen: readonly string[]) => (chosen.length === 0 ? undefined : chosen.join(","));
  return {
    ...given,
    view: view === "all" ? undefined : view,
    since: rangeNamed(given.since ?? null),
    only: kept(onlyOf(given)),
    waits: kept(waitsOf(given)),
    annotation: annotationOf(given) === undefined ? undefined : given.annotation,
  };
}

/** The annotation that is asked for, as `name=value`. */
export function annotationOf({ annotation = "" }: Pick<RunFilters, "annotation">) {
  const at = annotation.indexOf("=");
  return at > 0 ? { [annotation.slice(0, at)]: annotation.slice(at + 1) } : undefined;
}

export function viewOf({ view }: RunFilters): ViewName {
  return viewNamed(view ?? null);
}

export function onlyOf({ only }: Pick<RunFilters, "only">): Only[] {
  const given = only?.split(",") ?? [];
  return (Object.keys(ONLY) as Only[]).filter((name) => given.includes(name));
}

export function waitsOf({ waits }: Pick<RunFilters, "waits">): RunWait[] {
  const given = waits?.split(",") ?? [];
  return RUN_WAITS.filter((wait) => given.includes(wait));
}

/** With this one in the list, or without it where it was: what stands in an address. */
export function toggledName(list: readonly string[], name: string): string | undefined {
  const next = list.includes(name) ? list.filter((other) => other !== name) : [...list, name];
  return next.length === 0 ? undefined : next.join(",");
}

type Chosen = Omit<GatewayMethods["listRuns"]["params"], "limit" | "cursor" | "status">;

/** As the gateway is asked for them. */
export function chosenBy(filters: RunFilters, workflow: string | undefined, nowMs: number): Chosen {
  const { statuses } = VIEWS[viewOf(filters)];
  const [only, waitsFor] = [onlyOf(filters), waitsOf(filters)];
  const annotations = annotationOf(filters);
  const times = new URLSearchParams();
  for (const name of ["since", "from", "until"] as const) times.set(name, filters[name] ?? "");
  return {
    ...rangeOf(times, nowMs),
    ...(statuses !== undefined && { statuses: [...statuses] }),
    ...(workflow !== undefined && { workflow }),
    ...(only.includes("failures") && { withFailures: true }),
    ...(only.includes("me") && { needsMe: true }),
    ...(waitsFor.length > 0 && { waitsFor }),
    ...(filters.text !== undefined && { text: filters.text }),
    ...(annotations !== undefined && { annotations }),
  };
}

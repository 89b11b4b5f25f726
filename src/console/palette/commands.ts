import type { GatewayMethodName, GatewayMethods } from "../../client/index.js";
import { places } from "../frame/places.js";
import type { ViewAddress } from "../frame/router.js";
import type { IconName } from "../parts/icons.js";
import { lookOf } from "../parts/State.js";
import { shownShort } from "../parts/text.js";
import type { Inspection } from "../run/inspection.js";
import { actionsOf } from "../run/run-actions.js";
import { BUILT_IN } from "../runs/views.js";

/** One line of the palette: a way to a view, or an action. */
export interface PaletteCommand {
  id: string;
  text: string;
  /** Beside the text, and looked through as well. */
  hint?: string;
  icon: IconName;
  /** The method that it leads to: who may not use it is told so. */
  method?: GatewayMethodName;
  does: { go: ViewAddress } | { ask: "cancel" | "resume" };
}

export interface CommandGroup {
  value: string;
  items: PaletteCommand[];
}

/** Views of the run that is open and, behind them, what can be done with it: the first line is what Enter takes. */
export function runCommands({ run }: Inspection): PaletteCommand[] {
  const { runId, workflowKey } = run;
  const actions = actionsOf(run).flatMap(({ name, text, icon, method }): PaletteCommand[] => {
    if (name !== "again") return [{ id: `run ${name}`, text, icon, method, does: { ask: name } }];
    if (workflowKey === null) return [];
    return [
      { id: "run again", text, icon, method, does: { go: places.workflow(workflowKey, { from: runId }) } },
    ];
  });
  const views: [text: string, icon: IconName, go: ViewAddress][] = [
    ["Tasks", "list", places.run(runId)],
    ["Graph", "branch", places.graph(runId)],
    ["Timeline", "clock", places.timeline(runId)],
    ["Events", "lines", places.events(runId)],
    ["Frames", "loop", places.frames(runId)],
  ];
  return [
    ...views.map(([text, icon, go]): PaletteCommand => ({ id: `run ${text}`, text, icon, does: { go } })),
    ...actions,
  ];
}

/** The views of the page, and the lists of runs that have a name. */
export function viewCommands(): PaletteCommand[] {
  const lists = BUILT_IN.filter(({ view }) => view !== "all");
  const all: [text: string, icon: IconName, go: ViewAddress][] = [
    ["Runs", "list", places.runs()],
    ...lists.map(({ name, ...query }): [string, IconName, ViewAddress] => [
      `Runs: ${name}`,
      "list",
      places.runs(query),
    ]),
    ["Inbox", "inbox", places.inbox()],
    ["Workflows", "box", places.catalog()],
    ["Schedules", "calendar", places.schedules()],
    ["Webhooks", "hook", places.webhooks()],
    ["Agents", "robot", places.agents()],
    ["Scores", "gauge", places.scores()],
    ["Memory", "book", places.memory()],
    ["Status", "pulse", places.status()],
  ];
  return all.map(([text, icon, go]) => ({ id: `view ${text}`, text, icon, does: { go } }));
}

type Workflow = GatewayMethods["listWorkflows"]["result"]["workflows"][number];

export function workflowCommands(workflows: readonly Workflow[]): PaletteCommand[] {
  return workflows.flatMap(({ key, readableName }): PaletteCommand[] => [
    {
      id: `start ${key}`,
      text: `Start ${shownShort(readableName ?? key, 60)}`,
      ...(readableName !== null && { hint: shownShort(key, 40) }),
      icon: "play",
      method: "launchRun",
      does: { go: places.workflow(key) },
    },
    {
      id: `runs of ${key}`,
      text: `Runs of ${shownShort(readableName ?? key, 60)}`,
      ...(readableName !== null && { hint: shownShort(key, 40) }),
      icon: "list",
      does: { go: places.runs({ workflow: key }) },
    },
  ]);
}

type Run = GatewayMethods["listRuns"]["result"]["runs"][number];

export function openCommand({ runId, workflowName, runState }: Run): PaletteCommand {
  const { icon, text } = lookOf(runState);
  return {
    id: `open ${runId}`,
    text: shownShort(runId, 40),
    hint: `${shownShort(workflowName, 40)} · ${text}`,
    icon,
    does: { go: places.run(runId) },
  };
}

/** Those with every word of the text, in any order. */
export function matching(commands: readonly PaletteCommand[], text: string): PaletteCommand[] {
  const words = text.toLowerCase().split(/\s+/);
  return commands.filter(({ text, hint = "" }) => {
    const searched = `${text} ${hint}`.toLowerCase();
    return words.every((word) => searched.includes(word));
  });
}

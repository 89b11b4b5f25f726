import { useEffect, useState } from "react";
import type { GatewayMethods } from "../../client/index.js";
import { useClient, useMethod, useRuns } from "../../react/index.js";
import { useRouter } from "../frame/router.js";
import { useScope } from "../frame/scope.js";
import {
  type CommandGroup,
  matching,
  openCommand,
  runCommands,
  viewCommands,
  workflowCommands,
} from "./commands.js";

/** Runs that are offered before anything is typed. */
const NEWEST = 5;
/** After which pause in typing the gateway is asked for a run. */
const PAUSE_MS = 150;

type Run = GatewayMethods["findRun"]["result"];

/** What fits the text, by what it is about; and the run that is open. */
export function useCommands(text: string) {
  const { parts } = useRouter();
  const scope = useScope();
  const openId = parts[0] === "runs" ? parts[1] : undefined;
  const open = useMethod("inspectRun", openId === undefined ? null : { runId: openId }).data;
  const workflows = useMethod("listWorkflows", {}).data?.workflows ?? [];
  const newest = useRuns({ limit: NEWEST, ...scope }).data?.runs ?? [];
  const found = useFound(text.trim());
  const runs = [
    ...(found === undefined ? [] : [openCommand(found)]),
    ...matching(newest.filter(({ runId }) => runId !== found?.runId).map(openCommand), text),
  ];
  const groups: CommandGroup[] = [
    { value: "This run", items: open === undefined ? [] : matching(runCommands(open), text) },
    { value: "Runs", items: runs },
    { value: "Views", items: matching(viewCommands(), text) },
    { value: "Workflows", items: matching(workflowCommands(workflows), text) },
  ];
  return { groups: groups.filter(({ items }) => items.length > 0), open };
}

/** The run that the text names: an id, the beginning of one, or `latest`. */
function useFound(text: string): Run | undefined {
  const client = useClient();
  const [found, setFound] = useState<{ text: string; run: Run } | null>(null);
  useEffect(() => {
    if (text === "" || /\s/.test(text)) return;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      client.findRun({ run: text }, { signal: stop.signal }).then(
        (run) => setFound({ text, run }),
        // There is none, or more than one: the other lines are what there is.
        () => {},
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [client, text]);
  return found?.text === text ? found.run : undefined;
}

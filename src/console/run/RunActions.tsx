/** @jsxImportSource react */
import { Menu } from "@base-ui/react/menu";
import { useState } from "react";
import { places } from "../frame/places.js";
import { useRouter } from "../frame/router.js";
import { ActionButton } from "../parts/ActionButton.js";
import { Icon } from "../parts/Icon.js";
import { saveFile } from "../parts/save-file.js";
import { treadleCommand } from "../../util/treadle-command.js";
import type { Inspection } from "./inspection.js";
import { RunActionDialog } from "./RunActionDialog.js";
import { actionsOf, type RunActionName } from "./run-actions.js";

/** What can be done with the run in the state that it is in. */
export function RunActions({ inspection }: { inspection: Inspection }) {
  const { run, input } = inspection;
  const { runId, workflowKey } = run;
  const { go } = useRouter();
  const [asked, setAsked] = useState<"cancel" | "resume" | null>(null);
  const copy = (text: string) => void navigator.clipboard.writeText(text);
  const actions = actionsOf(run);
  const can = (wanted: RunActionName) => actions.some(({ name }) => name === wanted);
  const commands = [
    { name: "why", text: treadleCommand("why", [runId]) },
    { name: "inspect", text: treadleCommand("inspect", [runId]) },
    ...(can("cancel") ? [{ name: "cancel", text: treadleCommand("cancel", [runId]) }] : []),
    ...(can("resume") ? [{ name: "up --resume", text: treadleCommand("up", [], { resume: runId }) }] : []),
  ];
  return (
    <div className="actions">
      {actions.map(({ name, text, icon, method }) => (
        <ActionButton
          key={name}
          method={method}
          icon={icon}
          onClick={() => {
            if (name !== "again") setAsked(name);
            else if (workflowKey !== null) go(places.workflow(workflowKey, { from: runId }));
          }}
        >
          {text}
        </ActionButton>
      ))}
      <Menu.Root>
        <Menu.Trigger className="button" aria-label="More actions">
          <Icon name="more" />
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner sideOffset={4} align="end">
            <Menu.Popup className="menu">
              <Menu.Item
                className="menu-item"
                onClick={() => saveFile(`${runId}.json`, JSON.stringify({ ...inspection, input }, null, 2))}
              >
                <Icon name="download" /> Download as JSON
              </Menu.Item>
              {run.frameNo > 0 && (
                <Menu.Item className="menu-item" onClick={() => go(places.frames(runId))}>
                  <Icon name="branch" /> Fork or rewind…
                </Menu.Item>
              )}
              <Menu.Separator className="menu-line" />
              {commands.map(({ name, text }) => (
                <Menu.Item key={name} className="menu-item" onClick={() => copy(text)}>
                  <Icon name="copy" /> Copy “treadle {name}”
                </Menu.Item>
              ))}
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
      {asked !== null && <RunActionDialog run={run} action={asked} onClose={() => setAsked(null)} />}
    </div>
  );
}

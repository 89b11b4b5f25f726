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
import { actionsOf } from "./run-actions.js";

/** What can be done with the run in the state that it is in. */
export function RunActions({ inspection }: { inspection: Inspection }) {
  const { run, input } = inspection;
  const { runId, workflowKey } = run;
  const { go } = useRouter();
  const [asked, setAsked] = useState<"cancel" | "resume" | null>(null);
  const copy = (text: string) => void navigator.clipboard.writeText(text);
  return (
    <div className="actions">
      {actionsOf(run).map(({ name, text, icon, method }) => (
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
              <Menu.Separator className="menu-line" />
              <Menu.Item className="menu-item" onClick={() => copy(treadleCommand("why", [runId]))}>
                <Icon name="copy" /> Copy “treadle why”
              </Menu.Item>
              <Menu.Item className="menu-item" onClick={() => copy(treadleCommand("inspect", [runId]))}>
                <Icon name="copy" /> Copy “treadle inspect”
              </Menu.Item>
              <Menu.Item className="menu-item" onClick={() => copy(treadleCommand("cancel", [runId]))}>
                <Icon name="copy" /> Copy “treadle cancel”
              </Menu.Item>
              <Menu.Item
                className="menu-item"
                onClick={() => copy(treadleCommand("up", [], { resume: runId }))}
              >
                <Icon name="copy" /> Copy “treadle up --resume”
              </Menu.Item>
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
      {asked !== null && <RunActionDialog run={run} action={asked} onClose={() => setAsked(null)} />}
    </div>
  );
}

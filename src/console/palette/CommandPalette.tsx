/** @jsxImportSource react */
import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { useState } from "react";
import { useAllowed } from "../access/allowed.js";
import { useRouter } from "../frame/router.js";
import { Icon } from "../parts/Icon.js";
import { RunActionDialog } from "../run/RunActionDialog.js";
import type { Inspection } from "../run/inspection.js";
import type { PaletteCommand, CommandGroup } from "./commands.js";
import { useCommands } from "./use-commands.js";

interface CommandPaletteProps {
  isOpen: boolean;
  onClose(): void;
}

interface Asked {
  run: Inspection["run"];
  action: "cancel" | "resume";
}

/** Finds views, runs, workflows and the actions of the open run by what is typed. */
export default function CommandPalette({ isOpen, onClose }: CommandPaletteProps) {
  const [asked, setAsked] = useState<Asked | null>(null);
  return (
    <>
      <Dialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
        <Dialog.Portal>
          <Dialog.Backdrop className="backdrop" />
          <Dialog.Popup className="dialog palette" aria-label="Commands">
            <Search onClose={onClose} onAsk={setAsked} />
          </Dialog.Popup>
        </Dialog.Portal>
      </Dialog.Root>
      {asked !== null && <RunActionDialog {...asked} onClose={() => setAsked(null)} />}
    </>
  );
}

function Search({ onClose, onAsk }: { onClose(): void; onAsk(asked: Asked): void }) {
  const { go } = useRouter();
  const { missing } = useAllowed();
  const [text, setText] = useState("");
  const { groups, open } = useCommands(text);
  const perform = ({ does }: PaletteCommand) => {
    onClose();
    if ("go" in does) go(does.go);
    else if (open !== undefined) onAsk({ run: open.run, action: does.ask });
  };
  return (
    <Autocomplete.Root
      inline
      open
      mode="none"
      items={groups}
      itemToStringValue={(command: PaletteCommand) => command.text}
      value={text}
      onValueChange={(value, { reason }) => reason !== "item-press" && setText(value)}
      autoHighlight="always"
    >
      <div className="palette-field">
        <Icon name="search" />
        <Autocomplete.Input
          aria-label="A view, a run, a workflow, or what to do"
          placeholder="A view, a run by its id, a workflow…"
          spellCheck={false}
        />
      </div>
      <Autocomplete.Empty>
        {groups.length === 0 && <p className="hint pad">Nothing is called like this.</p>}
      </Autocomplete.Empty>
      <Autocomplete.List className="palette-list">
        {(group: CommandGroup) => (
          <Autocomplete.Group key={group.value} items={group.items}>
            <Autocomplete.GroupLabel className="palette-group">{group.value}</Autocomplete.GroupLabel>
            <Autocomplete.Collection>
              {(command: PaletteCommand) => {
                const scope = command.method === undefined ? undefined : missing(command.method);
                return (
                  <Autocomplete.Item
                    key={command.id}
                    value={command}
                    className="menu-item"
                    disabled={scope !== undefined}
                    onClick={() => perform(command)}
                  >
                    <Icon name={command.icon} />
                    <span className="palette-text">{command.text}</span>
                    <span className="hint">{scope === undefined ? command.hint : `needs ${scope}`}</span>
                  </Autocomplete.Item>
                );
              }}
            </Autocomplete.Collection>
          </Autocomplete.Group>
        )}
      </Autocomplete.List>
    </Autocomplete.Root>
  );
}

/** @jsxImportSource react */
import { formatDuration } from "../../util/duration.js";
import { Icon } from "../parts/Icon.js";
import type { IconName } from "../parts/icons.js";
import { isMadeId } from "../parts/made-id.js";
import { State } from "../parts/State.js";
import { shownShort } from "../parts/text.js";
import { Moment } from "../parts/Moment.js";
import { Since } from "../parts/Since.js";
import { attemptText } from "./retries.js";
import { shownState, type TreeNode, type TreeRow } from "./tree-rows.js";

interface TreeLineProps {
  id: string;
  row: TreeRow;
  /** The keyboard is here. */
  isActive: boolean;
  /** It is shown beside the tree. */
  isSelected: boolean;
  isCollapsed: boolean;
  onOpen(): void;
  onToggle(): void;
}

const ICONS: Readonly<Record<string, IconName>> = {
  Workflow: "box",
  Sequence: "steps",
  Parallel: "lanes",
  MergeQueue: "lanes",
  Loop: "loop",
  Branch: "branch",
  Approval: "person",
  HumanTask: "person",
  approval: "person",
  Signal: "signal",
  WaitForEvent: "signal",
  Timer: "clock",
  Subflow: "box",
};

/** How long its attempts took, or how long the one that is under way has been at work. */
function Took({ node }: { node: TreeNode }) {
  const { startedAtMs = null, workedMs = 0, atWorkSinceMs = null, state } = node;
  if (startedAtMs === null || state.startsWith("waiting")) return null;
  return (
    <span className="hint number" title="Time at work, all attempts together">
      {atWorkSinceMs === null ? formatDuration(workedMs) : <Since at={atWorkSinceMs - workedMs} />}
    </span>
  );
}

/** One line of the tree. The keyboard is the tree's own. */
export function TreeLine({ id, row, isActive, isSelected, isCollapsed, onOpen, onToggle }: TreeLineProps) {
  const { tag, name, nodes, level, isGroup, total, done, failed, isGone } = row;
  const newest = nodes.at(-1);
  const label = newest?.label ?? name;
  const isTask = newest !== undefined;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the focus and handles the keys.
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus.
    <div
      id={id}
      role="treeitem"
      aria-level={level + 1}
      aria-selected={isSelected}
      aria-expanded={isGroup ? !isCollapsed : undefined}
      className={`line${isActive ? " active" : ""}${isSelected ? " selected" : ""}${isGone ? " gone" : ""}`}
      style={{ paddingInlineStart: `${level * 18 + 6}px` }}
      onClick={onOpen}
    >
      {isGroup ? (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the arrow keys of the tree do the same.
        // biome-ignore lint/a11y/noStaticElementInteractions: a larger target for the mouse.
        <span
          className="twist"
          onClick={(event) => {
            event.stopPropagation();
            onToggle();
          }}
        >
          <Icon name={isCollapsed ? "right" : "down"} />
        </span>
      ) : (
        <span className="twist" />
      )}
      {isTask ? <State state={shownState(newest)} isShort /> : <Icon name={ICONS[tag] ?? "lines"} />}
      <span className="line-name">
        {isTask ? (
          <>
            <bdi>{shownShort(label ?? tag, 200)}</bdi>
            {newest.label !== null && newest.label !== name && name !== null && (
              <code className="hint"> {shownShort(name, 80)}</code>
            )}
          </>
        ) : (
          <>
            {tag} {name !== null && !isMadeId(name) && <code className="hint">{shownShort(name, 80)}</code>}
          </>
        )}
      </span>
      <span className="line-facts">
        {isGone && <span className="hint">left the tree</span>}
        {isTask && nodes.length > 1 && <span className="hint">{nodes.length} rounds</span>}
        {isTask && newest.lastAttempt > 1 && (
          <span className="hint">attempt {attemptText(newest, row.retries)}</span>
        )}
        {newest !== undefined && <Took node={newest} />}
        {newest !== undefined && shownState(newest) === "waiting-retry" && newest.dueAtMs !== null && (
          <span className="hint">
            again <Moment at={newest.dueAtMs} />
          </span>
        )}
        {newest?.waitingSinceMs != null && newest.state.startsWith("waiting") && (
          <span className="hint">
            <Since at={newest.waitingSinceMs} />
          </span>
        )}
        {failed > 0 && (!isTask || nodes.length > 1) && (
          <span className="badge bad">
            {failed} <span>failed</span>
          </span>
        )}
        {isGroup && (
          <span className="hint number">
            {done}/{total}
          </span>
        )}
      </span>
    </div>
  );
}

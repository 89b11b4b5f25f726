/** @jsxImportSource react */
import { useState } from "react";
import { parseTaskKey } from "../../model/address.js";
import type { NodeDiff } from "../../operations/index.js";
import { useMethod } from "../../react/index.js";
import { treadleCommand } from "../../util/treadle-command.js";
import { CopyButton } from "../parts/CopyButton.js";
import { Icon } from "../parts/Icon.js";
import { Reading } from "../parts/Reading.js";
import { shown, shownShort } from "../parts/text.js";
import type { NodeAddress } from "./use-node-log.js";

type FileDiff = NodeDiff["files"][number];

/** What the task's newest attempt has changed in the folder that it worked in, a page of files at a time. */
export function Diff(address: NodeAddress) {
  const [firsts, setFirsts] = useState<readonly number[]>([]);
  const firstFile = firsts.at(-1) ?? 0;
  const { data, ...reading } = useMethod("diffNode", { ...address, firstFile });
  if (data === undefined) return <Reading {...reading} />;
  const { files, totals, nextFile, reason, source } = data;
  return (
    <section className="log-pane" aria-label="Changes">
      {reason !== null && <p className="hint pad">{shownShort(reason, 400)}</p>}
      {source !== null && (
        <p className="attempt-head">
          <strong>{totals.files === 1 ? "1 file" : `${totals.files.toLocaleString()} files`}</strong>
          <Lines {...totals} />
          <span className="hint">attempt {data.attempt}</span>
          <CopyButton
            text={treadleCommand("diff", [address.runId], {
              node: address.nodeId,
              iteration: address.iteration,
            })}
            what="the command line that shows these changes"
            label="treadle diff"
          />
        </p>
      )}
      <Caveats {...data} />
      <ul className="attempts">
        {files.map((file) => (
          <li key={file.path}>
            <File {...address} attempt={data.attempt} file={file} />
          </li>
        ))}
      </ul>
      <div className="buttons">
        {firsts.length > 0 && (
          <button type="button" className="button" onClick={() => setFirsts(firsts.slice(0, -1))}>
            <Icon name="left" /> Earlier files
          </button>
        )}
        {nextFile !== null && (
          <button type="button" className="button" onClick={() => setFirsts([...firsts, nextFile])}>
            <Icon name="right" /> More files
          </button>
        )}
      </div>
    </section>
  );
}

/** Why these may not be the task's own changes, or not all of them. */
function Caveats({ othersAtWork, isUntilNext, leftOut }: NodeDiff) {
  const others = [...new Set(othersAtWork.map((key) => parseTaskKey(key).nodeId))];
  return (
    <>
      {others.length > 0 && (
        <p className="hint pad">
          Also at work in this folder meanwhile: {shownShort(others.join(", "), 300)}. Their changes are among
          these.
        </p>
      )}
      {isUntilNext && (
        <p className="hint pad">
          The end of this attempt was not recorded: these are the changes until the next one began.
        </p>
      )}
      {leftOut > 0 && <p className="hint pad">{leftOut} files could not be recorded.</p>}
    </>
  );
}

function Lines({ additions, deletions }: Pick<FileDiff, "additions" | "deletions">) {
  return (
    <span className="number">
      +{additions ?? 0} −{deletions ?? 0}
    </span>
  );
}

interface FileProps extends NodeAddress {
  attempt: number;
  file: FileDiff;
}

function File({ file, ...at }: FileProps) {
  const { path, oldPath, status, isBinary, patch, nextOffset } = file;
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <code dir="ltr">{oldPath === undefined ? shown(path) : `${shown(oldPath)} → ${shown(path)}`}</code>{" "}
        <span className="hint">{isBinary ? `${status}, binary` : status}</span>{" "}
        {!isBinary && <Lines {...file} />}
      </summary>
      {isOpen && patch !== null && <Patch text={patch} />}
      {isOpen && patch === null && isBinary && <p className="hint pad">There is no text to compare.</p>}
      {isOpen && !isBinary && (patch === null || nextOffset !== null) && (
        <Rest {...at} path={path} offset={nextOffset ?? 0} />
      )}
    </details>
  );
}

interface RestProps extends NodeAddress {
  attempt: number;
  path: string;
  offset: number;
}

/** Of one file, what did not fit before, when it is asked for. */
function Rest({ offset, ...at }: RestProps) {
  const [isAsked, setAsked] = useState(false);
  const { data, ...reading } = useMethod("diffNode", isAsked ? { ...at, offset } : null);
  const file = data?.files[0];
  if (!isAsked) {
    return (
      <button type="button" className="button" onClick={() => setAsked(true)}>
        {offset === 0 ? "Show the changes" : "Show more"}
      </button>
    );
  }
  if (data === undefined) return <Reading {...reading} />;
  return (
    <>
      {file?.patch == null ? (
        <p className="hint pad">No line of it has changed.</p>
      ) : (
        <Patch text={file.patch} />
      )}
      {file?.nextOffset != null && <Rest {...at} offset={file.nextOffset} />}
    </>
  );
}

const KINDS: Readonly<Record<string, string>> = { "+": "added", "-": "removed", "@": "place" };

function Patch({ text }: { text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard.
    <pre className="patch" tabIndex={0} dir="ltr">
      {text
        .replace(/\n$/, "")
        .split("\n")
        .map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name, and keep their places.
          <span key={index} className={KINDS[line[0] ?? ""]}>
            {shown(line)}
            {"\n"}
          </span>
        ))}
    </pre>
  );
}

/** @jsxImportSource react */
import { Icon } from "../parts/Icon.js";
import { shownShort } from "../parts/text.js";
import type { Fold } from "./fold-tree.js";

interface GraphToolsProps {
  /** Groups that the reader has opened. */
  opened: readonly Fold[];
  hasFolds: boolean;
  onFold(fold: Fold): void;
  onZoom(factor: number): void;
  onFit(): void;
  onSave(format: SavedFormat): void;
}

export type SavedFormat = "svg" | "png" | "mermaid";

const FORMATS: readonly (readonly [SavedFormat, string])[] = [
  ["svg", "SVG"],
  ["png", "PNG"],
  ["mermaid", "Mermaid"],
];

export function GraphTools({ opened, hasFolds, onFold, onZoom, onFit, onSave }: GraphToolsProps) {
  return (
    <div className="tree-tools">
      <fieldset className="segments">
        <legend className="unseen">Zoom</legend>
        <button type="button" aria-label="Zoom out" title="Zoom out (-)" onClick={() => onZoom(0.8)}>
          <Icon name="minus" />
        </button>
        <button type="button" aria-label="Zoom in" title="Zoom in (+)" onClick={() => onZoom(1.25)}>
          <Icon name="plus" />
        </button>
        <button type="button" title="All of it (0)" onClick={onFit}>
          <Icon name="fit" /> Fit
        </button>
      </fieldset>
      {FORMATS.map(([format, text]) => (
        <button key={format} type="button" className="plain" onClick={() => onSave(format)}>
          <Icon name="download" /> {text}
        </button>
      ))}
      {hasFolds && opened.length === 0 && (
        <span className="hint">Large groups are folded: Enter opens one.</span>
      )}
      {opened.map((fold) => (
        <button key={fold.key} type="button" className="chip plain" onClick={() => onFold(fold)}>
          <span className="unseen">Fold</span> {shownShort(fold.title, 40)} <Icon name="cross" />
        </button>
      ))}
    </div>
  );
}

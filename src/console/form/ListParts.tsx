/** @jsxImportSource react */
import type { ArrayFieldItemTemplateProps, ArrayFieldTemplateProps } from "@rjsf/utils";
import { useEffect, useRef } from "react";
import { Icon } from "../parts/Icon.js";
import { shown } from "../parts/text.js";

/** The items of a list. Who adds one writes it next; who removes one is left at the list. */
export function ListParts({ items, canAdd = false, onAddClick, title }: ArrayFieldTemplateProps) {
  const list = useRef<HTMLDivElement>(null);
  const count = useRef(items.length);
  const isAdding = useRef(false);
  useEffect(() => {
    const before = count.current;
    count.current = items.length;
    const within = list.current;
    if (within === null || before === items.length) return;
    if (items.length > before && isAdding.current) {
      const added = within.querySelector(":scope > .form-part:last-of-type");
      added?.querySelector<HTMLElement>("input, select, textarea, button")?.focus();
    } else if (items.length < before && !within.contains(document.activeElement)) {
      within.querySelector<HTMLElement>(":scope > .button")?.focus();
    }
    isAdding.current = false;
  }, [items.length]);
  return (
    <div ref={list} className="list-parts">
      {items}
      {canAdd && (
        <button
          type="button"
          className="button"
          aria-label={`Add to ${shown(title)}`}
          onClick={(event) => {
            isAdding.current = true;
            onAddClick(event);
          }}
        >
          <Icon name="plus" /> Add
        </button>
      )}
    </div>
  );
}

/** One of them, and what moves and removes it. */
export function ListPart({ children, buttonsProps, index, hasToolbar }: ArrayFieldItemTemplateProps) {
  const { hasMoveUp, hasMoveDown, hasRemove, onMoveUpItem, onMoveDownItem, onRemoveItem } = buttonsProps;
  const place = index + 1;
  return (
    <div className="form-part">
      <div className="form-part-body">{children}</div>
      {hasToolbar && (
        <div className="form-part-buttons">
          {(hasMoveUp === true || hasMoveDown === true) && (
            <>
              <Move label={`Move ${place} up`} icon="up" isPossible={hasMoveUp} onClick={onMoveUpItem} />
              <Move
                label={`Move ${place} down`}
                icon="down"
                isPossible={hasMoveDown}
                onClick={onMoveDownItem}
              />
            </>
          )}
          {hasRemove === true && (
            <button type="button" className="plain" aria-label={`Remove ${place}`} onClick={onRemoveItem}>
              <Icon name="cross" />
            </button>
          )}
        </div>
      )}
    </div>
  );
}

interface MoveProps {
  label: string;
  icon: "up" | "down";
  isPossible: boolean | undefined;
  onClick: ArrayFieldItemTemplateProps["buttonsProps"]["onMoveUpItem"];
}

/** Keeps the focus where it can move no further. */
function Move({ label, icon, isPossible, onClick }: MoveProps) {
  return (
    <button
      type="button"
      className="plain"
      aria-label={label}
      aria-disabled={isPossible !== true}
      onClick={(event) => {
        if (isPossible === true) onClick(event);
      }}
    >
      <Icon name={icon} />
    </button>
  );
}

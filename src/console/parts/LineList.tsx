/** @jsxImportSource react */
import { useVirtualizer } from "@tanstack/react-virtual";
import { type HTMLAttributes, type ReactNode, useEffect, useRef } from "react";

interface LineListProps extends Omit<HTMLAttributes<HTMLElement>, "children"> {
  label: string;
  count: number;
  /** Of each line, pixels. */
  height: number;
  keyOf(index: number): string | number;
  /** Classes of a line; its place is given by the list. */
  lineClass?(index: number): string;
  /** A line that comes into sight when it is chosen; an index below 0 while it is not there. */
  chosen?: { key: unknown; index: number };
  /** The end stays in sight while the list grows. */
  isFollowed?: boolean;
  listClass?: string;
  children(index: number): ReactNode;
}

/** Lines of one height, of which only those in sight are drawn. What scrolls is reached by the keyboard. */
export function LineList(props: LineListProps) {
  const { label, count, height, keyOf, chosen, isFollowed = false, children, ...rest } = props;
  const { listClass = "tree", lineClass = () => "tree-place", className = "tree-scroll", ...events } = rest;
  const scroller = useRef<HTMLElement>(null);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    getItemKey: keyOf,
    overscan: 12,
  });
  useEffect(() => {
    if (isFollowed && count > 0) virtual.scrollToIndex(count - 1, { align: "end" });
  }, [isFollowed, count, virtual]);
  const { key, index } = chosen ?? { key: undefined, index: -1 };
  const lastKey = useRef<unknown>(undefined);
  useEffect(() => {
    if (lastKey.current === key || index < 0) return;
    lastKey.current = key;
    virtual.scrollToIndex(index);
  }, [key, index, virtual]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard.
    <section {...events} ref={scroller} className={className} tabIndex={0} aria-label={label}>
      <ol
        className={listClass}
        dir={listClass === "log" ? "ltr" : undefined}
        style={{ height: virtual.getTotalSize() }}
      >
        {virtual.getVirtualItems().map(({ index, start, key }) => (
          <li
            key={key}
            data-row={index}
            className={lineClass(index)}
            style={{ height, transform: `translateY(${start}px)` }}
          >
            {children(index)}
          </li>
        ))}
      </ol>
    </section>
  );
}

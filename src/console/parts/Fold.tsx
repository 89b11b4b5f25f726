/** @jsxImportSource react */
import { type ReactNode, useState } from "react";

interface FoldProps {
  title: ReactNode;
  isOpenAtFirst?: boolean;
  children: ReactNode;
}

/** A part that is opened on demand; what is in it is made only then. */
export function Fold({ title, isOpenAtFirst = false, children }: FoldProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  return (
    <details className="fold" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && children}
    </details>
  );
}

/** @jsxImportSource react */
import { lazy, Suspense, useEffect, useState } from "react";
import { Icon } from "../parts/Icon.js";

const CommandPalette = lazy(() => import("./CommandPalette.js"));

/** Ctrl+K or Cmd+K, also while something is typed elsewhere. */
function isShortcut({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === "k" && ctrlKey !== metaKey && !altKey && !shiftKey;
}

/** Opens the palette, by a press or by its keys. What it needs is loaded with the first time. */
export function PaletteButton() {
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setOpened] = useState(false);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      // A question that is open comes first.
      if (!isShortcut(event) || document.querySelector('[role="alertdialog"]') !== null) return;
      event.preventDefault();
      setOpened(true);
      setOpen((before) => !before);
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
  return (
    <>
      <button
        type="button"
        className="palette-button"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => {
          setOpened(true);
          setOpen(true);
        }}
      >
        <Icon name="search" /> <span>Go to…</span> <kbd>Ctrl K</kbd>
      </button>
      {wasOpened && (
        <Suspense>
          <CommandPalette isOpen={isOpen} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

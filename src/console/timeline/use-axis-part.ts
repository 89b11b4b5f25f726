import { type RefObject, useEffect, useState } from "react";
import { type AxisPart, moved, WHOLE, zoomed } from "./zoom.js";

/** The part of the axis that is shown: the wheel with the control key (or two fingers that part) zooms, sideways it moves. */
export function useAxisPart(element: RefObject<HTMLElement | null>) {
  const [part, setPart] = useState<AxisPart>(WHOLE);
  useEffect(() => {
    const area = element.current;
    if (area === null) return;
    // React's own listener cannot keep the page from zooming.
    const onWheel = (event: WheelEvent) => {
      const isZoom = event.ctrlKey || event.metaKey;
      const sideways = event.shiftKey ? event.deltaX + event.deltaY : event.deltaX;
      if (!isZoom && Math.abs(sideways) <= (event.shiftKey ? 0 : Math.abs(event.deltaY))) return;
      event.preventDefault();
      const box = area.querySelector(".track")?.getBoundingClientRect() ?? area.getBoundingClientRect();
      const at = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
      setPart((old) =>
        isZoom ? zoomed(old, Math.exp(-event.deltaY / 150), at) : moved(old, sideways / box.width),
      );
    };
    area.addEventListener("wheel", onWheel, { passive: false });
    return () => area.removeEventListener("wheel", onWheel);
  }, [element]);
  return {
    part,
    isZoomed: part !== WHOLE && part.to - part.from < 1,
    zoom: (factor: number) => setPart((old) => zoomed(old, factor, 0.5)),
    move: (share: number) => setPart((old) => moved(old, share)),
    showAll: () => setPart(WHOLE),
  };
}

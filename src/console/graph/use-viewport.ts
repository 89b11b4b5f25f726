import { type PointerEvent, type RefObject, useCallback, useEffect, useRef, useState } from "react";
import type { Placed, Point } from "./lay-out.js";

/** Where the picture stands in its window, and how large it is. */
export interface Viewport extends Point {
  scale: number;
}

export interface WindowSize {
  width: number;
  height: number;
}

const SMALLEST = 0.05;
const LARGEST = 2.5;
/** A press that moves less is a click. */
const STILL = 4;

/** Pan and zoom of a picture of this size in a window on it. */
export function useViewport(canvas: RefObject<SVGSVGElement | null>, picture: WindowSize) {
  const [view, setView] = useState<Viewport>({ x: 0, y: 0, scale: 1 });
  const [size, setSize] = useState<WindowSize>({ width: 0, height: 0 });
  const [isDragged, setDragged] = useState(false);
  const drag = useRef<{ from: Point; view: Viewport; isMoved: boolean } | null>(null);
  const zoomAt = useCallback((factor: number, { x, y }: Point) => {
    setView((old) => {
      const scale = Math.min(LARGEST, Math.max(SMALLEST, old.scale * factor));
      const grown = scale / old.scale;
      return { scale, x: x - (x - old.x) * grown, y: y - (y - old.y) * grown };
    });
  }, []);
  const fitIn = useCallback(
    ({ width, height }: WindowSize, smallest: number) => {
      const scale = Math.max(smallest, Math.min(1.1, width / picture.width, height / picture.height));
      // What is larger than the window begins at its start.
      const x = Math.max(0, (width - picture.width * scale) / 2);
      setView({ scale, x, y: (height - picture.height * scale) / 2 });
    },
    [picture.width, picture.height],
  );
  const isFitted = useRef(false);
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => {
      const measured = { width: element.clientWidth, height: element.clientHeight };
      setSize(measured);
      // The first look is legible, if need be at a part of it.
      if (!isFitted.current && measured.width > 0) fitIn(measured, 0.6);
      isFitted.current = true;
    });
    // React's own listener cannot keep the page from scrolling.
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const box = element.getBoundingClientRect();
      zoomAt(Math.exp(-event.deltaY / 400), { x: event.clientX - box.left, y: event.clientY - box.top });
    };
    observer.observe(element);
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => {
      observer.disconnect();
      element.removeEventListener("wheel", onWheel);
    };
  }, [canvas, fitIn, zoomAt]);
  return {
    view,
    size,
    isDragged,
    fit: () => fitIn(size, SMALLEST),
    zoom: (factor: number) => zoomAt(factor, { x: size.width / 2, y: size.height / 2 }),
    /** Puts a point of the picture into the middle. */
    centre: ({ x, y }: Point) =>
      setView(({ scale }) => ({ scale, x: size.width / 2 - x * scale, y: size.height / 2 - y * scale })),
    /** Moves it no more than it takes to have all of a box in sight. */
    reveal: (box: Placed) => setView((old) => revealed(old, size, box)),
    pointer: {
      onPointerDown(event: PointerEvent<SVGSVGElement>) {
        if (event.button !== 0) return;
        drag.current = { from: { x: event.clientX, y: event.clientY }, view, isMoved: false };
      },
      onPointerMove(event: PointerEvent<SVGSVGElement>) {
        const held = drag.current;
        if (held === null) return;
        const x = event.clientX - held.from.x;
        const y = event.clientY - held.from.y;
        if (!held.isMoved && Math.hypot(x, y) < STILL) return;
        if (!held.isMoved) event.currentTarget.setPointerCapture(event.pointerId);
        held.isMoved = true;
        setDragged(true);
        setView({ ...held.view, x: held.view.x + x, y: held.view.y + y });
      },
      onPointerUp() {
        drag.current = null;
        setDragged(false);
      },
      onPointerCancel() {
        drag.current = null;
        setDragged(false);
      },
    },
  };
}

function revealed(view: Viewport, { width, height }: WindowSize, box: Placed): Viewport {
  const shift = (middle: number, half: number, at: number, room: number) => {
    const start = (middle - half) * view.scale + at;
    const end = (middle + half) * view.scale + at;
    if (start < 12) return 12 - start;
    return end > room - 12 ? room - 12 - end : 0;
  };
  return {
    scale: view.scale,
    x: view.x + shift(box.x, box.width / 2, view.x, width),
    y: view.y + shift(box.y, box.height / 2, view.y, height),
  };
}

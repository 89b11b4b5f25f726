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
const LEGIBLE = 0.8;
const LARGEST = 2.5;
/** A press that moves less is a click. */
const STILL = 4;

/** Pan and zoom of a picture of this size in a window on it. */
export function useViewport(canvas: RefObject<SVGSVGElement | null>, picture: WindowSize) {
  const [view, setView] = useState<Viewport>({ x: 0, y: 0, scale: 1 });
  const [size, setSize] = useState<WindowSize>({ width: 0, height: 0 });
  const [isDragged, setDragged] = useState(false);
  const drag = useRef<{ from: Point; view: Viewport; isMoved: boolean } | null>(null);
  const fingers = useRef(new Map<number, Point>());
  // Until it is moved by hand, it follows the size of its window.
  const isMoved = useRef(false);
  const zoomAt = useCallback((factor: number, { x, y }: Point) => {
    isMoved.current = true;
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
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => {
      const measured = { width: element.clientWidth, height: element.clientHeight };
      setSize(measured);
      // The first look is legible, if need be at a part of it.
      if (!isMoved.current && measured.width > 0) fitIn(measured, LEGIBLE);
    });
    // React's own listener cannot keep the page from scrolling.
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      isMoved.current = true;
      const { deltaX, deltaY } = event;
      // A browser tells of two fingers that part on a trackpad as of the wheel with the control key.
      if (event.ctrlKey || event.metaKey) zoomAt(Math.exp(-deltaY / 150), pointIn(element, event));
      else setView((old) => ({ ...old, x: old.x - deltaX, y: old.y - deltaY }));
    };
    observer.observe(element);
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => {
      observer.disconnect();
      element.removeEventListener("wheel", onWheel);
    };
  }, [canvas, fitIn, zoomAt]);
  const release = ({ pointerId }: PointerEvent<SVGSVGElement>) => {
    fingers.current.delete(pointerId);
    drag.current = null;
    setDragged(false);
  };
  const byHand =
    <T extends unknown[]>(act: (...given: T) => void) =>
    (...given: T) => {
      isMoved.current = true;
      act(...given);
    };
  return {
    view,
    size,
    isDragged,
    fit: byHand(() => fitIn(size, SMALLEST)),
    zoom: (factor: number) => zoomAt(factor, { x: size.width / 2, y: size.height / 2 }),
    /** Puts a point of the picture into the middle. */
    centre: byHand(({ x, y }: Point) =>
      setView(({ scale }) => ({ scale, x: size.width / 2 - x * scale, y: size.height / 2 - y * scale })),
    ),
    /** Moves it no more than it takes to have all of a box in sight. */
    reveal: byHand((box: Placed) => setView((old) => revealed(old, size, box))),
    pointer: {
      onPointerDown(event: PointerEvent<SVGSVGElement>) {
        if (event.button !== 0) return;
        fingers.current.set(event.pointerId, pointIn(event.currentTarget, event));
        if (fingers.current.size > 1) {
          drag.current = null;
          event.currentTarget.setPointerCapture(event.pointerId);
          return;
        }
        drag.current = { from: { x: event.clientX, y: event.clientY }, view, isMoved: false };
      },
      onPointerMove(event: PointerEvent<SVGSVGElement>) {
        const before = fingers.current.get(event.pointerId);
        if (before !== undefined) {
          const after = pointIn(event.currentTarget, event);
          fingers.current.set(event.pointerId, after);
          const [other] = [...fingers.current].flatMap(([id, place]) =>
            id === event.pointerId ? [] : place,
          );
          if (other !== undefined) {
            const grown = distance(after, other) / Math.max(1, distance(before, other));
            zoomAt(grown, { x: (after.x + other.x) / 2, y: (after.y + other.y) / 2 });
            setDragged(true);
            return;
          }
        }
        const held = drag.current;
        if (held === null) return;
        const x = event.clientX - held.from.x;
        const y = event.clientY - held.from.y;
        if (!held.isMoved && Math.hypot(x, y) < STILL) return;
        if (!held.isMoved) event.currentTarget.setPointerCapture(event.pointerId);
        held.isMoved = true;
        isMoved.current = true;
        setDragged(true);
        setView({ ...held.view, x: held.view.x + x, y: held.view.y + y });
      },
      onPointerUp: release,
      onPointerCancel: release,
    },
  };
}

function pointIn(element: Element, { clientX, clientY }: { clientX: number; clientY: number }): Point {
  const { left, top } = element.getBoundingClientRect();
  return { x: clientX - left, y: clientY - top };
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
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

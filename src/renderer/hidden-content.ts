/** The part of React's own records that is read. The reconciler is pinned, and tests notice when they look different. */
interface Fiber {
  readonly tag: number;
  readonly memoizedState: unknown;
  readonly child: Fiber | null;
  readonly sibling: Fiber | null;
  readonly return: Fiber | null;
}

interface FiberRoot {
  readonly current: Fiber;
  /** Null as long as no component has ever waited. */
  readonly pingCache: unknown;
  readonly pendingLanes: number;
}

const SUSPENSE = 13;
const OFFSCREEN = 22;
const ACTIVITY = 31;
/** Of what a hidden `<Activity>` holds, which React renders after everything else. */
const OFFSCREEN_LANE = 0x20000000;

/**
 * The content that keeps the tree from being a frame: a `<Suspense>` that shows its fallback, or an `<Activity>` that hides what
 * it holds. Trees in which nothing has ever waited or been hidden are not walked.
 */
export function hiddenContent(
  root: FiberRoot,
  { hasHidden }: { hasHidden: boolean },
): "fallback" | "activity" | undefined {
  if (root.pingCache === null && !hasHidden && (root.pendingLanes & OFFSCREEN_LANE) === 0) return undefined;
  let fiber = root.current;
  for (;;) {
    if (fiber.memoizedState !== null) {
      if (fiber.tag === SUSPENSE) return "fallback";
      if (fiber.tag === OFFSCREEN && fiber.return?.tag === ACTIVITY) return "activity";
    }
    let next = fiber.child;
    while (next === null) {
      if (fiber.sibling !== null) next = fiber.sibling;
      else if (fiber.return === null) return undefined;
      else fiber = fiber.return;
    }
    fiber = next;
  }
}

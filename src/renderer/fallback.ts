/** What is read of React's own records. The reconciler is pinned, and a test notices when they look different. */
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
}

const SUSPENSE = 13;

/** Whether a `<Suspense>` of the tree shows its fallback. Trees in which nothing has ever waited are not walked. */
export function showsFallback(root: FiberRoot): boolean {
  if (root.pingCache === null) return false;
  let fiber = root.current;
  for (;;) {
    if (fiber.tag === SUSPENSE && fiber.memoizedState !== null) return true;
    let next = fiber.child;
    while (next === null) {
      if (fiber.sibling !== null) next = fiber.sibling;
      else if (fiber.return === null) return false;
      else fiber = fiber.return;
    }
    fiber = next;
  }
}

import type { ReactNode } from "react";
import { ServiceError } from "../errors/service-error.js";
import type { HostRoot } from "../model/host-node.js";
import { hiddenContent } from "./hidden-content.js";
import { sharedReconciler } from "./reconciler.js";
import { followMoves } from "./moved-places.js";
import { Absence, FrameWaits } from "./frame-waits.js";
import { hiddenActivity, renderError, suspended } from "./render-error.js";
import { HostTree } from "./tree.js";

export interface TreeRenderer {
  readonly root: HostRoot;
  /**
   * Renders `node` synchronously, effects and the updates they cause included.
   * @throws what a component threw, if it is a ServiceError; any other error as
   * the cause of a WORKFLOW_RENDER_FAILED; FrameWaits while a Suspense shows its fallback.
   */
  render(node: ReactNode): void;
  /** Unmounts everything; effects are cleaned up. */
  dispose(): void;
}

export interface TreeRendererOptions {
  /** A component changed its state outside of {@link TreeRenderer.render}: the tree is not what was last read. */
  onInvalidate?(): void;
}

const CONCURRENT_ROOT = 1;

/** An empty tree that React elements are rendered into. */
export function createTreeRenderer(options: TreeRendererOptions = {}): TreeRenderer {
  const tree = new HostTree();
  let rendering = false;
  let committed = false;
  let absence: Absence | null = null;
  let failure: { error: unknown; stack: string | null | undefined } | undefined;

  const reconciler = sharedReconciler();
  const container = reconciler.createContainer(
    {
      tree,
      onCommit() {
        const { alternate } = container.current;
        if (tree.hasPaths && alternate !== null) followMoves(alternate);
        tree.revision += 1;
        if (!rendering) changed();
      },
    },
    CONCURRENT_ROOT,
    null, // hydration
    false, // strict mode would run every component twice
    null,
    "",
    (error, { componentStack }) => {
      failure ??= { error, stack: componentStack };
      if (!rendering) changed();
    },
    () => {}, // an error boundary of the workflow handled it
    () => {}, // React recovered by itself
    () => {},
    null,
  );

  function changed(): void {
    absence?.end();
    options.onInvalidate?.();
  }

  function flush(node: ReactNode): void {
    if (reconciler.isAlreadyRendering()) {
      throw new ServiceError(
        "WORKFLOW_RENDER_FAILED",
        "A tree was to be rendered by a component that is itself being rendered.",
      );
    }
    rendering = true;
    committed = false;
    try {
      withoutHookComplaint(globalThis.console, () => {
        reconciler.updateContainerSync(node, container, null, () => {
          committed = true;
        });
        reconciler.flushSyncWork();
        // Effects may set state, which renders again, which may have effects.
        while (reconciler.flushPassiveEffects()) reconciler.flushSyncWork();
      });
    } finally {
      rendering = false;
    }
    if (failure !== undefined) {
      const { error, stack } = failure;
      failure = undefined;
      throw renderError(error, stack ?? "");
    }
    // React leaves the tree alone while a component waits, unless a Suspense is around it.
    if (!committed) throw suspended();
  }

  return {
    root: tree,
    render(node) {
      flush(node);
      // A fallback is no part of a workflow: what it stands for would be missing, and the run might end without it.
      const hidden = hiddenContent(container, tree);
      if (hidden === "activity") throw hiddenActivity();
      if (hidden === "fallback") {
        absence ??= new Absence();
        throw new FrameWaits(absence);
      }
      absence?.end();
      absence = null;
    },
    dispose() {
      absence?.end();
      flush(null);
    },
  };
}

/** The console message of a React one of whose hooks is called while it knows of no render. */
const COMPLAINT = /^(?:Warning: )?Invalid hook call\b/;

/**
 * Renders without that complaint. React tries a render again that has failed and complains with each try, before
 * the error that says the same with component, copies and remedy.
 * @param target where they complain
 * @param render synchronous
 */
function withoutHookComplaint(target: Pick<Console, "error">, render: () => void): void {
  const print = target.error;
  const filtered = (...said: unknown[]) => {
    if (!COMPLAINT.test(String(said[0]))) print.apply(target, said);
  };
  // One that cannot be changed complains.
  Reflect.set(target, "error", filtered);
  try {
    render();
  } finally {
    if (target.error === filtered) target.error = print;
  }
}

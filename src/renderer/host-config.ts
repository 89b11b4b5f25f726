import * as React from "react";
import type { Fiber, HostConfig } from "react-reconciler";
import { ServiceError } from "../errors/service-error.js";
import type { HostNode, HostProps, HostText } from "../model/host-node.js";
import { contentKind } from "../model/content-kind.js";
import { checkDepth } from "../model/tree-depth.js";
import { shorten } from "../util/bounded-text.js";
import { fiberPath } from "./fiber-path.js";
import {
  append,
  appendInitial,
  clear,
  createText,
  givePath,
  type HostTree,
  insertBefore,
  isMarkupTag,
  remove,
  setProps,
  setText,
  type TreeElement,
} from "./tree.js";

/* Everything that changes with React's minor versions: written against react-reconciler 0.34 (React 19.3). */

/** The container that React renders into. */
export interface Container {
  readonly tree: HostTree;
  /** At the end of each commit, the caller that asked for it: before React takes its newer records for the current ones. */
  onCommit(): void;
}

type NoSuspenseState = null;

export type TreeHostConfig = HostConfig<
  string, // Type
  HostProps,
  Container,
  TreeElement, // Instance
  HostText,
  never, // ActivityInstance
  never, // SuspenseInstance
  never, // HydratableInstance
  never, // FormInstance
  HostNode, // PublicInstance
  number, // HostContext: how many elements there are from the root down to this one
  never, // ChildSet
  NodeJS.Timeout,
  -1, // NoTimeout
  null, // TransitionStatus
  NoSuspenseState,
  null, // RendererInspectionConfig
  never, // FormStateMarkerInstance
  never, // HoistableRoot
  never // Resource
>;

const NO_PRIORITY = 0;
/** Of every update, also of those that effects make: one flush leaves nothing behind. */
const SYNC_PRIORITY = 2;

export function createHostConfig(): TreeHostConfig {
  let currentPriority = NO_PRIORITY;
  /** Of the element that React is about to render: it asks for the context before it asks for the content. */
  let depth = 0;

  return {
    supportsMutation: true,
    supportsPersistence: false,
    supportsHydration: false,
    isPrimaryRenderer: true,
    warnsIfNotActing: false,
    rendererVersion: React.version,
    rendererPackageName: "treadle",
    extraDevToolsConfig: null,

    createInstance(type, props, container, _context, fiber: Fiber) {
      // The target of a portal is not one of our containers.
      if (container.tree === undefined) refusePortal();
      if (!TAG.test(type)) refuseText(type);
      return container.tree.createElement(type, props, needsPath(type, props) ? fiberPath(fiber) : "");
    },
    createTextInstance: (text) => createText(text),
    shouldSetTextContent(type, props) {
      // On the way down, so that a component that mounts itself without an end is stopped as well.
      checkDepth(depth, { tag: type, props });
      const kind = contentKind(props["children"]);
      // Markup holds text; that it cannot hold rows is for React to say.
      return kind === "text" || (!isMarkupTag(type) && (kind === "function" || kind === "value"));
    },
    finalizeInitialChildren: () => false,
    getPublicInstance: (instance) => instance,

    appendInitialChild: appendInitial,
    appendChild: append,
    insertBefore,
    removeChild: remove,
    appendChildToContainer: ({ tree }, child) => append(tree.element, child),
    insertInContainerBefore: ({ tree }, child, before) =>
      insertBefore(tree.element, child as HostNode, before),
    removeChildFromContainer: ({ tree }, child) => remove(tree.element, child as HostNode),
    clearContainer: ({ tree }) => clear(tree.element),
    commitUpdate(instance, type, previous, next, fiber: Fiber) {
      if (instance.path === "" && needsPath(type, next)) givePath(instance, fiberPath(fiber));
      setProps(instance, previous, next);
    },
    commitTextUpdate: (text, _previous, next) => setText(text, next),
    // Values between the tags are props here, so there is no text to take out.
    resetTextContent() {},
    detachDeletedInstance() {},
    hideInstance: noteHidden,
    hideTextInstance: ({ parent }) => {
      if (parent !== null) noteHidden(parent as TreeElement);
    },
    unhideInstance() {},
    unhideTextInstance() {},

    prepareForCommit: () => null,
    resetAfterCommit: (container) => container.onCommit(),
    getRootHostContext() {
      completeAsyncDispatcher();
      return 0;
    },
    getChildHostContext(outer) {
      depth = outer + 1;
      return depth;
    },

    setCurrentUpdatePriority(priority) {
      currentPriority = priority;
    },
    getCurrentUpdatePriority: () => currentPriority,
    resolveUpdatePriority: () => SYNC_PRIORITY,
    shouldAttemptEagerTransition: () => false,

    supportsMicrotasks: true,
    scheduleMicrotask: queueMicrotask,
    scheduleTimeout: (fn, delay) => setTimeout(fn, delay).unref(),
    cancelTimeout: (handle) => clearTimeout(handle),
    noTimeout: -1,

    // No browser events, forms, portals, resources or view transitions.
    bindToConsole: () => () => {},
    preparePortalMount() {},
    prepareScopeUpdate() {},
    getInstanceFromScope: () => null,
    getInstanceFromNode: () => null,
    beforeActiveInstanceBlur() {},
    afterActiveInstanceBlur() {},
    requestPostPaintCallback() {},
    resetFormInstance() {},
    trackSchedulerEvent() {},
    resolveEventType: () => null,
    resolveEventTimeStamp: () => -1,
    NotPendingTransition: null,
    HostTransitionContext: React.createContext<null>(null),
    maySuspendCommit: () => false,
    maySuspendCommitOnUpdate: () => false,
    maySuspendCommitInSyncRender: () => false,
    preloadInstance: () => true,
    startSuspendingCommit: () => null,
    suspendInstance() {},
    suspendOnActiveViewTransition() {},
    waitForCommitToBeReady: () => null,
    getSuspendedCommitReason: () => null,
  };
}

/** Workflow elements without an id of their own get a default one made of their position. */
function needsPath(type: string, props: HostProps): boolean {
  return props["id"] === undefined && !isMarkupTag(type);
}

const TAG = /^[\w.:-]{1,100}$/;

function refuseText(text: string): never {
  const start = JSON.stringify(shorten(text.trim(), 40));
  throw new ServiceError(
    "MDX_PRELOAD_INACTIVE",
    `A text stands where a component is expected; it begins with ${start}. An imported .md or .mdx file is its text: put it between the tags, as in <Task …>{Prompt}</Task>.`,
  );
}

/** It stays where it is: no frame is read of a tree that hides something. */
function noteHidden({ tree }: TreeElement): void {
  tree.hasHidden = true;
}

function refusePortal(): never {
  throw new ServiceError(
    "WORKFLOW_RENDER_FAILED",
    "A portal was rendered, but a workflow has only one tree.",
  );
}

/**
 * React's development build asks the dispatcher that its own reconciler sets
 * for the owner of an element made with `createElement`; the production
 * reconciler's dispatcher cannot answer. Elements have no owner here.
 */
function completeAsyncDispatcher(): void {
  const dispatcher = reactInternals().A;
  if (dispatcher !== null && dispatcher.getOwner === undefined) dispatcher.getOwner = () => null;
}

function reactInternals(): { A: { getOwner?: () => null } | null } {
  return (React as unknown as Record<string, { A: { getOwner?: () => null } | null }>)[
    "__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE"
  ] as { A: { getOwner?: () => null } | null };
}

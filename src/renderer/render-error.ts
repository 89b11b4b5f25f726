import { ensureError } from "../errors/ensure-error.js";
import { ServiceError } from "../errors/service-error.js";
import { isHookWithoutRender, type OtherReact, otherReact } from "./react-version.js";

/**
 * The error a render fails with. A ServiceError keeps its code and gets the
 * component stack as `details.componentStack`; anything else becomes the cause
 * of a WORKFLOW_RENDER_FAILED, or of REACT_UNSUPPORTED when the workflow uses
 * another copy of React.
 */
export function renderError(thrown: unknown, stack: string): ServiceError {
  const componentStack = componentNames(stack);
  if (ServiceError.is(thrown)) {
    // The same object: the code that threw it may compare it, and its stack names the line.
    return Object.assign(thrown, { details: { ...thrown.details, componentStack } });
  }
  const cause = ensureError(thrown);
  const where = componentStack.length === 0 ? "" : ` in ${componentStack[0]}`;
  const other = otherReact(cause);
  if (other !== undefined) {
    return new ServiceError("REACT_UNSUPPORTED", `Rendering failed${where}: ${describeOther(other)}`, {
      cause,
      details: { componentStack, ...(other.copies && { copies: other.copies }) },
    });
  }
  return new ServiceError(
    "WORKFLOW_RENDER_FAILED",
    `Rendering failed${where}: ${sentence(explain(cause.message))}`,
    {
      cause,
      details: { componentStack },
    },
  );
}

/** A component is an async function, or waits with `use()`, and nothing around it shows something else meanwhile. */
export function suspended(): ServiceError {
  return new ServiceError(
    "WORKFLOW_RENDER_FAILED",
    "A component is asynchronous, or a promise stands between the tags, but a frame is rendered at once: await in a task's function instead.",
  );
}

/** React renders what is hidden too, only later: its tasks would come and go with the order of that. */
export function hiddenActivity(): ServiceError {
  return new ServiceError(
    "WORKFLOW_RENDER_FAILED",
    'An <Activity mode="hidden"> is mounted, but a frame hides nothing: leave out what it holds ({shown && …}, <Branch>), or mark its tasks as skipped with skipIf.',
  );
}

/** Enough to find the place; a tree that is too deep has many more. */
const MOST_NAMES = 50;

/** Names only: the stack's file positions are paths of the host. Innermost first. */
function componentNames(stack: string): string[] {
  return [...stack.matchAll(/^[ \t]*at ([^\s(]+)/gm)].slice(0, MOST_NAMES).map((match) => match[1] as string);
}

/** Messages that React's production build gives by number only. `$1` is the first argument of the error. */
const REACT_ERRORS: Readonly<Record<string, string>> = {
  31: "a value that cannot be rendered stands between the tags: $1",
  130: "an element's type is $1; check how the component is imported and exported",
  185: "a component updates its state again and again in effects",
  300: "fewer hooks were called than in the render before, perhaps after an early return",
  301: "a component updates its state again and again while rendering",
  310: "more hooks were called than in the render before, perhaps inside a condition",
  321: "a hook was called outside of a component, or there are two copies of React",
};

/** How the classic transform fails that compilers use without another setting. */
const CLASSIC_JSX =
  'the file was compiled for React\'s classic JSX; set "jsx": "react-jsx" and "jsxImportSource": "treadle" in the tsconfig.json that its compiler reads, or begin the file with /** @jsxImportSource treadle */';

function describeOther({ hook, copies }: OtherReact): string {
  const used = hook === undefined ? "an element is" : `\`${hook}\` is`;
  const found = copies === undefined ? "." : `: its own is ${copies[0]}, the other is ${copies[1]}.`;
  return `${used} of another copy of React than treadle renders with${found}`;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function explain(message: string): string {
  if (message === "React is not defined") return CLASSIC_JSX;
  if (isHookWithoutRender(message)) return "a hook was called outside of a component, such as in an effect";
  const [, code, query = ""] = /^Minified React error #(\d+); visit \S+?\/\d+(\S*)/.exec(message) ?? [];
  const text = code === undefined ? undefined : REACT_ERRORS[code];
  if (text === undefined) return message;
  const [argument = ""] = new URLSearchParams(query).getAll("args[]");
  return text.replace("$1", argument);
}

import { wrongProps } from "../wrong-props.js";

/** Props of the contract that this version does not have, and the way there is. */
const MISSING: Readonly<Record<string, string>> = {
  cache:
    "the files of the run's folder are no part of a cache's key: put `cache` on a task before it whose row it takes as input",
};

/** What is accepted must hold: a prop that would do nothing, alone or beside another, is refused. @throws INVALID_INPUT */
export function refuseMissingParts(props: object): void {
  const given = props as Readonly<Record<string, unknown>>;
  for (const [prop, instead] of Object.entries(MISSING)) {
    if (given[prop] !== undefined)
      throw wrongProps("Sandbox", props, `has ${prop}, which is not supported; ${instead}.`);
  }
  const { runtime, provider, image, workflow, command } = given;
  if (runtime === "codeplane") {
    const instead = 'use "bubblewrap" or "docker", or bring it along as a `provider`';
    throw wrongProps("Sandbox", props, `has runtime="codeplane", which is not supported; ${instead}.`);
  }
  const isBubblewrap = runtime === "bubblewrap" || (runtime === undefined && provider === undefined);
  if (image !== undefined && (isBubblewrap || provider === "bubblewrap")) {
    const instead = 'bubblewrap shows the programs of this machine; an image belongs to runtime="docker"';
    throw wrongProps("Sandbox", props, `has image, which does nothing there: ${instead}.`);
  }
  if ((workflow === undefined) === (command === undefined)) {
    const found = workflow === undefined ? "has neither workflow nor command" : "has workflow and command";
    throw wrongProps("Sandbox", props, `${found}: one of the two is what runs inside.`);
  }
}

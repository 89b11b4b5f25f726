import { wrongProps } from "../wrong-props.js";

/** Props of the contract that this version does not have, and the way there is. */
const MISSING: Readonly<Record<string, string>> = {
  image: "an image belongs to a container: bring the runtime along as a `provider`",
  command: "what runs inside is a `workflow`: give it a task with the `bash` tool",
  cache: "the files of the run's folder are no part of a cache's key: put `cache` on the tasks inside",
};

/** What is accepted must hold: a prop that would do nothing is refused. @throws INVALID_INPUT */
export function refuseMissingParts(props: object): void {
  const given = props as Readonly<Record<string, unknown>>;
  for (const [prop, instead] of Object.entries(MISSING)) {
    if (given[prop] !== undefined)
      throw wrongProps("Sandbox", props, `has ${prop}, which is not supported; ${instead}.`);
  }
  const { runtime } = given;
  if (runtime === "docker" || runtime === "codeplane") {
    const instead = 'use "bubblewrap", or bring it along as a `provider`';
    throw wrongProps("Sandbox", props, `has runtime="${runtime}", which is not supported; ${instead}.`);
  }
}

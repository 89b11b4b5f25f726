/** None while they are not remembered. */
const remembered: { made?: object[] } = {};

/**
 * From now on the workflows of this process are remembered in the order of their making. For the process inside a
 * sandbox, which has to find one that no module exports.
 */
export function rememberWorkflows(): readonly object[] {
  remembered.made ??= [];
  return remembered.made;
}

export function noteWorkflow(workflow: object): void {
  remembered.made?.push(workflow);
}

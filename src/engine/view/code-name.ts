/** Names the code of a workflow. Without a hash, as of one that a program has made, its name has to do. */
export function codeName(workflowHash: string | null, workflowName: string): string {
  return workflowHash ?? `name ${workflowName}`;
}

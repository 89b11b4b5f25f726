/** Whether an id is made of the place in the tree, and says nothing that the tree does not show. */
export const isMadeId = (id: string): boolean => /^[a-z-]+@/.test(id);

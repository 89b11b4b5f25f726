/**
 * Key and table of the output that every workflow has beside its own: there components that are composed of others
 * keep rows that their authors name no output for. The task that writes one brings the schema, as `outputSchema`.
 */
export const COMPOSITE_ROWS = "_service_composites";

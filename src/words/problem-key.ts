/**
 * The word of the tables of problems for an error: its code, but where one code covers two things for a reader. A limit
 * of the service's own is no wish of the registry.
 */
export function problemKey({ code, details }: { code: string; details?: unknown }): string {
  const { limitedBy } = (details ?? {}) as { limitedBy?: unknown };
  return code === 'registry_rate_limited' && limitedBy === 'service' ? 'own_registry_limit' : code;
}

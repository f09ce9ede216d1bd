/**
 * The EPP code of a status as registries write it (`clientHold`, `client hold`, `CLIENT-HOLD`), if there is a
 * description of it; undefined for a registry's own words.
 */
export function eppCodeOf<Code extends string>(
  sentences: Readonly<Record<Code, string>>,
  status: string,
): Code | undefined {
  const letters = status.toLowerCase().replace(/[\s_-]/g, '');
  return (Object.keys(sentences) as Code[]).find((code) => code.toLowerCase() === letters);
}

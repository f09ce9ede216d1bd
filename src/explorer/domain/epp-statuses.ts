/**
 * A status as registries write it (`clientHold`, `client hold`, `CLIENT-HOLD`) as one of the EPP codes that there are
 * sentences for; undefined for a registry's own words.
 */
export function eppCodeOf<Code extends string>(
  sentences: Readonly<Record<Code, string>>,
  status: string,
): Code | undefined {
  const letters = status.toLowerCase().replace(/[\s_-]/g, '');
  return (Object.keys(sentences) as Code[]).find((code) => code.toLowerCase() === letters);
}

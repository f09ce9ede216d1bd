import type { OfSelection } from '@mokuroku/narou/source';

/** Memory of a load, in bytes: the records, their JSON as a text and as bytes. Measured on the sample, and rounded up. */
export const BYTES_A_USER = 1_000;
export const BYTES_A_RANK = 200;
/** The JSON of some 800 entries, and once more in a list; a novel that ranks every day for years has more. */
export const BYTES_A_HISTORY = 120_000;
export const BYTES_A_CHANGE = 2_000;
export const bytesANovel = (of: OfSelection): number => (of === undefined ? 6_000 : 2_000);

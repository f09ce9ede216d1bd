import type { CatalogueNovel } from '../index/catalogue-novel.ts';
import type { Site } from './harvested-novel.ts';

/** Up to layout 4 these were 0 or empty in every record, because the upstream has no such field there. */
const NEVER_SENT: Readonly<Record<Site, readonly (keyof CatalogueNovel)[]>> = {
  novels: ['nocgenre', 'xid'],
  adult: ['userid', 'biggenre', 'genre', 'isr15', 'xid'],
};

/** Converts records of a former layout. In them a 0 may be an unknown value; it stays 0. */
export function* convertFormerRecords(
  novels: Iterable<CatalogueNovel>,
  site: Site,
): Iterable<CatalogueNovel> {
  for (const novel of novels) {
    const fields = Object.entries(novel).filter(([name, value]) => {
      const isNever = (NEVER_SENT[site] as readonly string[]).includes(name) && !value;
      return !isNever && value !== null;
    });
    yield Object.fromEntries(fields) as unknown as CatalogueNovel;
  }
}

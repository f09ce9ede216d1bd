import type { ArgsDef } from 'citty';
import { ADULT_SEARCH_PARAMETERS, NOVEL_SEARCH_PARAMETERS } from '../catalogue/novels/search-parameters.ts';
import type { Answer, CallOptions, CatalogueClient, SearchMeta } from '../client/index.ts';
import { defineCommand } from './command.ts';
import { EXIT } from './exit-codes.ts';
import { NOVEL_TABLE, TABLE_CODES, columnsOfRecords } from './novel-columns.ts';
import type { AnyNovel } from './novel-columns.ts';
import { formatOf, noteCircumstances, noteCount, writeJson, writeRecordsAsCsv } from './output.ts';
import { searchFrom, searchOptions, searchValues } from './search-options.ts';
import { CATALOGUE_OPTIONS, catalogueClient } from './service-options.ts';
import { createStyle } from './style.ts';
import { renderTable } from './table.ts';

const PARAMETERS = { ...ADULT_SEARCH_PARAMETERS, ...NOVEL_SEARCH_PARAMETERS };

/** As the options are given: texts that the service judges. */
type GivenSearch = Record<string, string | true | readonly string[]>;

function ask(client: CatalogueClient, isAdult: boolean, search: GivenSearch, call: CallOptions) {
  const answer = isAdult ? client.adultNovels(search, call) : client.novels(search, call);
  return answer as Promise<Answer<AnyNovel[], SearchMeta>>;
}

export const novelsCommand = defineCommand({
  name: 'novels',
  summary: 'Search novels by words, genre, author or length.',
  args: {
    word: { type: 'positional', required: false, description: 'Words that must all occur; or one Ncode.' },
    adult: {
      type: 'boolean',
      description: 'Search adult novels instead (metadata only; for readers of 18 and over).',
    },
    ...(searchOptions(PARAMETERS, ['word']) as Record<string, { type: 'string' }>),
    ...CATALOGUE_OPTIONS,
  } satisfies ArgsDef,
  takesMany: true,
  values: searchValues(PARAMETERS),
  examples: [
    'mokuroku novels 異世界 料理 --order hyoka --lim 10',
    'mokuroku novels --genre 201,202 --type er --minlen 100000',
    'mokuroku novels --userid 712034 --of t-n-gp --csv',
  ],
  run: async (args, terminal) => {
    const format = formatOf(args);
    const client = catalogueClient(args, terminal);
    const given = searchFrom(PARAMETERS, args);
    const search: GivenSearch = { ...given, ...(args._.length > 0 && { word: args._.join(' ') }) };
    const of = typeof given['of'] === 'string' ? given['of'].split(/[-,]/) : undefined;
    if (of) search['of'] = of;
    else if (format === 'table') search['of'] = [...TABLE_CODES, args.adult ? 'ng' : 'g'];

    const answer = await ask(client, args.adult ?? false, search, { signal: terminal.interrupted });
    const { data, meta } = answer;
    if (format === 'json') writeJson(terminal, { data, meta });
    else if (format === 'csv') writeRecordsAsCsv(terminal, data, ['ncode']);
    else if (data.length > 0) {
      const columns = of ? columnsOfRecords(data) : NOVEL_TABLE;
      terminal.out(renderTable(columns, data, terminal.columns, createStyle(terminal.outHasColour)));
    }
    noteCircumstances(terminal, answer);
    if (format === 'table') noteCount(terminal, data.length, Number(given['st'] ?? 1), meta.upstreamAllCount);
    return EXIT.done;
  },
});

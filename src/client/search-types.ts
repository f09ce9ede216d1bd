import type { z } from 'zod';
import type { CODE_LABEL } from '../catalogue/endpoints/code-label-schema.ts';
import type { USER } from '../catalogue/endpoints/user-schema.ts';
import type { Parameter, ParameterTable } from '../catalogue/novels/parameter.ts';
import type {
  ADULT_SEARCH_PARAMETERS,
  NOVEL_SEARCH_PARAMETERS,
  USER_SEARCH_PARAMETERS,
} from '../catalogue/novels/search-parameters.ts';
import type { AdultOfCode, NovelOfCode } from './novel-types.ts';

// What can be asked, made from the parameter tables by which the service reads it.

type OneOrMany<Item> = Item | readonly Item[];

/** `'1' | '2'` may be given as numbers too. */
type Loose<Value> = Value extends `${infer Digits extends number}` ? Value | Digits : Value;

type Input<Name, Value> = Name extends 'userid'
  ? Value extends readonly unknown[]
    ? OneOrMany<number | string>
    : number | string
  : [Value] extends [1]
    ? 0 | 1 | boolean
    : Value extends readonly (infer Item)[]
      ? OneOrMany<Item>
      : Loose<Value>;

type ValueOf<Each> = Each extends Parameter<infer Value> ? Exclude<Value, undefined> : never;

type Inputs<Table extends ParameterTable> = {
  readonly [Name in Exclude<keyof Table, 'of'>]?: Input<Name, ValueOf<Table[Name]>> | undefined;
};

/** Conditions of a novel search; lists may be one value or several. The fields wanted are `of`. */
export interface NovelSearch extends Inputs<typeof NOVEL_SEARCH_PARAMETERS> {
  readonly of?: readonly NovelOfCode[] | undefined;
}

/** Conditions of an adult novel search. What its upstream cannot filter by (`genre`, `userid` ...) is left out. */
export interface AdultNovelSearch extends Inputs<typeof ADULT_SEARCH_PARAMETERS> {
  readonly of?: readonly AdultOfCode[] | undefined;
}

export type UserSearch = Inputs<typeof USER_SEARCH_PARAMETERS>;

/** The record without "and whatever else": what is published by name. */
type Named<Loose> = {
  [Name in keyof Loose as string extends Name ? never : number extends Name ? never : Name]: Loose[Name];
};

/** An author or reader. Totals are up to 24 hours old. */
export type User = Named<z.infer<typeof USER>>;

/** A row of a code table. */
export type CodeLabel = z.infer<typeof CODE_LABEL>;

/** What an answer says of itself. */
export interface Meta {
  cached: boolean;
  /** Processing time in milliseconds. */
  tookMs: number;
  /** The upstream interface that the data come from; `static`: tables that are part of the service. */
  source: 'novelapi' | 'novel18api' | 'rank' | 'rankin' | 'hydrated' | 'userapi' | 'static';
  /** Present when the data are older than they should be. */
  stale?: true;
  /** Query parameters that had no effect. */
  ignored?: string[];
}

export interface SearchMeta extends Meta {
  /** All matches, not only those of this page. */
  upstreamAllCount?: number;
}

export interface RankingMeta extends Meta {
  /** The ranking served, `YYYY-MM-DD`; a Monday for weekly. */
  date: string;
}

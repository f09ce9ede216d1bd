import type { RankingType } from '@mokuroku/narou';
import { rankingDateBefore } from '@mokuroku/narou';
import { Select } from '../shell/form-controls.tsx';
import type { Option } from '../shell/form-controls.tsx';
import { datePartsOf, nearestOffered, nextOffered } from './boards.ts';
import type { DatePart } from './boards.ts';
import { useCatalogue } from './words.ts';

interface BoardDateProps {
  type: RankingType;
  /** The date of the ranking shown. */
  date: string;
  newest: string;
  /** Empty: the newest. */
  choose: (date: string) => void;
}

/** The date of a ranking, written as in a sentence, with selects that offer valid dates only. */
export function BoardDate({ type, date, newest, choose }: BoardDateProps) {
  const { words, format, language } = useCatalogue();
  const labels: Record<DatePart['name'], (number: number, value: string) => string> = {
    year: words.ranking.yearOption,
    month: (_, value) => format.shortMonth(value),
    week: (number, value) => words.ranking.dayOption(number, format.weekday(value)),
    day: (number, value) => words.ranking.dayOption(number, format.weekday(value)),
  };
  const selects = datePartsOf(type, date, newest).map(({ name, value, options, dateOf }) => (
    <Select
      key={name}
      name={words.ranking[name]}
      value={value}
      options={options.map(([each, number]): Option => [each, labels[name](number, each)])}
      unoffered="–"
      onChoose={(chosen) => choose(nearestOffered(type, dateOf(chosen), newest))}
    />
  ));
  const step = (label: string, sign: string, to: string | null) => (
    <button
      type="button"
      class="quiet step"
      aria-label={label}
      title={label}
      aria-disabled={to === null}
      onClick={() => to !== null && choose(to)}
    >
      {sign}
    </button>
  );
  return (
    <div class="board-date beside tight" role="group" aria-label={words.filters.date}>
      <span class="beside tight">{language === 'ja' ? selects : selects.toReversed()}</span>
      <span class="beside tight">
        {step(words.ranking.earlier, '‹', rankingDateBefore(type, date))}
        {step(words.ranking.later, '›', nextOffered(type, date, newest))}
        <button
          type="button"
          class="quiet"
          aria-disabled={date === newest}
          title={format.date(newest)}
          onClick={() => choose('')}
        >
          {words.ranking.newest}
        </button>
      </span>
    </div>
  );
}

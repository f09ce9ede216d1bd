import type { RankingType } from '../../catalogue/novels/ranking-date.ts';
import { rankingDateBefore } from '../../catalogue/novels/ranking-date.ts';
import { Select } from '../shell/select.tsx';
import type { Option } from '../shell/select.tsx';
import { datesOfMonth, monthsOfYear, nearestOffered, rankingDateAfter, yearsUntil } from './boards.ts';
import { useCatalogue } from './words.ts';

interface BoardDateProps {
  type: RankingType;
  /** The board shown. */
  date: string;
  newest: string;
  /** null: whatever is newest. */
  choose: (date: string | null) => void;
}

/** The date of a board, written as in a sentence, of selects that hold valid dates only. */
export function BoardDate({ type, date, newest, choose }: BoardDateProps) {
  const { words, format, language } = useCatalogue();
  const [year = '', month = '', day = ''] = date.split('-');
  const months = monthsOfYear(type, Number(year), newest);
  const dates = datesOfMonth(type, `${year}-${month}`, newest);
  const dayLabel = (each: string): string => {
    const number = Number(each.slice(8));
    return type === 'weekly'
      ? words.ranking.weekOption(number)
      : words.ranking.dayOption(number, format.weekday(each));
  };
  /** What is chosen, and the date that a choice of it stands for. */
  type Part = readonly [name: string, value: string, options: Option[], dateOf: (chosen: string) => string];
  const parts: Part[] = [
    [
      words.ranking.year,
      year,
      yearsUntil(newest).map((each) => [String(each), words.ranking.yearOption(each)]),
      (chosen) => `${chosen}-${month}-${day}`,
    ],
    [
      words.ranking.month,
      `${year}-${month}`,
      months.map((each) => [each, words.ranking.monthOption(Number(each.slice(5)))]),
      (chosen) => `${chosen}-${day}`,
    ],
  ];
  const days = dates.map((each): Option => [each, dayLabel(each)]);
  if (type === 'daily') parts.push([words.ranking.day, date, days, String]);
  if (type === 'weekly') parts.push([words.ranking.week, date, days, String]);
  const selects = parts.map(([name, value, options, dateOf]) => (
    <Select
      key={name}
      {...{ name, value, options }}
      unoffered="–"
      onChoose={(chosen) => choose(nearestOffered(type, dateOf(chosen), newest))}
    />
  ));
  const earlier = rankingDateBefore(type, date);
  const later = rankingDateAfter(type, date, newest);
  return (
    <div class="board-date beside tight" role="group" aria-label={words.ranking.date}>
      <span class="beside tight">{language === 'ja' ? selects : selects.toReversed()}</span>
      <span class="beside tight">
        <StepButton label={words.ranking.earlier[type]} sign="‹" to={earlier} choose={choose} />
        <StepButton label={words.ranking.later[type]} sign="›" to={later} choose={choose} />
        <button
          type="button"
          class="quiet"
          disabled={date === newest}
          title={format.date(newest)}
          onClick={() => choose(null)}
        >
          {words.ranking.newest}
        </button>
      </span>
    </div>
  );
}

interface StepButtonProps {
  label: string;
  sign: string;
  to: string | null;
  choose: (date: string) => void;
}

function StepButton({ label, sign, to, choose }: StepButtonProps) {
  return (
    <button
      type="button"
      class="quiet step"
      aria-label={label}
      title={label}
      disabled={to === null}
      onClick={() => to !== null && choose(to)}
    >
      {sign}
    </button>
  );
}

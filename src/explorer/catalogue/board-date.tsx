import type { RankingType } from '../../catalogue/novels/ranking-date.ts';
import { rankingDateBefore } from '../../catalogue/novels/ranking-date.ts';
import { usePage, useWords } from '../shell/page-context.ts';
import { datesOfMonth, monthsOfYear, nearestOffered, rankingDateAfter, yearsUntil } from './boards.ts';
import { Select } from './form-fields.tsx';
import { CATALOGUE_WORDS } from './words.ts';

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
  const words = useWords(CATALOGUE_WORDS).ranking;
  const { format, language } = usePage();
  const [year = '', month = '', day = ''] = date.split('-');
  const months = monthsOfYear(type, Number(year), newest);
  const dates = datesOfMonth(type, `${year}-${month}`, newest);
  const take = (wish: string) => choose(nearestOffered(type, wish, newest));
  const dayLabel = (each: string): string => {
    const number = Number(each.slice(8));
    return type === 'weekly' ? words.weekOption(number) : words.dayOption(number, format.weekday(each));
  };
  const selects = [
    <Select
      key="year"
      name={words.year}
      value={year}
      options={yearsUntil(newest).map((each) => [String(each), words.yearOption(each)])}
      unoffered="–"
      onChoose={(each) => take(`${each}-${month}-${day}`)}
    />,
    <Select
      key="month"
      name={words.month}
      value={`${year}-${month}`}
      options={months.map((each) => [each, words.monthOption(Number(each.slice(5)))])}
      unoffered="–"
      onChoose={(each) => take(`${each}-${day}`)}
    />,
    ...(type === 'daily' || type === 'weekly'
      ? [
          <Select
            key="day"
            name={type === 'weekly' ? words.week : words.day}
            value={date}
            options={dates.map((each) => [each, dayLabel(each)])}
            unoffered="–"
            onChoose={take}
          />,
        ]
      : []),
  ];
  const earlier = rankingDateBefore(type, date);
  const later = rankingDateAfter(type, date, newest);
  return (
    <div class="board-date beside" role="group" aria-label={words.date}>
      <span class="beside">{language === 'ja' ? selects : selects.toReversed()}</span>
      <span class="beside">
        <StepButton label={words.earlier[type]} sign="‹" to={earlier} choose={choose} />
        <StepButton label={words.later[type]} sign="›" to={later} choose={choose} />
        <button
          type="button"
          class="quiet"
          disabled={date === newest}
          title={format.date(newest)}
          onClick={() => choose(null)}
        >
          {words.newest}
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
      onClick={() => {
        if (to !== null) choose(to);
      }}
    >
      {sign}
    </button>
  );
}

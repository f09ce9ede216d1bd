import { daysUntil, formatInstant, formatRelativeDays } from '../shell/format.ts';
import { useLanguage, useWords } from '../shell/language-context.ts';
import { DOMAIN_WORDS } from './domain-words.ts';
import { SOON_DAYS } from './lifetime.ts';

interface DatedFactProps {
  name: string;
  /** ISO instant or day; null: not stated. */
  date: string | null;
  /** Milliseconds UTC. */
  now: number;
  /** An end is told in days, however far; and near ones stand out. */
  isEnd?: boolean;
}

/** A date, said first as one would ask for it ("in 214 days") and then in full. */
export function DatedFact({ name, date, now, isEnd = false }: DatedFactProps) {
  const words = useWords(DOMAIN_WORDS);
  const language = useLanguage();
  const days = date === null ? null : daysUntil(date, now);
  const urgency = isEnd && days !== null && days <= SOON_DAYS ? (days < 0 ? 'over' : 'soon') : undefined;
  return (
    <div class="dated" data-urgency={urgency}>
      <dt>{name}</dt>
      <dd>
        {date === null ? (
          <span class="fine">{words.notStated}</span>
        ) : (
          <>
            {days !== null && <b>{formatRelativeDays(language, days, isEnd)}</b>}{' '}
            {urgency === 'over' && <span class="mark">{words.expired}</span>}
            <time dateTime={date}>{formatInstant(language, date)}</time>
          </>
        )}
      </dd>
    </div>
  );
}

import { useId } from 'preact/hooks';
import { useWords } from '../shell/language-context.ts';
import { CATALOGUE_WORDS } from './catalogue-words.ts';
import { LENGTH_PRESETS, tidyNumber } from './search-draft.ts';
import type { NovelSearch } from './view.ts';

interface LengthFieldsProps {
  draft: NovelSearch;
  isRange: boolean;
  edit: (change: Partial<NovelSearch>) => void;
  choose: (change: Partial<NovelSearch>) => void;
}

/** From and to in characters, and four presets that apply at once. */
export function LengthFields({ draft, isRange, edit, choose }: LengthFieldsProps) {
  const words = useWords(CATALOGUE_WORDS);
  const faultId = useId();
  const field = (name: 'minlen' | 'maxlen') => (
    <input
      type="text"
      inputMode="numeric"
      name={name}
      autocomplete="off"
      aria-label={`${words.form.length} ${words.form[name]}`}
      aria-invalid={!isRange}
      aria-describedby={isRange ? undefined : faultId}
      placeholder={words.form[name]}
      value={draft[name]}
      onInput={(event) => {
        edit({ [name]: event.currentTarget.value });
      }}
      onChange={(event) => {
        choose({ [name]: tidyNumber(event.currentTarget.value) });
      }}
    />
  );
  return (
    <fieldset class="field">
      <legend>{words.form.length}</legend>
      <div class="range">
        {field('minlen')}
        <span aria-hidden="true">〜</span>
        {field('maxlen')}
      </div>
      {!isRange && (
        <p class="fault" id={faultId} role="alert">
          {words.form.badLength}
        </p>
      )}
      <div class="pills">
        {LENGTH_PRESETS.map((preset, place) => {
          const isSet = draft.minlen === preset.minlen && draft.maxlen === preset.maxlen;
          return (
            <button
              key={place}
              type="button"
              class="pill"
              aria-pressed={isSet}
              onClick={() => {
                choose(isSet ? { minlen: '', maxlen: '' } : preset);
              }}
            >
              {words.form.lengths[place]}
            </button>
          );
        })}
      </div>
    </fieldset>
  );
}

import { useState } from 'preact/hooks';
import { MokurokuError } from '../../client/index.ts';
import { PartLine } from '../shell/answer-view.tsx';
import { loadPart } from '../shell/load-part.ts';
import { isSample } from '../shell/page-facts.ts';
import { Pill } from './form-fields.tsx';
import type * as drawings from './pictures.ts';
import type { Picture, PictureForm } from './picture.ts';
import { useCatalogue } from './words.ts';

interface PictureButtonsProps {
  /** File name without extension. */
  name: string;
  /** Draws the current content; `credit`: the source of the data, which marks invented ones. */
  draw: (pictures: typeof drawings, credit: string) => Picture;
}

const FORMS: readonly PictureForm[] = ['png', 'svg'];

/** Saves the current content as a picture. The drawing code is loaded on use. */
export function PictureButtons({ name, draw }: PictureButtonsProps) {
  const { picture: words, credit, creditName } = useCatalogue().words;
  const [failed, setFailed] = useState<{ form: PictureForm; problem: MokurokuError } | null>(null);
  const save = async (form: PictureForm) => {
    try {
      const pictures = await loadPart(import('./pictures.ts'));
      const picture = draw(pictures, isSample() ? words.invented : `${credit} ${creditName}`);
      await pictures.savePicture(picture, form, name);
      setFailed(null);
    } catch (error) {
      if (!(error instanceof MokurokuError)) throw error;
      setFailed({ form, problem: error });
    }
  };
  return (
    <div class="pills beside tight fine" role="group" aria-label={words.label}>
      <span aria-hidden="true">{words.label}</span>
      {FORMS.map((form) => (
        <Pill
          key={form}
          label={form.toUpperCase()}
          name={words.save(form.toUpperCase())}
          press={() => void save(form)}
        />
      ))}
      {failed && (
        <PartLine
          request={{
            key: null,
            answer: null,
            problem: failed.problem,
            loading: false,
            retry: () => void save(failed.form),
          }}
          what={words.label}
        />
      )}
    </div>
  );
}

import { useState } from 'preact/hooks';
import { MokurokuError } from '../../client/index.ts';
import { PartLine } from '../shell/answer-view.tsx';
import { loadPart } from '../shell/load-part.ts';
import { Pill } from './form-fields.tsx';
import type * as pictures from './pictures.ts';
import type { Picture, PictureForm } from './picture.ts';
import { useCatalogue } from './words.ts';

interface PictureButtonsProps {
  /** File name without extension. */
  name: string;
  /** Draws the current content. */
  draw: (draw: typeof pictures) => Picture;
}

/** The credit line of a picture, which marks invented data. */
export function useCredit(isSample: boolean): string {
  const { words } = useCatalogue();
  return isSample ? words.picture.invented : `${words.credit} ${words.creditName}`;
}

const FORMS: readonly PictureForm[] = ['png', 'svg'];

interface FailedPicture {
  form: PictureForm;
  problem: MokurokuError;
}

/** Saves the current content as a picture. The drawing code is loaded on use. */
export function PictureButtons({ name, draw }: PictureButtonsProps) {
  const words = useCatalogue().words.picture;
  const [failed, setFailed] = useState<FailedPicture | null>(null);
  const save = async (form: PictureForm) => {
    try {
      const drawing = await loadPart(import('./pictures.ts'));
      await drawing.savePicture(draw(drawing), form, name);
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

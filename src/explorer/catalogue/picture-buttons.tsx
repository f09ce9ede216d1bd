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

/** Saves the current content as a picture. The drawing code is loaded on use. */
export function PictureButtons({ name, draw }: PictureButtonsProps) {
  const words = useCatalogue().words.picture;
  const save = async (form: PictureForm) => {
    const drawing = await import('./pictures.ts');
    await drawing.savePicture(draw(drawing), form, name);
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
    </div>
  );
}

import { Pill } from './form-fields.tsx';
import type * as pictures from './pictures.ts';
import type { Picture, PictureForm } from './picture.ts';
import { useCatalogue } from './words.ts';

interface PictureButtonsProps {
  /** Of the file, without its ending. */
  name: string;
  /** Draws what is shown now. */
  draw: (draw: typeof pictures) => Picture;
}

/** Whose data a picture shows, and that they are invented where they are. */
export function useCredit(isSample: boolean): string {
  const { words } = useCatalogue();
  return isSample ? words.picture.invented : `${words.credit} ${words.creditName}`;
}

const FORMS: readonly PictureForm[] = ['png', 'svg'];

/** What is shown, as a picture to share. What draws it is fetched when it is wanted. */
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

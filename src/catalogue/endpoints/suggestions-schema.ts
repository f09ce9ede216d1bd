import { z } from 'zod';

const text = (description: string, example: string) => z.string().meta({ description, example });
const whole = (description: string, example: number) =>
  z.number().meta({ type: 'integer', description, example });

/** The data of a suggestion. */
export const SUGGESTIONS = z
  .object({
    titles: z.array(
      z.object({
        title: text('Title of a novel.', '図書館の魔女見習い'),
        ncode: text('Ncode of the novel of this title that has most weekly points.', 'N8403VF'),
      }),
    ),
    writers: z.array(
      z.object({
        writer: text('Pen name.', '図書室の猫'),
        userid: whole('User id of the author of this name with most weekly points.', 100_003),
      }),
    ),
    keywords: z.array(
      z.object({
        keyword: text('Keyword.', '図書館'),
        novels: whole('Number of novels that bear it. Unit: novels.', 42),
      }),
    ),
  })
  .meta({ title: 'Suggestions', description: 'What may be meant by what has been typed, by weekly points.' });
export type Suggestions = z.infer<typeof SUGGESTIONS>;

import { z } from 'zod';

export const CODE_LABEL = z
  .object({
    code: z
      .number()
      .meta({ type: 'integer', description: 'Code, as records and parameters have it.', example: 201 }),
    label_ja: z
      .string()
      .meta({ description: 'Japanese label.', example: 'ハイファンタジー〔ファンタジー〕' }),
  })
  .meta({ title: 'CodeLabel', description: 'A code with its label.' });
export type CodeLabel = z.infer<typeof CODE_LABEL>;

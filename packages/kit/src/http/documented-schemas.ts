import { z } from 'zod';

// Schemas of single fields, with what the documents say of them in both languages. In the document of one language its
// text is the description.

export const textSchema = (en: string, ja: string, example: string) => z.string().meta({ en, ja, example });

export const integerSchema = (en: string, ja: string, example: number) =>
  z.number().meta({ type: 'integer', en, ja, example });

export const dateSchema = (en: string, ja: string, example: string) =>
  z.string().meta({ format: 'date', en, ja, example });

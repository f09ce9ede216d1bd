import { z } from 'zod';

// Schemas of single fields, with what the documents say of them.

export const textSchema = (description: string, example: string) => z.string().meta({ description, example });

export const integerSchema = (description: string, example: number) =>
  z.number().meta({ type: 'integer', description, example });

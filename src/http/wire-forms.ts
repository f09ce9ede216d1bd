import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Logger } from '../process/logger.ts';
import type { Encoding, StoredAnswer, WireForm } from '../cache/stored-answer.ts';
import { commonLines, createWireHead } from './wire-head.ts';
import type { WireHead } from './wire-head.ts';

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

/** Smaller bodies fit one packet anyway. */
const COMPRESS_FROM_BYTES = 1_024;

/** Quality 5 costs about as much as gzip 6 and comes out smaller; 11 would take a second for half a megabyte. */
const BROTLI_QUALITY = 5;

export interface WireForms {
  /** The head of a 200 or of a kept error, whole but for what changes per request. */
  headOf(answer: StoredAnswer, length: number, encoding: Encoding): WireHead;
  /** The form to send now: the compressed one when it is ready, else the plain one. */
  formOf(answer: StoredAnswer, encoding: Encoding): WireForm;
}

/**
 * Makes each form of an answer once. Compression starts when a client first asks for it and runs on another
 * thread; whoever asks meanwhile gets the plain form, so that nobody ever waits for it.
 */
export function createWireForms(commonPairs: readonly string[], logger: Logger): WireForms {
  const common = commonLines(commonPairs);

  function headOf(answer: StoredAnswer, length: number, encoding: Encoding): WireHead {
    const lifetime = Math.round((answer.freshUntil - answer.storedAt) / 1000);
    const pairs = ['Cache-Control', `public, max-age=${lifetime}`, 'ETag', answer.etag];
    pairs.push('Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(length));
    if (encoding !== 'identity') pairs.push('Content-Encoding', encoding);
    return createWireHead(answer.status, pairs, common);
  }

  function makeForm(answer: StoredAnswer, body: Buffer, encoding: Encoding): WireForm {
    const form = { body, head: headOf(answer, body.length, encoding) };
    answer.forms.set(encoding, form);
    return form;
  }

  function plainFormOf(answer: StoredAnswer): WireForm {
    return answer.forms.get('identity') ?? makeForm(answer, answer.body, 'identity');
  }

  function compress(answer: StoredAnswer, encoding: 'gzip' | 'br'): Promise<Buffer> {
    if (encoding === 'gzip') return gzipAsync(answer.body, { level: 6 });
    return brotliAsync(answer.body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: answer.body.length,
      },
    });
  }

  return {
    headOf,
    formOf: (answer, encoding) => {
      const made = answer.forms.get(encoding);
      if (made) return made;
      const plain = plainFormOf(answer);
      if (encoding === 'identity' || answer.body.length < COMPRESS_FROM_BYTES) return plain;
      // The plain form holds the place, so that compression starts once.
      answer.forms.set(encoding, plain);
      compress(answer, encoding).then(
        (body) => makeForm(answer, body, encoding),
        (error: unknown) => {
          logger.error({ err: error }, 'compression failed; the plain form goes on being served');
        },
      );
      return plain;
    },
  };
}

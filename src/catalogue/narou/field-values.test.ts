import { describe, expect, it } from 'vitest';
import { decodeEntities } from './field-values.ts';

describe('HTML entities', () => {
  it.each([
    ['&amp;&lt;&gt;&quot;&#39;&#039;&apos;', `&<>"'''`],
    ['&#x3042;&#12356;&#x20BB7;', 'あい𠮷'],
    ['&amp;lt;', '&lt;'],
    ['&amp;amp;amp;', '&amp;amp;'],
    ['&AMP;', '&'],
  ])('%s is decoded exactly once', (escaped, text) => {
    expect(decodeEntities(escaped)).toBe(text);
  });

  it.each(['&', '&;', '&amp', '&hearts;', '&#0;', '&#xd800;', '&#x110000;', '&#;', 'AT&T', '& lt;'])(
    '%s is not an entity of the upstream and remains',
    (text) => {
      expect(decodeEntities(text)).toBe(text);
    },
  );
});

import { isHtmlPage, textOfPage } from './text-forms/html-page.ts';
import { isQuotedName, textOfQuotedName } from './text-forms/quoted-name.ts';
import { isRwhois, textOfRwhois } from './text-forms/rwhois-object.ts';
import { isTonicList, textOfTonic } from './text-forms/tonic-list.ts';

/** A form of answer that is not lines with labels, and how to make them. */
interface TextForm {
  applies: (text: string) => boolean;
  rewrite: (text: string) => string;
}

const FORMS: readonly TextForm[] = [
  { applies: isHtmlPage, rewrite: textOfPage },
  { applies: isRwhois, rewrite: textOfRwhois },
  { applies: isTonicList, rewrite: textOfTonic },
  { applies: isQuotedName, rewrite: textOfQuotedName },
];

/** Far above any answer in these forms. */
const LONGEST_FORM = 65_536;

/** An answer as lines ended by LF, whatever its form; a byte order mark is taken off. */
export function plainTextOf(text: string): string {
  let plain = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  if (!plain.includes('\n') && plain.includes('\r')) plain = plain.replaceAll('\r', '\n');
  const form = FORMS.find(({ applies }) => applies(plain));
  return form === undefined ? plain : form.rewrite(plain.slice(0, LONGEST_FORM));
}

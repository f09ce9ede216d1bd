/** Whether a line opens like a label that may run into its value: created, domain, expires, record, registered. */
export function mayRunIn(text: string, start: number): boolean {
  const second = text.charCodeAt(start + 1) | 32;
  const third = text.charCodeAt(start + 2) | 32;
  switch (text.charCodeAt(start) | 32) {
    case 99: // c
      return second === 114 && third === 101;
    case 100: // d
      return second === 111 && third === 109;
    case 101: // e
      return second === 120 && third === 112;
    case 114: // r: neither registrar nor registrant
      return second === 101 && (third === 99 || (third === 103 && (text.charCodeAt(start + 6) | 32) === 101));
    default:
      return false;
  }
}

/**
 * Whether a label speaks of a contact (`Registrant Name`, `Admin Email`, `Tech Phone` ...): half of the lines of
 * an ordinary answer, told by a few letters, so that they need not be looked up.
 */
export function isContactLabel(text: string, start: number, end: number): boolean {
  const length = end - start;
  switch (text.charCodeAt(start) | 32) {
    case 97: // a: admin
      return length > 5 && isLetterAt(text, start + 1, 100) && isLetterAt(text, start + 2, 109);
    case 114: // r: registrant, not registrar
      return length > 9 && isLetterAt(text, start + 8, 110) && isLetterAt(text, start + 9, 116);
    case 116: // t: tech
      return length > 4 && text.charCodeAt(start + 4) === 32 && isLetterAt(text, start + 3, 104);
    default:
      return false;
  }
}

function isLetterAt(text: string, at: number, small: number): boolean {
  return (text.charCodeAt(at) | 32) === small;
}

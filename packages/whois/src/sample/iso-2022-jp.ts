/** First byte of a two-byte character in EUC-JP: JIS X 0208's row with the high bit set. */
const EUC_ROWS = Array.from({ length: 84 }, (_, index) => 0xa1 + index);

/** Maps characters to their JIS X 0208 bytes by Node's own decoding table. Takes some milliseconds to build. */
function jisTable(): Map<string, number[]> {
  const decoder = new TextDecoder('euc-jp');
  const table = new Map<string, number[]>();
  for (const row of EUC_ROWS) {
    for (let cell = 0xa1; cell <= 0xfe; cell++) {
      const character = decoder.decode(Uint8Array.of(row, cell));
      if (!character.includes('\ufffd')) table.set(character, [row & 0x7f, cell & 0x7f]);
    }
  }
  return table;
}

const TO_JIS = [0x1b, 0x24, 0x42];
const TO_ASCII = [0x1b, 0x28, 0x42];

/** Encodes text as ISO-2022-JP (RFC 1468), which Node can read but not write. Characters outside it become `?`. */
export function createIso2022JpEncoder(): (text: string) => Buffer {
  const table = jisTable();
  return (text) => {
    const bytes: number[] = [];
    let inJis = false;
    for (const character of text) {
      const jis = table.get(character);
      if ((jis !== undefined) !== inJis) {
        bytes.push(...(inJis ? TO_ASCII : TO_JIS));
        inJis = !inJis;
      }
      if (jis) bytes.push(...jis);
      else bytes.push(character.charCodeAt(0) < 0x80 ? character.charCodeAt(0) : 0x3f);
    }
    if (inJis) bytes.push(...TO_ASCII);
    return Buffer.from(bytes);
  };
}

import { evidenceOf } from '../../record/evidence.ts';
import type { Evidence } from '../../record/evidence.ts';
import { labelOf } from './lines.ts';
import type { TextRecord } from './text-record.ts';
import { GENERAL_LABELS } from './vocabulary.ts';
import type { FieldName } from './vocabulary.ts';

/** The line of the strongest fact of a record, in its text. */
export function evidenceOfRecord(record: TextRecord, text: string): Evidence {
  const { registrar, nameServers, status, holder, domain } = record;
  const [field, value] = (
    [
      ['registrar', registrar],
      ['nameServer', nameServers[0]],
      ['status', status[0]],
      [null, holder],
      ['domain', domain],
    ] as const
  ).find(([, stated]) => stated != null) ?? [null, ''];
  return evidenceOf('record', lineStating(text, value ?? '', field));
}

/** The line that states a value of a field: under a label of the field, else the first that contains it. */
function lineStating(text: string, value: string, field: FieldName | null): string {
  const lines = text.split('\n');
  const exact = lines.filter((line) => line.includes(value));
  const lower = value.toLowerCase();
  const stating = exact.length > 0 ? exact : lines.filter((line) => line.toLowerCase().includes(lower));
  const labelled = stating.find(
    (line) => GENERAL_LABELS.get(labelOf(line.trim()).label ?? '')?.field === field,
  );
  return labelled ?? stating[0] ?? value;
}

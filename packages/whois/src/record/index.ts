// The published fields and what they mean, for pages, tables and schemas. No I/O: it runs in browsers.

export { ENDINGS, END_FIELDS, daysLeft, endDate, endingOf } from './ending.ts';
export type { Ending } from './ending.ts';
export { DATES, OTHER_DETAILS, REGISTRANT_DETAILS, REGISTRAR_DETAILS, mapRows } from './fields.ts';
export type { FieldRow } from './fields.ts';
export { FIELD_LABELS, NOTHING_STATED, RECORD_FIELDS, detailsOf, isUnknown } from './registration-record.ts';
export { LOOK_UP_ERRORS } from './look-up-errors.ts';
export { isOffline } from './offline.ts';
export type { EvidenceKind, ParsedRegistration, RecordField } from './registration-record.ts';
export { NAME_FAULTS } from './name-faults.ts';

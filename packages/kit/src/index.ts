// Errors, texts, JSON and CSV: what browsers load too, without modules of Node.

export { csvRecord, csvRecords, writeCsv } from './csv.ts';
export type { Table } from './csv.ts';
export { ERRORS, ServiceError, asServiceError, errorTable, toErrorBody } from './errors.ts';
export type { ErrorBody, ErrorKind, ErrorTable, GeneralErrorCode } from './errors.ts';
export { ALLOWED, FAULTS } from './fault-texts.ts';
export { editDistance, nearestWord } from './nearest.ts';
export { isRecord, ownValue, parseJson } from './process/json.ts';
export type { Json } from './process/json.ts';
export { same, text } from './process/text.ts';
export type { Language, Text } from './process/text.ts';

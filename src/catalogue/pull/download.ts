import { createHash } from 'node:crypto';
import fs from 'node:fs';
import type { FileFacts } from '../index/engine/files.ts';
import { writeFully } from '../index/engine/files.ts';
import { SourceFailure } from './web-folder.ts';
import type { WebFolder, WebReply } from './web-folder.ts';

export interface DownloadParts {
  readonly source: WebFolder;
  readonly signal: AbortSignal;
  readonly wait: (milliseconds: number) => Promise<unknown>;
  readonly random: () => number;
  /** Called with the size of each received chunk. */
  readonly onBytes: (count: number) => void;
}

/** A download ends after this many consecutive failures without progress. */
const MAX_TRIES = 5;
/** At least this many bytes between two failures are progress. */
const PROGRESS_BYTES = 65_536;
/** Maximum restarts of a file: the server ignores ranges, or has another file than the manifest. */
const MAX_LOSSES = 2;
const FIRST_WAIT_MS = 1_000;
const CHUNK_BYTES = 1 << 20;

/** Retries temporary failures, with doubling delays. */
export async function withRetries<Result>(
  { wait, random, signal }: Pick<DownloadParts, 'wait' | 'random' | 'signal'>,
  attempt: () => Promise<Result>,
  hasProgressed: () => boolean = () => false,
): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof SourceFailure && error.isTemporary)) throw error;
      if (hasProgressed()) tries = 1;
      if (tries >= MAX_TRIES) throw error;
      const waitMs = FIRST_WAIT_MS * 2 ** (tries - 1) * (0.5 + random());
      await wait(Math.max(waitMs, error.retryAfterMs));
    }
  }
}

/** A file being downloaded; a partial one is resumed. */
class PartialFile {
  readonly path: string;
  readonly #file: number;
  #hash = createHash('sha256');
  bytes = 0;

  constructor(path: string) {
    this.path = path;
    this.#file = fs.openSync(path, fs.constants.O_RDWR | fs.constants.O_CREAT);
    const chunk = new Uint8Array(CHUNK_BYTES);
    for (let read = -1; read !== 0; this.bytes += read) {
      read = fs.readSync(this.#file, chunk, 0, chunk.length, this.bytes);
      this.#hash.update(chunk.subarray(0, read));
    }
  }

  append(chunk: Uint8Array): void {
    writeFully(this.#file, chunk, this.bytes);
    this.#hash.update(chunk);
    this.bytes += chunk.length;
  }

  empty(): void {
    fs.ftruncateSync(this.#file, 0);
    this.#hash = createHash('sha256');
    this.bytes = 0;
  }

  sum(): string {
    return this.#hash.copy().digest('hex');
  }

  close(): void {
    fs.closeSync(this.#file);
  }

  sync(): void {
    fs.fsyncSync(this.#file);
  }
}

/** Writing a file failed: the disk is full or broken. */
export class UnwritableFile extends Error {
  constructor(file: string, cause: Error) {
    super(`${file} cannot be written: ${cause.message}`, { cause });
    this.name = 'UnwritableFile';
  }
}

/** The whole file arrived, but its checksum is wrong. */
class WrongFile extends SourceFailure {}

/** Whether a response continues at the end of a partial file. */
const continues = ({ status, contentRange }: WebReply, at: number, { bytes }: FileFacts): boolean =>
  status === 206 && new RegExp(`^bytes ${at}-\\d+/(?:${bytes}|\\*)$`).test(contentRange ?? '');

/** A download of one file over several requests. */
function createDownload(file: string, facts: FileFacts, part: PartialFile, parts: DownloadParts) {
  const { source, signal, onBytes } = parts;
  const name = source.nameOf(file);
  let losses = 0;
  /** Bytes received by the last request. */
  let received = 0;

  function lose(): void {
    part.empty();
    if (++losses <= MAX_LOSSES) return;
    throw new SourceFailure(`${name} cannot be downloaded completely: the server does not resume it`);
  }

  async function read(reply: WebReply): Promise<void> {
    if (!continues(reply, part.bytes, facts)) {
      if (part.bytes > 0) lose();
      const message = `${name}: the server sent another range than requested`;
      if (reply.status !== 200) throw new SourceFailure(message, { isTemporary: true });
    }
    for await (const chunk of reply.body) {
      if (part.bytes + chunk.length > facts.bytes) {
        throw new WrongFile(`${name} is longer than the ${facts.bytes} bytes of the manifest`);
      }
      part.append(chunk);
      received += chunk.length;
      onBytes(chunk.length);
      signal.throwIfAborted();
    }
    if (part.bytes === facts.bytes) return;
    throw new SourceFailure(`${name}: ${part.bytes} of ${facts.bytes} bytes received`, { isTemporary: true });
  }

  /** Requests the missing rest. Rejects unless the file is complete afterwards. */
  async function attempt(): Promise<void> {
    received = 0;
    if (part.bytes < facts.bytes) {
      const headers: Record<string, string> = part.bytes > 0 ? { range: `bytes=${part.bytes}-` } : {};
      const reply = await source.get(file, headers, signal);
      try {
        await read(reply);
      } finally {
        reply.abandon();
      }
    }
    if (part.sum() !== facts.sha256)
      throw new WrongFile(`${name} does not match the checksum of the manifest`);
  }

  return { attempt, hasProgressed: () => received >= PROGRESS_BYTES };
}

/**
 * Downloads a file to `target`, which exists only when it is complete and on disk. After a failure, or the end of the
 * process, the partial file stays in `target`.part and is resumed. A file with a wrong checksum is fetched once more.
 */
export async function download(
  file: string,
  facts: FileFacts,
  target: string,
  parts: DownloadParts,
): Promise<void> {
  const part = new PartialFile(`${target}.part`);
  try {
    const { attempt, hasProgressed } = createDownload(file, facts, part, parts);
    const fetchWhole = () => withRetries(parts, attempt, hasProgressed);
    await fetchWhole().catch((error: unknown) => {
      if (!(error instanceof WrongFile)) throw error;
      part.empty();
      return fetchWhole();
    });
    part.sync();
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw new UnwritableFile(file, error);
    throw error;
  } finally {
    part.close();
  }
  fs.renameSync(part.path, target);
}

import { Cluster, Redis } from 'ioredis';

/** The longest reply that we read is an entry of 8 MiB. */
const MAX_REPLY_BYTES = 10_000_000;

/**
 * The parser of ioredis throws where nobody can catch it, at lists that are too long or nested thousands deep, and
 * collects a reply of any length. That would end the process; so it ends the connection. Of every connection: a cluster
 * and Sentinels open further ones.
 */
function surviveReplies(this: Redis): void {
  const { stream } = this;
  const commands = this as unknown as { commandQueue: { peekFront: () => unknown } };
  const emit = stream.emit.bind(stream) as (...event: unknown[]) => boolean;
  let [waiting, bytes]: [unknown, number] = [undefined, 0];
  stream.emit = (...event: unknown[]) => {
    try {
      if (event[0] === 'data') {
        const first = commands.commandQueue.peekFront();
        bytes = (event[1] as Buffer).length + (first === waiting ? bytes : 0);
        waiting = first;
        if (bytes > MAX_REPLY_BYTES) throw new RangeError('it is too long');
      }
      return emit(...event);
    } catch (cause) {
      stream.destroy(new Error('a reply cannot be parsed', { cause }));
      return true;
    }
  };
}

const prototype: { connect: (this: Redis, ...callback: Parameters<Redis['connect']>) => Promise<void> } =
  Redis.prototype;
const { connect } = prototype;
prototype.connect = function (...callback) {
  this.off('connect', surviveReplies).once('connect', surviveReplies);
  return connect.apply(this, callback);
};

export { Cluster, Redis };

import { Cluster, Redis } from 'ioredis';

/**
 * The parser of ioredis throws where nobody can catch it, at lists that are too long or nested thousands deep. That
 * would end the process; so it ends the connection. Of every connection: a cluster and Sentinels open further ones.
 */
function surviveReplies(this: Redis): void {
  const { stream } = this;
  const emit = stream.emit.bind(stream) as (...event: unknown[]) => boolean;
  stream.emit = (...event: unknown[]) => {
    try {
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

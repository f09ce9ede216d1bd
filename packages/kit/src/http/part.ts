import type { FastifyInstance, FastifyPluginCallback } from 'fastify';

/** A part of a service for `app.register`. Its hooks hold for all routes: Fastify would limit them to its own. */
export const part = (add: (app: FastifyInstance) => void): FastifyPluginCallback =>
  Object.assign<FastifyPluginCallback, object>(
    (app, _options, done) => {
      add(app);
      done();
    },
    { [Symbol.for('skip-override')]: true },
  );

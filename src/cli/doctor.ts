import { defineCommand } from './command.ts';
import { readServiceAddress } from './service-address.ts';

export const doctorCommand = defineCommand({
  args: {
    live: {
      type: 'boolean',
      description: 'Also query the novel site and the registries, one request a second (three minutes).',
    },
    'base-url': {
      type: 'string',
      description: 'A running service: the clock of this machine is compared with that of its replies.',
      valueHint: 'url',
    },
    json: { type: 'boolean', description: 'Print the report as JSON (docs/doctor-report.schema.json).' },
  },
  examples: [
    'mokuroku doctor',
    'NAROU_CONTACT=me@example.org mokuroku doctor --live',
    'mokuroku doctor --live --json > report.json',
  ],
  run: async (args, terminal) => {
    const given = args['base-url'];
    const baseUrl = given === undefined ? undefined : readServiceAddress(given);
    // Loaded on use, so that help and completion start quickly.
    const { runDoctor } = await import('./run-doctor.ts');
    return runDoctor({ isLive: args.live ?? false, isJson: args.json ?? false, baseUrl }, terminal);
  },
});

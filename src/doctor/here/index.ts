import type { Check } from '../check.ts';
import { folderCheck } from './folders.ts';
import type { MachineFacts } from './machine-facts.ts';
import { ADDRESSES, CLOCK, NAMES_TO_RESOLVE } from './network.ts';
import { portCheck } from './ports.ts';
import { NODE, SETTINGS } from './process-checks.ts';
import { STORE } from './store.ts';

/** Checks of this machine, without upstream requests. */
export const machineChecks = ({ ports, folders, isLive }: MachineFacts): readonly Check<MachineFacts>[] => [
  NODE,
  SETTINGS,
  ...ports.map(portCheck),
  ...folders.map(folderCheck),
  STORE,
  ADDRESSES,
  NAMES_TO_RESOLVE,
  // With --live, the novel site's clock is used instead.
  ...(isLive ? [] : [CLOCK]),
];

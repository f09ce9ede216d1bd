import { checksOf } from '../check.ts';
import type { Check } from '../check.ts';
import { folderCheck } from './folders.ts';
import type { MachineFacts } from './machine-facts.ts';
import { ADDRESSES, CLOCK, NAMES_TO_RESOLVE } from './network.ts';
import { portCheck } from './ports.ts';
import { NODE, SETTINGS } from './process-checks.ts';
import { STORE } from './store.ts';

/** Checks of this machine, without upstream requests. With --live, the novel site's clock is used instead of CLOCK. */
export const machineChecks = ({ ports, folders, isLive }: MachineFacts): readonly Check<MachineFacts>[] =>
  checksOf({ group: 'here' }, [
    NODE,
    SETTINGS,
    ...ports.map(portCheck),
    ...folders.map(folderCheck),
    STORE,
    ADDRESSES,
    NAMES_TO_RESOLVE,
    ...(isLive ? [] : [CLOCK]),
  ]);

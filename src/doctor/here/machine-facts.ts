import type { NetworkInterfaceInfo } from 'node:os';
import type { Clock } from '../../process/clock.ts';
import type { ResolveHost } from '../../registration/net/resolve.ts';
import type { connectStore } from '../../store/connect-store.ts';
import type { StoreSettings } from '../../store/store-settings.ts';

/** A port that a service will listen on. */
export interface PortSetting {
  readonly name: string;
  readonly host: string;
  readonly port: number;
}

/** A folder that the settings name. */
export interface FolderSetting {
  readonly name: string;
  readonly folder: string;
  /** Written to, and created if missing. */
  readonly isCreatedIfMissing: boolean;
  /** Bytes that should be free there. */
  readonly requiredFreeBytes: number;
}

/** Facts about this machine and its settings, for the checks. */
export interface MachineFacts {
  readonly isLive: boolean;
  /** `20.20.0` */
  readonly nodeVersion: string;
  /** Names only: the values may be personal. */
  readonly unreadableSettings: readonly string[];
  /** Unused variables whose name resembles a setting. */
  readonly misspelled: readonly { readonly name: string; readonly meant: string | undefined }[];
  /** HOST belongs to another program. */
  readonly hasForeignHost: boolean;
  /** Whether the User-Agent sent to the novel site has a contact address. */
  readonly hasContact: boolean;
  readonly ports: readonly PortSetting[];
  readonly folders: readonly FolderSetting[];
  readonly store: StoreSettings;
  readonly connectStore: typeof connectStore;
  readonly networkInterfaces: () => NodeJS.Dict<NetworkInterfaceInfo[]>;
  /** Host names that --live connects to. */
  readonly hosts: readonly string[];
  readonly resolve: ResolveHost;
  /** A service whose clock is compared. */
  readonly baseUrl: string | undefined;
  readonly clock: Clock;
}

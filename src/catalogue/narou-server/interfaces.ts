import type { EmbeddedCatalogue } from '../../sample/novels/embedded-catalogue.ts';
import type { Parameters } from './parameters.ts';
import type { PhpRecord } from './php-json.ts';
import type { NarouServerSwitches } from './switches.ts';

/** What an interface needs to answer a request. */
export interface InterfaceRequest {
  readonly parameters: Parameters;
  readonly catalogue: EmbeddedCatalogue;
  readonly switches: NarouServerSwitches;
  /** Milliseconds UTC. */
  readonly now: number;
}

/** One of the five interfaces: gives the records of an answer, or throws an `UpstreamError`. */
export type Interface = (request: InterfaceRequest) => PhpRecord[];

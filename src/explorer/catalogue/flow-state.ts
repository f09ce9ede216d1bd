import type { RankingType } from '../../catalogue/novels/ranking-date.ts';
import type { Course, Flow } from './flow.ts';

/** What the parts of a flow share. */
export interface FlowState {
  type: RankingType;
  flow: Flow;
  /** Those of the first board and of the one shown. */
  courses: readonly Course[];
  /** The board shown, a place in `flow.dates`. */
  board: number;
  /** The Ncodes of those that moved most up to it. */
  most: ReadonlySet<string>;
  /** The Ncode of the one pointed at. */
  lit: string | null;
  light: (ncode: string | null) => void;
  show: (board: number) => void;
  isNarrow: boolean;
}

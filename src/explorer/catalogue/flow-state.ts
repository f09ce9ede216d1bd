import type { RankingType } from '../../catalogue/novels/ranking-date.ts';
import type { Course, Flow } from './flow.ts';

/** State shared by the parts of a flow. */
export interface FlowState {
  type: RankingType;
  flow: Flow;
  /** The courses of the first ranking and of the one shown. */
  courses: readonly Course[];
  /** The ranking shown, an index of `flow.dates`. */
  board: number;
  /** The Ncodes with the largest movements up to it. */
  mostMoved: ReadonlySet<string>;
  /** The Ncode of the highlighted novel. */
  lit: string | null;
  light: (ncode: string | null) => void;
  show: (board: number) => void;
  isNarrow: boolean;
}

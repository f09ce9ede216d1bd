/** What a shell is told of one command. */
export interface Completable {
  name: string;
  summary: string;
  options: readonly CompletableOption[];
  /** Values of its first word. */
  words: readonly string[];
}

export interface CompletableOption {
  name: string;
  description: string;
  takesValue: boolean;
  values: readonly string[];
}

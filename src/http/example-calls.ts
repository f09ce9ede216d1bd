/** A call that is shown in the documents: what somebody wants, and the request that gets it. */
export interface ExampleCall {
  /** Camel case; unique within a service. */
  name: string;
  /** Name of the endpoint. */
  endpoint: string;
  /** What it is for, as a heading. */
  title: string;
  titleJa: string;
  /** Values of the path's parameters, as a client thinks of them: not encoded. */
  path?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  /** Of the answer, where it is not the endpoint's first. */
  mediaType?: string;
}

/**
 * What the sample answers to the calls, and an error of each code: JSON, or the text where the answer is none. Written
 * by `npm run examples`.
 */
export interface ExampleAnswers {
  calls: Readonly<Record<string, unknown>>;
  errors: Readonly<Record<string, unknown>>;
}

export interface Examples {
  calls: readonly ExampleCall[];
  answers: ExampleAnswers;
}

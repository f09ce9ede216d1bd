/** Names that exist in the sample as well as in the real world, one for each kind of registry. */
export const EXAMPLES = ['example.com', 'example.org', 'example.jp', 'example.de', 'example.co.uk'] as const;

/** A file that is made of others, and how. */
export type Generated = { path: string; make: () => Promise<string> }

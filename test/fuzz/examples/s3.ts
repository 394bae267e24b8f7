// A case of this target, and those that failed once.
export interface S3Case {
  readonly method: string
  /** Below the endpoint: `''` is the list of buckets; `$bucket` becomes one that exists. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly signed: 'plain' | 'chunked' | 'unsigned payload' | 'wrong secret' | 'wrong hash'
}

export const S3_EXAMPLES: Readonly<Record<string, S3Case>> = {}

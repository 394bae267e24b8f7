// The type of the target's cases, and stored cases that once failed.
export interface S3Case {
  readonly method: string
  /** Path below the endpoint. An empty path lists the buckets. The name of an existing bucket replaces `$bucket`. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly signed: 'plain' | 'chunked' | 'unsigned payload' | 'wrong secret' | 'wrong hash'
}

export const S3_EXAMPLES: Readonly<Record<string, S3Case>> = {}

// /_emulator/v1/projects/:ref/s3-keys: access keys for S3 clients.

/** Answer to POST: the only time the secret is told. */
export interface MintedS3Key {
  readonly access_key_id: string
  readonly secret_access_key: string
  /** For clients that are asked for one; requests may be signed for any. */
  readonly region: string
  /** Address for path-style clients. */
  readonly endpoint: string
  /** ISO 8601. */
  readonly created_at: string
}

export interface ListedS3Key {
  readonly access_key_id: string
  /** The first characters of the secret; the rest is hidden. */
  readonly secret_access_key: string
  /** ISO 8601. */
  readonly created_at: string
}

export interface S3KeyList {
  readonly keys: readonly ListedS3Key[]
}

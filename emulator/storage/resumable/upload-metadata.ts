// The header Upload-Metadata as the TUS library reads it: keys with text, or with nothing. Pure.

export type UploadMetadata = Record<string, string | null>

export function isStringRecord(value: object): value is UploadMetadata {
  return Object.values(value).every((member) => member === null || typeof member === 'string')
}

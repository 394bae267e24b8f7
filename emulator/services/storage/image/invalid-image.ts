// Creates the errors for sources that cannot be rendered. The texts of the errors are upstream's.
import { StorageError } from '../errors.ts'

/** The largest source that upstream's picture server accepts. */
export const MAX_SOURCE_BYTES: number = 25 * 1024 * 1024

const INVALID = 'The source image is invalid or unsupported for rendering'
const TOO_MANY_PIXELS = 'The source image resolution is too large to process'
const TOO_MANY_BYTES = 'The source image file is too large to process'

/** @param cause error of the image library */
export function invalidImage(cause: unknown): StorageError {
  const isTooLarge = String(cause).includes('exceeds pixel limit')
  return new StorageError('invalidImage', isTooLarge ? TOO_MANY_PIXELS : INVALID, { cause })
}

/** The error for a source larger than `MAX_SOURCE_BYTES`. */
export function imageTooLarge(): StorageError {
  return new StorageError('invalidImage', TOO_MANY_BYTES)
}

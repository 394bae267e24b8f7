// Errors of opening or making a bundle.
import { EmulatorError } from '../../core/errors.ts'

/** Error code for a bundle that cannot be opened or made. */
export type BundleErrorCode =
  | 'unreadable_bundle'
  /** The file is not a bundle, was cut off or was changed. */
  | 'damaged_bundle'
  /** The bundle has a format that this release does not open any more. */
  | 'older_bundle'
  /** A later release made the bundle. */
  | 'newer_bundle'
  | 'bundle_too_large'

/** The error for a bundle that cannot be opened or made. */
export class BundleError extends EmulatorError {
  override readonly code: BundleErrorCode

  constructor(code: BundleErrorCode, message: string, facts: { hint?: string; cause?: unknown }) {
    super(message, facts)
    this.code = code
  }
}

const ASK_AGAIN = 'Copy the file again, or let the sender make a new bundle.'

/** @param reason the rest of the sentence after the file's name, without a full stop */
export function damaged(file: string, reason: string, cause?: unknown): BundleError {
  return new BundleError('damaged_bundle', `${file} ${reason}.`, { hint: ASK_AGAIN, cause })
}

// The errors of management routes (docs/wire/errors.md#management).
import {
  createJsonErrors,
  JsonError,
  type JsonErrors,
} from '../../platform/credentials/json-errors.ts'
import { CONTROL_REFUSALS, type ManagementErrorCode } from './refusals.ts'

/** An error that a management route returns to the caller. */
export class ManagementError extends JsonError<ManagementErrorCode> {}

export const CONTROL_ERRORS: JsonErrors<ManagementError> = createJsonErrors(
  ManagementError,
  CONTROL_REFUSALS,
  'The platform failed while answering this request.',
)

/** Returns 400 `invalid_request`. `details` maps each invalid field to its problem. */
export const invalidRequest: JsonErrors<ManagementError>['invalidRequest'] =
  CONTROL_ERRORS.invalidRequest

/** Returns the error 404 `not_found`, also for resources of another account. */
export function notFound(what: string): ManagementError {
  return new ManagementError('not_found', `${what} does not exist.`)
}

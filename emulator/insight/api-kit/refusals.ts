// The error codes of the emulator's own API (docs/reference/emulator-api.md#errors).
import type { DiskFailureCode } from '../../core/disk-failure.ts'
import { DISK_REFUSALS, internalRefusal, type RefusalFacts } from '../../core/refusals.ts'

const ROWS = {
  invalid_request: {
    status: 400,
    cause: 'A part of the request is missing or invalid.',
    remedy: 'Correct the part that the message names.',
  },
  invalid_json: {
    status: 400,
    cause: 'The body is not valid JSON.',
    remedy: 'Send JSON.',
  },
  sql_refused: {
    status: 400,
    cause: 'Postgres refused the statement. sql_state has the code of Postgres.',
    remedy: 'Correct what the message names.',
  },
  import_refused: {
    status: 400,
    cause: 'The imported file has invalid rows, which problems lists. No row was imported.',
    remedy: 'Correct the rows, then import the file again.',
  },
  admin_token_required: {
    status: 401,
    cause: 'The emulator was started with an admin token, and the request does not carry it.',
    remedy: 'Send "Authorization: Bearer <admin token>".',
  },
  foreign_host: {
    status: 403,
    cause: 'The Host header names a host other than this machine.',
    remedy: 'Use 127.0.0.1 or localhost, or start Tenantry with --host and --admin-token.',
  },
  foreign_origin: {
    status: 403,
    cause: 'A web page of another origin sent the request.',
    remedy: 'Send the request from a page that localhost serves, or from a program.',
  },
  foreign_peer: {
    status: 403,
    cause: 'Another machine sent the request, and the emulator has no admin token.',
    remedy: 'Start Tenantry with --host and --admin-token, then send the token.',
  },
  closed_table: {
    status: 403,
    cause: 'The request names one of the platform’s own auth_* tables.',
    remedy: 'Use the routes for users.',
  },
  not_allowed: {
    status: 403,
    cause: 'A grant or a policy forbids the statement.',
    remedy: 'Grant the privilege, or send the request as another identity.',
  },
  not_found: {
    status: 404,
    cause: 'The route or the resource does not exist.',
    remedy: 'Correct the name that the message quotes.',
  },
  conflict: {
    status: 409,
    cause: 'The request does not fit the present state, which the message describes.',
    remedy: 'Change the state, then repeat the request.',
  },
  ambiguous_row: {
    status: 409,
    cause: 'More than one row has these values, and the table has no primary key.',
    remedy: 'Add a primary key to the table, or change the rows with SQL.',
  },
  body_too_large: {
    status: 413,
    cause: 'The body is larger than the route accepts.',
    remedy: 'Send less data in one request.',
  },
  too_many_waiting: {
    status: 429,
    cause: 'Too many requests wait for messages.',
    remedy: 'Repeat the request when another one has ended.',
  },
  busy: {
    status: 503,
    cause: 'The database is busy with other work, or earlier requests are still running.',
    remedy: 'Repeat the request later.',
  },
  database_restarted: {
    status: 503,
    cause: 'The database was restarted during the request.',
    remedy: 'Repeat the request.',
  },
  database_down: {
    status: 503,
    cause: 'The database engine does not start. The emulator keeps trying to start the engine.',
    remedy: 'Read the reason in the terminal of the emulator.',
  },
  cancelled: {
    status: 504,
    cause: 'The statement was cancelled because it took too long.',
    remedy: 'Read fewer rows, or use an index.',
  },
} as const

export type InspectorCode = keyof typeof ROWS | 'internal' | DiskFailureCode

export const INSPECTOR_REFUSALS: Readonly<Record<InspectorCode, RefusalFacts>> = {
  ...ROWS,
  internal: internalRefusal('The emulator failed with an internal error.'),
  ...DISK_REFUSALS,
}

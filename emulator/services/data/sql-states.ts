// The errors of Postgres by SQLSTATE, with PostgREST's statuses (PostgREST, "Errors: HTTP Status Codes"). `from-sql-error.ts` has
// the statuses that depend on the message or the role.
import { type RefusalRow, type RefusalTable, rowOf } from '../../core/refusals.ts'

/** Rows with an `example` can also be injected as faults. The example is the message that Postgres sends. */
export const SQL_REFUSALS: RefusalTable<string> = {
  '21000': {
    status: 500,
    cause: 'The change would affect every row, or the same row twice.',
    remedy: 'Add a filter. Send each key only once in an upsert.',
  },
  '22023': {
    status: 400,
    cause: 'A parameter has an invalid value.',
    remedy: 'Correct the parameter that the message names.',
  },
  '23502': {
    status: 400,
    link: 'row',
    cause: 'A column that must not be null has no value.',
    remedy: 'Send a value, or give the column a default.',
    example: 'null value in column "name" of relation "t" violates not-null constraint',
  },
  '23503': {
    status: 409,
    link: 'row',
    cause: 'The row references a row that does not exist, or other rows still reference it.',
    remedy:
      'Create the referenced row first, delete the referencing rows first, or declare on delete cascade.',
    example: 'insert or update on table "t" violates foreign key constraint "t_fkey"',
  },
  '23505': {
    status: 409,
    link: 'row',
    cause:
      'Another row already has this unique value. A policy may hide that row from this identity.',
    remedy: 'Change that row, send another value, or upsert with on_conflict.',
    example: 'duplicate key value violates unique constraint "t_pkey"',
  },
  '23514': {
    status: 400,
    link: 'row',
    cause: 'The row violates a check constraint of its table. The message names the constraint.',
    remedy: 'Send a value that the constraint allows.',
    example: 'new row for relation "t" violates check constraint "t_check"',
  },
  '25006': {
    status: 405,
    cause: 'A GET request called a function that writes. GET can only read.',
    remedy: 'Call the function with POST, or declare it volatile.',
    example: 'cannot execute INSERT in a read-only transaction',
  },
  '40001': {
    status: 500,
    cause: 'Two transactions changed the same data at the same time.',
    remedy: 'Repeat the request.',
    example: 'could not serialize access due to concurrent update',
  },
  '42501': {
    status: 403,
    link: 'grant',
    cause:
      'The role lacks a privilege, or a policy refuses the row. The message says which of these happened.',
    remedy: 'Grant the privilege, or change the policy’s check.',
    example: 'new row violates row-level security policy for table "t"',
  },
  '42703': {
    status: 400,
    cause: 'The column does not exist.',
    remedy: 'Correct the name of the column.',
  },
  '42725': {
    status: 400,
    cause: 'Several functions match the call.',
    remedy: 'Cast the arguments.',
  },
  '42804': {
    status: 400,
    cause: 'Two types do not match.',
    remedy: 'Cast the value, or change the type of the column or function.',
  },
  '42883': {
    status: 404,
    cause: 'No function or operator with this name takes these types.',
    remedy: 'Correct the name, cast the arguments, or use another operator.',
    example: 'function does not exist',
  },
  '53300': {
    status: 503,
    link: 'fault',
    cause: 'The database was busy with other work, and the request waited too long.',
    remedy: 'Repeat the request after the number of seconds in the header Retry-After.',
    example: 'sorry, too many clients already',
  },
  '54001': {
    status: 500,
    cause: 'The statement is nested too deeply, for example by endless recursion.',
    remedy: 'End the recursion in the function, view or trigger.',
    example: 'stack depth limit exceeded',
  },
  '57014': {
    status: 500,
    cause:
      'The statement exceeded its time limit, other work had to wait too long for it, or its caller disconnected.',
    remedy: 'Filter by an indexed column, or request fewer rows.',
    example: 'canceling statement due to statement timeout',
  },
  '22P02': {
    status: 400,
    cause: 'A value does not have the format of its column’s type.',
    remedy: 'Send the value in the format of the type, for example a UUID or a number.',
    example: 'invalid input syntax for type uuid: "x"',
  },
  '23P01': {
    status: 400,
    link: 'row',
    cause: 'The row conflicts with another row under an exclusion constraint.',
    remedy:
      'Send values that don’t conflict with existing rows, for example a time range that does not overlap theirs.',
  },
  '40P01': {
    status: 500,
    cause: 'Two transactions waited for each other.',
    remedy: 'Repeat the request.',
    example: 'deadlock detected',
  },
  '42P01': {
    status: 404,
    cause: 'A view, function or policy uses a table that does not exist.',
    remedy: 'Create the table, or correct the name where it is used.',
    example: 'relation "t" does not exist',
  },
  '42P10': {
    status: 400,
    cause: 'on_conflict names columns without a unique constraint.',
    remedy: 'Add the constraint, or name other columns.',
  },
  '42P17': {
    status: 500,
    link: 'policy',
    cause:
      'Policies of two tables read each other without end, or the definition of an object is not valid.',
    remedy: 'Let one of the policies read through a security-definer function.',
    example: 'infinite recursion detected in policy for relation "t"',
  },
  '57P02': {
    status: 503,
    link: 'fault',
    cause: 'The database was restarted during the request.',
    remedy: 'Repeat the request.',
    example: 'the database engine was restarted',
  },
  '57P03': {
    status: 503,
    link: 'fault',
    cause: 'The database engine does not start. The terminal of the emulator shows the reason.',
    remedy: 'Repeat the request after the number of seconds in the header Retry-After.',
    example: 'the database engine does not start',
  },
  '53400': {
    status: 500,
    link: 'fault',
    cause: 'A limit in the configuration of Postgres was exceeded.',
    remedy: 'Read the message, which names the limit.',
    example: 'configuration limit exceeded',
  },
  '57P01': {
    status: 503,
    link: 'fault',
    cause: 'An administrator ended the database session.',
    remedy: 'Repeat the request.',
    example: 'terminating connection due to administrator command',
  },
  P0001: {
    status: 400,
    link: 'row',
    cause: 'A function or trigger of the project raised this error with its own message.',
    remedy: 'Look at the functions and triggers of the table.',
    example: 'an exception was raised',
  },
  '08006': {
    status: 503,
    link: 'fault',
    cause: 'The connection to the database failed.',
    remedy: 'Repeat the request.',
    example: 'connection failure',
  },
}

/** Row of `42501` for a request as `anon`. */
export const REFUSED_ANON: RefusalRow = {
  status: 401,
  link: 'grant',
  cause: 'As anon: the role lacks a privilege, or a policy refuses the row.',
  remedy: 'Send a credential, or grant the privilege to anon.',
}

const OTHER: RefusalRow = {
  status: 400,
  link: 'fault',
  cause: 'Postgres reported an error that has no entry of its own here.',
  remedy: 'Read the message and the statement in the journal.',
}

const other = (status: number): RefusalRow => ({ ...OTHER, status })

/** Rows by the first two characters of a code, for codes without a row of their own. */
const CLASSES: RefusalTable<string> = {
  '22': {
    status: 400,
    cause: 'A value is not valid for Postgres.',
    remedy: 'Correct the value that the message names.',
  },
  '23': {
    status: 400,
    link: 'row',
    cause: 'The row violates a constraint of its table. The message names the constraint.',
    remedy: 'Send a row that the constraint allows.',
  },
  '42': {
    status: 400,
    cause: 'The statement uses names or types that do not exist or do not match.',
    remedy: 'Correct the name or type that the message names.',
  },
  P0: {
    status: 500,
    link: 'row',
    cause: 'A function or trigger of the project raised this error with its own message.',
    remedy: 'Look at the functions and triggers of the table.',
  },
  PT: {
    status: 400,
    link: 'row',
    cause: 'A function of the project chose this status and message.',
    remedy: 'Read the code of the function.',
  },
  '08': other(503),
  '09': other(500),
  '0L': other(403),
  '0P': other(403),
  '25': other(500),
  '28': other(403),
  '2D': other(500),
  '38': other(500),
  '39': other(500),
  '3B': other(500),
  '40': other(500),
  '53': other(503),
  '54': other(500),
  '55': other(500),
  '57': other(500),
  '58': other(500),
  F0: other(500),
  HV: other(500),
  XX: other(500),
}

/** Finds the row of a SQLSTATE, or else the row of its class. */
export function sqlRefusal(code: string): RefusalRow {
  return rowOf(SQL_REFUSALS, code) ?? rowOf(CLASSES, code.slice(0, 2)) ?? OTHER
}

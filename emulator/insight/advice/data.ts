// Refusals of the data plane: one entry per code of its own, and SQLSTATEs by code and class.
import type { DataErrorCode } from '../../services/data/errors.ts'
import { type Advice, advice } from './advice.ts'

export const DATA_ADVICE: Readonly<Record<DataErrorCode, Advice>> = {
  payload_too_large: advice(
    'request',
    'The body is larger than the data plane accepts.',
    'Send the rows in several requests, or start Tenantry with a larger --max-body.',
  ),
  result_too_large: advice(
    'request',
    'The result is larger than the data plane sends. Nothing was changed.',
    'Request fewer rows or columns, or start Tenantry with a larger --max-result.',
  ),
  unauthorized: advice(
    'credential',
    'One of the request’s two credentials is missing or invalid.',
    'Send the project’s key in apikey, and in Authorization the same key or a data_plane_token of the same project.',
  ),
  PGRST002: advice(
    'fault',
    'The emulator could not read the project’s tables, so it could not plan the request.',
    'Repeat the request. If the request fails again, look at the terminal of the emulator.',
  ),
  PGRST100: advice(
    'request',
    'The query string cannot be parsed. The message names the position.',
    'Compare the parameter with filter=operator.value, select=a,b(c) and order=a.desc.',
  ),
  PGRST101: advice(
    'request',
    'A function was called with a method other than GET, HEAD and POST.',
    'Use POST, or GET when the function only reads.',
  ),
  PGRST102: advice(
    'request',
    'The body is empty or not JSON, or its rows have different keys.',
    'Send a JSON object, or an array of objects with the same keys. With columns=… the keys may differ.',
  ),
  PGRST103: advice(
    'request',
    'The requested page starts after the last row.',
    'Use a smaller offset, or read the count first with Prefer: count=exact.',
  ),
  PGRST105: advice(
    'request',
    'The filters of a PUT do not name exactly one row.',
    'Send one row, and its whole primary key as eq filters.',
  ),
  PGRST106: advice(
    'request',
    'The profile header names a schema that is not exposed.',
    'Remove Accept-Profile and Content-Profile, or send public or the project’s own schema.',
  ),
  PGRST107: advice(
    'request',
    'The result cannot be sent in the media type that Accept asks for.',
    'Accept application/json.',
  ),
  PGRST108: advice(
    'request',
    'A filter names an embedded table that select does not include.',
    'Add the table to select, for example select=*,orders(*).',
  ),
  PGRST111: advice(
    'request',
    'A function set response.headers to a value that is not an array of objects.',
    'Set response.headers to JSON like [{"X-Name": "value"}].',
  ),
  PGRST112: advice(
    'request',
    'A function set response.status to a value that is not an HTTP status.',
    'Set response.status to three digits.',
  ),
  PGRST114: advice(
    'request',
    'A PUT has limit or offset, but a PUT changes exactly one row.',
    'Remove limit and offset.',
  ),
  PGRST115: advice(
    'request',
    'The primary key in the body of the PUT differs from its filters.',
    'Use the same key in the body and in the filters.',
  ),
  PGRST116: advice(
    'row',
    'The request asked for one object, and the result has none or several. A row hidden by a policy counts as none.',
    'Use maybeSingle() where the row may be missing, and filter by a unique column.',
  ),
  PGRST117: advice(
    'request',
    'The API does not support this method.',
    'Use GET, HEAD, POST, PATCH, PUT or DELETE.',
  ),
  PGRST118: advice(
    'request',
    'order uses a related table that can have many rows for each row.',
    'Order only by related tables that have at most one row for each row of this table.',
  ),
  PGRST120: advice(
    'request',
    'A filter on an embedded table can only test for null.',
    'Use is.null or not.is.null, or filter by one of its columns.',
  ),
  PGRST121: advice(
    'request',
    'A function raised SQLSTATE PGRST with a MESSAGE or DETAIL that is not the expected JSON.',
    'Put code and message into MESSAGE, and status and headers into DETAIL.',
  ),
  PGRST122: advice(
    'request',
    'Prefer has handling=strict and a preference that does not exist.',
    'Correct the preference that the answer names, or remove handling=strict.',
  ),
  PGRST123: advice(
    'request',
    'select uses an aggregate, and aggregates are disabled.',
    'Compute the aggregate in a view or a function.',
  ),
  PGRST124: advice(
    'request',
    'The change affects more rows than Prefer: max-affected allows. Nothing was changed.',
    'Use a narrower filter, or raise max-affected.',
  ),
  PGRST125: advice(
    'request',
    'The path names neither a table nor a function.',
    'Use /<table> or /rpc/<function>.',
  ),
  PGRST126: advice(
    'request',
    'The OpenAPI description is disabled.',
    'Look at the tables in the inspector.',
  ),
  PGRST127: advice(
    'request',
    'The request uses a feature that this API does not have. The details name the feature.',
    'Send the request without this feature.',
  ),
  PGRST128: advice(
    'request',
    'Prefer: max-affected works only with a function that returns rows.',
    'Let the function return the rows it changed.',
  ),
  PGRST200: advice(
    'request',
    'No foreign key connects the two tables.',
    'Add a foreign key, or correct the name in select. A view has to select the key’s columns.',
  ),
  PGRST201: advice(
    'request',
    'More than one foreign key connects the two tables.',
    'Name the key in select, for example orders!orders_customer_id_fkey(*).',
  ),
  PGRST202: advice(
    'request',
    'No function with this name takes exactly these arguments.',
    'Compare the names and the number of arguments with the function. The order of the arguments does not matter.',
  ),
  PGRST203: advice(
    'request',
    'Several functions with this name accept the arguments.',
    'Give the functions different names, or drop one.',
  ),
  PGRST204: advice(
    'request',
    'The table has no such column. The message names the column.',
    'Correct the column in the body or in columns=….',
  ),
  PGRST205: advice(
    'request',
    'The project has no such table or view. Tables of other projects and schemas cannot be reached.',
    'Correct the name, or create the table.',
  ),
  PGRST300: advice(
    'fault',
    'The emulator has no key to verify tokens with.',
    'Restart the emulator.',
  ),
  PGRST301: advice(
    'credential',
    'The token cannot be verified.',
    'Send a key or data_plane_token of this emulator.',
  ),
  PGRST302: advice(
    'credential',
    'The request was anonymous, and anonymous access is not allowed.',
    'Send a credential in Authorization.',
  ),
  PGRST303: advice(
    'claims',
    'A claim of the token is not valid.',
    'Request a new token, then repeat the request.',
  ),
}

/** Advice for Postgres errors, by SQLSTATE. */
const SQL_ADVICE: Readonly<Record<string, Advice>> = {
  '21000': advice(
    'request',
    'The change would affect every row, or the same row twice.',
    'Add a filter. Send each key only once in an upsert.',
  ),
  '22023': advice(
    'request',
    'A parameter has an invalid value.',
    'Correct the parameter that the message names.',
  ),
  '23502': advice(
    'row',
    'A column that must not be null has no value.',
    'Send a value, or give the column a default.',
  ),
  '23503': advice(
    'row',
    'The row references a row that does not exist, or other rows still reference it.',
    'Create the referenced row first, delete the referencing rows first, or declare on delete cascade.',
  ),
  '23505': advice(
    'row',
    'Another row already has this unique value. A policy may hide that row from this identity.',
    'Change that row, send another value, or upsert with on_conflict.',
  ),
  '23514': advice(
    'row',
    'The row violates a check constraint of its table. The message names the constraint.',
    'Send a value that the constraint allows.',
  ),
  '25006': advice(
    'request',
    'A GET request called a function that writes. GET can only read.',
    'Call the function with POST, or declare it volatile.',
  ),
  '40001': advice(
    'request',
    'Two transactions changed the same data at the same time.',
    'Repeat the request.',
  ),
  '42501': advice(
    'grant',
    'The role lacks a privilege, or a policy refuses the row. The message says which of these happened.',
    'Grant the privilege, or change the policy’s check.',
  ),
  '42703': advice('request', 'The column does not exist.', 'Correct the name of the column.'),
  '42725': advice('request', 'Several functions match the call.', 'Cast the arguments.'),
  '42804': advice(
    'request',
    'Two types do not match.',
    'Cast the value, or change the type of the column or function.',
  ),
  '42883': advice(
    'request',
    'No function or operator with this name takes these types.',
    'Correct the name, cast the arguments, or use another operator.',
  ),
  '53300': advice(
    'fault',
    'The database was busy with other work, and the request waited too long.',
    'Repeat the request after the number of seconds in the header Retry-After.',
  ),
  '54001': advice(
    'request',
    'The statement is nested too deeply, for example by endless recursion.',
    'End the recursion in the function, view or trigger.',
  ),
  '57014': advice(
    'request',
    'The statement exceeded its time limit, other work had to wait too long for it, or its caller disconnected.',
    'Filter by an indexed column, or request fewer rows.',
  ),
  '22P02': advice(
    'request',
    'A value does not have the format of its column’s type.',
    'Send the value in the format of the type, for example a UUID or a number.',
  ),
  '23P01': advice(
    'row',
    'The row conflicts with another row under an exclusion constraint.',
    'Send values that don’t conflict with existing rows, for example a time range that does not overlap theirs.',
  ),
  '40P01': advice('request', 'Two transactions waited for each other.', 'Repeat the request.'),
  '42P01': advice(
    'request',
    'A view, function or policy uses a table that does not exist.',
    'Create the table, or correct the name where it is used.',
  ),
  '42P10': advice(
    'request',
    'on_conflict names columns without a unique constraint.',
    'Add the constraint, or name other columns.',
  ),
  '42P17': advice(
    'policy',
    'Policies of two tables read each other without end, or the definition of an object is not valid.',
    'Let one of the policies read through a security-definer function.',
  ),
  '57P02': advice('fault', 'The database was restarted during the request.', 'Repeat the request.'),
  '57P03': advice(
    'fault',
    'The database engine does not start. The terminal of the emulator shows the reason.',
    'Repeat the request after the number of seconds in the header Retry-After.',
  ),
}

const SQL_CLASS_ADVICE: Readonly<Record<string, Advice>> = {
  '22': advice(
    'request',
    'A value is not valid for Postgres.',
    'Correct the value that the message names.',
  ),
  '23': advice(
    'row',
    'The row violates a constraint of its table. The message names the constraint.',
    'Send a row that the constraint allows.',
  ),
  '42': advice(
    'request',
    'The statement uses names or types that do not exist or do not match.',
    'Correct the name or type that the message names.',
  ),
  P0: advice(
    'row',
    'A function or trigger of the project raised this error with its own message.',
    'Look at the functions and triggers of the table.',
  ),
  PT: advice(
    'row',
    'A function of the project chose this status and message.',
    'Read the code of the function.',
  ),
}

const OTHER_SQL = advice(
  'fault',
  'Postgres reported an error that has no entry of its own here.',
  'Read the message and the statement in the journal.',
)

// Postgres uses the same code for a missing privilege and for a row that no policy accepts.
const ROW_REFUSED = advice(
  'policy',
  'The role has the privilege, but no policy accepts the new row.',
  'Compare the new row with the WITH CHECK of the policies.',
)

/** Finds the advice for a code of the data plane, which can be a SQLSTATE. */
export function dataAdvice(code: string, message = ''): Advice {
  if (code === '42501' && message.includes('row-level security policy')) return ROW_REFUSED
  if (isOwn(code)) return DATA_ADVICE[code]
  return SQL_ADVICE[code] ?? SQL_CLASS_ADVICE[code.slice(0, 2)] ?? OTHER_SQL
}

function isOwn(code: string): code is DataErrorCode {
  return Object.hasOwn(DATA_ADVICE, code)
}

// The error codes of the data plane that Postgres does not raise: PostgREST's PGRST codes and this platform's codes
// (docs/wire/errors.md#data). PostgREST no longer uses PGRST104, 109, 110, 113 and 119.
import { internalRefusal, type RefusalTable } from '../../core/refusals.ts'

const ROWS = {
  // PostgREST lacks the first two codes, because PostgREST has no size limits, and the third one.
  payload_too_large: {
    status: 413,
    cause: 'The body is larger than the data plane accepts.',
    remedy: 'Send the rows in several requests, or start Tenantry with a larger --max-body.',
  },
  result_too_large: {
    status: 413,
    cause: 'The result is larger than the data plane sends. Nothing was changed.',
    remedy: 'Request fewer rows or columns, or start Tenantry with a larger --max-result.',
  },
  past_not_readable: {
    status: 400,
    cause: 'The header x-tenantry-at names no known instant, or the request does not only read.',
    remedy:
      'Name the id of a kept request, a sequence of the history, or a time such as 2026-01-31T09:00:00Z. Only the emulator has this header.',
  },
  unauthorized: {
    status: 401,
    link: 'credential',
    cause: 'One of the request’s two credentials is missing or invalid.',
    remedy:
      'Send the project’s key in apikey, and in Authorization the same key or a data_plane_token of the same project.',
  },
  PGRST002: {
    status: 503,
    link: 'fault',
    cause: 'The emulator could not read the project’s tables, so it could not plan the request.',
    remedy: 'Repeat the request. If the request fails again, look at the terminal of the emulator.',
  },
  PGRST100: {
    status: 400,
    cause: 'The query string cannot be parsed. The message names the position.',
    remedy:
      'Compare the parameter with these forms: column=operator.value, select=a,b(c), order=a.desc.',
  },
  PGRST101: {
    status: 405,
    cause: 'A function was called with a method other than GET, HEAD and POST.',
    remedy: 'Use POST, or GET when the function only reads.',
  },
  PGRST102: {
    status: 400,
    cause: 'The body is empty or not JSON, or its rows have different keys.',
    remedy:
      'Send a JSON object, or an array of objects with the same keys. With columns=… the keys may differ.',
  },
  PGRST103: {
    status: 416,
    cause: 'The requested page starts after the last row.',
    remedy: 'Use a smaller offset, or read the count first with Prefer: count=exact.',
  },
  PGRST105: {
    status: 405,
    cause: 'The filters of a PUT do not name exactly one row.',
    remedy: 'Send one row, and its whole primary key as eq filters.',
  },
  PGRST106: {
    status: 406,
    cause: 'The profile header names a schema that is not exposed.',
    remedy:
      'Remove Accept-Profile and Content-Profile, or send public or the project’s own schema.',
  },
  PGRST107: {
    status: 406,
    cause: 'The result cannot be sent in the media type that Accept asks for.',
    remedy: 'Accept application/json.',
  },
  PGRST108: {
    status: 400,
    cause: 'A filter names an embedded table that select does not include.',
    remedy: 'Add the table to select, for example select=*,orders(*).',
  },
  PGRST111: {
    status: 500,
    cause: 'A function set response.headers to a value that is not an array of objects.',
    remedy: 'Set response.headers to JSON like [{"X-Name": "value"}].',
  },
  PGRST112: {
    status: 500,
    cause: 'A function set response.status to a value that is not an HTTP status.',
    remedy: 'Set response.status to three digits.',
  },
  PGRST114: {
    status: 400,
    cause: 'A PUT has limit or offset, but a PUT changes exactly one row.',
    remedy: 'Remove limit and offset.',
  },
  PGRST115: {
    status: 400,
    cause: 'The primary key in the body of the PUT differs from its filters.',
    remedy: 'Use the same key in the body and in the filters.',
  },
  PGRST116: {
    status: 406,
    link: 'row',
    cause:
      'The request asked for one object, and the result has none or several. A row hidden by a policy counts as none.',
    remedy: 'Use maybeSingle() where the row may be missing, and filter by a unique column.',
  },
  PGRST117: {
    status: 405,
    cause: 'The API does not support this method.',
    remedy: 'Use GET, HEAD, POST, PATCH, PUT or DELETE.',
  },
  PGRST118: {
    status: 400,
    cause: 'order uses a related table that can have many rows for each row.',
    remedy: 'Order only by related tables that have at most one row for each row of this table.',
  },
  PGRST120: {
    status: 400,
    cause: 'A filter on an embedded table can only test for null.',
    remedy: 'Use is.null or not.is.null, or filter by one of its columns.',
  },
  PGRST121: {
    status: 500,
    cause:
      'A function raised SQLSTATE PGRST with a MESSAGE or DETAIL that is not the expected JSON.',
    remedy: 'Put code and message into MESSAGE, and status and headers into DETAIL.',
  },
  PGRST122: {
    status: 400,
    cause: 'Prefer has handling=strict and a preference that does not exist.',
    remedy: 'Correct the preference that the answer names, or remove handling=strict.',
  },
  PGRST123: {
    status: 400,
    cause: 'select uses an aggregate, and aggregates are disabled.',
    remedy: 'Compute the aggregate in a view or a function.',
  },
  PGRST124: {
    status: 400,
    cause: 'The change affects more rows than Prefer: max-affected allows. Nothing was changed.',
    remedy: 'Use a narrower filter, or raise max-affected.',
  },
  PGRST125: {
    status: 404,
    cause: 'The path names neither a table nor a function.',
    remedy: 'Use /<table> or /rpc/<function>.',
  },
  PGRST126: {
    status: 404,
    cause: 'The OpenAPI description is disabled.',
    remedy: 'Look at the tables in the inspector.',
  },
  PGRST127: {
    status: 400,
    cause: 'The request uses a feature that this API does not have. The details name the feature.',
    remedy: 'Send the request without this feature.',
  },
  PGRST128: {
    status: 400,
    cause: 'Prefer: max-affected works only with a function that returns rows.',
    remedy: 'Let the function return the rows it changed.',
  },
  PGRST200: {
    status: 400,
    cause: 'No foreign key connects the two tables.',
    remedy:
      'Add a foreign key, or correct the name in select. A view has to select the key’s columns.',
  },
  PGRST201: {
    status: 300,
    cause: 'More than one foreign key connects the two tables.',
    remedy: 'Name the key in select, for example orders!orders_customer_id_fkey(*).',
  },
  PGRST202: {
    status: 404,
    cause: 'No function with this name takes exactly these arguments.',
    remedy:
      'Compare the names and the number of arguments with the function. The order of the arguments does not matter.',
  },
  PGRST203: {
    status: 300,
    cause: 'Several functions with this name accept the arguments.',
    remedy: 'Give the functions different names, or drop one.',
  },
  PGRST204: {
    status: 400,
    cause: 'The table has no such column. The message names the column.',
    remedy: 'Correct the column in the body or in columns=….',
  },
  PGRST205: {
    status: 404,
    cause:
      'The project has no such table or view. Tables of other projects and schemas cannot be reached.',
    remedy: 'Correct the name, or create the table.',
  },
  PGRST300: {
    status: 500,
    link: 'fault',
    cause: 'The emulator has no key to verify tokens with.',
    remedy: 'Restart the emulator.',
  },
  PGRST301: {
    status: 401,
    link: 'credential',
    cause: 'The token cannot be verified.',
    remedy: 'Send a key or data_plane_token of this emulator.',
  },
  PGRST302: {
    status: 401,
    link: 'credential',
    cause: 'The request was anonymous, and anonymous access is not allowed.',
    remedy: 'Send a credential in Authorization.',
  },
  PGRST303: {
    status: 401,
    link: 'claims',
    cause: 'A claim of the token is not valid.',
    remedy: 'Request a new token, then repeat the request.',
  },
} as const

export type DataErrorCode = keyof typeof ROWS | 'internal'

export const DATA_REFUSALS: RefusalTable<DataErrorCode> = {
  ...ROWS,
  internal: internalRefusal('The data plane failed unexpectedly.'),
}

// Refusals of the data plane: one entry per code of its own, and SQLSTATEs by code and class.
import type { DataErrorCode } from '../data/errors.ts'
import { type Advice, advice } from './advice.ts'

export const DATA_ADVICE: Readonly<Record<DataErrorCode, Advice>> = {
  payload_too_large: advice(
    'request',
    'The body is larger than the data plane reads.',
    'Send the rows in several requests, or start Tenantry with a larger --max-body.',
  ),
  result_too_large: advice(
    'request',
    'The result is larger than the data plane sends; nothing was changed.',
    'Ask for fewer rows or columns, or start Tenantry with a larger --max-result.',
  ),
  unauthorized: advice(
    'credential',
    'One of the two credentials of the request is missing or not good.',
    'Send the project’s key in apikey, and in Authorization the same key or a data_plane_token of the same project.',
  ),
  PGRST002: advice(
    'fault',
    'The project’s tables could not be read to plan the request.',
    'Repeat the request; if it stays, look at the terminal of the emulator.',
  ),
  PGRST100: advice(
    'request',
    'The query string is not in the grammar: the message names the place.',
    'Compare the parameter it names with filter=operator.value, select=a,b(c), order=a.desc.',
  ),
  PGRST101: advice(
    'request',
    'A function is called with a method that is none of GET, HEAD and POST.',
    'Call it with POST, or with GET when it only reads.',
  ),
  PGRST102: advice(
    'request',
    'The body is empty, no JSON, or its rows do not have the same members.',
    'Send a JSON object or an array of objects with the same keys; with columns=… they may differ.',
  ),
  PGRST103: advice(
    'request',
    'The page asked for lies beyond the last row.',
    'Ask for a smaller offset, or read the count first with Prefer: count=exact.',
  ),
  PGRST105: advice(
    'request',
    'A PUT names its row in a way that does not fit.',
    'Give PUT one row and exactly its primary key as eq filters.',
  ),
  PGRST106: advice(
    'request',
    'The profile header names a schema that this project does not show.',
    'Leave Accept-Profile and Content-Profile out, or send public or the project’s own schema.',
  ),
  PGRST107: advice(
    'request',
    'The answer cannot be given in the media type that Accept asks for.',
    'Ask for application/json.',
  ),
  PGRST108: advice(
    'request',
    'A filter speaks of an embedded table that select does not embed.',
    'Add the table to select, e.g. select=*,orders(*).',
  ),
  PGRST111: advice(
    'request',
    'A function set response.headers to something that is no array of objects.',
    'Set it to JSON like [{"X-Name": "value"}].',
  ),
  PGRST112: advice(
    'request',
    'A function set response.status to something that is no status.',
    'Set it to three digits.',
  ),
  PGRST114: advice(
    'request',
    'A PUT came with limit or offset.',
    'Leave them out: PUT is about one row.',
  ),
  PGRST115: advice(
    'request',
    'The key in the body of a PUT is not the one in its filters.',
    'Make both name the same row.',
  ),
  PGRST116: advice(
    'row',
    'One object was asked for, and there was none or more than one.',
    'Use maybeSingle() where there may be none, and a filter on a unique column; a row a policy hides counts as none.',
  ),
  PGRST117: advice(
    'request',
    'The method is not one of this API.',
    'Use GET, HEAD, POST, PATCH, PUT or DELETE.',
  ),
  PGRST118: advice(
    'request',
    'Rows are ordered by a related table of which there may be many per row.',
    'Order by a related table only where each row has at most one.',
  ),
  PGRST120: advice(
    'request',
    'A filter on an embedded table can only ask whether it is null.',
    'Use is.null or not.is.null on it, or filter one of its columns.',
  ),
  PGRST121: advice(
    'request',
    'A function raised SQLSTATE PGRST with a MESSAGE or DETAIL that is not the JSON it has to be.',
    'Give MESSAGE code and message, DETAIL status and headers.',
  ),
  PGRST122: advice(
    'request',
    'With handling=strict, Prefer named something there is not.',
    'Correct the preference the answer names, or leave handling=strict out.',
  ),
  PGRST123: advice(
    'request',
    'select uses an aggregate, and aggregates are off.',
    'Compute it in a view or a function.',
  ),
  PGRST124: advice(
    'request',
    'More rows would have been changed than Prefer: max-affected allows; nothing was.',
    'Narrow the filter, or raise max-affected.',
  ),
  PGRST125: advice('request', 'The path names nothing.', 'Use /<table>, or /rpc/<function>.'),
  PGRST126: advice(
    'request',
    'The description of the API is off.',
    'Read the tables in the inspector.',
  ),
  PGRST127: advice(
    'request',
    'The request asks for something this API does not have.',
    'The details name it; ask without it.',
  ),
  PGRST128: advice(
    'request',
    'Prefer: max-affected does not go with this function.',
    'Let the function return the rows it changed.',
  ),
  PGRST200: advice(
    'request',
    'No foreign key joins the two tables.',
    'Add one, or correct the name in select; in a view, the key column must be selected.',
  ),
  PGRST201: advice(
    'request',
    'More than one foreign key joins the two tables.',
    'Name it in select: orders!orders_customer_id_fkey(*).',
  ),
  PGRST202: advice(
    'request',
    'No function of this name takes exactly these arguments.',
    'Compare names and number of the arguments with the function; names count, order does not.',
  ),
  PGRST203: advice(
    'request',
    'Several functions of this name fit the arguments.',
    'Give the functions different names, or drop one.',
  ),
  PGRST204: advice(
    'request',
    'The table has no such column.',
    'Correct the column of the body or of columns=…; the message names it.',
  ),
  PGRST205: advice(
    'request',
    'The project has no such table or view.',
    'Correct the name, or create it; a table of another project or schema is not reachable here.',
  ),
  PGRST300: advice('fault', 'The emulator lacks the key to check tokens.', 'Start it again.'),
  PGRST301: advice(
    'credential',
    'The token cannot be checked.',
    'Send a key or data_plane_token of this emulator.',
  ),
  PGRST302: advice(
    'credential',
    'The request was anonymous, and anonymous access is not allowed.',
    'Send a credential in Authorization.',
  ),
  PGRST303: advice(
    'claims',
    'A claim of the token does not hold.',
    'Ask for a new token and repeat the request.',
  ),
}

/** What Postgres reports, by SQLSTATE. */
const SQL_ADVICE: Readonly<Record<string, Advice>> = {
  '21000': advice(
    'request',
    'The change would meet every row, or the same row twice.',
    'Add a filter; in an upsert, send each key once.',
  ),
  '22023': advice('request', 'A parameter has a value it cannot have.', 'The message names it.'),
  '22P02': advice(
    'request',
    'A value does not have the form of its column’s type.',
    'Send it as the column wants it, e.g. a UUID or a number.',
  ),
  '23502': advice(
    'row',
    'A column that must have a value has none.',
    'Send it, or give the column a default.',
  ),
  '23503': advice(
    'row',
    'The row refers to one that is not there, or is still referred to.',
    'Create the other row first, delete the referring ones first, or declare on delete cascade.',
  ),
  '23505': advice(
    'row',
    'There is a row with this unique value already; it may be one this identity does not see.',
    'Change that row, send another value, or upsert with on_conflict.',
  ),
  '23514': advice(
    'row',
    'The row breaks a check constraint of its table.',
    'Send a value the constraint allows; its name is in the message.',
  ),
  '23P01': advice(
    'row',
    'The row conflicts with another one by an exclusion constraint.',
    'Send a value that does not overlap.',
  ),
  '25006': advice(
    'request',
    'A function that writes was called by GET, which may only read.',
    'Call it with POST, or declare it volatile.',
  ),
  '40001': advice('request', 'Two transactions were in each other’s way.', 'Repeat the request.'),
  '40P01': advice('request', 'Two transactions waited for each other.', 'Repeat the request.'),
  '42501': advice(
    'grant',
    'The role lacks a privilege, or a policy refuses the row.',
    'The message says which: grant the privilege, or look at the policies’ check.',
  ),
  '42703': advice('request', 'There is no such column.', 'Correct its name.'),
  '42725': advice('request', 'Several functions fit the call.', 'Cast the arguments.'),
  '42804': advice(
    'request',
    'Two types do not go together.',
    'Cast the value, or change the column or function.',
  ),
  '42883': advice(
    'request',
    'There is no such function or operator for these types.',
    'Correct the name, cast the arguments, or use another operator.',
  ),
  '42P01': advice(
    'request',
    'A view, function or policy names a table that is not there.',
    'Create it, or correct whoever names it.',
  ),
  '42P10': advice(
    'request',
    'on_conflict names columns without a unique constraint.',
    'Add the constraint, or name other columns.',
  ),
  '42P17': advice(
    'policy',
    'The policies of two tables ask each other for ever, or an object is not defined properly.',
    'Let one of the policies read through a security-definer function.',
  ),
  '53300': advice(
    'fault',
    'The database was busy with other work until the request had waited too long.',
    'Repeat the request after the seconds that Retry-After names.',
  ),
  '54001': advice(
    'request',
    'The statement nests deeper than Postgres goes.',
    'End the recursion in the function, view or trigger.',
  ),
  '57014': advice(
    'request',
    'The statement took longer than its limit, other work waited too long for it, or its caller went away.',
    'Filter on an indexed column, or ask for fewer rows.',
  ),
  '57P02': advice('fault', 'The database was started again meanwhile.', 'Repeat the request.'),
  '57P03': advice(
    'fault',
    'The database engine does not start.',
    'Repeat the request after the seconds that Retry-After names; the terminal has the reason.',
  ),
  P0001: advice(
    'row',
    'A function or trigger of the project raised this error.',
    'The message is its own; look at the functions of the table.',
  ),
}

const SQL_CLASS_ADVICE: Readonly<Record<string, Advice>> = {
  '22': advice(
    'request',
    'A value is not one Postgres can work with.',
    'Correct the value the message names.',
  ),
  '23': advice('row', 'The row breaks a constraint of its table.', 'Its name is in the message.'),
  '42': advice(
    'request',
    'The statement names or combines things that do not fit.',
    'The message says which.',
  ),
  P0: advice(
    'row',
    'A function or trigger of the project raised this error.',
    'The message is its own.',
  ),
  PT: advice('row', 'A function of the project chose this status.', 'The message is its own.'),
}

const OTHER_SQL = advice(
  'fault',
  'Postgres refused in a way that has no entry of its own.',
  'The message and the statement in the journal say what it was about.',
)

// Postgres has one code for both: a privilege that is missing, and a row that no policy lets through.
const ROW_REFUSED = advice(
  'policy',
  'The role has the privilege, but no policy lets it write this row.',
  'Look at the policies’ check. Bodies are kept only while the inspector is open: send the request again with it open, and the row is explained down to the comparison that decided.',
)

/** For a code of the data plane's answers: one of its own or a SQLSTATE. */
export function dataAdvice(code: string, message = ''): Advice {
  if (code === '42501' && message.includes('row-level security policy')) return ROW_REFUSED
  if (isOwn(code)) return DATA_ADVICE[code]
  return SQL_ADVICE[code] ?? SQL_CLASS_ADVICE[code.slice(0, 2)] ?? OTHER_SQL
}

function isOwn(code: string): code is DataErrorCode {
  return Object.hasOwn(DATA_ADVICE, code)
}

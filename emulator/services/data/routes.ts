// Lists the operations of the data plane, each with the error codes that no other operation returns. Fault injection and its
// catalogue use this table. Routing happens in request/parse-request.ts, by method and path.
import type { Operation, RouteKey } from '../../core/routes.ts'
import type { DataErrorCode } from './refusals.ts'

/** PGRST205 means that the table is unknown. */
const TABLE_CODES: readonly DataErrorCode[] = ['PGRST205']

export const DATA_ROUTES: Readonly<Record<RouteKey, Operation<DataErrorCode>>> = {
  'GET,HEAD,POST /rpc/:function': {
    operation: 'function.call',
    title: 'Calls a function',
    codes: ['PGRST101', 'PGRST202', 'PGRST203'],
  },
  'GET,HEAD,OPTIONS /': { operation: 'schema.describe', title: 'Describes the tables', codes: [] },
  'GET,HEAD /:table': { operation: 'rows.read', title: 'Reads rows', codes: TABLE_CODES },
  'POST /:table': {
    operation: 'rows.insert',
    title: 'Inserts or upserts rows',
    codes: TABLE_CODES,
  },
  'PATCH /:table': { operation: 'rows.update', title: 'Updates rows', codes: TABLE_CODES },
  'PUT /:table': { operation: 'rows.put', title: 'Upserts one row', codes: TABLE_CODES },
  'DELETE /:table': { operation: 'rows.delete', title: 'Deletes rows', codes: TABLE_CODES },
}

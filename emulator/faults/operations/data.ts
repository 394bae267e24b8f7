// Operations of the data plane. Its codes are PostgREST's and Postgres's; all that it can say, any of its operations can
// (docs/wire/data-plane.md#gate), but for those that speak of functions.
import { DATA_ADVICE } from '../../advice/data.ts'
import { SQL_STATES } from '../errors/data.ts'
import { type FaultOperation, rowsOf } from './fault-operation.ts'

/** Of functions: unknown ones, those of several signatures, methods they do not take. */
const OF_FUNCTIONS = ['PGRST101', 'PGRST202', 'PGRST203']
/** Of tables: unknown ones. */
const OF_TABLES = ['PGRST205']

const row = rowsOf({
  service: 'data',
  door: 'data',
  dialect: 'data',
  always: [
    ...Object.keys(DATA_ADVICE).filter((code) => ![...OF_FUNCTIONS, ...OF_TABLES].includes(code)),
    ...Object.keys(SQL_STATES),
    'internal',
  ],
})

export const DATA_OPERATIONS: readonly FaultOperation[] = [
  row('function.call', 'GET,HEAD,POST /rpc/:function', 'Calls a function', OF_FUNCTIONS),
  row('schema.describe', 'GET,HEAD,OPTIONS /', 'Describes the tables'),
  row('rows.read', 'GET,HEAD /:table', 'Reads rows', OF_TABLES),
  row('rows.insert', 'POST /:table', 'Inserts or upserts rows', OF_TABLES),
  row('rows.update', 'PATCH /:table', 'Updates rows', OF_TABLES),
  row('rows.put', 'PUT /:table', 'Puts a row', OF_TABLES),
  row('rows.delete', 'DELETE /:table', 'Deletes rows', OF_TABLES),
]

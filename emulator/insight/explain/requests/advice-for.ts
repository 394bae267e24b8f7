// Finds the row of a refused request in the tables of the services: what the refusal means and what to do. Pure.
import { EDGE_REFUSALS } from '../../../core/edge-refusals.ts'
import { type RefusalRow, type RefusalTable, rowOf } from '../../../core/refusals.ts'
import { EXCHANGE_REFUSALS } from '../../../platform/credentials/exchange-refusals.ts'
import { AUTH_REFUSALS } from '../../../services/auth/refusals.ts'
import { CONTROL_REFUSALS } from '../../../services/control/refusals.ts'
import { DATA_REFUSALS } from '../../../services/data/refusals.ts'
import { sqlRefusal } from '../../../services/data/sql-states.ts'
import { HANDSHAKE_REFUSALS, REALTIME_REFUSALS } from '../../../services/realtime/refusals.ts'
import { storageRefusal } from '../../../services/storage/refusals.ts'
import { S3_REFUSALS } from '../../../services/storage/s3/s3-refusals.ts'

/** A refusal as the journal recorded it. */
export interface RecordedRefusal {
  readonly service: string
  readonly path: string
  readonly status: number
  readonly code: string
  readonly message: string
}

/** What a refusal means and what to do about it. */
export type Advice = Required<Pick<RefusalRow, 'link' | 'cause' | 'remedy'>>

/** Returns what a refusal means, or `undefined` for an undocumented code. */
export function adviceFor(refusal: RecordedRefusal): Advice | undefined {
  const row = findRow(refusal)
  return row && { link: 'request', ...row }
}

type Row = Pick<RefusalRow, 'link' | 'cause' | 'remedy'>

const REALTIME: RefusalTable<string, Row> = { ...HANDSHAKE_REFUSALS, ...REALTIME_REFUSALS }

function findRow({ service, path, status, code, message }: RecordedRefusal): Row | undefined {
  if (/^\/(st|rt)\/v1\/token$/.test(path)) return rowOf<Row>(EXCHANGE_REFUSALS, code)
  switch (service) {
    case 'data':
      return rowOf<Row>(DATA_REFUSALS, code) ?? sqlRow(code, message)
    case 'auth':
      return rowOf<Row>(AUTH_REFUSALS, code)
    case 'control':
      return rowOf<Row>(CONTROL_REFUSALS, code) ?? rowOf<Row>(EDGE_REFUSALS, code)
    case 'realtime':
      return rowOf(REALTIME, code)
    case 'storage':
      return (
        (/^(\/storage\/v1)?\/s3(\/|$)/.test(path) ? rowOf<Row>(S3_REFUSALS, code) : undefined) ??
        storageRefusal(code, status, message)
      )
    case 'edge':
      return rowOf<Row>(EDGE_REFUSALS, code) ?? EDGE_REFUSALS.not_found
    default:
      return undefined
  }
}

// Postgres uses the same code for a missing privilege and for a row that no policy accepts.
const ROW_REFUSED: Row = {
  link: 'policy',
  cause: 'The role has the privilege, but no policy accepts the new row.',
  remedy: 'Compare the new row with the WITH CHECK of the policies.',
}

function sqlRow(code: string, message: string): Row {
  if (code === '42501' && message.includes('row-level security policy')) return ROW_REFUSED
  return sqlRefusal(code)
}

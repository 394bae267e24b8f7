// Judges the draft while the user types. A draft that Postgres refuses leaves the matrix of the last one that it accepted.
import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type {
  DraftAnswer,
  DraftMatrix,
  DraftRequest,
} from '../../../../emulator/contract/policy-drafts.ts'
import type { SqlFailure } from '../../../../emulator/contract/sql-console.ts'
import { useDraftMatrix } from '../../../api/explain.ts'
import { after } from '../../../api/time.ts'

/** Wall-clock milliseconds without a key press before a draft is judged. */
const PAUSE_MILLIS = 250

export interface JudgedDraft {
  readonly matrix: DraftMatrix | undefined
  /** Why Postgres refuses the present draft. */
  readonly error: SqlFailure | undefined
  /** Whether the matrix is of an earlier draft than the fields. */
  readonly isStale: boolean
  readonly query: UseQueryResult<DraftAnswer>
}

/** @param sql the statements of the fields; `undefined` while the fields make none */
export function useDraft(
  tenant: string,
  sql: string | undefined,
  request: Omit<DraftRequest, 'sql'> | undefined,
): JudgedDraft {
  const [valid, setValid] = useState(sql ?? '')
  if (sql !== undefined && sql !== valid) setValid(sql)
  const asked = usePaused(valid)
  const query = useDraftMatrix(tenant, request && { ...request, sql: asked })
  const { data, isPlaceholderData } = query
  const [last, setLast] = useState<DraftMatrix>()
  const matrix = data?.matrix ?? undefined
  if (matrix !== undefined && matrix !== last) setLast(matrix)
  const isNewest = asked === valid && !isPlaceholderData
  return {
    matrix: matrix ?? last,
    error: isNewest && sql !== undefined ? (data?.error ?? undefined) : undefined,
    isStale: !isNewest || data?.matrix === null || (sql === undefined && valid !== ''),
    query,
  }
}

/** Returns the newest value once it has not changed for a pause, and the first value at once. */
function usePaused<Value>(value: Value): Value {
  const [paused, setPaused] = useState(value)
  useEffect(() => after(PAUSE_MILLIS, () => setPaused(value)), [value])
  return paused
}

// Judges the draft while the user types. When Postgres refuses a draft, the matrix of the last accepted draft stays.
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

/** Wall-clock milliseconds after the last key press until a draft is judged. */
const PAUSE_MILLIS = 250

export interface JudgedDraft {
  readonly matrix: DraftMatrix | undefined
  /** Why Postgres refuses the present draft. */
  readonly error: SqlFailure | undefined
  /** Whether the matrix belongs to an earlier draft than the fields. */
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

/** Returns the first value at once. Returns a newer value only after it has not changed for a pause. */
function usePaused<Value>(value: Value): Value {
  const [paused, setPaused] = useState(value)
  useEffect(() => after(PAUSE_MILLIS, () => setPaused(value)), [value])
  return paused
}

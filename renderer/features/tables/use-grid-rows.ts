// The rows of the open table: as the owner, or with the verdicts of whoever is looked through.
import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { TableStructure } from '../../../emulator/contract/tables.ts'
import { useExplanation } from '../../api/explain.ts'
import { useRows } from '../../api/tables.ts'
import { type GridRow, rowsOfExplanation, rowsOfPage } from './grid-rows.ts'
import type { TablesAddress } from './use-tables-address.ts'

/** As many as the API gives at once. */
export const MOST_ROWS = 10_000

export interface GridRows {
  readonly rows: readonly GridRow[] | undefined
  /** Rows that match, also those beyond what was given. */
  readonly total: number
  /** How many of them the identity may see; `undefined` for the owner. */
  readonly allowed: number | undefined
  /** What is true for the table as a whole, e.g. that a grant is missing. */
  readonly notice: { readonly sentence: string; readonly suggested_fix: string | null } | undefined
  readonly error: unknown
  readonly isFetching: boolean
  readonly reload: () => void
}

const ORDINARY = ['policies_decide', 'no_policy']

export function useGridRows(
  { tenant, identity, filters, order }: TablesAddress,
  structure: TableStructure,
): GridRows {
  const request = {
    filters,
    ...(order === undefined ? {} : { order: [order] }),
    limit: MOST_ROWS,
  }
  const owned = useRows(tenant, structure.name, { identity: null, ...request }, identity === null)
  const judged = useExplanation(
    tenant,
    identity === null
      ? undefined
      : {
          relation: structure.name,
          identity,
          command: 'select',
          detail: 'verdicts',
          ...request,
        },
  )
  const queries = useQueryClient()
  // An open X-ray as well: it speaks of the same rows.
  const reload = () => {
    for (const root of ['rows', 'explain'])
      void queries.invalidateQueries({ queryKey: [root, tenant] })
  }
  const { data } = judged
  const ownedRows = useMemo(
    () => owned.data && rowsOfPage(owned.data, structure.columns),
    [owned.data, structure.columns],
  )
  const judgedRows = useMemo(() => data && rowsOfExplanation(data), [data])
  if (identity === null)
    return {
      rows: ownedRows,
      total: owned.data?.total ?? 0,
      allowed: undefined,
      notice: undefined,
      error: owned.error,
      isFetching: owned.isFetching,
      reload,
    }
  const rows = data?.relation === structure.name ? judgedRows : undefined
  return {
    rows,
    total: data?.total ?? 0,
    allowed: data?.allowed_total ?? rows?.filter(({ verdict }) => verdict?.allowed === true).length,
    notice: data === undefined || ORDINARY.includes(data.table.verdict) ? undefined : data.table,
    error: judged.error,
    isFetching: judged.isFetching,
    reload,
  }
}

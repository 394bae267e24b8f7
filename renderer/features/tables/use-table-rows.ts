// Loads the rows of the open table for the owner, or with verdicts for an identity. The rows reload when other clients
// write.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import type { LiveEvent } from '../../../emulator/contract/events.ts'
import type { Explanation } from '../../../emulator/contract/explain.ts'
import type { RowsPage, TableStructure } from '../../../emulator/contract/tables.ts'
import { useExplanation } from '../../api/explain.ts'
import type { Answered } from '../../api/first-answer.ts'
import { onLiveEvents } from '../../api/live.ts'
import { hasReloaded, reloadRows } from '../../api/row-reloads.ts'
import { useRows } from '../../api/tables.ts'
import { after } from '../../api/time.ts'
import { MOST_ROWS } from '../../parts/most-rows.ts'
import { rowsOfExplanation, rowsOfPage, type ShownRow } from './shown-rows.ts'
import type { TablesAddress } from './use-tables-address.ts'

export interface TableRows {
  readonly rows: readonly ShownRow[] | undefined
  /** The number of matching rows, including rows beyond the limit. */
  readonly total: number
  /** What the identity may see of the matching rows; `undefined` for the owner. */
  readonly judged: Explanation | undefined
  /** A notice about the whole table, such as a missing grant. */
  readonly notice: { readonly sentence: string; readonly suggested_fix: string | null } | undefined
  readonly error: unknown
  readonly isFetching: boolean
  readonly reload: () => void
}

const ORDINARY = ['policies_decide', 'no_policy']

interface RowAnswers {
  readonly owned: Answered<RowsPage>
  readonly judged: Answered<Explanation>
}

/** Loads the rows of the open table, without waiting for the table's structure. Loads nothing when no table is open. */
export function useRowAnswers(
  { tenant, identity, filters, order }: TablesAddress,
  table: string | undefined,
): RowAnswers {
  const request = { filters, ...(order && { order: [order] }), limit: MOST_ROWS }
  const isOwner = identity === null
  const owned = useRows(
    tenant,
    table ?? '',
    { identity: null, ...request },
    isOwner && table !== undefined,
  )
  const judged = useExplanation(
    tenant,
    isOwner || table === undefined
      ? undefined
      : { relation: table, identity, command: 'select', detail: 'verdicts', ...request },
  )
  return { owned, judged }
}

export function useTableRows(address: TablesAddress, structure: TableStructure): TableRows {
  const { tenant, identity } = address
  const { owned, judged } = useRowAnswers(address, structure.name)
  const queries = useQueryClient()
  const reload = () => reloadRows(queries, tenant)
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
      judged: undefined,
      notice: undefined,
      error: owned.error,
      isFetching: owned.isFetching,
      reload,
    }
  return {
    rows: data?.relation === structure.name ? judgedRows : undefined,
    total: data?.total ?? 0,
    judged: data,
    notice: data === undefined || ORDINARY.includes(data.table.verdict) ? undefined : data.table,
    error: judged.error,
    isFetching: judged.isFetching,
    reload,
  }
}

/** Wall-clock milliseconds. Several writes within this time cause one reload. */
const PAUSE = 400

/**
 * Reloads the rows after writes of any client, other tabs of the inspector included. Leaves out writes that a reload after an
 * own edit has read.
 */
export function useFreshRows(tenant: string): void {
  const queries = useQueryClient()
  useEffect(() => {
    let cancel: (() => void) | undefined
    let newest = 0
    const renew = () => {
      cancel = undefined
      if (!hasReloaded(tenant, newest)) reloadRows(queries, tenant)
      newest = 0
    }
    const stop = onLiveEvents((events) => {
      newest = Math.max(newest, ...events.map((event) => changeNumber(event, `proj_${tenant}`)))
      if (cancel === undefined && newest > 0) cancel = after(PAUSE, renew)
    })
    return () => {
      stop()
      cancel?.()
    }
  }, [queries, tenant])
}

/** The number of an event that may change rows. 0 for other events, infinite for changes that no edit of this page makes. */
function changeNumber(event: LiveEvent, schemaName: string): number {
  if (event.kind === 'written')
    return (event.schema_name ?? schemaName) === schemaName ? event.events : 0
  const isChange =
    event.kind === 'project'
      ? event.schema_name === schemaName
      : event.kind === 'snapshot' && event.change !== 'saved' && event.change !== 'deleted'
  return isChange ? Number.POSITIVE_INFINITY : 0
}

// Loads the rows of the open table for the owner, or with verdicts for an identity. The rows reload when other clients
// write.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { LiveEvent } from '../../../emulator/contract/events.ts'
import type { Explanation } from '../../../emulator/contract/explain.ts'
import type { PastState } from '../../../emulator/contract/history.ts'
import type { RowsPage, TableStructure } from '../../../emulator/contract/tables.ts'
import { useExplanation } from '../../api/explain.ts'
import type { Answered } from '../../api/first-answer.ts'
import { onLiveEvents } from '../../api/live.ts'
import { hasReloaded, reloadRows } from '../../api/row-reloads.ts'
import { PAST_ROWS, useRows } from '../../api/tables.ts'
import { after } from '../../api/time.ts'
import { MOST_ROWS } from '../../parts/most-rows.ts'
import {
  type Columned,
  hasColumns,
  rowsOfExplanation,
  rowsOfPage,
  type ShownRow,
} from './shown-rows.ts'
import type { TablesAddress } from './use-tables-address.ts'

export interface TableRows {
  /** The structure with the columns of the rows. Older than the table's structure while rows with new columns load. */
  readonly structure: TableStructure
  readonly rows: readonly ShownRow[] | undefined
  /** The number of matching rows, including rows beyond the limit. */
  readonly total: number
  /** What the identity may see of the matching rows; `undefined` for the owner. */
  readonly judged: Explanation | undefined
  /** A notice about the whole table, such as a missing grant. */
  readonly notice: { readonly sentence: string; readonly suggested_fix: string | null } | undefined
  /** How the rows of a past instant were found. Is `undefined` for the present, and while the rows load. */
  readonly past: PastState | undefined
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
  { tenant, identity, filters, order, search: { at } }: TablesAddress,
  table: string | undefined,
): RowAnswers {
  const request = { filters, ...(order && { order: [order] }), limit: MOST_ROWS }
  // Explanations are of the present. So an identity reads past rows itself.
  const isRead = identity === null || at !== undefined
  const owned = useRows(
    tenant,
    table ?? '',
    { identity: isRead ? identity : null, ...request, ...(at !== undefined && { at }) },
    isRead && table !== undefined,
  )
  const judged = useExplanation(
    tenant,
    isRead || identity === null || table === undefined
      ? undefined
      : { relation: table, identity, command: 'select', detail: 'verdicts', ...request },
  )
  return { owned, judged }
}

export function useTableRows(address: TablesAddress, newest: TableStructure): TableRows {
  const { tenant, identity, search } = address
  const { owned, judged } = useRowAnswers(address, newest.name)
  const queries = useQueryClient()
  const reload = () => {
    reloadRows(queries, tenant)
    void queries.invalidateQueries({ queryKey: [PAST_ROWS, tenant] })
  }
  const page = useFitting(owned, newest)
  const explained = useFitting(judged, newest)
  const { data } = explained
  const ownedRows = useMemo(
    () => page.data && rowsOfPage(page.data, page.structure.columns),
    [page.data, page.structure],
  )
  const judgedRows = useMemo(() => data && rowsOfExplanation(data), [data])
  if (identity === null || search.at !== undefined)
    return {
      structure: page.structure,
      rows: ownedRows,
      total: page.data?.total ?? 0,
      judged: undefined,
      notice: undefined,
      past: owned.isPlaceholderData ? undefined : page.data?.past,
      error: owned.error,
      isFetching: owned.isFetching,
      reload,
    }
  return {
    structure: explained.structure,
    rows: data?.relation === newest.name ? judgedRows : undefined,
    total: data?.total ?? 0,
    judged: data,
    notice: data === undefined || ORDINARY.includes(data.table.verdict) ? undefined : data.table,
    past: undefined,
    error: judged.error,
    isFetching: judged.isFetching,
    reload,
  }
}

interface Fitting<Data> {
  readonly structure: TableStructure
  readonly data: Data | undefined
}

/**
 * Returns the answer with a structure that has the same columns. While the newest answer has other columns than the newest
 * structure, returns the former two: the other one still loads.
 */
function useFitting<Data extends Columned>(
  { data, error, isFetching }: Answered<Data>,
  newest: TableStructure,
): Fitting<Data> {
  const queries = useQueryClient()
  const [known, setKnown] = useState<Fitting<Data>>({ structure: newest, data })
  const isFitting = data === undefined || hasColumns(data, newest)
  if (isFitting && (known.structure !== newest || known.data !== data))
    setKnown({ structure: newest, data })
  const isWaiting = !(isFitting || isFetching)
  useEffect(() => {
    // The rows loaded after another client changed the columns, but the structure loaded before.
    if (isWaiting)
      void queries.invalidateQueries({ queryKey: ['tables'] }, { cancelRefetch: false })
  }, [queries, isWaiting])
  if (isFitting) return { structure: newest, data }
  return error === null ? known : { structure: newest, data: undefined }
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
      // A restored snapshot has another history.
      if (newest === Number.POSITIVE_INFINITY)
        void queries.invalidateQueries({ queryKey: [PAST_ROWS, tenant] })
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

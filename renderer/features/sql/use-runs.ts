// Runs the SQL of a tab, one run at a time. The user can cancel a run. The outcome of a run stays visible until the
// next run.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { SqlRequest } from '../../../emulator/contract/sql-console.ts'
import { platformNow } from '../../api/platform-clock.ts'
import { explainSql, runSql } from '../../api/sql.ts'
import { isoOf, wallNow } from '../../api/time.ts'
import { identityLabel } from '../../parts/identity-text.ts'
import { type HistoryEntry, remember } from './history.ts'
import { failureOf, type RunOrder, type RunState } from './run-state.ts'

export interface Runs {
  readonly of: (tab: string) => RunState | undefined
  readonly start: (order: RunOrder) => void
  readonly cancel: (tab: string) => void
  /** Forgets the outcome of a closed tab, because a new tab may get the same id. */
  readonly forget: (tab: string) => void
}

/** The query keys of other screens, whose data any statement may have changed. */
const CHANGED_BY_SQL = ['rows', 'explain', 'history', 'identities', 'tables', 'users'] as const

/** The outcomes by project and tab. Outcomes show again when the user returns from another screen. */
const ended = new Map<string, ReadonlyMap<string, RunState>>()

export function useRuns(tenant: string): Runs {
  const [states, setStates] = useState(() => ended.get(tenant) ?? new Map<string, RunState>())
  const queries = useQueryClient()
  const running = useRef(new Map<string, AbortController>())
  useEffect(() => {
    const controllers = running.current
    return () => {
      for (const controller of controllers.values()) controller.abort()
    }
  }, [])
  const put = (state: RunState) =>
    setStates((before) => new Map(before).set(state.order.tab, state))
  const start = async (order: RunOrder) => {
    running.current.get(order.tab)?.abort()
    const controller = new AbortController()
    running.current.set(order.tab, controller)
    put({ kind: 'running', order })
    const begun = wallNow()
    const state = await outcomeOf(tenant, order, controller.signal)
    // Even a failed or cancelled run may have committed changes.
    if (order.mode === 'run' && order.at === undefined)
      for (const root of CHANGED_BY_SQL)
        void queries.invalidateQueries({ queryKey: [root, tenant] })
    if (running.current.get(order.tab) !== controller) return
    running.current.delete(order.tab)
    put(state)
    ended.set(tenant, new Map(ended.get(tenant)).set(order.tab, state))
    remember(tenant, entryOf(state, wallNow() - begun))
  }
  return {
    of: (tab) => states.get(tab),
    start: (order) => void start(order),
    cancel: (tab) => running.current.get(tab)?.abort(),
    forget: (tab) => {
      running.current.get(tab)?.abort()
      running.current.delete(tab)
      setStates((before) => without(before, tab))
      ended.set(tenant, without(ended.get(tenant) ?? new Map(), tab))
    },
  }
}

function without(states: ReadonlyMap<string, RunState>, tab: string): Map<string, RunState> {
  return new Map([...states].filter(([id]) => id !== tab))
}

async function outcomeOf(tenant: string, order: RunOrder, signal: AbortSignal): Promise<RunState> {
  const { at, piece, identity, mode, maxRows, values } = order
  const asked = { sql: piece.text, parameters: [...values], identity: identity ?? 'owner' } as const
  try {
    if (mode === 'run' || mode === 'rollback') {
      const request: SqlRequest =
        at === undefined
          ? { ...asked, max_rows: maxRows, mode }
          : { ...asked, max_rows: maxRows, mode: 'read_only', at }
      return { kind: 'answered', order, answer: await runSql(tenant, request, signal) }
    }
    const plan = await explainSql(tenant, { ...asked, analyze: mode === 'analyze' }, signal)
    return { kind: 'planned', order, plan }
  } catch (error) {
    return signal.aborted ? { kind: 'cancelled', order } : { kind: 'refused', order, error }
  }
}

function entryOf(state: RunState, millis: number): HistoryEntry {
  const { piece, identity } = state.order
  const hasAnswer = state.kind === 'answered' || state.kind === 'planned'
  const hasRun = hasAnswer && failureOf(state) === undefined
  return {
    sql: piece.text.trim(),
    at: isoOf(platformNow()),
    as: identity === null ? 'owner' : identityLabel(identity),
    outcome: state.kind === 'cancelled' ? 'cancelled' : hasRun ? 'ran' : 'failed',
    millis: state.kind === 'answered' ? state.answer.duration_ms : millis,
  }
}

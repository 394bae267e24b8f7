// The state of the SQL console: tabs, runs, selection, identity, and the actions that the console adds to the palette.
import { useMemo, useState } from 'react'
import type { IdentityReference } from '../../../emulator/contract/identities.ts'
import { useActingAs } from '../../parts/acting-as.ts'
import { usePaletteActions } from '../../parts/palette-actions.ts'
import type { EditorPiece } from '../../ui/code-editor.tsx'
import { useRemembered } from '../../ui/remembered.ts'
import { useLatest } from '../../ui/use-latest.ts'
import type { RowLimit } from './console-toolbar.tsx'
import { valuesFor } from './parameters.ts'
import { type Risk, risksOf } from './risky-statements.ts'
import type { RunMode, RunOrder, RunState } from './run-state.ts'
import { FIRST_TAB, type GivenSql, type SqlTab, type TabsControl, useTabs } from './tabs.ts'
import { useRuns } from './use-runs.ts'

export interface Console {
  readonly tabs: TabsControl
  /** The visible tab. */
  readonly tab: SqlTab
  /** The text of the visible tab. */
  readonly text: string
  /** Values of the text's parameters. */
  readonly values: readonly (string | null)[]
  readonly run: RunState | undefined
  readonly identity: IdentityReference | null
  readonly rowLimit: RowLimit
  readonly setRowLimit: (limit: RowLimit) => void
  /** The past instant whose rows the next run reads; empty for the present. */
  readonly past: string
  readonly setPast: (past: string) => void
  readonly selection: EditorPiece | undefined
  readonly select: (piece: EditorPiece | undefined) => void
  /** Runs a part of the text. Asks for confirmation first when the SQL would delete data permanently. */
  readonly order: (piece: EditorPiece, mode: RunMode) => void
  /** Runs the selection, or the whole text when nothing is selected. */
  readonly orderShown: (mode: RunMode) => void
  readonly cancel: () => void
  /** Repeats the last run, in its own mode or in another one. */
  readonly runAgain: (mode?: RunMode) => void
  /** Risks of the run that waits for confirmation; empty when no run waits. */
  readonly risks: readonly Risk[]
  readonly confirm: (mode: RunMode) => void
  readonly dismiss: () => void
}

export function useConsole(
  tenant: string,
  given: { readonly linked: GivenSql | undefined; readonly past: string },
  toggleHistory: () => void,
): Console {
  const { identity } = useActingAs()
  const runs = useRuns(tenant)
  const tabs = useTabs(tenant, given.linked, runs.forget)
  const [rowLimit, setRowLimit] = useRemembered<RowLimit>('sql.rows', '1000')
  const [past, setPast] = useState(given.past)
  const [selected, setSelected] = useState<{ tab: string; piece: EditorPiece | undefined }>()
  const [doubtful, setDoubtful] = useState<{ order: RunOrder; risks: readonly Risk[] }>()
  const tab = tabs.tabs.find(({ id }) => id === tabs.open) ?? FIRST_TAB
  const text = tab.sql
  const values = useMemo(() => valuesFor(text, tab.values ?? []), [text, tab.values])
  const selection = selected?.tab === tabs.open ? selected.piece : undefined
  const run = runs.of(tabs.open)
  const order = (piece: EditorPiece, mode: RunMode) => {
    if (piece.text.trim() === '') return
    const at = mode === 'run' && past.trim() !== '' ? past.trim() : undefined
    const next = { tab: tabs.open, piece, values, identity, mode, maxRows: Number(rowLimit), at }
    const risks = mode === 'run' && at === undefined ? risksOf(piece.text) : []
    if (risks.length > 0) setDoubtful({ order: next, risks })
    else runs.start(next)
  }
  const orderShown = (mode: RunMode) => order(selection ?? { text, from: 0 }, mode)
  useConsoleActions({
    run: () => orderShown('run'),
    explain: () => orderShown('plan'),
    analyze: () => orderShown('analyze'),
    add: tabs.add,
    history: toggleHistory,
  })
  return {
    ...{
      tabs,
      tab,
      text,
      values,
      run,
      identity,
      rowLimit,
      setRowLimit,
      past,
      setPast,
      selection,
      order,
      orderShown,
    },
    select: (piece) => setSelected({ tab: tabs.open, piece }),
    cancel: () => runs.cancel(tabs.open),
    runAgain: (mode) => run !== undefined && runs.start({ ...run.order, ...(mode && { mode }) }),
    risks: doubtful?.risks ?? [],
    confirm: (mode) => {
      if (doubtful !== undefined) runs.start({ ...doubtful.order, mode })
      setDoubtful(undefined)
    },
    dismiss: () => setDoubtful(undefined),
  }
}

function useConsoleActions(
  handlers: Readonly<Record<'run' | 'explain' | 'analyze' | 'add' | 'history', () => void>>,
): void {
  const latest = useLatest(handlers)
  const group = 'SQL console'
  usePaletteActions(
    useMemo(
      () => [
        { id: 'sql.run', label: 'Run', group, keys: 'Ctrl+Enter', run: latest.run },
        { id: 'sql.explain', label: 'Explain', group, run: latest.explain },
        { id: 'sql.analyze', label: 'Explain analyze', group, run: latest.analyze },
        { id: 'sql.new', label: 'New query', group, run: latest.add },
        { id: 'sql.history', label: 'History', group, run: latest.history },
      ],
      [latest],
    ),
  )
}

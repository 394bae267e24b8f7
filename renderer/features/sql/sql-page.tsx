// SQL console: SQL as anyone of the project, in tabs that are remembered. A link may bring a statement; it never runs by itself.
import { useParams, useSearch } from '@tanstack/react-router'
import { History } from 'lucide-react'
import { type ReactElement, useCallback, useMemo, useState } from 'react'
import { useCompletions } from '../../api/sql.ts'
import { Button } from '../../ui/button.tsx'
import { CodeEditor, type EditorPiece } from '../../ui/code-editor.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { useRemembered } from '../../ui/remembered.ts'
import { SheetLayout } from '../../ui/sheet.tsx'
import { Splitter } from '../../ui/splitter.tsx'
import { ConfirmRun } from './confirm-run.tsx'
import { ConsoleToolbar, type RowLimit } from './console-toolbar.tsx'
import { errorMark } from './error-mark.ts'
import { HistorySheet } from './history-sheet.tsx'
import { ResultsView } from './results-view.tsx'
import { type Risk, risksOf } from './risky-statements.ts'
import { TabStrip } from './tab-strip.tsx'
import { useConsoleActions, useRunAs } from './use-console.ts'
import { type RunOrder, useRuns } from './use-runs.ts'
import { useTabs } from './use-tabs.ts'

export function SqlPage(): ReactElement {
  const { tenant } = useParams({ from: '/t/$tenant/sql' })
  const { sql } = useSearch({ from: '/t/$tenant/sql' })
  return <Console key={`${tenant} ${sql ?? ''}`} tenant={tenant} linked={sql} />
}

function Console({
  tenant,
  linked,
}: {
  readonly tenant: string
  readonly linked: string | undefined
}): ReactElement {
  const [identity, runAs] = useRunAs()
  const runs = useRuns(tenant)
  const tabs = useTabs(tenant, linked, runs.forget)
  const completions = useCompletions(tenant).data
  const [rowLimit, setRowLimit] = useRemembered<RowLimit>('sql.rows', '1000')
  const [selected, setSelected] = useState<{ tab: string; piece: EditorPiece | undefined }>()
  const [doubtful, setDoubtful] = useState<{ order: RunOrder; risks: readonly Risk[] }>()
  const [hasHistory, setHistory] = useState(false)
  const closeHistory = useCallback(() => setHistory(false), [])
  const schema = useMemo(
    () => Object.fromEntries((completions?.tables ?? []).map((t) => [t.name, [...t.columns]])),
    [completions],
  )
  const tab = tabs.tabs.find(({ id }) => id === tabs.open)
  const text = tab?.sql ?? ''
  const selection = selected?.tab === tabs.open ? selected.piece : undefined
  const run = runs.of(tabs.open)
  const mark = useMemo(() => errorMark(run, text), [run, text])

  const order = (piece: EditorPiece, mode: RunOrder['mode']) => {
    if (piece.text.trim() === '') return
    const next = { tab: tabs.open, piece, identity, mode, maxRows: Number(rowLimit) }
    const risks = mode === 'run' ? risksOf(piece.text) : []
    if (risks.length > 0) setDoubtful({ order: next, risks })
    else runs.start(next)
  }
  const confirm = (mode: RunOrder['mode']) => {
    if (doubtful !== undefined) runs.start({ ...doubtful.order, mode })
    setDoubtful(undefined)
  }
  useConsoleActions({
    run: () => order(selection ?? { text, from: 0 }, 'run'),
    explain: () => order(selection ?? { text, from: 0 }, 'explain'),
    add: tabs.add,
    history: () => setHistory(true),
  })
  return (
    <>
      <PageHeader
        title="SQL console"
        actions={
          <Button
            icon={<History aria-hidden="true" />}
            aria-pressed={hasHistory}
            onClick={() => setHistory(!hasHistory)}
          >
            History
          </Button>
        }
      />
      <ConsoleToolbar
        tenant={tenant}
        identity={identity}
        rowLimit={rowLimit}
        hasSelection={selection !== undefined}
        isRunning={run?.kind === 'running'}
        isEmpty={text.trim() === ''}
        onIdentity={runAs}
        onRowLimit={setRowLimit}
        onRun={(mode) => order(selection ?? { text, from: 0 }, mode)}
        onCancel={() => runs.cancel(tabs.open)}
      />
      <SheetLayout
        sheet={
          hasHistory ? (
            <HistorySheet tenant={tenant} onBring={tabs.bring} onClose={closeHistory} />
          ) : undefined
        }
      >
        <TabStrip control={tabs} />
        <Splitter
          axis="y"
          name="sql"
          label="Resize the editor"
          initial={240}
          first={
            <CodeEditor
              key={tabs.open}
              label="SQL"
              language="sql"
              value={text}
              schema={schema}
              {...(completions === undefined ? {} : { words: completions.functions })}
              mark={mark}
              placeholder="select * from …"
              onChange={tabs.write}
              onRun={(piece) => order(piece, 'run')}
              onSelection={(piece) => setSelected({ tab: tabs.open, piece })}
              isFirst
            />
          }
          second={
            <ResultsView
              run={run}
              onCancel={() => runs.cancel(tabs.open)}
              onAgain={() => run !== undefined && runs.start(run.order)}
            />
          }
        />
      </SheetLayout>
      <ConfirmRun
        risks={doubtful?.risks ?? []}
        onRun={() => confirm('run')}
        onTry={() => confirm('rollback')}
        onClose={() => setDoubtful(undefined)}
      />
    </>
  )
}

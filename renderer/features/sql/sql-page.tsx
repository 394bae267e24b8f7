// The SQL console runs SQL as any identity of the project, in tabs that the browser stores. A link can contain a
// statement, which never runs automatically.
import { useParams, useSearch } from '@tanstack/react-router'
import { History } from 'lucide-react'
import { type ReactElement, useCallback, useMemo, useState } from 'react'
import { useCompletions } from '../../api/sql.ts'
import { Button } from '../../ui/button.tsx'
import { CodeEditor } from '../../ui/code-editor.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { SheetLayout } from '../../ui/sheet.tsx'
import { Splitter } from '../../ui/splitter.tsx'
import { ConfirmRun } from './confirm-run.tsx'
import { ConsoleToolbar } from './console-toolbar.tsx'
import { errorMark } from './error-place.ts'
import { HistorySheet } from './history-sheet.tsx'
import { ResultsView } from './results-view.tsx'
import { TabStrip } from './tab-strip.tsx'
import { type Console, useConsole } from './use-console.ts'

export function SqlPage(): ReactElement {
  const { tenant } = useParams({ from: '/t/$tenant/sql' })
  const { sql } = useSearch({ from: '/t/$tenant/sql' })
  return <ConsolePage key={`${tenant} ${sql ?? ''}`} tenant={tenant} linked={sql} />
}

function ConsolePage({
  tenant,
  linked,
}: {
  readonly tenant: string
  readonly linked: string | undefined
}): ReactElement {
  const [hasHistory, setHistory] = useState(false)
  const closeHistory = useCallback(() => setHistory(false), [])
  const console = useConsole(tenant, linked, () => setHistory(true))
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
        identity={console.identity}
        rowLimit={console.rowLimit}
        hasSelection={console.selection !== undefined}
        isRunning={console.run?.kind === 'running'}
        isEmpty={console.text.trim() === ''}
        onIdentity={console.runAs}
        onRowLimit={console.setRowLimit}
        onRun={console.orderShown}
        onCancel={console.cancel}
      />
      <SheetLayout
        sheet={
          hasHistory ? (
            <HistorySheet tenant={tenant} onBring={console.tabs.bring} onClose={closeHistory} />
          ) : undefined
        }
      >
        <TabStrip control={console.tabs} />
        <Splitter
          axis="y"
          name="sql"
          label="Resize the editor"
          initial={240}
          first={<Editor tenant={tenant} console={console} />}
          second={
            <ResultsView run={console.run} onCancel={console.cancel} onAgain={console.runAgain} />
          }
        />
      </SheetLayout>
      <ConfirmRun
        risks={console.risks}
        onRun={() => console.confirm('run')}
        onTry={() => console.confirm('rollback')}
        onClose={console.dismiss}
      />
    </>
  )
}

function Editor({
  tenant,
  console: { tabs, text, run, order, select },
}: {
  readonly tenant: string
  readonly console: Console
}): ReactElement {
  const completions = useCompletions(tenant).data
  const schema = useMemo(
    () => Object.fromEntries((completions?.tables ?? []).map((t) => [t.name, [...t.columns]])),
    [completions],
  )
  const mark = useMemo(() => errorMark(run, text), [run, text])
  return (
    <CodeEditor
      key={tabs.open}
      label="SQL"
      language="sql"
      value={text}
      schema={schema}
      {...(completions && { words: completions.functions })}
      mark={mark}
      placeholder="select * from …"
      onChange={tabs.write}
      onRun={(piece) => order(piece, 'run')}
      onSelection={select}
      isFirst
    />
  )
}

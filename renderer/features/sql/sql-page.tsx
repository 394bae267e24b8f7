// The SQL console runs SQL as any identity of the project, in tabs that the browser stores. A link can contain a
// statement, which never runs automatically.
import { useParams, useSearch } from '@tanstack/react-router'
import { FileCode2, History, PanelLeft, TriangleAlert } from 'lucide-react'
import { type ReactElement, useCallback, useMemo, useRef, useState } from 'react'
import { useCompletions } from '../../api/sql.ts'
import { openChange } from '../../parts/change/open-change.ts'
import { SqlBlock } from '../../parts/sql-text.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeEditor } from '../../ui/code-editor.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { useRemembered } from '../../ui/remembered.ts'
import { SheetLayout } from '../../ui/sheet.tsx'
import { Splitter } from '../../ui/splitter.tsx'
import { ConsoleToolbar } from './console-toolbar.tsx'
import { errorMark } from './error-place.ts'
import { HistorySheet } from './history-sheet.tsx'
import { ParameterFields } from './parameter-fields.tsx'
import { QueriesSheet } from './queries-sheet.tsx'
import { ResultsView } from './results-view.tsx'
import { type Risk, structureChange } from './risky-statements.ts'
import { SchemaPane } from './schema-pane.tsx'
import { TabStrip } from './tab-strip.tsx'
import { type GivenSql, parseValues } from './tabs.ts'
import { type Console, useConsole } from './use-console.ts'

export function SqlPage(): ReactElement {
  const { tenant } = useParams({ from: '/t/$tenant/sql' })
  const { at = '', sql, values } = useSearch({ from: '/t/$tenant/sql' })
  const linked = useMemo(() => {
    const given = parseValues(values)
    return sql === undefined ? undefined : { sql, ...(given && { values: given }) }
  }, [sql, values])
  return (
    <ConsolePage
      key={`${tenant} ${sql ?? ''} ${values ?? ''} ${at}`}
      tenant={tenant}
      linked={linked}
      past={at}
    />
  )
}

function ConsolePage(props: {
  readonly tenant: string
  readonly linked: GivenSql | undefined
  /** The past instant of a link; empty for the present. */
  readonly past: string
}): ReactElement {
  const { tenant, linked, past } = props
  const [sheet, setSheet] = useState<'history' | 'queries'>()
  const closeSheet = useCallback(() => setSheet(undefined), [])
  const toggle = (name: 'history' | 'queries') => setSheet(sheet === name ? undefined : name)
  const [hasSchema, setSchema] = useRemembered('sql.schema', true)
  const console = useConsole(tenant, { linked, past }, () => setSheet('history'))
  return (
    <>
      <PageHeader
        title="SQL console"
        actions={
          <>
            <Button
              icon={<PanelLeft />}
              aria-pressed={hasSchema}
              onClick={() => setSchema(!hasSchema)}
            >
              Schema
            </Button>
            <Button
              icon={<FileCode2 />}
              aria-pressed={sheet === 'queries'}
              onClick={() => toggle('queries')}
            >
              Saved queries
            </Button>
            <Button
              icon={<History />}
              aria-pressed={sheet === 'history'}
              onClick={() => toggle('history')}
            >
              History
            </Button>
          </>
        }
      />
      <ConsoleToolbar
        rowLimit={console.rowLimit}
        hasSelection={console.selection !== undefined}
        isRunning={console.run?.kind === 'running'}
        isEmpty={console.text.trim() === ''}
        past={console.past}
        onRowLimit={console.setRowLimit}
        onPast={console.setPast}
        onRun={console.orderShown}
        onCancel={console.cancel}
        onChange={changeOf(tenant, console)}
      />
      <SheetLayout
        sheet={
          sheet === 'history' ? (
            <HistorySheet tenant={tenant} onBring={console.tabs.bring} onClose={closeSheet} />
          ) : sheet === 'queries' ? (
            <QueriesSheet
              tenant={tenant}
              tab={console.tab}
              onBring={console.tabs.bring}
              onClose={closeSheet}
            />
          ) : undefined
        }
      >
        <Workspace tenant={tenant} console={console} hasSchema={hasSchema} />
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

/** Returns a function that opens the change sheet with the selection, or with the whole text. */
function changeOf(tenant: string, { selection, text }: Console): (() => void) | undefined {
  const sql = selection?.text ?? text
  const title = structureChange(sql)
  return title === undefined ? undefined : () => openChange({ tenant, title, statements: [sql] })
}

function Workspace(props: {
  readonly tenant: string
  readonly console: Console
  readonly hasSchema: boolean
}): ReactElement {
  const { console, hasSchema, tenant } = props
  const insert = useRef<(text: string) => void>(undefined)
  const panes = (
    <>
      <TabStrip control={console.tabs} />
      <Splitter
        axis="y"
        name="sql"
        label="Resize the editor"
        initial={240}
        first={
          <>
            <Editor
              tenant={tenant}
              console={console}
              onReady={(next) => {
                insert.current = next
              }}
            />
            <ParameterFields values={console.values} onChange={console.tabs.setValues} />
          </>
        }
        second={
          <ResultsView
            tenant={tenant}
            run={console.run}
            onCancel={console.cancel}
            onAgain={console.runAgain}
          />
        }
      />
    </>
  )
  if (!hasSchema) return panes
  return (
    <Splitter
      name="sql-schema"
      label="Resize the schema"
      initial={232}
      min={160}
      max={480}
      first={<SchemaPane tenant={tenant} onInsert={(name) => insert.current?.(name)} />}
      second={panes}
    />
  )
}

function Editor(props: {
  readonly tenant: string
  readonly console: Console
  readonly onReady: (insert: (text: string) => void) => void
}): ReactElement {
  const { tenant, console, onReady } = props
  const { tabs, text, run, order, select } = console
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
      onReady={onReady}
      isFirst
    />
  )
}

function ConfirmRun(props: {
  /** The statements to confirm. The dialog is closed while this list is empty. */
  readonly risks: readonly Risk[]
  readonly onRun: () => void
  /** Runs the script and rolls it back. */
  readonly onTry: () => void
  readonly onClose: () => void
}): ReactElement {
  const { risks, onRun, onTry, onClose } = props
  return (
    <Dialog title="This cannot be undone" isOpen={risks.length > 0} onClose={onClose}>
      <ul className="flex flex-col gap-3">
        {risks.map((risk, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: statements have no id
          <li key={index} className="flex flex-col gap-1">
            <p className="flex items-start gap-2">
              <TriangleAlert className="mt-[2px] size-4 shrink-0 text-refused" />
              {risk.sentence}
            </p>
            <SqlBlock sql={risk.sql} className="rounded-2 border bg-surface-0 px-2 py-1" />
          </li>
        ))}
      </ul>
      <div className="flex justify-end gap-2 pt-4">
        <Button tone="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button onClick={onTry}>Run and roll back</Button>
        <Button tone="danger" onClick={onRun}>
          Run anyway
        </Button>
      </div>
    </Dialog>
  )
}

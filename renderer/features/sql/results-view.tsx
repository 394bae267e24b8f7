// Shows the outcome of a run: the results as grids with Postgres's notices, or the error.
import { Info, Lightbulb, SquareTerminal, TriangleAlert } from 'lucide-react'
import { lazy, type ReactElement, Suspense, useState } from 'react'
import type { SqlAnswer, SqlFailure, SqlResult } from '../../../emulator/contract/sql-console.ts'
import { identityLabel } from '../../parts/identity-text.ts'
import { lineOf } from '../../parts/line-of.ts'
import { Button, Spinner } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Duration } from '../../ui/timestamp.tsx'
import { PastNote } from './past-note.tsx'
import { ExportButtons, ResultView } from './result-view.tsx'
import type { RunMode, RunOrder, RunState } from './run-state.ts'

const Planned = lazy(async () => {
  const { PlannedView } = await import('./planned-view.tsx')
  return { default: PlannedView }
})

export function ResultsView(props: {
  readonly tenant: string
  readonly run: RunState | undefined
  readonly onCancel: () => void
  readonly onAgain: (mode?: RunMode) => void
}): ReactElement {
  const { tenant, run, onCancel, onAgain } = props
  if (run === undefined)
    return (
      <EmptyState
        icon={<SquareTerminal />}
        title="No results yet"
        detail={
          <>
            Results appear here. <Kbd keys="Ctrl+Enter" /> runs the selection, or everything.
            Several statements run in one transaction.
          </>
        }
      />
    )
  switch (run.kind) {
    case 'running':
      return (
        <div role="status" aria-label="Running" className="flex items-center gap-3 p-4">
          <Spinner />
          Running as {whoOf(run.order)}…
          <Button size="small" onClick={onCancel}>
            Cancel
          </Button>
        </div>
      )
    case 'cancelled':
      return (
        <EmptyState
          title="Cancelled"
          detail="Postgres stopped the statement and rolled back its transaction."
          action={<Button onClick={() => onAgain()}>Run again</Button>}
        />
      )
    case 'refused':
      return <Failed title="Could not run the script" error={run.error} retry={() => onAgain()} />
    case 'planned':
      if (run.plan.error !== null) return <FailureView failure={run.plan.error} order={run.order} />
      return (
        <Suspense fallback={<Loading label="Loading the plan" />}>
          <Planned
            key={planKey(run.order)}
            tenant={tenant}
            order={run.order}
            plan={run.plan}
            onMeasure={() => onAgain('analyze')}
          />
        </Suspense>
      )
    case 'answered':
      return <Answer key={answerKey(run.answer)} order={run.order} answer={run.answer} />
  }
}

/** Returns the same key when the same statement is explained again, for example to measure it. The advice then stays open. */
function planKey({ identity, piece, values }: RunOrder): string {
  return JSON.stringify([piece.text, values, identity])
}

const keys = new WeakMap<SqlAnswer, string>()
let lastKey = 0

// Returns a React key for each answer, so that a new answer opens with its first tab.
function answerKey(answer: SqlAnswer): string {
  const known = keys.get(answer)
  if (known !== undefined) return known
  lastKey += 1
  keys.set(answer, String(lastKey))
  return String(lastKey)
}

function Answer(props: { readonly order: RunOrder; readonly answer: SqlAnswer }): ReactElement {
  const { order, answer } = props
  const { results, notices, error } = answer
  const [chosen, setChosen] = useState(() => (error === null ? firstTab(results) : 'failure'))
  const result = results[Number(chosen)]
  return (
    <Tabs
      label="Results"
      value={chosen}
      onChange={setChosen}
      tabs={[
        ...(error === null ? [] : [{ value: 'failure', label: 'Failure' }]),
        ...results.map((one, index) => ({ value: String(index), label: one.command_tag })),
        ...(notices.length === 0
          ? []
          : [
              {
                value: 'notices',
                label: 'Notices',
                beside: <span className="text-small text-ink-dim">{notices.length}</span>,
              },
            ]),
      ]}
      actions={
        <span className="flex items-center gap-2 pr-2 text-ink-dim">
          {order.at !== undefined && (
            <Chip tone="clock" title={order.at} className="max-w-56">
              as of {order.at}
            </Chip>
          )}
          {order.mode !== 'run' && <Chip tone="changed">rolled back</Chip>}
          <span className="max-w-64 truncate">as {whoOf(order)}</span>
          <span data-testid="sql-duration">
            <Duration millis={answer.duration_ms} />
          </span>
          {result !== undefined && result.columns.length > 0 && <ExportButtons result={result} />}
        </span>
      }
    >
      {answer.past !== undefined && <PastNote past={answer.past} />}
      {chosen === 'failure' && error !== null ? (
        <FailureView failure={error} order={order} />
      ) : chosen === 'notices' ? (
        <NoticeList notices={notices} />
      ) : result === undefined ? (
        <EmptyState title="Script completed" detail="The script returned no results." />
      ) : (
        <ResultView result={result} />
      )}
    </Tabs>
  )
}

// Returns the first result with columns, else the first result.
function firstTab(results: readonly SqlResult[]): string {
  return String(
    Math.max(
      0,
      results.findIndex(({ columns }) => columns.length > 0),
    ),
  )
}

function whoOf({ identity }: RunOrder): string {
  return identity === null ? 'owner' : identityLabel(identity)
}

function FailureView(props: {
  readonly failure: SqlFailure
  readonly order: RunOrder
}): ReactElement {
  const { failure, order } = props
  const { code, message, detail, hint, position } = failure
  const place = position === null ? undefined : lineOf(order.piece.text, position - 1)
  return (
    <div role="alert" className="flex min-h-0 flex-1 flex-col gap-3 overflow-auto p-4">
      <p className="flex items-start gap-2">
        <TriangleAlert className="mt-[2px] size-4 shrink-0 text-refused" />
        <span className="min-w-0 font-strong break-words whitespace-pre-wrap">{message}</span>
        <Chip isMono title={/^[0-9A-Z]{5}$/.test(code) ? 'SQLSTATE' : 'Error code of the emulator'}>
          {code}
        </Chip>
      </p>
      {place !== undefined && (
        <pre
          role="group"
          aria-label={`Line ${place.line}, column ${place.column}`}
          className="overflow-auto rounded-2 border border-refused/40 bg-refused/5 px-3 py-2"
        >
          <span className="text-ink-dim select-none">{place.line} │ </span>
          {place.text}
          {'\n'}
          <span className="text-refused">
            {' '.repeat(String(place.line).length + 3 + place.column - 1)}^
          </span>
        </pre>
      )}
      {detail !== null && <p className="break-words whitespace-pre-wrap">{detail}</p>}
      {hint !== null && (
        <p className="break-words whitespace-pre-wrap text-ink-dim">Hint: {hint}</p>
      )}
      <p className="text-ink-dim">Postgres rolled back the transaction and saved no changes.</p>
    </div>
  )
}

const ICONS: Readonly<Record<string, typeof Info>> = { ADVICE: Lightbulb, WARNING: TriangleAlert }

function NoticeList({ notices }: { readonly notices: SqlAnswer['notices'] }): ReactElement {
  return (
    <ul aria-label="Notices" className="flex min-h-0 flex-1 flex-col gap-2 overflow-auto p-4">
      {notices.map(({ severity, message }, index) => {
        const Icon = ICONS[severity] ?? Info
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: notices have no id
          <li key={index} className="flex items-start gap-2">
            <Icon
              className={
                severity === 'ADVICE' || severity === 'WARNING'
                  ? 'mt-[2px] size-4 shrink-0 text-clock'
                  : 'mt-[2px] size-4 shrink-0 text-ink-dim'
              }
            />
            <span className="w-16 shrink-0 text-small leading-5 text-ink-dim">
              {severity.toLowerCase()}
            </span>
            <span className="min-w-0 break-words whitespace-pre-wrap">{message}</span>
          </li>
        )
      })}
    </ul>
  )
}

// What came of a run: results as grids, what Postgres said beside them, or why it failed.
import { SquareTerminal } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import type { SqlAnswer, SqlResult } from '../../../emulator/contract/sql-console.ts'
import { identityLabel } from '../../parts/identity-text.ts'
import { Button, Spinner } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Duration } from '../../ui/timestamp.tsx'
import { FailureView } from './failure-view.tsx'
import { NoticeList } from './notice-list.tsx'
import { ExportButtons, ResultView } from './result-view.tsx'
import type { RunOrder, RunState } from './use-runs.ts'

export interface ResultsViewProps {
  readonly run: RunState | undefined
  readonly onCancel: () => void
  readonly onAgain: () => void
}

export function ResultsView({ run, onCancel, onAgain }: ResultsViewProps): ReactElement {
  if (run === undefined)
    return (
      <EmptyState
        icon={<SquareTerminal aria-hidden="true" />}
        title="Nothing has run yet"
        detail={
          <>
            <Kbd keys="Ctrl+Enter" /> runs the selection, or everything. Several statements run in
            one transaction.
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
          detail="The statement was stopped and everything it did was taken back."
          action={<Button onClick={onAgain}>Run again</Button>}
        />
      )
    case 'refused':
      return <Failed title="The emulator did not run it" error={run.error} retry={onAgain} />
    case 'answered':
      return <Answer key={answerKey(run.answer)} order={run.order} answer={run.answer} />
  }
}

const keys = new WeakMap<SqlAnswer, string>()
let lastKey = 0

// Another answer begins with its own first tab.
function answerKey(answer: SqlAnswer): string {
  const known = keys.get(answer)
  if (known !== undefined) return known
  lastKey += 1
  keys.set(answer, String(lastKey))
  return String(lastKey)
}

function Answer({
  order,
  answer,
}: {
  readonly order: RunOrder
  readonly answer: SqlAnswer
}): ReactElement {
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
          {order.mode === 'run' ? undefined : <Chip tone="changed">rolled back</Chip>}
          <span className="max-w-64 truncate">as {whoOf(order)}</span>
          <span data-testid="sql-duration">
            <Duration millis={answer.duration_ms} />
          </span>
          {result !== undefined && result.columns.length > 0 ? (
            <ExportButtons result={result} />
          ) : undefined}
        </span>
      }
    >
      {chosen === 'failure' && error !== null ? (
        <FailureView failure={error} order={order} />
      ) : chosen === 'notices' ? (
        <NoticeList notices={notices} />
      ) : result === undefined ? (
        <EmptyState title="Done" detail="Postgres had nothing to say." />
      ) : (
        <ResultView result={result} isPlan={order.mode === 'explain'} />
      )}
    </Tabs>
  )
}

// The first that has rows to show, as most scripts end with a SELECT; without one the first.
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

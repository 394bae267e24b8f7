// The toolbar above the editor: the row limit, and the buttons to run, run and roll back, or explain.
import { GitPullRequestArrow, Play, Route, Square, Undo2 } from 'lucide-react'
import type { ReactElement } from 'react'
import { Button } from '../../ui/button.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { Select } from '../../ui/select.tsx'
import { Toolbar } from '../../ui/toolbar.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { PastField } from './past-field.tsx'
import type { RunMode } from './run-state.ts'

const ROW_LIMITS = ['100', '1000', '10000'] as const
export type RowLimit = (typeof ROW_LIMITS)[number]

export function ConsoleToolbar(props: {
  readonly rowLimit: RowLimit
  readonly hasSelection: boolean
  readonly isRunning: boolean
  readonly isEmpty: boolean
  /** The past instant whose rows a run reads; empty for the present. */
  readonly past: string
  readonly onPast: (past: string) => void
  readonly onRowLimit: (limit: RowLimit) => void
  readonly onRun: (mode: RunMode) => void
  readonly onCancel: () => void
  /** Opens the change sheet with the statements; `undefined` when the statements change no structure. */
  readonly onChange: (() => void) | undefined
}): ReactElement {
  const { rowLimit, hasSelection, isRunning, isEmpty, onRun, past } = props
  const isPast = past.trim() !== ''
  return (
    <Toolbar
      label="Run"
      actions={
        <>
          <PastField value={past} onChange={props.onPast} />
          <Select
            label="Show at most"
            hasPrefix
            value={rowLimit}
            onChange={props.onRowLimit}
            options={ROW_LIMITS.map((value) => ({
              value,
              label: `${Number(value).toLocaleString('en-US')} rows`,
            }))}
          />
        </>
      }
    >
      {isRunning ? (
        <Button tone="danger" icon={<Square />} onClick={props.onCancel}>
          Cancel
        </Button>
      ) : (
        <Button
          tone="primary"
          icon={<Play />}
          disabled={isEmpty}
          aria-keyshortcuts="Control+Enter Meta+Enter"
          onClick={() => onRun('run')}
        >
          {hasSelection ? 'Run selection' : 'Run'}
        </Button>
      )}
      <span className="hidden text-small text-ink-dim lg:inline">
        <Kbd keys="Ctrl+Enter" />
      </span>
      <Tooltip text="Runs the script, shows its results and rolls back">
        <Button
          icon={<Undo2 />}
          disabled={isEmpty || isRunning || isPast}
          onClick={() => onRun('rollback')}
        >
          Run and roll back
        </Button>
      </Tooltip>
      <Tooltip text="Shows the plan of one statement for this identity, without running it">
        <Button
          icon={<Route />}
          disabled={isEmpty || isRunning || isPast}
          onClick={() => onRun('plan')}
        >
          Explain
        </Button>
      </Tooltip>
      {props.onChange !== undefined && (
        <Tooltip text="Shows who gains or loses rows, and applies the statements to all tenants as a migration step">
          <Button
            icon={<GitPullRequestArrow />}
            disabled={isRunning || isPast}
            onClick={props.onChange}
          >
            Apply as change…
          </Button>
        </Tooltip>
      )}
    </Toolbar>
  )
}

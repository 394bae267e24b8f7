// Shows the live list of row changes, with filters and a pause button. The fan-out of the selected change is beside the
// list.
import { Pause, Play, Radio } from 'lucide-react'
import { type ReactElement, useMemo, useState } from 'react'
import type { JudgedChange } from '../../../../emulator/contract/realtime.ts'
import { useLive } from '../../../api/live.ts'
import { useChanges } from '../../../api/realtime.ts'
import { ChangeEvent, VerdictTally } from '../../../parts/change-verdict-chip.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { changeInALine } from '../../../parts/row-text.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { DataGrid, type GridColumn } from '../../../ui/data-grid.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { optionsOf } from '../../../ui/form-values.ts'
import { SearchField } from '../../../ui/search-field.tsx'
import { Select } from '../../../ui/select.tsx'
import { Splitter } from '../../../ui/splitter.tsx'
import { Timestamp } from '../../../ui/timestamp.tsx'
import { Toolbar } from '../../../ui/toolbar.tsx'
import { FanOutPanel } from '../fan-out/fan-out-panel.tsx'
import type { RealtimeSearch } from '../realtime-search.ts'
import { EMPTY, EVENTS, noMatchText } from '../texts.ts'
import { filterChanges, joinChanges, tablesOf } from './change-list.ts'

const CHANGE_COLUMNS: readonly GridColumn<JudgedChange>[] = [
  {
    id: 'time',
    leaves: 1,
    header: 'Committed',
    width: 122,
    isMono: true,
    render: ({ committed_at: at }) => <Timestamp at={at} format="time" />,
  },
  { id: 'event', header: 'Event', width: 82, render: ({ event }) => <ChangeEvent event={event} /> },
  {
    id: 'table',
    header: 'Table',
    width: 132,
    isMono: true,
    render: ({ table }) => <span title={table}>{table}</span>,
  },
  {
    id: 'fate',
    header: 'Subscribers',
    width: 100,
    render: ({ verdicts }) => <VerdictTally verdicts={verdicts} />,
  },
  { id: 'row', header: 'Row', min: 120, isMono: true, render: changeInALine },
]

export interface ChangesViewProps {
  readonly tenant: string
  readonly search: RealtimeSearch
  readonly onSearch: (search: RealtimeSearch) => void
  readonly onTry: () => void
}

export function ChangesView({ tenant, search, onSearch, onTry }: ChangesViewProps): ReactElement {
  const tail = useChangeTail(tenant)
  const shown = useMemo(() => filterChanges(tail.changes, search), [tail.changes, search])
  const chosen =
    search.change === undefined
      ? shown[0]
      : tail.changes.find(({ number }) => number === search.change)
  return (
    <>
      <ChangesToolbar tail={tail} search={search} onSearch={onSearch} />
      <Splitter
        name="realtime"
        label="Resize the list of changes"
        initial={500}
        min={280}
        first={
          <DataGrid
            label="Row changes"
            name="changes"
            columns={CHANGE_COLUMNS}
            rows={shown}
            rowKey={({ number }) => String(number)}
            rowClass={({ number }) =>
              number === tail.changes[0]?.number ? 'animate-arrive' : undefined
            }
            keepsPlace
            selected={chosen === undefined ? undefined : String(chosen.number)}
            onSelect={(_key, { number }) => onSearch({ ...search, change: number })}
            empty={<NoChanges tail={tail} search={search} onTry={onTry} />}
          />
        }
        second={
          chosen === undefined ? (
            <EmptyState {...(search.change === undefined ? EMPTY.chosen : EMPTY.deleted)} />
          ) : (
            <FanOutPanel key={chosen.number} tenant={tenant} change={chosen} />
          )
        }
      />
    </>
  )
}

function NoChanges(
  props: Pick<ChangesViewProps, 'search' | 'onTry'> & { readonly tail: ChangeTail },
): ReactElement {
  const { tail, search, onTry } = props
  return (
    <Loaded query={tail.read} what="changes">
      {() =>
        tail.changes.length > 0 ? (
          <EmptyState title="No change matches" detail={noMatchText(tail.changes.length)} />
        ) : (
          <EmptyState
            icon={<Radio />}
            {...EMPTY.changes}
            action={
              search.view === 'try' ? undefined : <Button onClick={onTry}>Join channel</Button>
            }
          />
        )
      }
    </Loaded>
  )
}

/** The value of the option "all tables". No table has a single space as its name. */
const ALL = ' '

const EVENT_OPTIONS = optionsOf({ all: 'all', ...EVENTS })

function ChangesToolbar(props: {
  readonly tail: ChangeTail
  readonly search: RealtimeSearch
  readonly onSearch: (search: RealtimeSearch) => void
}): ReactElement {
  const { tail, search, onSearch } = props
  return (
    <Toolbar
      label="Filter changes"
      actions={
        <>
          <Button
            tone="quiet"
            disabled={search.change === undefined}
            onClick={() => onSearch({ ...search, change: undefined })}
          >
            Follow latest change
          </Button>
          <Button icon={tail.isPaused ? <Play /> : <Pause />} onClick={tail.toggle}>
            {tail.isPaused ? `Resume · ${tail.waiting} new` : 'Pause'}
          </Button>
        </>
      }
    >
      <SearchField
        label="Search changes"
        placeholder="Row value, subscriber…"
        value={search.q ?? ''}
        onChange={(q) => onSearch({ ...search, q: q || undefined })}
      />
      <Select
        label="Table"
        hasPrefix
        value={search.table ?? ALL}
        options={[
          { value: ALL, label: 'all' },
          ...tablesOf(tail.changes).map((table) => ({ value: table, label: table })),
        ]}
        onChange={(table) => onSearch({ ...search, table: table === ALL ? undefined : table })}
      />
      <Select
        label="Event"
        hasPrefix
        value={search.event ?? 'all'}
        options={EVENT_OPTIONS}
        onChange={(event) => onSearch({ ...search, event: event === 'all' ? undefined : event })}
      />
      <Checkbox
        label="Not delivered to all subscribers"
        isChecked={search.kept === 'yes'}
        onChange={(isChecked) => onSearch({ ...search, kept: isChecked ? 'yes' : undefined })}
      />
    </Toolbar>
  )
}

interface ChangeTail {
  /** The changes to show, newest first. */
  readonly changes: readonly JudgedChange[]
  readonly isPaused: boolean
  /** Number of changes since the pause. */
  readonly waiting: number
  readonly toggle: () => void
  /** The query for changes from before this page was opened. */
  readonly read: ReturnType<typeof useChanges>
}

const NONE: readonly JudgedChange[] = []

function useChangeTail(tenant: string): ChangeTail {
  const live = useLive((snapshot) => snapshot.changes)
  const read = useChanges(tenant)
  const [pausedAt, setPausedAt] = useState<number>()
  const history = read.data?.changes ?? NONE
  const all = useMemo(() => joinChanges(history, live, `proj_${tenant}`), [history, live, tenant])
  const newest = all[0]?.number ?? 0
  // Change numbers restart at 1 when the emulator restarts. Changes of the new emulator process therefore show even
  // while the list is paused.
  const changes = useMemo(
    () => (pausedAt === undefined ? all : all.filter(({ number }) => number <= pausedAt)),
    [all, pausedAt],
  )
  return {
    changes,
    isPaused: pausedAt !== undefined,
    waiting: all.length - changes.length,
    toggle: () => setPausedAt(pausedAt === undefined ? newest : undefined),
    read,
  }
}

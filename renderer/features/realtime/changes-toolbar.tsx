// Filters of the stream of row changes, and its pause.
import { Pause, Play } from 'lucide-react'
import type { ReactElement } from 'react'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Select } from '../../ui/select.tsx'
import { Toolbar } from '../../ui/toolbar.tsx'
import { tablesOf } from './change-list.ts'
import type { RealtimeSearch } from './realtime-search.ts'
import type { ChangeTail } from './use-changes.ts'

/** No table has an empty space for a name. */
const ALL = ' '

export interface ChangesToolbarProps {
  readonly tail: ChangeTail
  readonly search: RealtimeSearch
  readonly onSearch: (search: RealtimeSearch) => void
}

export function ChangesToolbar({ tail, search, onSearch }: ChangesToolbarProps): ReactElement {
  const without = (name: keyof RealtimeSearch) => {
    const { [name]: _before, ...rest } = search
    return rest
  }
  return (
    <Toolbar
      label="Filter changes"
      actions={
        <>
          {search.change === undefined ? undefined : (
            <Button tone="quiet" onClick={() => onSearch(without('change'))}>
              Follow the latest
            </Button>
          )}
          <Button
            icon={tail.isPaused ? <Play aria-hidden="true" /> : <Pause aria-hidden="true" />}
            onClick={tail.toggle}
          >
            {tail.isPaused ? `Resume · ${tail.waiting} new` : 'Pause'}
          </Button>
        </>
      }
    >
      <SearchField
        label="Search changes"
        placeholder="In the row, subscriber…"
        value={search.q ?? ''}
        onChange={(q) => onSearch(q === '' ? without('q') : { ...search, q })}
      />
      <Select
        label="Table"
        hasPrefix
        value={search.table ?? ALL}
        options={[
          { value: ALL, label: 'all' },
          ...tablesOf(tail.changes).map((table) => ({ value: table, label: table })),
        ]}
        onChange={(table) => onSearch(table === ALL ? without('table') : { ...search, table })}
      />
      <Select
        label="Event"
        hasPrefix
        value={search.event ?? 'all'}
        options={(['all', 'INSERT', 'UPDATE', 'DELETE'] as const).map((value) => ({
          value,
          label: value,
        }))}
        onChange={(event) => onSearch(event === 'all' ? without('event') : { ...search, event })}
      />
      <Checkbox
        label="not delivered to somebody"
        isChecked={search.kept === 'yes'}
        onChange={(isChecked) => onSearch(isChecked ? { ...search, kept: 'yes' } : without('kept'))}
      />
    </Toolbar>
  )
}

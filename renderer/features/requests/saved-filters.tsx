// Saved filters of the list, each with a name. The browser stores them separately for each address of an emulator.
import { Bookmark, Trash2 } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import { Button, IconButton } from '../../ui/button.tsx'
import { Popover } from '../../ui/popover.tsx'
import { useRemembered } from '../../ui/remembered.ts'
import { TextField } from '../../ui/text-field.tsx'
import { hasFilters, parseRequestsSearch, type RequestsSearch } from './requests-search.ts'

interface SavedFilter {
  readonly name: string
  readonly search: RequestsSearch
}

export function SavedFilters(props: {
  readonly search: RequestsSearch
  readonly onSearch: (search: RequestsSearch) => void
}): ReactElement {
  const { onSearch, search } = props
  const [saved, setSaved] = useRemembered<readonly SavedFilter[]>('requests.filters', [])
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover
      trigger={<Button icon={<Bookmark />}>Saved filters</Button>}
      title="Saved filters"
      isOpen={isOpen}
      onOpenChange={setOpen}
    >
      <div className="flex w-72 flex-col gap-3">
        {saved.length === 0 ? (
          <p className="text-ink-dim">
            Filter the list and give the filter a name to keep it here.
          </p>
        ) : (
          <ul aria-label="Saved filters" className="flex flex-col gap-px">
            {saved.map((one) => (
              <li key={one.name} className="flex items-center gap-1">
                <Button
                  tone="quiet"
                  className="min-w-0 flex-1 justify-start"
                  onClick={() => {
                    // A filter that an older version saved may contain other parameters.
                    onSearch(parseRequestsSearch({ ...one.search }))
                    setOpen(false)
                  }}
                >
                  <span className="truncate">{one.name}</span>
                </Button>
                <IconButton
                  label={`Delete filter ${one.name}`}
                  size="small"
                  icon={<Trash2 />}
                  onClick={() => setSaved(saved.filter(({ name }) => name !== one.name))}
                />
              </li>
            ))}
          </ul>
        )}
        {hasFilters(search) && (
          <SaveFilter
            names={saved.map(({ name }) => name)}
            onSave={(name) =>
              setSaved([
                ...saved.filter((one) => one.name !== name),
                { name, search: kept(search) },
              ])
            }
          />
        )}
      </div>
    </Popover>
  )
}

function SaveFilter(props: {
  readonly names: readonly string[]
  readonly onSave: (name: string) => void
}): ReactElement {
  const [name, setName] = useState('')
  const plain = name.trim()
  const isKnown = props.names.includes(plain)
  return (
    <form
      className="flex items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (plain === '') return
        props.onSave(plain)
        setName('')
      }}
    >
      <div className="min-w-0 flex-1">
        <TextField label="Name of this filter" value={name} onChange={setName} />
      </div>
      <Button type="submit" disabled={plain === ''}>
        {isKnown ? 'Replace filter' : 'Save filter'}
      </Button>
    </form>
  )
}

/** A saved filter contains neither the open part of the sheet nor the selected time, because that time will be in the past. */
function kept({ from, to, part, ...filters }: RequestsSearch): RequestsSearch {
  return filters
}

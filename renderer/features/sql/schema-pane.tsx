// The tables of the tenant beside the editor, with columns, types and keys. A click inserts a name at the cursor.
import { ChevronDown, ChevronRight, KeyRound, Link2 } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import type { TableStructure } from '../../../emulator/contract/tables.ts'
import { useStructure } from '../../api/tables.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { sqlName } from './sql-name.ts'

export interface SchemaPaneProps {
  readonly tenant: string
  readonly onInsert: (name: string) => void
}

export function SchemaPane({ tenant, onInsert }: SchemaPaneProps): ReactElement {
  const [words, setWords] = useState('')
  const structure = useStructure(tenant)
  return (
    <nav aria-label="Schema" className="flex min-h-0 flex-1 flex-col bg-surface-1">
      <div className="flex h-9 shrink-0 items-center border-b px-2">
        <SearchField
          label="Filter tables and columns"
          value={words}
          onChange={setWords}
          className="w-full"
        />
      </div>
      <div className="min-h-0 flex-1 overflow-auto p-2">
        <Loaded query={structure} what="the schema">
          {({ tables }) => <TableTree tables={tables} words={words} onInsert={onInsert} />}
        </Loaded>
      </div>
    </nav>
  )
}

function TableTree(props: {
  readonly tables: readonly TableStructure[]
  readonly words: string
  readonly onInsert: (name: string) => void
}): ReactElement {
  const { onInsert, tables, words } = props
  const wanted = words.trim().toLowerCase()
  const has = (name: string) => name.toLowerCase().includes(wanted)
  const shown = tables.filter(
    ({ columns, is_closed: isClosed, name }) =>
      !isClosed && (has(name) || columns.some((column) => has(column.name))),
  )
  if (shown.length === 0)
    return (
      <p className="px-2 text-ink-dim">
        {tables.length === 0 ? 'Tables appear here when the tenant has some.' : 'No names match.'}
      </p>
    )
  return (
    <ul className="flex flex-col gap-px">
      {shown.map((table) => (
        <TableItem
          key={table.name}
          table={table}
          isFound={wanted !== '' && !has(table.name)}
          onInsert={onInsert}
        />
      ))}
    </ul>
  )
}

function TableItem(props: {
  readonly table: TableStructure
  /** Whether the filter matched a column. The columns then show. */
  readonly isFound: boolean
  readonly onInsert: (name: string) => void
}): ReactElement {
  const { isFound, onInsert, table } = props
  const [isOpen, setOpen] = useState(false)
  const isShown = isOpen || isFound
  return (
    <li>
      <div className="flex h-6 items-center rounded-1 hover:bg-surface-2">
        <button
          type="button"
          aria-expanded={isShown}
          aria-label={`Columns of ${table.name}`}
          onClick={() => setOpen(!isShown)}
          className="flex size-6 shrink-0 items-center justify-center text-ink-dim hover:text-ink"
        >
          {isShown ? <ChevronDown size={14} /> : <ChevronRight size={14} />}
        </button>
        <NameButton name={table.name} title={table.comment} onInsert={onInsert} />
      </div>
      {isShown && (
        <ul aria-label={`Columns of ${table.name}`} className="pb-1 pl-6">
          {table.columns.map((column) => (
            <li
              key={column.name}
              className="flex h-6 items-center gap-2 rounded-1 hover:bg-surface-2"
            >
              <NameButton name={column.name} title={column.comment} onInsert={onInsert} />
              <Keys table={table} column={column.name} />
              <span
                className="ml-auto min-w-0 truncate text-small text-ink-dim"
                title={column.type}
              >
                {column.type}
                {column.is_nullable ? '' : ' *'}
              </span>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

function NameButton(props: {
  readonly name: string
  readonly title: string | null
  readonly onInsert: (name: string) => void
}): ReactElement {
  const { name, onInsert, title } = props
  return (
    <button
      type="button"
      title={title ?? `Insert ${name}`}
      onClick={() => onInsert(sqlName(name))}
      className="max-w-[75%] shrink-0 truncate text-left font-mono hover:underline"
    >
      {name}
    </button>
  )
}

function Keys(props: {
  readonly table: TableStructure
  readonly column: string
}): ReactElement | undefined {
  const { column, table } = props
  const isKey = table.columns.some(({ is_key: isPart, name }) => isPart && name === column)
  const reference = table.foreign_keys.find(({ columns }) => columns.includes(column))
  if (!isKey && reference === undefined) return undefined
  return (
    <span className="flex shrink-0 items-center gap-1 text-ink-dim [&_svg]:size-3">
      {isKey && <Mark label="Primary key" icon={<KeyRound />} />}
      {reference !== undefined && (
        <Mark label={`Refers to ${reference.target_table}`} icon={<Link2 />} />
      )}
    </span>
  )
}

function Mark({
  icon,
  label,
}: {
  readonly icon: ReactElement
  readonly label: string
}): ReactElement {
  return (
    <span role="img" aria-label={label} title={label}>
      {icon}
    </span>
  )
}

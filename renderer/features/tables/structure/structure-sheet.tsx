// The structure of a table: columns, keys and indexes, each with the edits that are possible. Every edit opens the change sheet.

import { KeyRound, Pencil, Plus, Trash2 } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import type { TableColumn, TableStructure } from '../../../../emulator/contract/tables.ts'
import { Breakable } from '../../../ui/breakable.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Chip } from '../../../ui/chip.tsx'
import { Section, Sheet } from '../../../ui/sheet.tsx'
import { draftOf } from './column-draft.ts'
import { ColumnForm } from './column-form.tsx'
import { ColumnsForm } from './columns-form.tsx'
import { ForeignKeyForm } from './foreign-key-form.tsx'
import { RenameForm } from './rename-form.tsx'
import { type Edit, useEdits } from './use-edits.ts'

export interface StructureSheetProps {
  readonly tenant: string
  readonly structure: TableStructure
  readonly onClose: () => void
}

/** The form that is open in the sheet. */
type Open =
  | { readonly form: 'column'; readonly column: TableColumn | undefined }
  | { readonly form: 'index' | 'unique' | 'foreign' | 'rename' }

export function StructureSheet({ tenant, structure, onClose }: StructureSheetProps): ReactElement {
  const [open, setOpen] = useState<Open>()
  const edit = useEdits(tenant)
  const { name } = structure
  const close = () => setOpen(undefined)
  const editAndClose: Edit = (order) => edit(order, close)
  const isTable = structure.kind === 'table' || structure.kind === 'partitioned_table'
  return (
    <Sheet
      name="structure"
      width={560}
      label={`Structure of ${name}`}
      title={
        <>
          Structure of <span className="font-mono">{name}</span>
        </>
      }
      onClose={onClose}
    >
      <p className="text-small text-ink-dim">
        Each edit shows its statement, which runs as the project’s owner. You see its effect before
        you apply it.
      </p>
      <Section
        title="Columns"
        beside={
          isTable && (
            <Button
              size="small"
              icon={<Plus />}
              onClick={() => setOpen({ form: 'column', column: undefined })}
            >
              Add column
            </Button>
          )
        }
      >
        <ColumnList
          columns={structure.columns}
          isEditable={isTable}
          onChange={(column) => setOpen({ form: 'column', column })}
          onDrop={({ name: column }) => edit({ kind: 'drop_column', table: name, column })}
        />
      </Section>
      {open?.form === 'column' && (
        <ColumnForm
          key={open.column?.name ?? ''}
          table={name}
          before={open.column && draftOf(open.column)}
          isFixed={open.column?.is_generated === true}
          onEdit={editAndClose}
          onCancel={close}
        />
      )}
      {isTable && <Keys {...{ tenant, structure, open, setOpen, edit, editAndClose, close }} />}
      <Section title="Table">
        {open?.form === 'rename' ? (
          <RenameForm table={name} onEdit={editAndClose} onCancel={close} />
        ) : (
          <div className="flex gap-2">
            <Button icon={<Pencil />} onClick={() => setOpen({ form: 'rename' })}>
              Rename table…
            </Button>
            <Button
              tone="danger"
              icon={<Trash2 />}
              onClick={() => edit({ kind: 'drop_table', table: name })}
            >
              Drop table…
            </Button>
          </div>
        )}
      </Section>
    </Sheet>
  )
}

function ColumnList(props: {
  readonly columns: readonly TableColumn[]
  readonly isEditable: boolean
  readonly onChange: (column: TableColumn) => void
  readonly onDrop: (column: TableColumn) => void
}): ReactElement {
  const { columns, isEditable, onChange, onDrop } = props
  return (
    <ul aria-label="Columns" className="rounded-2 border bg-surface-0">
      {columns.map((column) => (
        <li
          key={column.name}
          className="flex min-h-8 items-center gap-2 border-b py-1 pr-1 pl-3 last:border-b-0"
        >
          <span className="min-w-0 flex-1">
            <span className="flex flex-wrap items-baseline gap-x-2 font-mono">
              <span className="min-w-0 break-words">
                <Breakable text={column.name} />
              </span>
              <span className="text-small break-words text-ink-dim">{column.type}</span>
              {column.is_key && (
                <KeyRound aria-label="primary key" className="size-3 text-ink-dim" />
              )}
            </span>
            <span className="block text-small break-words text-ink-dim">{factsOf(column)}</span>
          </span>
          {isEditable && (
            <>
              <IconButton
                size="small"
                label={`Change ${column.name}`}
                icon={<Pencil />}
                onClick={() => onChange(column)}
              />
              <IconButton
                size="small"
                label={`Drop ${column.name}`}
                icon={<Trash2 />}
                onClick={() => onDrop(column)}
              />
            </>
          )}
        </li>
      ))}
    </ul>
  )
}

function factsOf({ default: usual, is_nullable: isNullable }: TableColumn): string {
  return [
    ...(isNullable ? [] : ['not null']),
    ...(usual === null ? [] : [usual.startsWith('generated ') ? usual : `default ${usual}`]),
  ].join(', ')
}

interface KeysProps extends Pick<StructureSheetProps, 'structure' | 'tenant'> {
  readonly open: Open | undefined
  readonly setOpen: (open: Open) => void
  readonly edit: Edit
  readonly editAndClose: Edit
  readonly close: () => void
}

/** Lists the table's indexes and its foreign keys to other tables. */
function Keys({
  close,
  edit,
  editAndClose,
  open,
  setOpen,
  structure,
  tenant,
}: KeysProps): ReactElement {
  const { columns, foreign_keys: foreignKeys, indexes, name } = structure
  const names = columns.map((column) => column.name)
  return (
    <>
      <Section
        title="Indexes and unique keys"
        beside={
          <>
            <Button size="small" icon={<Plus />} onClick={() => setOpen({ form: 'index' })}>
              Add index
            </Button>
            <Button size="small" icon={<Plus />} onClick={() => setOpen({ form: 'unique' })}>
              Add unique key
            </Button>
          </>
        }
      >
        <Parts
          label="Indexes"
          empty="No indexes."
          parts={indexes.map((index) => ({
            name: index.name,
            mark: markOf(index),
            text: index.definition,
            onDrop: () =>
              edit(
                index.constraint === null
                  ? { kind: 'drop_index', index: index.name }
                  : { kind: 'drop_constraint', table: name, constraint: index.name },
              ),
          }))}
        />
        {(open?.form === 'index' || open?.form === 'unique') && (
          <ColumnsForm
            key={open.form}
            kind={open.form === 'index' ? 'add_index' : 'add_unique'}
            table={name}
            columns={names}
            onEdit={editAndClose}
            onCancel={close}
          />
        )}
      </Section>
      <Section
        title="Foreign keys"
        beside={
          <Button size="small" icon={<Plus />} onClick={() => setOpen({ form: 'foreign' })}>
            Add foreign key
          </Button>
        }
      >
        <Parts
          label="Foreign keys"
          empty="No foreign keys."
          parts={foreignKeys.map((key) => ({
            name: key.name,
            text: `(${key.columns.join(', ')}) references ${key.target_table} (${key.target_columns.join(', ')})`,
            onDrop: () => edit({ kind: 'drop_constraint', table: name, constraint: key.name }),
          }))}
        />
        {open?.form === 'foreign' && (
          <ForeignKeyForm
            tenant={tenant}
            table={name}
            columns={names}
            onEdit={editAndClose}
            onCancel={close}
          />
        )}
      </Section>
    </>
  )
}

type Index = TableStructure['indexes'][number]

const CONSTRAINTS: Readonly<Record<NonNullable<Index['constraint']>, string>> = {
  primary_key: 'primary key',
  unique: 'unique key',
  exclusion: 'exclusion',
}

function markOf({ constraint, definition }: Index): string | undefined {
  if (constraint !== null) return CONSTRAINTS[constraint]
  return /^create unique /i.test(definition) ? 'unique index' : undefined
}

function Parts(props: {
  readonly label: string
  readonly empty: string
  readonly parts: readonly {
    readonly name: string
    /** The kind of the part, when the list has parts of several kinds. */
    readonly mark?: string | undefined
    readonly text: string
    readonly onDrop: () => void
  }[]
}): ReactElement {
  const { empty, label, parts } = props
  if (parts.length === 0) return <p className="text-ink-dim">{empty}</p>
  return (
    <ul aria-label={label} className="rounded-2 border bg-surface-0">
      {parts.map(({ mark, name, onDrop, text }) => (
        <li key={name} className="flex items-center gap-2 border-b py-1 pr-1 pl-3 last:border-b-0">
          <span className="min-w-0 flex-1">
            <span className="block font-mono break-words">
              <Breakable text={name} />
              {mark !== undefined && <Chip className="ml-2 align-middle">{mark}</Chip>}
            </span>
            <code className="block text-small break-words text-ink-dim">{text}</code>
          </span>
          <IconButton size="small" label={`Drop ${name}`} icon={<Trash2 />} onClick={onDrop} />
        </li>
      ))}
    </ul>
  )
}

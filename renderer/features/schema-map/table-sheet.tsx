// The sheet of a table: what the identity reads, the policies, the columns, and the tables that keys lead to.
import { Link } from '@tanstack/react-router'
import { ArrowLeft, ArrowRight, KeyRound, ShieldCheck, Table2 } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
import type { PolicyOverview } from '../../../emulator/contract/explain.ts'
import type { ForeignKey, TableStructure } from '../../../emulator/contract/tables.ts'
import { Chip } from '../../ui/chip.tsx'
import { Section, Sheet } from '../../ui/sheet.tsx'
import { shortType } from './map-model.ts'
import { type DrawnReads, READ_LOOKS } from './read-looks.ts'
import { READS, rowsText } from './texts.ts'

type PolicyTable = PolicyOverview['tables'][number]

export interface TableSheetProps {
  readonly tenant: string
  readonly table: TableStructure
  readonly readable: DrawnReads | undefined
  /** The policies of the table, or `undefined` while they load. */
  readonly policies: PolicyTable['policies'] | undefined
  /** The identity in the format of identity-text.ts. */
  readonly as: string | undefined
  readonly onOpen: (table: string) => void
  readonly onClose: () => void
}

export function TableSheet(props: TableSheetProps): ReactElement {
  const { tenant, table, readable, policies, as, onOpen, onClose } = props
  const isView = table.kind === 'view' || table.kind === 'materialized_view'
  return (
    <Sheet
      title={<span className="font-mono">{table.name}</span>}
      label={`Table ${table.name}`}
      name="schema-map"
      width={360}
      onClose={onClose}
    >
      <div className="flex flex-wrap items-center gap-2">
        {!isView && !table.is_closed && (
          <Chip tone={table.rls_enabled ? 'allowed' : 'refused'}>
            {table.rls_enabled ? 'RLS on' : 'RLS off'}
          </Chip>
        )}
        {readable !== undefined && (
          <Chip tone={READ_LOOKS[readable.look].tone}>{READS[readable.look]}</Chip>
        )}
        <span className="text-ink-dim">{rowsText(table, readable)}</span>
      </div>
      {readable !== undefined && <p>{readable.sentence}</p>}
      <div className="flex flex-wrap gap-2">
        {!table.is_closed && (
          <Link
            to="/t/$tenant/tables/$table"
            params={{ tenant, table: table.name }}
            search={{ as }}
            className={LINK}
          >
            <Table2 /> View rows
          </Link>
        )}
        <Link
          to="/t/$tenant/policies/$table"
          params={{ tenant, table: table.name }}
          search={as === undefined ? {} : { as, view: 'rows' }}
          className={LINK}
        >
          <ShieldCheck /> View policies
        </Link>
      </div>
      {!isView && !table.is_closed && <Policies policies={policies} />}
      <Relations table={table} onOpen={onOpen} />
      <Columns table={table} />
    </Sheet>
  )
}

const LINK =
  'inline-flex h-7 items-center gap-2 rounded-1 border border-line-strong bg-surface-2 px-3 hover:bg-surface-3 [&_svg]:size-4'

function Policies(props: {
  readonly policies: PolicyTable['policies'] | undefined
}): ReactElement | null {
  const { policies } = props
  if (policies === undefined) return null
  return (
    <Section title={`Policies (${policies.length})`}>
      {policies.length === 0 ? (
        <p className="text-ink-dim">No policies.</p>
      ) : (
        <ul className="flex flex-col gap-1">
          {policies.map(({ name, command, permissive, roles }) => (
            <li key={name} className="flex flex-wrap items-center gap-2">
              <span className="min-w-0 truncate font-mono">{name}</span>
              <Chip isMono>{command}</Chip>
              {!permissive && <Chip>restrictive</Chip>}
              <span className="text-small text-ink-dim">to {roles.join(', ')}</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

function Relations(props: {
  readonly table: TableStructure
  readonly onOpen: (table: string) => void
}): ReactElement | null {
  const { table, onOpen } = props
  const { foreign_keys: own, referenced_by: others } = table
  if (own.length + others.length === 0) return null
  return (
    <Section title="Relations">
      <ul className="flex flex-col gap-1">
        {own.map((key) => (
          <Relation
            key={key.name}
            icon={<ArrowLeft aria-label="references" size={14} />}
            from={key.columns}
            to={key.target_table}
            foreignKey={key}
            onOpen={onOpen}
          />
        ))}
        {others.map((key) => (
          <Relation
            key={`${key.table} ${key.name}`}
            icon={<ArrowRight aria-label="is referenced by" size={14} />}
            from={key.target_columns}
            to={key.table}
            foreignKey={key}
            onOpen={onOpen}
          />
        ))}
      </ul>
    </Section>
  )
}

function Relation(props: {
  readonly icon: ReactNode
  readonly from: readonly string[]
  readonly to: string
  readonly foreignKey: ForeignKey
  readonly onOpen: (table: string) => void
}): ReactElement {
  const { icon, from, to, foreignKey, onOpen } = props
  return (
    <li className="flex min-w-0 items-center gap-2" title={foreignKey.name}>
      <span className="truncate font-mono text-ink-dim">{from.join(', ')}</span>
      <span className="shrink-0 text-ink-dim">{icon}</span>
      <button
        type="button"
        onClick={() => onOpen(to)}
        className="min-w-0 truncate font-mono text-accent hover:underline"
      >
        {to}
      </button>
    </li>
  )
}

function Columns({ table }: { readonly table: TableStructure }): ReactElement {
  return (
    <Section title={`Columns (${table.columns.length})`}>
      <ul className="flex flex-col rounded-2 border">
        {table.columns.map(({ name, type, is_key: isKey, is_nullable: isNullable }) => (
          <li
            key={name}
            className="flex h-7 items-center gap-2 border-b px-2 font-mono last:border-b-0"
          >
            {isKey ? (
              <KeyRound aria-label="primary key" size={12} className="shrink-0 text-clock" />
            ) : (
              <span className="w-3 shrink-0" />
            )}
            <span className="min-w-0 flex-1 truncate">{name}</span>
            <span title={type} className="min-w-0 truncate text-ink-dim">
              {shortType(type)}
              {isNullable ? '?' : ''}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

// Shows the policies of a table as SQL, with its warnings and grants.

import { Check, Minus, Pencil, ShieldCheck, ShieldHalf, Trash2 } from 'lucide-react'
import type { ReactElement } from 'react'
import { ROLES, ROW_COMMANDS } from '../../../emulator/contract/choices.ts'
import type { PolicyOverview } from '../../../emulator/contract/explain.ts'
import { SqlBlock } from '../../parts/sql-text.tsx'
import { WarningList } from '../../parts/warning-list.tsx'
import { Breakable } from '../../ui/breakable.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { Section } from '../../ui/sheet.tsx'
import { NOTES } from './texts.ts'
import type { PoliciesAddress } from './use-policies-address.ts'

export interface RulesViewProps {
  readonly address: PoliciesAddress
  readonly isEditable: boolean
  readonly table: PolicyOverview['tables'][number]
}

export function RulesView(props: RulesViewProps): ReactElement {
  const { address, table } = props
  const { tenant } = address
  const permissive = table.policies.filter((policy) => policy.permissive)
  const restrictive = table.policies.filter((policy) => !policy.permissive)
  return (
    <div className="grid auto-rows-min grid-cols-1 gap-6 p-4">
      {table.warnings.length > 0 && <WarningList tenant={tenant} warnings={table.warnings} />}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_auto]">
        <div className="grid gap-6">
          <Section title={`Permissive policies: one has to allow the row (${permissive.length})`}>
            {permissive.length === 0 ? (
              <p className="text-ink-dim">{emptyText(table)}</p>
            ) : (
              permissive.map((policy) => (
                <PolicyCard key={policy.name} {...props} policy={policy} />
              ))
            )}
          </Section>
          {restrictive.length > 0 && (
            <Section
              title={`Restrictive policies: all have to allow the row (${restrictive.length})`}
            >
              {restrictive.map((policy) => (
                <PolicyCard key={policy.name} {...props} policy={policy} />
              ))}
            </Section>
          )}
        </div>
        <Section title="Table grants">
          <GrantsTable grants={table.grants} />
        </Section>
      </div>
    </div>
  )
}

function emptyText({ is_closed, rls_enabled }: RulesViewProps['table']): string {
  if (is_closed) return NOTES.closed
  return rls_enabled ? NOTES.noPermissive : NOTES.rlsOff
}

type Policy = PolicyOverview['tables'][number]['policies'][number]

function PolicyCard(props: RulesViewProps & { readonly policy: Policy }): ReactElement {
  const { address, isEditable, policy } = props
  const Icon = policy.permissive ? ShieldCheck : ShieldHalf
  return (
    <article
      aria-label={`Policy ${policy.name}`}
      className="min-w-0 overflow-hidden rounded-2 border bg-surface-1"
    >
      <header className="flex min-h-9 flex-wrap items-center gap-2 border-b px-3 py-1">
        <Icon size={14} className="shrink-0 text-ink-dim" />
        <h3 className="min-w-0 font-mono font-strong break-words">
          <Breakable text={policy.name} />
        </h3>
        <span className="ml-auto flex flex-wrap items-center gap-1">
          {!policy.permissive && <Chip>restrictive</Chip>}
          <Chip isMono tone="accent">
            {policy.command}
          </Chip>
          <span className="text-small text-ink-dim">to</span>
          {policy.roles.map((role) => (
            <Chip key={role} isMono>
              {role}
            </Chip>
          ))}
          {isEditable && (
            <>
              <IconButton
                size="small"
                label={`Edit policy ${policy.name}`}
                icon={<Pencil />}
                onClick={() => address.edit({ kind: 'change', policy: policy.name })}
              />
              <IconButton
                size="small"
                label={`Drop policy ${policy.name}`}
                icon={<Trash2 />}
                onClick={() => address.edit({ kind: 'drop', policy: policy.name })}
              />
            </>
          )}
        </span>
      </header>
      <div className="grid gap-px bg-line">
        <Clause word="using" of="existing rows" text={policy.using} />
        <Clause word="check" of="new rows" text={policy.check} />
      </div>
    </article>
  )
}

function Clause(props: {
  readonly word: string
  readonly of: string
  readonly text: string | null
}): ReactElement | undefined {
  const { word, of, text } = props
  if (text === null) return undefined
  return (
    <div className="grid grid-cols-[64px_minmax(0,1fr)] gap-3 bg-surface-0 px-3 py-2">
      <span title={of} className="font-mono text-ink-dim">
        {word}
      </span>
      <SqlBlock sql={text} isCondition />
    </div>
  )
}

/** Lists the privileges that each role has on the whole table. */

function GrantsTable({
  grants,
}: {
  readonly grants: Readonly<Record<string, readonly string[]>>
}): ReactElement {
  const roles = [...new Set([...ROLES, ...Object.keys(grants)])]
  return (
    <table className="w-max border-collapse rounded-2 border text-small">
      <thead>
        <tr className="h-7 bg-surface-1">
          <th className="border-b px-3 text-left font-normal text-ink-dim">role</th>
          {ROW_COMMANDS.map((command) => (
            <th key={command} className="border-b px-2 font-mono font-normal text-ink-dim">
              {command}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {roles.map((role) => (
          <tr key={role} className="h-7">
            <th className="border-b px-3 text-left font-mono font-normal">{role}</th>
            {ROW_COMMANDS.map((command) => (
              <td key={command} className="border-b text-center">
                <Grant
                  isGiven={grants[role]?.some((given) => given.toLowerCase() === command) === true}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Grant({ isGiven }: { readonly isGiven: boolean }): ReactElement {
  const Icon = isGiven ? Check : Minus
  return (
    <Icon
      role="img"
      aria-label={isGiven ? 'granted' : 'not granted'}
      size={13}
      className={isGiven ? 'inline text-allowed' : 'inline text-ink-dim'}
    />
  )
}

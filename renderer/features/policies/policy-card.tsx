// One policy as it is written.
import { ShieldCheck, ShieldHalf } from 'lucide-react'
import type { ReactElement } from 'react'
import type { PolicyOverview } from '../../../emulator/contract/explain.ts'
import { SqlBlock } from '../../parts/sql-text.tsx'
import { Chip } from '../../ui/chip.tsx'

type Policy = PolicyOverview['tables'][number]['policies'][number]

export function PolicyCard({ policy }: { readonly policy: Policy }): ReactElement {
  const Icon = policy.permissive ? ShieldCheck : ShieldHalf
  return (
    <article
      aria-label={`Policy ${policy.name}`}
      className="min-w-0 overflow-hidden rounded-2 border bg-surface-1"
    >
      <header className="flex min-h-9 flex-wrap items-center gap-2 border-b px-3 py-1">
        <Icon aria-hidden size={14} className="shrink-0 text-ink-dim" />
        <h4 className="min-w-0 truncate font-mono font-strong">{policy.name}</h4>
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
        </span>
      </header>
      <div className="grid gap-px bg-line">
        <Clause word="using" of="rows that are there" text={policy.using} />
        <Clause word="check" of="rows as they would become" text={policy.check} />
      </div>
    </article>
  )
}

function Clause({
  word,
  of,
  text,
}: {
  readonly word: string
  readonly of: string
  readonly text: string | null
}): ReactElement | undefined {
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

// Shows why a project refused a step: file and line, reason and statement.
import type { ReactElement, ReactNode } from 'react'
import type { MigrationFailure } from '../../../emulator/contract/migrations.ts'
import { Chip } from '../../ui/chip.tsx'
import { SqlBlock } from '../sql-text.tsx'

export function Failure(props: {
  readonly slug: string
  readonly failure: MigrationFailure
  readonly children?: ReactNode
}): ReactElement {
  const { code, line, message, statement, step } = props.failure
  return (
    <article
      aria-label={`${props.slug} failed`}
      className="flex flex-col gap-2 rounded-2 border border-refused/40 bg-refused/5 p-3"
    >
      <p className="flex min-w-0 items-center gap-2">
        <Chip tone="refused">refused</Chip>
        <code className="truncate">{props.slug}</code>
        {step !== null && (
          <code className="ml-auto truncate text-ink-dim" title={step}>
            {line === null ? step : `${step}:${line}`}
          </code>
        )}
      </p>
      <p className="break-words">{message}</p>
      {statement !== null && <SqlBlock sql={statement} className="text-small" />}
      <p className="font-mono text-small text-ink-dim">{code}</p>
      {props.children}
    </article>
  )
}

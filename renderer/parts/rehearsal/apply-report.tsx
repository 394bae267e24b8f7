// The result of applying steps: failures with their statements first, then skipped tenants, then the others.
import type { ReactElement, ReactNode } from 'react'
import type { MigrationResult } from '../../../emulator/contract/migrations.ts'
import { Chip } from '../../ui/chip.tsx'
import { countOf } from '../../ui/form-values.ts'
import { Section } from '../../ui/sheet.tsx'
import { Failure } from './failure.tsx'
import { SKIPPED } from './texts.ts'

/** @param props.children further results, shown above the projects */
export function AppliedResult(props: {
  readonly ok: boolean
  /** The template is first, if there is one. */
  readonly results: readonly MigrationResult[]
  /** Slug of the template. */
  readonly template: string | undefined
  /** Slugs of the canary tenants. */
  readonly canary?: readonly string[]
  readonly children?: ReactNode
}): ReactElement {
  const { canary = [], children, ok, results, template } = props
  const failed = results.flatMap(({ error, slug }) => (error === null ? [] : [{ error, slug }]))
  const done = results.filter((result) => result.ok && result.skipped === null)
  return (
    <Section
      title="Result"
      beside={<Chip tone={ok ? 'allowed' : 'refused'}>{ok ? 'done' : 'not complete'}</Chip>}
    >
      <div role="status" className="flex flex-col gap-3">
        {children}
        {failed.map(({ error, slug }) => (
          <Failure key={slug} slug={slug} failure={error} />
        ))}
        <Skipped results={results} />
        {done.length > 0 && <Done results={done} template={template} canary={canary} />}
      </div>
    </Section>
  )
}

function Skipped({ results }: { readonly results: readonly MigrationResult[] }): ReactElement {
  const skipped = results.flatMap(({ skipped: reason, slug }) =>
    reason === null ? [] : [{ reason, slug }],
  )
  return (
    <>
      {[...Map.groupBy(skipped, ({ reason }) => reason)].map(([reason, members]) => (
        <p key={reason}>
          <Chip>skipped</Chip> {countOf(members.length, 'tenant')}: {SKIPPED[reason]}{' '}
          <span className="font-mono text-small text-ink-dim">
            {members.map(({ slug }) => slug).join(', ')}
          </span>
        </p>
      ))}
    </>
  )
}

function Done({
  canary,
  results,
  template,
}: {
  readonly results: readonly MigrationResult[]
  readonly template: string | undefined
  readonly canary: readonly string[]
}): ReactElement {
  return (
    <ul aria-label="Applied" className="max-h-96 overflow-auto rounded-2 border bg-surface-0">
      {results.map(({ applied, slug }) => (
        <li key={slug} className="flex min-h-7 items-center gap-2 border-b px-3 last:border-b-0">
          <Chip tone="allowed">ok</Chip>
          <code className="min-w-0 flex-1 truncate">{slug}</code>
          {slug === template && <span className="text-small text-ink-dim">template</span>}
          {canary.includes(slug) && <span className="text-small text-ink-dim">canary</span>}
          <span className="text-small text-ink-dim">
            {template === undefined
              ? ''
              : applied.length === 0
                ? 'no pending steps'
                : countOf(applied.length, 'step')}
          </span>
        </li>
      ))}
    </ul>
  )
}

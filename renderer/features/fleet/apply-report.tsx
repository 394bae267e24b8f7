// The result of applying steps: failures with their statements first, then skipped tenants, then the others.
import type { ReactElement } from 'react'
import type { MigrationReport, MigrationResult } from '../../../emulator/contract/migrations.ts'
import { Chip } from '../../ui/chip.tsx'
import { countOf } from '../../ui/form-values.ts'
import { Section } from '../../ui/sheet.tsx'
import { Failure } from './failure.tsx'
import { SKIPPED } from './texts.ts'

export function ApplyReport(props: {
  readonly report: MigrationReport
  /** Slugs of the canary tenants. */
  readonly canary: readonly string[]
}): ReactElement {
  const { canary, report } = props
  const { ok, publish_error: publishError, published, template, tenants } = report
  const all = [template, ...tenants]
  const failed = all.flatMap(({ error, slug }) => (error === null ? [] : [{ error, slug }]))
  const done = all.filter((result) => result.ok && result.skipped === null)
  return (
    <Section
      title="Result"
      beside={<Chip tone={ok ? 'allowed' : 'refused'}>{ok ? 'done' : 'not complete'}</Chip>}
    >
      <div role="status" className="flex flex-col gap-3">
        {published !== null && (
          <p>
            Published <code>{published}</code>.
          </p>
        )}
        {publishError !== null && <Failure slug="Publishing" failure={publishError} />}
        {failed.map(({ error, slug }) => (
          <Failure key={slug} slug={slug} failure={error} />
        ))}
        <Skipped results={tenants} />
        {done.length > 0 && <Done results={done} template={template.slug} canary={canary} />}
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

function Done(props: {
  readonly results: readonly MigrationResult[]
  readonly template: string
  readonly canary: readonly string[]
}): ReactElement {
  return (
    <ul aria-label="Applied" className="max-h-96 overflow-auto rounded-2 border bg-surface-0">
      {props.results.map(({ applied, slug }) => (
        <li key={slug} className="flex min-h-7 items-center gap-2 border-b px-3 last:border-b-0">
          <Chip tone="allowed">ok</Chip>
          <code className="min-w-0 flex-1 truncate">{slug}</code>
          {slug === props.template && <span className="text-small text-ink-dim">template</span>}
          {props.canary.includes(slug) && <span className="text-small text-ink-dim">canary</span>}
          <span className="text-small text-ink-dim">
            {applied.length === 0 ? 'no pending steps' : countOf(applied.length, 'step')}
          </span>
        </li>
      ))}
    </ul>
  )
}

// Shows one tenant of the fleet: its steps, what prevents pending ones, and how its structure drifted.
import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import type { Fleet, FleetTenant } from '../../../emulator/contract/fleet.ts'
import { useDrift } from '../../api/fleet.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { RunnableSql } from '../../parts/sql-actions.tsx'
import { StructureDifferences } from '../../parts/structure-differences.tsx'
import { KeyValueList } from '../../ui/key-value-list.tsx'
import { Section, Sheet } from '../../ui/sheet.tsx'
import { Bytes, Timestamp } from '../../ui/timestamp.tsx'
import { StateChip } from './fleet-columns.tsx'
import { StepMark } from './step-mark.tsx'
import { HINTS, STEP_STATES } from './texts.ts'

interface TenantSheetProps {
  readonly fleet: Fleet
  readonly tenant: FleetTenant
}

export function TenantSheet(
  props: TenantSheetProps & { readonly onClose: () => void },
): ReactElement {
  const { fleet, tenant, onClose } = props
  const { problem, slug, state } = tenant
  return (
    <Sheet
      title={<span className="font-mono">{slug}</span>}
      label="Tenant"
      name="fleet"
      onClose={onClose}
      actions={<StateChip state={state} problem={problem} />}
    >
      {problem !== null && (
        <p role="note" className="rounded-2 border border-refused/40 bg-refused/5 p-3">
          {problem}
        </p>
      )}
      <Facts tenant={tenant} />
      <p>
        <Link
          to="/tenants"
          search={{ group: fleet.group.id, project: slug }}
          className="text-accent underline"
        >
          Open in Groups and tenants
        </Link>
      </p>
      <Section title="Drift">
        <Drift fleet={fleet} tenant={tenant} />
      </Section>
      {fleet.steps.length > 0 && (
        <Section title="Steps, the newest first">
          <Steps fleet={fleet} tenant={tenant} />
        </Section>
      )}
    </Sheet>
  )
}

function Facts({ tenant }: Pick<TenantSheetProps, 'tenant'>): ReactElement {
  const { external_id: id, template_version: version, users, size_bytes: bytes } = tenant
  return (
    <KeyValueList
      items={[
        ['External ID', id ?? '–'],
        ['Template version', version === null ? '–' : `v${version}`],
        ['Users', users ?? '–'],
        ['Size', bytes === null ? '–' : <Bytes key="s" bytes={bytes} />],
        ['Last request', <Timestamp key="r" at={tenant.last_request_at} />],
      ]}
    />
  )
}

function Drift({ fleet, tenant }: TenantSheetProps): ReactElement {
  const { compared_with: reference, slug, state } = tenant
  if (state === 'deleted') return <p className="text-ink-dim">{HINTS.removed}</p>
  if (reference === null) return <p className="text-ink-dim">{HINTS.noReference}</p>
  return <Compared group={fleet.group.id} slug={slug} />
}

function Compared(props: { readonly group: string; readonly slug: string }): ReactElement {
  const { group, slug } = props
  return (
    <Loaded query={useDrift(group, slug)} what="the drift" lines={3}>
      {({ compared_with: reference, differences, statements }) => (
        <>
          {reference !== null && (
            <p className="text-small text-ink-dim">
              Compared with <code>{reference}</code>, which has the same steps.
            </p>
          )}
          <StructureDifferences differences={differences} project={slug} other={reference ?? ''} />
          {statements !== null && (
            <>
              <p className="text-small text-ink-dim">{HINTS.closing}</p>
              <RunnableSql tenant={slug} sql={statements} label="statements that close the drift" />
            </>
          )}
        </>
      )}
    </Loaded>
  )
}

function Steps({ fleet, tenant }: TenantSheetProps): ReactElement {
  const steps = fleet.steps
    .map((step, position) => ({ ...step, state: tenant.steps[position] ?? null }))
    .toReversed()
  return (
    <ol aria-label="Steps" className="rounded-2 border bg-surface-0">
      {steps.map(({ file, name, state, version }) => (
        <li key={version} className="flex min-h-7 items-center gap-2 border-b px-2 last:border-b-0">
          <StepMark state={state} name={name} />
          <code className="min-w-0 flex-1 truncate" title={file ?? undefined}>
            {file ?? `${version}_${name}.sql`}
          </code>
          <span aria-hidden="true" className="text-small text-ink-dim">
            {state === null ? '–' : STEP_STATES[state]}
          </span>
        </li>
      ))}
    </ol>
  )
}

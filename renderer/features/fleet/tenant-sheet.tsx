// Shows one tenant of the fleet, or its template: the steps, why pending steps cannot run, and how the structure drifted.
import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import type { Fleet, FleetTenant, FleetVersion } from '../../../emulator/contract/fleet.ts'
import { ClonedVersion, DifferencesChip, newestOf, StepsChip } from '../../parts/project-facts.tsx'
import { KeyValueList } from '../../ui/key-value-list.tsx'
import { Section, Sheet } from '../../ui/sheet.tsx'
import { Bytes, Timestamp } from '../../ui/timestamp.tsx'
import { DriftSection } from './drift-section.tsx'
import { TenantSteps } from './fleet-columns.tsx'
import { NextSteps } from './next-steps.tsx'
import { StepMark } from './step-mark.tsx'
import { HINTS, STEP_STATES } from './texts.ts'

interface TenantSheetProps {
  readonly fleet: Fleet
  readonly tenant: FleetTenant
}

export function TenantSheet(
  props: TenantSheetProps & {
    readonly onClose: () => void
    /** Opens the sheet that applies steps to the tenant. */
    readonly onApply: () => void
  },
): ReactElement {
  const { fleet, tenant, onClose, onApply } = props
  const { problem, slug, state } = tenant
  return (
    <Sheet
      title={<span className="font-mono">{slug}</span>}
      label="Tenant"
      name="fleet"
      onClose={onClose}
    >
      {problem !== null && <Problem text={problem} />}
      <Facts fleet={fleet} tenant={tenant} />
      <p>
        <Link
          to="/tenants"
          search={{ group: fleet.group.id, project: slug }}
          className="text-accent underline"
        >
          Open in Groups and tenants
        </Link>
      </p>
      {state === 'deleted' ? (
        <p className="text-ink-dim">{HINTS.removed}</p>
      ) : (
        <>
          <NextSteps fleet={fleet} tenant={tenant} onApply={onApply} />
          <DriftSection fleet={fleet} slug={slug} />
        </>
      )}
      <Steps fleet={fleet} states={tenant.steps} />
    </Sheet>
  )
}

/** Shows the template, or one of its versions. */
export function TemplateSheet(props: {
  readonly fleet: Fleet
  readonly version: FleetVersion
  readonly onClose: () => void
}): ReactElement {
  const { fleet, version, onClose } = props
  const { number, problem, slug } = version
  return (
    <Sheet
      title={<span className="font-mono">{slug}</span>}
      label="Template"
      name="fleet"
      onClose={onClose}
      actions={
        <>
          <StepsChip fact={version.facts.steps} />
          <span className="text-ink-dim">v{number}</span>
        </>
      }
    >
      {problem !== null && <Problem text={problem} />}
      <DriftSection fleet={fleet} slug={slug} />
      <Steps fleet={fleet} states={version.steps} />
    </Sheet>
  )
}

function Problem({ text }: { readonly text: string }): ReactElement {
  return (
    <p role="note" className="rounded-2 border border-refused/40 bg-refused/5 p-3">
      {text}
    </p>
  )
}

function Facts({ fleet, tenant }: TenantSheetProps): ReactElement {
  const { external_id: id, template_version: version, users, size_bytes: bytes } = tenant
  return (
    <KeyValueList
      items={[
        ['External ID', id ?? '–'],
        ['Template version', <ClonedVersion key="v" version={version} newest={newestOf(fleet)} />],
        ['Steps', <TenantSteps key="t" tenant={tenant} />],
        ['Structure', <DifferencesChip key="d" fact={tenant.facts.differences} />],
        ['Users', users ?? '–'],
        ['Total size', bytes === null ? '–' : <Bytes key="s" bytes={bytes} />],
        ['Last request', <Timestamp key="r" at={tenant.last_request_at} isPast />],
      ]}
    />
  )
}

function Steps(props: {
  readonly fleet: Fleet
  readonly states: FleetTenant['steps']
}): ReactElement | undefined {
  if (props.fleet.steps.length === 0) return undefined
  const steps = props.fleet.steps
    .map((step, position) => ({ ...step, state: props.states[position] ?? null }))
    .toReversed()
  return (
    <Section title="Steps, newest first">
      <ol aria-label="Steps" className="rounded-2 border bg-surface-0">
        {steps.map(({ file, name, state, version }) => (
          <li
            key={version}
            className="flex min-h-7 items-center gap-2 border-b px-2 last:border-b-0"
          >
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
    </Section>
  )
}

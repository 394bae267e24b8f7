// Formats the answers of `tenantry migrate` for the terminal. Pure.
import type {
  BaselinedVersion,
  MigrationFailure,
  MigrationProject,
  MigrationReport,
  MigrationResult,
  MigrationStatus,
} from '../../../contract/migrations.ts'
import { printable } from '../../../core/printable.ts'

export function statusLines({ group, template, tenants, versions }: MigrationStatus): string {
  const rows = [
    ...[template].map((project) => ['template', project] as const),
    ...versions.map((project) => ['version', project] as const),
    ...tenants.map((project) => ['tenant', project] as const),
  ]
  const width = Math.max(...rows.map(([, { slug }]) => slug.length))
  return [
    `Group ${group}, ${counted(template.steps.length, 'step')}`,
    ...rows.map(
      ([kind, project]) =>
        `  ${kind.padEnd(8)}  ${project.slug.padEnd(width)}  ${stateText(project)}`,
    ),
  ].join('\n')
}

function stateText({ problem, state, steps, template_version: version }: MigrationProject): string {
  const pending = steps.filter((step) => step.state === 'pending' || step.state === 'interrupted')
  const names = pending.map(({ name, version: stamp }) => `${stamp}_${name}`).join(', ')
  const text = {
    up_to_date: 'up to date',
    behind: `behind by ${counted(pending.length, 'step')}: ${names}`,
    conflict: `conflict: ${problem}`,
    deleted: 'removed',
    unknown: `unknown: ${problem}`,
  }[state]
  return printable(version === null ? text : `${text} (from ${version})`)
}

export function reportLines(report: MigrationReport, isDryRun: boolean): string {
  const { published, publish_error: publishError, template, tenants, versions } = report
  const failed = tenants.filter(({ ok }) => !ok).length
  return [
    resultLine('template', template, isDryRun),
    ...versions.map((version) => versionLine(version, isDryRun)),
    ...(published === null ? [] : [`published ${published}`]),
    ...(publishError === null ? [] : [`publishing failed: ${failureText(publishError)}`]),
    ...tenants.map((tenant) => resultLine('tenant', tenant, isDryRun)),
    ...(failed === 0
      ? []
      : [
          `${failed} of ${counted(tenants.length, 'tenant')} failed or were skipped. Run the command again after the cause is removed.`,
        ]),
    ...(isDryRun ? ['Dry run: nothing was applied.'] : []),
  ].join('\n')
}

function versionLine({ error, recorded, slug }: BaselinedVersion, isDryRun: boolean): string {
  const verb = isDryRun ? 'would record' : 'recorded'
  const text =
    error === null ? `${verb} ${recorded.join(', ')}` : `not recorded: ${failureText(error)}`
  return `version ${slug}: ${printable(text)}`
}

const SKIPPED = {
  deleted: 'skipped: the tenant is removed',
  template_failed: 'skipped: the template failed',
  publish_failed: 'skipped: publishing failed',
  canary_failed: 'skipped: a canary failed',
  stopped: 'skipped: an earlier tenant failed',
} as const

function resultLine(kind: string, result: MigrationResult, isDryRun: boolean): string {
  const { applied, error, pending, skipped, slug } = result
  const done = isDryRun ? pending : applied
  const verb = isDryRun ? 'would apply' : 'applied'
  const text =
    skipped === null
      ? done.length === 0
        ? 'up to date'
        : `${verb} ${done.join(', ')}`
      : SKIPPED[skipped]
  const ran =
    error === null
      ? text
      : `${applied.length === 0 ? '' : `${text}; `}failed: ${failureText(error)}`
  return `${kind} ${slug}: ${printable(ran)}`
}

function failureText({ code, line, message, statement, step }: MigrationFailure): string {
  const place = step === null ? '' : `${step}${line === null ? '' : `:${line}`}: `
  const [firstLine = ''] = (statement ?? '').split('\n', 1)
  return `${place}${message} (${code})${firstLine === '' ? '' : ` in: ${firstLine}`}`
}

export function counted(count: number, what: string): string {
  return `${count} ${count === 1 ? what : `${what}s`}`
}

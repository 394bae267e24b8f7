// Runs `tenantry migrate apply`: applies pending steps to the template and tenants of a group, in the emulator or on the hosted
// platform.

import { renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import {
  type BaselinedVersion,
  type MigrationFailure,
  type MigrationOrder,
  type MigrationReport,
  MigrationResult,
} from '../../../contract/migrations.ts'
import { defined } from '../../../core/defined.ts'
import { makeFolder } from '../../../core/make-folder.ts'
import { readOwnFile } from '../../../core/own-file.ts'
import { printable } from '../../../core/printable.ts'
import { loadSqlParser } from '../../../database/sql-parser.ts'
import { rollOut } from '../../../workflow/migrations/apply/roll-out.ts'
import { reportToWire, resultToWire } from '../../../workflow/migrations/apply/to-wire.ts'
import {
  checksumOf,
  type Step,
  type StepSource,
  toSteps,
} from '../../../workflow/migrations/steps/step.ts'
import { readSources } from '../../../workflow/migrations/steps/step-files.ts'
import { type LiveLine, showing } from '../../live-line.ts'
import { counted } from '../../report.ts'
import { emulatorOf, printAnswer } from '../../running-options.ts'
import { terminal } from '../../terminal.ts'
import { groupOf, type MigrateOptions, remoteFleetOf } from './targets.ts'

/** The parsed options of the command line, with defaults filled in. */
export interface ApplyOptions extends MigrateOptions {
  readonly tenants: string
  readonly publish: boolean
  readonly canary: string | undefined
  readonly onFailure: 'continue' | 'stop'
  readonly baseline: string | undefined
  readonly dryRun: boolean
  readonly yes: boolean
  readonly dataDir: string
}

/** Prints what was applied, and sets the exit code. @throws {EmulatorError} */
export async function runApply(options: ApplyOptions): Promise<void> {
  const report =
    options.remote === undefined
      ? await applyHere(options)
      : await applyRemote(options, options.remote)
  printAnswer(options, report, reportLines(report, isDryRun(options)))
  if (!report.ok) terminal().exitCode = 1
}

function isDryRun({ dryRun, remote, yes }: ApplyOptions): boolean {
  return dryRun || (remote !== undefined && !yes)
}

function orderOf(options: ApplyOptions): MigrationOrder & {
  readonly steps: readonly StepSource[]
  readonly tenants: 'all' | 'none' | readonly string[]
} {
  const { baseline, canary, onFailure, publish, tenants } = options
  return defined({
    steps: readSources(options.dir),
    tenants: tenantsOf(tenants),
    canary: listOf(canary ?? ''),
    publish,
    on_failure: onFailure,
    dry_run: isDryRun(options),
    baseline,
  })
}

function tenantsOf(text: string): 'all' | 'none' | readonly string[] {
  return text === 'all' || text === 'none' ? text : listOf(text)
}

function listOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((slug) => slug.trim())
    .filter((slug) => slug !== '')
}

async function applyHere(options: ApplyOptions): Promise<MigrationReport> {
  const emulator = emulatorOf(options)
  const group = await groupOf(emulator, options.group)
  const body = orderOf(options)
  const report = await showing(
    'Applying the steps',
    () => emulator.call('POST /groups/:group/migrations/apply', { params: { group }, body }),
    { afterInterrupt: 'The emulator may still apply them. Run "tenantry migrate status".' },
  )
  if (!isDryRun(options)) {
    const file = openRollout(options.dataDir, {
      target: options.url,
      group,
      steps: toSteps(body.steps).steps,
    })
    const { published, template } = report
    file.change({
      template,
      published,
      tenants: { ...file.rollout.tenants, ...bySlug(report.tenants) },
    })
  }
  return report
}

async function applyRemote(options: ApplyOptions, remote: string): Promise<MigrationReport> {
  const fleet = remoteFleetOf(remote, options.group)
  const { group = '' } = options
  const {
    baseline,
    canary = [],
    on_failure: onFailure = 'continue',
    publish = false,
    steps: sources,
    tenants,
  } = orderOf(options)
  const { steps } = toSteps(sources)
  const file = isDryRun(options)
    ? undefined
    : openRollout(options.dataDir, { target: remote, group, steps })
  if (file !== undefined && file.finishedBefore > 0)
    terminal().stderr.write(
      `Continuing ${file.path}. Tenants that are finished: ${file.finishedBefore}.\n`,
    )
  const order = {
    steps,
    tenants,
    canary,
    publish,
    onFailure,
    baseline,
    isDryRun: isDryRun(options),
  }
  const parser = await loadSqlParser()
  const report = await showing(
    'Applying the steps to the template',
    (line) => rollOut(fleet, order, parser, watchOf(file, line)),
    {
      afterInterrupt: 'The same command continues: finished tenants are recorded in their ledgers.',
    },
  )
  return reportToWire(group, report)
}

// Without a file, as in a dry run, nothing is recorded.
function watchOf(file: RolloutFile | undefined, line: LiveLine): Parameters<typeof rollOut>[3] {
  let done = 0
  return {
    onTemplate: (template) => file?.change({ template: resultToWire(template) }),
    onPublished: (published) => file?.change({ published }),
    onTenants: (total) => line.show({ what: 'Applying the steps to the tenants', done, total }),
    onTenant: (tenant, total) => {
      done += 1
      line.show({ what: `Applied the steps to ${tenant.slug}`, done, total })
      if (file !== undefined && tenant.skipped === undefined)
        file.change({ tenants: { ...file.rollout.tenants, ...bySlug([resultToWire(tenant)]) } })
    },
    publishedBefore: () => file?.rollout.published ?? undefined,
  }
}

function bySlug(results: readonly MigrationResult[]): Record<string, MigrationResult> {
  return Object.fromEntries(results.map((result) => [result.slug, result]))
}

function reportLines(report: MigrationReport, isDryRun: boolean): string {
  const { fixture_problem: fixtureProblem, published, publish_error: publishError } = report
  const { template, tenants, versions } = report
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
    ...(fixtureProblem === null ? [] : [printable(fixtureProblem)]),
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

// The record of a rollout, `rollouts/<host>_<group>.json` in the data directory, lists what was applied to which project. A
// second run of the same steps reads which version was published. The ledgers, not this file, decide which steps still have to
// run.

interface Rollout {
  /** Address of the platform or emulator. */
  readonly target: string
  readonly group: string
  /** Checksum over all steps. */
  readonly steps: string
  readonly template: MigrationResult | null
  /** Slug of the version that was published with these steps. */
  readonly published: string | null
  readonly tenants: Readonly<Record<string, MigrationResult>>
}

const RolloutShape: z.ZodType<Rollout> = z.object({
  target: z.string(),
  group: z.string(),
  steps: z.string(),
  template: MigrationResult.nullable(),
  published: z.string().nullable(),
  tenants: z.record(z.string(), MigrationResult),
})

interface RolloutFile {
  readonly path: string
  /** The record of an earlier run with the same steps, or a new one. */
  readonly rollout: Rollout
  /** Number of tenants that an earlier run finished. */
  readonly finishedBefore: number
  change(changes: Partial<Rollout>): void
}

const HINT =
  'Correct the file, or remove it to begin a new record. The ledgers of the projects still say which steps ran.'

/** @throws {UnusableFile} when the record cannot be read; the file is not changed */
export function openRollout(
  dataDir: string,
  {
    group,
    steps,
    target,
  }: { readonly target: string; readonly group: string; readonly steps: readonly Step[] },
): RolloutFile {
  const name = `${new URL(target).host}_${group}`.replace(/[^A-Za-z0-9._-]+/g, '_')
  const path = join(dataDir, 'rollouts', `${name}.json`)
  const key = checksumOf(steps.map(({ checksum, version }) => `${version} ${checksum}\n`).join(''))
  const earlier = readOwnFile(path, RolloutShape, HINT)
  const isSame = earlier?.steps === key && earlier.group === group
  let rollout: Rollout = isSame
    ? earlier
    : { target, group, steps: key, template: null, published: null, tenants: {} }
  const finishedBefore = Object.values(rollout.tenants).filter(
    ({ ok, pending, skipped }) => ok && skipped === null && pending.length === 0,
  ).length
  return {
    path,
    get rollout() {
      return rollout
    },
    finishedBefore,
    change: (changes) => {
      rollout = { ...rollout, ...changes }
      makeFolder(dirname(path))
      writeFileSync(`${path}.draft`, `${JSON.stringify(rollout, undefined, 2)}\n`)
      renameSync(`${path}.draft`, path)
    },
  }
}

// `tenantry migrate apply`: carries pending steps out on the template and the tenants of a group, here or on the hosted platform.
import { type Command, Option } from 'commander'
import type {
  MigrationOrder,
  MigrationReport,
  MigrationResult,
} from '../../../contract/migrations.ts'
import { defined } from '../../../core/defined.ts'
import { loadSqlParser } from '../../../database/sql-parser.ts'
import { rollOut } from '../../../workflow/migrations/apply/roll-out.ts'
import { reportToWire, resultToWire } from '../../../workflow/migrations/apply/to-wire.ts'
import { type StepSource, toSteps } from '../../../workflow/migrations/steps/step.ts'
import { readSources } from '../../../workflow/migrations/steps/step-files.ts'
import { DEFAULT_DATA_DIR } from '../../run-file.ts'
import { emulatorOf, printAnswer } from '../../running-options.ts'
import { type MigrateOptions, migrateCommandOf } from './migrate-options.ts'
import { reportLines } from './migrate-report.ts'
import { openRollout, type RolloutFile } from './rollout-file.ts'
import { groupOf, remoteFleetOf } from './targets.ts'

interface ApplyOptions extends MigrateOptions {
  readonly tenants: string
  readonly publish: boolean
  readonly canary: string | undefined
  readonly onFailure: 'continue' | 'stop'
  readonly baseline: string | undefined
  readonly dryRun: boolean
  readonly yes: boolean
  readonly dataDir: string
}

export function applyCommand(): Command {
  return migrateCommandOf(
    'apply',
    'apply pending steps to the template and then to tenants; ends with exit code 1 when one fails',
  )
    .option('--tenants <which>', 'apply to all, none or these tenants, comma-separated', 'none')
    .option(
      '--publish',
      'publish the template before the tenants, unless its newest version has the steps',
      false,
    )
    .option(
      '--canary <slugs>',
      'apply to these tenants first; skip the others when one fails (default: none)',
    )
    .addOption(
      new Option('--on-failure <what>', 'go on with the next tenant after a failure, or stop')
        .choices(['continue', 'stop'])
        .default('continue'),
    )
    .option(
      '--baseline <version>',
      'in projects without a ledger, published versions included, record steps up to this timestamp without running them (default: none)',
    )
    .option('--dry-run', 'show pending steps and run nothing (default with --remote)', false)
    .option(
      '--data-dir <folder>',
      'keep the record of the rollout in this folder',
      DEFAULT_DATA_DIR,
    )
    .option('--yes', 'apply to the hosted platform, with --remote', false)
    .action(async (options: ApplyOptions) => {
      const report =
        options.remote === undefined
          ? await applyHere(options)
          : await applyRemote(options, options.remote)
      printAnswer(options, report, reportLines(report, isDryRun(options)))
      if (!report.ok) process.exitCode = 1
    })
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
  const report = await emulator.call('POST /groups/:group/migrations/apply', {
    params: { group },
    body,
  })
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
    process.stderr.write(
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
  const report = await rollOut(
    fleet,
    order,
    await loadSqlParser(),
    file === undefined ? {} : watchOf(file),
  )
  return reportToWire(group, report)
}

function watchOf(file: RolloutFile): Parameters<typeof rollOut>[3] {
  return {
    onTemplate: (template) => file.change({ template: resultToWire(template) }),
    onPublished: (published) => file.change({ published }),
    onTenant: (tenant) => {
      if (tenant.skipped === undefined)
        file.change({ tenants: { ...file.rollout.tenants, ...bySlug([resultToWire(tenant)]) } })
    },
    publishedBefore: () => file.rollout.published ?? undefined,
  }
}

function bySlug(results: readonly MigrationResult[]): Record<string, MigrationResult> {
  return Object.fromEntries(results.map((result) => [result.slug, result]))
}

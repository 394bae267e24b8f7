// Runs `tenantry migrate lint`: finds risks in steps. Uses the table sizes of the running emulator. With `--all`, or when no
// emulator runs, uses only the text of the steps.
import type { LintFinding, MigrationLint } from '../../../contract/migrations.ts'
import { printable } from '../../../core/printable.ts'
import { loadSqlParser } from '../../../database/sql-parser.ts'
import { RunningEmulatorError } from '../../../platform/http-client/running-emulator.ts'
import { lintSteps } from '../../../workflow/migrations/lint/lint-steps.ts'
import { toSteps } from '../../../workflow/migrations/steps/step.ts'
import { readSources } from '../../../workflow/migrations/steps/step-files.ts'
import { counted } from '../../report.ts'
import { emulatorOf, printAnswer, type RunningOptions } from '../../running-options.ts'
import { terminal } from '../../terminal.ts'
import { groupOf } from './targets.ts'

/** The parsed options of the command line, with defaults filled in. */
export interface LintOptions extends RunningOptions {
  readonly dir: string
  readonly group: string | undefined
  readonly all: boolean
}

/** Prints the findings, and sets the exit code. @throws {EmulatorError} */
export async function runLint(options: LintOptions): Promise<void> {
  const found = await findingsOf(options)
  printAnswer(options, found, lintLines(found))
  if (found.findings.some(isError)) terminal().exitCode = 1
}

function isError({ severity }: LintFinding): boolean {
  return severity === 'error'
}

async function findingsOf(options: LintOptions): Promise<MigrationLint> {
  const steps = readSources(options.dir)
  if (options.all) return lintTexts(steps)
  const emulator = emulatorOf(options)
  try {
    const group = await groupOf(emulator, options.group)
    return await emulator.call('POST /groups/:group/migrations/lint', {
      params: { group },
      body: { steps },
    })
  } catch (error) {
    if (!(error instanceof RunningEmulatorError) || error.code !== 'not_running') throw error
    terminal().stderr.write(
      `No emulator answers at ${options.url}. Linting every step, without the sizes of tables.\n`,
    )
    return lintTexts(steps)
  }
}

async function lintTexts(sources: ReturnType<typeof readSources>): Promise<MigrationLint> {
  const { steps } = toSteps(sources)
  const findings = lintSteps(await loadSqlParser(), steps, { rowsOf: () => undefined })
  return { group: '', steps: steps.map(({ file }) => file), findings: [...findings] }
}

/** Returns a line `file:line  severity  rule  message` for each finding, with the safer SQL or advice below it. */
function lintLines({ findings, steps }: MigrationLint): string {
  const errors = findings.filter(({ severity }) => severity === 'error').length
  const warnings = findings.length - errors
  return [
    ...findings.flatMap(findingLines),
    `${counted(steps.length, 'step')} linted: ${counted(errors, 'error')}, ${counted(warnings, 'warning')}.`,
  ].join('\n')
}

function findingLines({ file, line, message, rule, safer, severity }: LintFinding): string[] {
  const found = `${file}:${line}  ${severity}  ${rule}  ${printable(message)}`
  const instead = (safer ?? '').split('\n').map((text) => `    ${printable(text)}`)
  return safer === null ? [found] : [found, '  safer:', ...instead]
}

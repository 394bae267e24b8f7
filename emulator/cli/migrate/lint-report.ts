// Formats the findings of `tenantry migrate lint` for the terminal. Pure.
import type { LintFinding, MigrationLint } from '../../contract/migrations.ts'
import { printable } from '../../core/printable.ts'
import { counted } from './migrate-report.ts'

/** Returns a line `file:line  severity  rule  message` for each finding, and the safer form below it. */
export function lintLines({ findings, steps }: MigrationLint): string {
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

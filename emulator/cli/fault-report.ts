// Formats faults for the terminal. Pure.
import type { ArmedFault, FaultCatalogue } from '../contract/faults.ts'
import { printable } from './mailbox-report.ts'

export function faultLines(faults: readonly ArmedFault[]): string {
  return faults.length === 0 ? 'No fault is armed.' : faults.map(faultLine).join('\n')
}

/** Returns a line such as `flt_… error slug_taken on tenant.provision fired 1 of 3`. */
export function faultLine({ id, scope, effect, count, probability, fired }: ArmedFault): string {
  const { kind, ...facts } = effect
  const where = [
    scope.service,
    scope.operation,
    scope.project,
    scope.identity?.role,
    scope.identity?.subject,
  ].filter((text) => text !== undefined)
  const chance = probability === undefined ? '' : `  at ${probability}`
  const what = [kind, ...Object.values(facts)].join(' ')
  const often = count === undefined ? `fired ${fired}` : `fired ${fired} of ${count}`
  return printable(`${id}  ${what}  on ${where.join(', ') || 'everything'}${chance}  ${often}`)
}

export function catalogueLines({ operations, errors }: FaultCatalogue): string {
  const operationLines = operations.flatMap(({ operation, title, route, effects, codes }) => [
    `${operation}  ${title}${route === null ? '' : `  (${route})`}`,
    `    effects  ${effects.join(', ')}`,
    ...(codes.length === 0 ? [] : [`    codes    ${codes.join(', ')}`]),
  ])
  const errorLines = errors.map(
    ({ service, code, status, sentence }) => `  ${status}  ${service}  ${code}  ${sentence}`,
  )
  return [...operationLines, '', 'Errors:', ...errorLines].join('\n')
}

// `tenantry fault list|arm|disarm|catalogue`: lists, arms and disarms faults of a running emulator.
import { Argument, Command, InvalidArgumentError, Option } from 'commander'
import { FAULT_KINDS, FAULT_SERVICES } from '../../contract/choices.ts'
import type {
  ArmedFault,
  FaultCatalogue,
  FaultEffect,
  FaultOrder,
  FaultService,
} from '../../contract/faults.ts'
import { printable } from '../../core/printable.ts'
import { emulatorOf, printAnswer, type RunningOptions, runningCommand } from '../running-options.ts'

interface ArmOptions extends RunningOptions {
  readonly code?: string
  readonly ms?: number
  readonly jitter?: number
  readonly service?: FaultService
  readonly operation?: string
  readonly project?: string
  readonly role?: string
  readonly subject?: string
  readonly count?: number
  readonly probability?: number
}

export function faultCommand(): Command {
  const list = runningCommand('list', 'list the armed faults').action(
    async (options: RunningOptions) => {
      const { faults } = await emulatorOf(options).call('GET /faults')
      printAnswer(options, { faults }, faults.map(faultLine).join('\n') || 'No fault is armed.')
    },
  )
  return new Command('fault')
    .description('inject faults into a running emulator')
    .addCommand(list)
    .addCommand(armCommand())
    .addCommand(disarmCommand())
    .addCommand(catalogueCommand())
}

function armCommand(): Command {
  return runningCommand('arm', 'arm a fault for all requests in scope')
    .addArgument(new Argument('<effect>', 'effect of the fault').argParser(parseKind))
    .option('--code <code>', 'set the platform’s error code of an `error`, from the catalogue')
    .option('--ms <number>', 'set the milliseconds of `latency` and `realtime_delay`', parseWhole)
    .option(
      '--jitter <number>',
      'add up to this many milliseconds to `latency` (default: 0)',
      parseWhole,
    )
    .addOption(
      new Option('--service <name>', 'select requests of this service (default: all)').choices(
        FAULT_SERVICES,
      ),
    )
    .option('--operation <name>', 'select this operation of the catalogue (default: all)')
    .option(
      '--project <slug>',
      'select requests about this project: slug, schema name or id (default: all)',
    )
    .option('--role <role>', 'select requests of this role, such as anon (default: all)')
    .option(
      '--subject <subject>',
      'select requests of this user: id or e-mail address (default: all)',
    )
    .option(
      '--count <number>',
      'disarm the fault after this many firings (default: never)',
      parseWhole,
    )
    .option('--probability <number>', 'fire with this probability, 0 to 1 (default: 1)', Number)
    .action(async (kind: FaultEffect['kind'], options: ArmOptions, command: Command) => {
      const required = REQUIRED[kind]
      if (required !== undefined && options[required] === undefined)
        command.error(`error: The effect ${kind} needs --${required}.`)
      const body = orderOf(kind, options)
      const armed = await emulatorOf(options).call('POST /faults', { body })
      printAnswer(options, armed, `Armed: ${faultLine(armed)}`)
    })
}

function disarmCommand(): Command {
  return runningCommand('disarm', 'disarm one fault or all faults')
    .argument('[id]', 'id of the fault (default: all faults)')
    .action(async (id: string | undefined, options: RunningOptions) => {
      const emulator = emulatorOf(options)
      if (id !== undefined) {
        const fault = await emulator.call('DELETE /faults/:id', { params: { id } })
        return printAnswer(options, fault, `Disarmed ${id}.`)
      }
      const answer = await emulator.call('DELETE /faults')
      const { disarmed } = answer
      printAnswer(options, answer, `Disarmed ${disarmed} ${disarmed === 1 ? 'fault' : 'faults'}.`)
    })
}

function catalogueCommand(): Command {
  return runningCommand(
    'catalogue',
    'list the operations that faults can target, with their documented errors',
  )
    .addOption(
      new Option('--service <name>', 'select one service (default: all)').choices(FAULT_SERVICES),
    )
    .action(async (options: RunningOptions & Pick<ArmOptions, 'service'>) => {
      const { operations, errors } = await emulatorOf(options).call('GET /faults/catalogue')
      const isMeant = ({ service }: { readonly service: string }): boolean =>
        options.service === undefined || options.service === service
      const catalogue = { operations: operations.filter(isMeant), errors: errors.filter(isMeant) }
      printAnswer(options, catalogue, catalogueLines(catalogue))
    })
}

// The option that each effect requires. The emulator validates the combination of the other options.
const REQUIRED: Partial<Record<FaultEffect['kind'], 'code' | 'ms'>> = {
  error: 'code',
  latency: 'ms',
  realtime_delay: 'ms',
}

function orderOf(kind: FaultEffect['kind'], options: ArmOptions): FaultOrder {
  const { code, ms, jitter, service, operation, project, role, subject, count, probability } =
    options
  const identity = role === undefined && subject === undefined ? undefined : { role, subject }
  return {
    scope: { service, operation, project, identity },
    // The emulator refuses options that do not fit the kind.
    effect: { kind, code, ms, jitter_ms: jitter } as FaultEffect,
    count,
    probability,
  }
}

function parseKind(text: string): FaultEffect['kind'] {
  const kind = FAULT_KINDS.find((known) => known === text.replaceAll('-', '_'))
  if (kind === undefined) throw new InvalidArgumentError(`Choose one of ${FAULT_KINDS.join(', ')}.`)
  return kind
}

function parseWhole(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('Write a whole number.')
  return Number(text)
}

/** Returns a line such as `flt_… error slug_taken on tenant.provision fired 1 of 3`. */
function faultLine({ id, scope, effect, count, probability, fired }: ArmedFault): string {
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

function catalogueLines({ operations, errors }: FaultCatalogue): string {
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

// `tenantry fault list|arm|disarm|catalogue`: faults of a running emulator.
import { Argument, Command, InvalidArgumentError, Option } from 'commander'
import { FAULT_KINDS, FAULT_SERVICES } from '../../contract/choices.ts'
import type { FaultEffect, FaultOrder, FaultService } from '../../contract/faults.ts'
import { catalogueLines, faultLine, faultLines } from '../fault-report.ts'
import { reachEmulator } from '../running-emulator.ts'
import { DEFAULT_PORT } from './start.ts'

interface PlaceOptions {
  readonly url: string
  readonly adminToken: string | undefined
  readonly json: boolean
}

interface ArmOptions extends PlaceOptions {
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
  const command = new Command('fault').description('inject faults into a running emulator')
  for (const each of [listCommand(), armCommand(), disarmCommand(), catalogueCommand()])
    command.addCommand(each)
  return command
}

function listCommand(): Command {
  return placed(new Command('list'))
    .description('show the armed faults')
    .action(async (options: PlaceOptions) => {
      const { faults } = await emulatorAt(options).call('GET /faults')
      print(options, { faults }, faultLines(faults))
    })
}

function armCommand(): Command {
  return placed(new Command('arm'))
    .description('arm a fault; it meets every request in scope until it has fired often enough')
    .addArgument(new Argument('<effect>', 'what happens').argParser(parseKind))
    .option('--code <code>', 'error: the platform’s code, as the catalogue lists it')
    .option('--ms <number>', 'latency, realtime_delay: milliseconds', parseWhole)
    .option('--jitter <number>', 'latency: up to so many milliseconds more', parseWhole)
    .addOption(
      new Option('--service <name>', 'only requests of this service').choices(FAULT_SERVICES),
    )
    .option('--operation <name>', 'only this operation, as the catalogue lists it')
    .option('--project <slug>', 'only requests about this project: slug, schema name or id')
    .option('--role <role>', 'only of this role, e.g. anon')
    .option('--subject <subject>', 'only of this user: id or e-mail address')
    .option('--count <number>', 'disarm it after so many firings', parseWhole)
    .option('--probability <number>', 'fire at this chance, 0 to 1', Number)
    .action(async (kind: FaultEffect['kind'], options: ArmOptions) => {
      const order = orderOf(kind, options)
      const armed = await emulatorAt(options).call('POST /faults', { body: order })
      print(options, armed, `Armed: ${faultLine(armed)}`)
    })
}

function disarmCommand(): Command {
  return placed(new Command('disarm'))
    .description('disarm one fault, or all')
    .argument('[id]', 'the fault’s id; without one, all of them')
    .action(async (id: string | undefined, options: PlaceOptions) => {
      const emulator = emulatorAt(options)
      if (id !== undefined) {
        const fault = await emulator.call('DELETE /faults/:id', { params: { id } })
        return print(options, fault, `Disarmed ${id}.`)
      }
      const answer = await emulator.call('DELETE /faults')
      const { disarmed } = answer
      print(options, answer, `Disarmed ${disarmed} ${disarmed === 1 ? 'fault' : 'faults'}.`)
    })
}

function catalogueCommand(): Command {
  return placed(new Command('catalogue'))
    .description('show what can be aimed at, and the errors each operation documents')
    .addOption(new Option('--service <name>', 'only of this service').choices(FAULT_SERVICES))
    .action(async (options: PlaceOptions & { readonly service?: string }) => {
      const whole = await emulatorAt(options).call('GET /faults/catalogue')
      const isMeant = ({ service }: { readonly service: string }): boolean =>
        options.service === undefined || options.service === service
      const catalogue = {
        operations: whole.operations.filter(isMeant),
        errors: whole.errors.filter(isMeant),
      }
      print(options, catalogue, catalogueLines(catalogue))
    })
}

// The emulator judges what fits together; here only what was not said is left out.
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

function placed(command: Command): Command {
  return command
    .addOption(
      new Option('--url <url>', 'where the emulator runs')
        .env('TENANTRY_AUTH_URL')
        .default(`http://127.0.0.1:${DEFAULT_PORT}`),
    )
    .option('--admin-token <token>', 'the one the emulator was started with, if it was')
    .option('--json', 'print what the emulator’s API answers', false)
}

function emulatorAt({ url, adminToken }: PlaceOptions) {
  return reachEmulator(url, adminToken)
}

function print({ json }: PlaceOptions, answer: unknown, text: string): void {
  process.stdout.write(`${json ? JSON.stringify(answer) : text}\n`)
}

function parseKind(text: string): FaultEffect['kind'] {
  const kind = FAULT_KINDS.find((known) => known === text.replaceAll('-', '_'))
  if (kind === undefined)
    throw new InvalidArgumentError(`It must be one of ${FAULT_KINDS.join(', ')}.`)
  return kind
}

function parseWhole(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

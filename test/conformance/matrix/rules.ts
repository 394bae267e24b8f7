// Records a run of all rules with a temporary group, and finds the rules that fail when the recorded answers are changed.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { deserialize, serialize } from 'node:v8'
import { SystemClock } from '../../../emulator/core/clock.ts'
import { createHttpClient } from '../../../emulator/platform/http-client/http-client.ts'
import { createLab } from '../../../emulator/workflow/conformance/lab/lab.ts'
import type { Capabilities, Check } from '../../../emulator/workflow/conformance/model/check.ts'
import type {
  Reply,
  Step,
  WireRequest,
} from '../../../emulator/workflow/conformance/model/steps.ts'
import { RULES } from '../../../emulator/workflow/conformance/rules/rules.ts'
import { readCapabilities } from '../../../emulator/workflow/conformance/run/capabilities.ts'
import { carryOut } from '../../../emulator/workflow/conformance/run/carry-out.ts'
import { createRefusalLog } from '../../../emulator/workflow/conformance/run/run-conformance.ts'
import {
  createWire,
  type Wire,
  type WireSocket,
} from '../../../emulator/workflow/conformance/run/wire.ts'
import { withLab } from '../../../emulator/workflow/conformance/run/with-lab.ts'
import { basesOf } from '../../../emulator/workflow/traffic/planes.ts'
import type { ReplaySocket } from '../../../emulator/workflow/traffic/replay/replay-socket.ts'
import { startTestEmulator } from '../../support/test-emulator.ts'
import { type AskedRequest, inputOf, jsonOf, situationOf } from './answers.ts'
import { type Plant, withPlant } from './tape.ts'

interface Sent {
  readonly request: WireRequest
  readonly reply: Reply
}

/** A check with its recorded requests, responses and sockets. */
interface RecordedCheck {
  readonly rule: string
  readonly steps: () => Iterable<Step, unknown, Reply>
  readonly sent: readonly Sent[]
  readonly sockets: readonly KeptSocket[]
}

/** A closed socket as plain data. */
interface KeptSocket {
  readonly reply: Reply
  readonly peer: Pick<ReplaySocket, 'answer' | 'closedWith' | 'received'>
}

export interface RecordedRules {
  /** Situations that a rule causes, with the requests that caused them. */
  readonly inputs: ReadonlyMap<string, ReadonlySet<string>>
  /** Returns the rules that fail with a plant. */
  failing(plant: Plant): Promise<readonly string[]>
}

interface Recorder {
  readonly wire: Wire
  /** Returns what was sent since the last call. */
  take(): Pick<RecordedCheck, 'sent' | 'sockets'>
}

const LAB = 'lab'
const PREFIX = 'conformance_matrix'

/** The recording of a run in a file, so that a later report does not need another run. */
interface Recording {
  readonly world: Partial<Capabilities>
  /** Recordings by rule and title of the check. `LAB` is the creation of the temporary group. */
  readonly sent: ReadonlyMap<string, Pick<RecordedCheck, 'sent' | 'sockets'>>
}

/** @param file the file of the recording; an existing recording is reused */
export async function recordRules(file: string): Promise<RecordedRules> {
  if (!existsSync(file)) writeFileSync(file, serialize(await record()))
  const { sent, world }: Recording = deserialize(readFileSync(file))
  const checks = everyCheck().flatMap(([rule, each]): readonly RecordedCheck[] => {
    const own = sent.get(nameOf(rule, each))
    return own ? [{ rule, steps: () => each.steps(world as Capabilities), ...own }] : []
  })
  const lab = sent.get(LAB)
  if (lab) checks.push({ rule: LAB, steps: () => createLab(PREFIX, world.session ?? ''), ...lab })
  return recordedRules(await steadyOf(checks))
}

async function record(): Promise<Recording> {
  await using at = await startTestEmulator({ deterministicSeed: 'matrix' })
  const bases = basesOf(at.url)
  const plain = createWire(bases, createHttpClient({ wallClock: new SystemClock() }))
  const { refusals, wire: logged } = createRefusalLog(plain)
  const recorder = createRecorder(logged)
  const page = readFileSync('docs/wire/errors.md', 'utf8')
  const found = {
    ...(await readCapabilities(recorder.wire, {})),
    refusals: { soFar: refusals, page },
  }
  recorder.take()
  const sent = new Map<string, Pick<RecordedCheck, 'sent' | 'sockets'>>()
  let seen: Partial<Capabilities> = {}
  await withLab(
    { wire: recorder.wire, removal: plain },
    found,
    { place: 'own group', prefix: PREFIX },
    async (world, wire) => {
      seen = world
      sent.set(LAB, recorder.take())
      for (const [rule, each] of everyCheck()) {
        const isReady = each.needs.every((need) => world[need] !== undefined)
        const carried = isReady
          ? await carryOut(each.steps(world as Capabilities), wire)
          : undefined
        const recorded = recorder.take()
        if (carried?.kind === 'done') sent.set(nameOf(rule, each), recorded)
        else process.stdout.write(`not recorded: ${rule} ${each.title}\n`)
      }
      return []
    },
  )
  return { world: seen, sent }
}

function nameOf(rule: string, { title }: Check): string {
  return `${rule} ${title}`
}

function everyCheck(): readonly (readonly [string, Check])[] {
  return Object.entries(RULES).flatMap(([page, rules]) =>
    Object.entries(rules).flatMap(([anchor, rule]) =>
      'checks' in rule ? rule.checks.map((each) => [`${page}#${anchor}`, each] as const) : [],
    ),
  )
}

function createRecorder(wire: Wire): Recorder {
  let sent: Sent[] = []
  let sockets: WireSocket[] = []
  return {
    wire: {
      send: async (request) => {
        const reply = await wire.send(request)
        sent.push({ request, reply })
        return reply
      },
      open: async (step) => {
        const opened = await wire.open(step)
        sockets.push(opened)
        return opened
      },
    },
    take: () => {
      const kept = sockets.map(({ peer: { answer, closedWith, received }, reply }) => ({
        reply,
        peer: { answer, closedWith, received },
      }))
      const taken = { sent, sockets: kept }
      sent = []
      sockets = []
      return taken
    },
  }
}

/** Leaves out checks that fail with their own recording, such as checks that compare with the current time. */
async function steadyOf(checks: readonly RecordedCheck[]): Promise<readonly RecordedCheck[]> {
  const steady: RecordedCheck[] = []
  for (const each of checks) if (!(await fails(each, undefined))) steady.push(each)
  process.stdout.write(`${steady.length} of ${checks.length} recorded checks can be repeated\n`)
  return steady
}

function recordedRules(checks: readonly RecordedCheck[]): RecordedRules {
  const bySituation = new Map<string, Set<RecordedCheck>>()
  const inputs = new Map<string, Set<string>>()
  for (const each of checks) {
    for (const one of each.sent) {
      const [request, answer] = seenAs(one)
      const situation = situationOf(request, answer)
      bySituation.set(situation, (bySituation.get(situation) ?? new Set()).add(each))
      inputs.set(situation, (inputs.get(situation) ?? new Set()).add(inputOf(request)))
    }
  }
  return {
    inputs,
    failing: async (plant) => {
      const failed = new Set<string>()
      for (const each of bySituation.get(plant.situation) ?? [])
        if (await fails(each, plant)) failed.add(each.rule)
      return [...failed]
    },
  }
}

async function fails({ sent, sockets, steps }: RecordedCheck, plant: Plant | undefined) {
  const answers = sent.map((one) => planted(one, plant))
  const open = [...sockets]
  const wire: Wire = {
    send: async () => answers.shift() ?? NO_REPLY,
    open: async () => repeatedSocket(open.shift()),
  }
  return (await carryOut(steps(), wire)).kind === 'failed'
}

const NO_REPLY: Reply = { status: 0, headers: {}, text: '', bytes: Buffer.alloc(0), body: '' }

function repeatedSocket(socket: KeptSocket | undefined): WireSocket {
  if (socket === undefined) throw new TypeError('The check opened one socket more than before.')
  const { peer, reply } = socket
  const ended = async (): Promise<void> => {}
  const { answer, closedWith, received } = peer
  return {
    reply,
    peer: {
      answer,
      closedWith,
      received,
      send: () => {},
      arrived: ended,
      closed: ended,
      close: () => {},
    },
  }
}

function planted(one: Sent, plant: Plant | undefined): Reply {
  const [request, answer] = seenAs(one)
  const given = withPlant(request, answer, plant)
  if (given === answer) return one.reply
  const text = given.bytes.toString()
  const body = text === '' ? undefined : (jsonOf(given) ?? text)
  return { ...given, text, body, bytes: given.bytes }
}

const MOUNTS = { auth: '', data: '', storage: '/storage/v1', realtime: '/realtime/v1' }

function seenAs({ reply, request }: Sent): readonly [AskedRequest, Reply] {
  const { body, json, method, path, plane } = request
  const text = json === undefined ? body : JSON.stringify(json)
  const target = MOUNTS[plane] + path
  return [{ method, target, body: typeof text === 'string' ? text : undefined }, reply]
}

// The faults between two kills: the engine dies, the disk is full, clients disconnect, the clock jumps, snapshots are restored.
import { rmSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { fillDisk } from '../../support/small-disk.ts'
import { isLate } from '../machine.ts'
import { killServer, requireRunning } from '../product.ts'
import type { Random } from '../random.ts'
import { onServer } from '../scenario.ts'
import type { Gate } from './gate.ts'
import { ask, askData, type Reply, remember, type Stage } from './stage.ts'

export interface Chaos {
  /** Causes one fault and returns its name. @throws {Error} when the product does not recover from the fault */
  strike(): Promise<string>
}

interface Deps {
  readonly stage: Stage
  readonly gate: Gate
  readonly random: Random
  /** The mounted small file system that contains only the data directory, if there is one. */
  readonly disk: string | undefined
}

const FULL_MILLIS = 4_000
const BACK_WITHIN_MILLIS = 60_000
const MINUTE = 60_000

export function createChaos(deps: Deps): Chaos {
  const strikes: readonly (readonly [string, (deps: Deps) => Promise<void>])[] = [
    ['a stubborn statement', stubbornStatement],
    onServer() ? ['a killed server', killedServer] : ['a runaway allocation', runawayAllocation],
    ['broken sockets', brokenSockets],
    ['broken sockets', brokenSockets],
    ['slow readers', slowReaders],
    ['a clock jump', clockJump],
    ['a snapshot and a restore', snapshotAndRestore],
    ['a reset', reset],
    ...(deps.disk === undefined ? [] : [['a full disk', fullDisk] as const]),
  ]
  return {
    strike: async () => {
      const [name, strike] = deps.random.pick(strikes)
      await strike(deps)
      return name
    },
  }
}

async function stubbornStatement({ stage, random }: Deps): Promise<void> {
  await askData(stage, random.pick(stage.tenants), 'POST', '/rpc/stubborn', {})
  await answersAgain(stage, random)
}

async function runawayAllocation({ stage, random }: Deps): Promise<void> {
  await askData(stage, random.pick(stage.tenants), 'POST', '/rpc/runaway', {})
  await answersAgain(stage, random)
}

async function killedServer({ stage, random }: Deps): Promise<void> {
  killServer(stage)
  await answersAgain(stage, random)
}

async function answersAgain(stage: Stage, random: Random): Promise<void> {
  const { product } = stage
  const started = performance.now()
  while (stage.product === product && !stage.isGoingDown) {
    const reply = await askData(stage, random.pick(stage.tenants), 'GET', '/entries?limit=1')
    if (reply.ending === 'done') return
    if (isLate(started, BACK_WITHIN_MILLIS))
      throw new Error(`reads are still answered ${reply.status} ${reply.text}`)
    await pause(100)
  }
}

/** Opens clients that disconnect in the middle of a request head, of a request body and of a response. */
async function brokenSockets({ stage, random }: Deps): Promise<void> {
  const { port } = new URL(stage.product.url)
  const { anon_key: key } = random.pick(stage.tenants)
  const head = `POST /entries HTTP/1.1\r\nhost: x\r\napikey: ${key}\r\nauthorization: Bearer ${key}\r\n`
  const texts = [
    'GE',
    head,
    `${head}content-length: 500\r\ncontent-type: application/json\r\n\r\n[{"k":`,
    `${head}transfer-encoding: chunked\r\n\r\n5\r\n[{"k"`,
    `GET /_emulator/v1/journal?limit=500 HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`,
    'P\0\0\0\x08\x04\xd2\x16/',
  ]
  for (const text of texts)
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1')
      socket.on('error', () => resolve())
      socket.on('close', () => resolve())
      socket.write(text, 'latin1', () => setTimeout(() => socket.resetAndDestroy(), 20))
    })
}

/** Opens clients that request large responses and read nothing for a while. */
async function slowReaders({ stage }: Deps): Promise<void> {
  const { port } = new URL(stage.product.url)
  const sockets = stage.tenants.map((tenant) => {
    const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined)
    socket.pause()
    const { anon_key: apikey, service_role_key: key } = tenant
    const path = `/entries?select=${Array.from({ length: 50 }, (_, at) => `c${at}:v`).join(',')}`
    const request = `GET ${path} HTTP/1.1\r\nhost: x\r\napikey: ${apikey}\r\nauthorization: Bearer ${key}\r\n\r\n`
    socket.write(request.repeat(20))
    return socket
  })
  await pause(3_000)
  for (const socket of sockets) socket.destroy()
}

async function clockJump({ stage, random }: Deps): Promise<void> {
  const isBack = random.isLucky(4)
  const body = isBack ? { reset: true } : { advance_ms: (1 + random.below(10)) * MINUTE }
  requireDone(stage, await ask(stage, 'POST', '/_emulator/v1/clock', { body }))
}

async function snapshotAndRestore({ stage, gate }: Deps): Promise<void> {
  const order = { name: 'soak', replace: true }
  await alone(gate, async () => {
    requireDone(stage, await ask(stage, 'POST', '/_emulator/v1/snapshots', { body: order }))
    const goBack = remember(stage)
    gate.open()
    await pause(2_000)
    gate.shut()
    await gate.empty()
    const path = '/_emulator/v1/snapshots/soak/restore'
    requireDone(stage, await ask(stage, 'POST', path, { body: {} }))
    goBack()
  })
}

// Applies an empty fixture, so that a later reset returns to the current state.
async function reset({ stage, gate }: Deps): Promise<void> {
  await alone(gate, async () => {
    const body = { fixture: stage.emptyFixture }
    requireDone(stage, await ask(stage, 'POST', '/_emulator/v1/fixtures/apply', { body }))
    const goBack = remember(stage)
    gate.open()
    await pause(2_000)
    gate.shut()
    await gate.empty()
    requireDone(stage, await ask(stage, 'POST', '/_emulator/v1/reset', { body: {} }))
    goBack()
  })
}

// Runs `work` without other traffic, so that the content of a saved state is known.
async function alone(gate: Gate, work: () => Promise<void>): Promise<void> {
  gate.shut()
  await gate.empty()
  try {
    await work()
  } finally {
    gate.open()
  }
}

async function fullDisk({ stage, disk, random }: Deps): Promise<void> {
  if (disk === undefined) return
  const balloon = fillDisk(disk)
  await pause(FULL_MILLIS)
  rmSync(balloon, { force: true })
  if (stage.isGoingDown) return
  requireRunning(stage.product)
  await answersAgain(stage, random)
}

function requireDone(stage: Stage, reply: Reply): void {
  if (reply.ending !== 'done' && !stage.isGoingDown)
    throw new Error(`a change of state was answered ${reply.status} ${reply.text}`)
}

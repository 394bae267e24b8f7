// The delivery of changes to subscribers, with a source and a judge in memory: order, token changes, limits and failures.
import { beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '../../../emulator/core/clock.ts'
import { trusted } from '../../../emulator/core/names.ts'
import type { Observation } from '../../../emulator/core/observation.ts'
import { epochMillis, toEpochSeconds } from '../../../emulator/core/time.ts'
import type {
  ChangeListener,
  ChangeSource,
  RowChange,
  WatchedTable,
} from '../../../emulator/database/changes/row-change.ts'
import type { Engine } from '../../../emulator/database/engine.ts'
import { ChangePipeline } from '../../../emulator/services/realtime/row-changes/change-pipeline.ts'
import type { ChangeChannel } from '../../../emulator/services/realtime/row-changes/change-subscriptions.ts'
import type {
  ChangeJudge,
  Identity,
} from '../../../emulator/services/realtime/row-changes/judge/verdict.ts'
import { parseChangeRequest } from '../../../emulator/services/realtime/row-changes/subscribe/change-request.ts'
import type { RealtimeToken } from '../../../emulator/services/realtime/tokens/realtime-token.ts'
import { until } from '../../support/until.ts'

const SCHEMA = trusted.schemaName('proj_x')
const START = epochMillis(Date.UTC(2026, 10, 21))

function tableOf(name: string): WatchedTable {
  const readers = new Set(['anon', 'authenticated', 'service_role'] as const)
  const id = {
    name: 'id',
    type: 'int4',
    sqlType: 'integer',
    isKey: true,
    isIdentity: true,
    readers,
  }
  return {
    oid: 1,
    schemaName: SCHEMA,
    name,
    hasRowSecurity: true,
    columns: [id],
    key: [0],
    policies: [],
  }
}

const TABLES = new Map(['one', 'two'].map((name) => [name, tableOf(name)]))

function insertOf(name: string, number: number): RowChange {
  const table = TABLES.get(name) ?? tableOf(name)
  const row = { texts: [String(number)], jsonOf: () => String(number) }
  const committed = { committedAt: START, committedWallAt: START }
  const wholeOldRow = () => undefined
  return { number, table, kind: 'INSERT', ...committed, row, wholeOldRow, sizeBytes: 8 }
}

/** Calls each listener with its changes, one after the other. */
class MemorySource implements ChangeSource {
  readonly listeners = new Map<ChangeListener, ('all' | ReadonlySet<string>)[]>()

  subscribe(_schema: unknown, wanted: 'all' | ReadonlySet<string>, listener: ChangeListener) {
    const all = this.listeners.get(listener) ?? []
    this.listeners.set(listener, [...all, wanted])
    return Promise.resolve({
      tables: TABLES,
      close: () =>
        this.listeners.set(
          listener,
          this.wantedBy(listener).filter((each) => each !== wanted),
        ),
    })
  }

  wantedBy(listener: ChangeListener) {
    return this.listeners.get(listener) ?? []
  }

  commit(...changes: readonly RowChange[]): void {
    for (const [listener, wants] of this.listeners)
      for (const wanted of wants) {
        const theirs = changes.filter(({ table }) => wanted === 'all' || wanted.has(table.name))
        if (theirs.length > 0) listener.onChanges(theirs)
      }
  }
}

class Channel implements ChangeChannel {
  readonly topic = 'realtime:x'
  readonly name = 'x'
  readonly ids: number[] = []
  readonly failures: string[] = []
  token: RealtimeToken

  constructor(subject: string) {
    this.token = tokenOf(subject)
  }

  deliver(frame: Parameters<ChangeChannel['deliver']>[0]): void {
    const text = Buffer.from(frame.encoded(2)?.bytes ?? []).toString()
    this.ids.push(JSON.parse(text)[4].data.record.id)
  }

  tell(): void {}

  fail(message: string): void {
    this.failures.push(message)
  }
}

function tokenOf(subject: string): RealtimeToken {
  const claims = { sub: subject, role: 'authenticated' }
  return {
    text: subject,
    schemaName: SCHEMA,
    role: 'authenticated',
    subject,
    claims,
    claimsText: JSON.stringify(claims),
    keyVersion: 1,
    expiresAt: toEpochSeconds(epochMillis(START + 60_000)),
  }
}

/** A judge that shows every change to every subscriber, as soon as `gate` resolves. */
class MemoryJudge implements ChangeJudge {
  readonly asked: { readonly numbers: readonly number[]; readonly subjects: readonly unknown[] }[] =
    []
  gate: Promise<void> = Promise.resolve()

  async judge(changes: readonly RowChange[], identities: readonly Identity[]) {
    this.asked.push({
      numbers: changes.map(({ number }) => number),
      subjects: identities.map(({ claims }) => claims['sub']),
    })
    await this.gate
    return changes.map((change) => ({
      change,
      verdicts: identities.map(() => ({ kind: 'visible' as const })),
      dataJson: () => `{"record":{"id":${change.number}}}`,
    }))
  }
}

let source: MemorySource
let judge: MemoryJudge
let clock: ManualClock
let observed: Observation[]
beforeEach(() => {
  source = new MemorySource()
  judge = new MemoryJudge()
  clock = new ManualClock(START)
  observed = []
})

function openProject(changesPerSecond = Number.POSITIVE_INFINITY): ChangePipeline {
  return new ChangePipeline(SCHEMA, {
    // No request here has a filter, so the pipeline never uses the engine.
    engine: {} as Engine,
    source,
    judge,
    limits: { changesPerSecond },
    clock,
    wallClock: clock,
    observe: (observation) => observed.push(observation),
  })
}

async function enter(project: ChangePipeline, channel: Channel, ...tables: readonly string[]) {
  const requests = tables.map((table, index) => ({
    request: parseChangeRequest({ schema: 'public', table }),
    id: index + 1,
  }))
  const subscriber = await project.prepare(channel, requests)
  project.enter(subscriber, undefined)
  return subscriber
}

function verdicts(): readonly string[] {
  return observed.flatMap((observation) =>
    observation.kind === 'changeJudged' ? observation.verdicts().map(({ verdict }) => verdict) : [],
  )
}

describe('ChangePipeline', () => {
  it('delivers each change once and in commit order, for any order of capture', async () => {
    const project = openProject()
    const channel = new Channel('ana')
    await enter(project, channel, 'two', 'one', '*')
    source.commit(insertOf('one', 1), insertOf('two', 2), insertOf('one', 3))
    await until(() => channel.ids.length >= 3)
    expect(channel.ids).toEqual([1, 2, 3])
  })

  it('evaluates changes once per identity, and batches changes that arrive during an evaluation', async () => {
    const project = openProject()
    const channels = ['ana', 'ana', 'bob'].map((subject) => new Channel(subject))
    for (const channel of channels) await enter(project, channel, 'one')
    let open = () => {}
    judge.gate = new Promise((resolve) => {
      open = resolve
    })
    source.commit(insertOf('one', 1))
    await until(() => judge.asked.length === 1)
    source.commit(insertOf('one', 2))
    source.commit(insertOf('one', 3))
    open()
    await until(() => channels.every(({ ids }) => ids.length === 3))
    expect(judge.asked).toEqual([
      { numbers: [1], subjects: ['ana', 'bob'] },
      { numbers: [2, 3], subjects: ['ana', 'bob'] },
    ])
  })

  it('switches a channel to a new token without losing or repeating a change', async () => {
    const project = openProject()
    const channel = new Channel('ana')
    const first = await enter(project, channel, 'one')
    source.commit(insertOf('one', 1))
    channel.token = tokenOf('bob')
    const request = { request: parseChangeRequest({ schema: 'public', table: 'one' }), id: 1 }
    const second = await project.prepare(channel, [request])
    source.commit(insertOf('one', 2))
    project.enter(second, first)
    source.commit(insertOf('one', 3))
    await until(() => channel.ids.length >= 3)
    expect(channel.ids).toEqual([1, 2, 3])
    expect(judge.asked.at(-1)).toEqual({ numbers: [3], subjects: ['bob'] })
  })

  it('delivers no change that was committed before the join, after the leave or after the token expired', async () => {
    const project = openProject()
    const [early, late, expired] = [new Channel('a'), new Channel('b'), new Channel('c')]
    const leaving = await enter(project, early, 'one')
    source.commit(insertOf('one', 1))
    await enter(project, late, 'one')
    await until(() => early.ids.length === 1)
    project.leave(leaving)
    expired.token = { ...expired.token, expiresAt: toEpochSeconds(START) }
    await enter(project, expired, 'one')
    source.commit(insertOf('one', 2))
    await until(() => late.ids.length === 1)
    expect([early.ids, late.ids, expired.ids]).toEqual([[1], [2], []])
    expect(verdicts()).toEqual(['delivered', 'delivered', 'tokenExpired'])
  })

  it('skips changes above the rate limit', async () => {
    const project = openProject(1)
    const channel = new Channel('ana')
    await enter(project, channel, 'one')
    source.commit(...[1, 2, 3, 4, 5, 6, 7].map((number) => insertOf('one', number)))
    await until(() => verdicts().length === 7)
    expect(channel.ids).toEqual([1, 2, 3, 4, 5])
    expect(verdicts().slice(5)).toEqual(['rateLimited', 'rateLimited'])
  })

  it('ends all channels when changes may have been missed', async () => {
    const project = openProject()
    const channel = new Channel('ana')
    await enter(project, channel, 'one')
    project.onInterrupted('the engine died')
    expect(channel.failures).toEqual([
      'Changes may have been missed, subscribe again: the engine died',
    ])
    expect(project.isEmpty).toBe(true)
  })

  it('ends all channels when the policies cannot be evaluated', async () => {
    const project = openProject()
    const channel = new Channel('ana')
    await enter(project, channel, 'one')
    judge.gate = Promise.reject(new Error('gone'))
    source.commit(insertOf('one', 1))
    await until(() => channel.failures.length === 1)
    expect(channel.ids).toEqual([])
  })

  it('stops capturing tables when the last subscriber leaves', async () => {
    const project = openProject()
    const [one, other] = [new Channel('ana'), new Channel('bob')]
    const first = await enter(project, one, 'one', 'two')
    const second = await enter(project, other, 'one')
    project.leave(first)
    expect(project.isEmpty).toBe(false)
    project.leave(second)
    expect(project.isEmpty).toBe(true)
    await until(() => source.wantedBy(project).length === 0)
  })
})

// A project on a real engine with listeners to its row changes, for unit tests of the capture and evaluation of changes.
import { ManualClock } from '../../emulator/core/clock.ts'
import { trusted } from '../../emulator/core/names.ts'
import { epochMillis } from '../../emulator/core/time.ts'
import { type ChangeFeed, createChangeFeed } from '../../emulator/database/changes/change-feed.ts'
import type {
  ChangeListener,
  ChangeSubscription,
  RowChange,
} from '../../emulator/database/changes/row-change.ts'
import type { Engine, WorkResult } from '../../emulator/database/engine.ts'
import type { EngineRehearsals } from '../../emulator/database/rehearsal.ts'
import type { Identity } from '../../emulator/services/realtime/row-changes/judge/verdict.ts'
import { createTestTenant, openTestEngine, runAsOwner } from './test-engine.ts'

export const PROJECT = trusted.schemaName('proj_x')
export const COMMITTED_AT = epochMillis(Date.UTC(2026, 10, 21, 12))

export interface ChangeWorld extends ChangeFeed {
  readonly engine: Engine & EngineRehearsals
  /** The clock that decides when unused triggers are dropped. */
  readonly wallClock: ManualClock
  /** Runs SQL as the project's owner. */
  exec(text: string): Promise<WorkResult>
  /** Listens to tables of the project. */
  listen(...tables: readonly string[]): Promise<Listening>
  close(): Promise<void>
}

export interface Listening extends ChangeSubscription {
  readonly interruptions: readonly string[]
  /** Returns the changes that were delivered since the last call. */
  take(): readonly RowChange[]
  /** Returns these changes as texts such as `INSERT notes {"id":1}`. */
  lines(): readonly string[]
}

/** Opens an engine with the project `proj_x`. */
export async function openChangeWorld(): Promise<ChangeWorld> {
  const { engine } = await openTestEngine()
  await createTestTenant(engine, PROJECT)
  const wallClock = new ManualClock(COMMITTED_AT)
  const feed = createChangeFeed(engine, { clock: new ManualClock(COMMITTED_AT), wallClock })
  const listenings: Listening[] = []
  return {
    ...feed,
    engine,
    wallClock,
    exec: (text) => runAsOwner(engine, PROJECT, text),
    listen: async (...tables) => {
      const listening = await listenTo(feed, tables.length === 0 ? 'all' : new Set(tables))
      listenings.push(listening)
      return listening
    },
    close: async () => {
      for (const listening of listenings) listening.close()
      await engine.close()
    },
  }
}

async function listenTo(
  { source }: ChangeFeed,
  tables: 'all' | ReadonlySet<string>,
): Promise<Listening> {
  const told: RowChange[] = []
  const interruptions: string[] = []
  const listener: ChangeListener = {
    onChanges: (changes) => told.push(...changes),
    onInterrupted: (reason) => interruptions.push(reason),
  }
  const subscription = await source.subscribe(PROJECT, tables, listener)
  const take = () => told.splice(0)
  return {
    get tables() {
      return subscription.tables
    },
    interruptions,
    close: () => subscription.close(),
    take,
    lines: () => take().map(lineOf),
  }
}

function lineOf({ kind, table, row, oldRow }: RowChange): string {
  const told = row ?? oldRow
  const members = table.columns.flatMap(({ name }, index) =>
    told?.texts[index] === undefined ? [] : [`"${name}":${told.jsonOf(index)}`],
  )
  return `${kind} ${table.name} {${members.join(',')}}`
}

/** A subscriber of the project. */
export function identity(role: Identity['role'], sub: string, others: object = {}): Identity {
  const claims = { sub, role, ...others }
  return { schemaName: PROJECT, role, claims, claimsText: JSON.stringify(claims) }
}

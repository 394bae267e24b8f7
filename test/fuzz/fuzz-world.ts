// The emulator that is fuzzed. One tenant gets the cases, and another tenant must still get its usual answers. Collects all
// internal errors that the emulator reports.
import type { Observation } from '../../emulator/index.ts'
import {
  createGroup,
  type Json,
  provisionTenant,
  startTestEmulator,
  type TestEmulator,
  type TestTenant,
} from '../support/test-emulator.ts'

export interface FuzzWorld extends AsyncDisposable {
  readonly at: TestEmulator
  readonly tenant: TestTenant
  readonly postgres: { readonly port: number; readonly url: string }
  /** Runs SQL as the tenant's owner. @throws {Error} when a statement fails */
  execute(sql: string): Promise<Json>
  /** @throws {Error} with the stack of an internal error that the emulator reported since the last call */
  requireNoFailure(): void
  /** @throws {Error} when another tenant does not get the same rows as before, or the engine was restarted */
  requireCanary(): Promise<void>
}

const CANARY_ROWS = [{ id: 1, word: 'one' }]

/** Starts an emulator in memory with both tenants. */
export async function openFuzzWorld(): Promise<FuzzWorld> {
  const failures: unknown[] = []
  const at = await startTestEmulator({}, [
    (observation: Observation) => {
      if (observation.kind === 'internalFailure') failures.push(observation.error)
    },
  ])
  const { port } = await at.emulator.listenPostgres({ port: 0, host: '127.0.0.1' })
  const group = await createGroup(at, 'fuzz', {
    sql: 'create table canary (id integer primary key, word text)',
  })
  const tenant = await provisionTenant(at, group, 'target')
  const canary = await provisionTenant(at, group, 'canary')
  const { groups } = await at.emulator.ready(at.url)
  const factsOf = (wanted: string) =>
    groups.flatMap(({ tenants }) => tenants).find(({ slug }) => slug === wanted)
  const execute = async (slug: string, sql: string): Promise<Json> => {
    const path = `/platform/v1/projects/${factsOf(slug)?.project_id}/db/exec`
    const answer = await at.call('POST', path, { credential: at.session, body: { sql } })
    if (answer.status !== 200 || answer.body.error !== undefined) throw new Error(answer.text)
    return answer.body
  }
  await execute('canary', `insert into canary values (1, 'one')`)
  const requireNoFailure = (): void => {
    const [failure] = failures.splice(0)
    if (failure !== undefined)
      throw new Error(`the emulator reported a failure: ${stackOf(failure)}`)
  }
  return {
    at,
    tenant,
    postgres: { port, url: factsOf('target')?.postgres_url ?? '' },
    execute: (sql) => execute('target', sql),
    requireNoFailure,
    requireCanary: async () => {
      const answer = await at.call('GET', '/canary', {
        credential: canary.serviceRoleKey,
        headers: { apikey: canary.anonKey },
      })
      if (JSON.stringify(answer.body) !== JSON.stringify(CANARY_ROWS))
        throw new Error(`another tenant got ${answer.status} ${answer.text}`)
      const { engine } = (await at.call('GET', '/_emulator/v1/health')).body
      if (engine.restarts > 0) throw new Error(`the engine was restarted ${engine.restarts} times`)
      requireNoFailure()
    },
    [Symbol.asyncDispose]: () => at[Symbol.asyncDispose](),
  }
}

function stackOf(failure: unknown): string {
  return failure instanceof Error ? (failure.stack ?? failure.message) : String(failure)
}

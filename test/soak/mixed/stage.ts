// The state that lanes, chaos and comparison share: the running product, ten tenants, and their acknowledged changes.
import type { ReadyTenant } from '../../../emulator/index.ts'
import {
  type Answer,
  createGroup,
  type Json,
  provisionTenant,
  type TestGroup,
} from '../../support/test-emulator.ts'
import { isLate } from '../machine.ts'
import { type Product, requireRunning, startProduct } from '../product.ts'
import { serverHeaders, tenantsOf } from '../scenario.ts'
import { type Ending, Ledger } from './ledger.ts'

export interface Stage {
  readonly dataDir: string
  /** Path of an empty fixture. */
  readonly emptyFixture: string
  product: Product
  group: TestGroup
  tenants: readonly ReadyTenant[]
  /** All tenants, including those that a lane adds and removes. */
  all: readonly ReadyTenant[]
  /** The text of each row, by `<slug>/<key>`. */
  readonly rows: Ledger
  /** The digest of each object's bytes, by `<slug>/<key>`. */
  readonly objects: Ledger
  /** The value `here` for each user, by `<slug>/<e-mail address>`. */
  readonly users: Ledger
  /** The last refresh token of each session, by `<slug>/<e-mail address>`. */
  readonly sessions: Ledger
  /** The state of each tenant, by slug: `active`, or `removed` when only the tenant's data is left. */
  readonly slugs: Ledger
  /** The newest acknowledged changes, oldest first. */
  readonly lately: string[]
  /** A kill is under way: connections may end without an answer. */
  isGoingDown: boolean
  readonly counts: { operations: number; unanswered: number; refused: number }
}

export const TENANTS = 10
const KEPT_LINES = 20
/** Tables of the mixed traffic, and functions that bring the engine down in two ways. */
const SQL = `create table entries (k text primary key, v text not null);
create table related (k text primary key references entries on delete cascade);
create function stubborn() returns void language plpgsql as $$
begin
  loop
    begin
      loop null; end loop;
    exception when query_canceled then null;
    end;
  end loop;
end $$;
create function runaway() returns integer language sql as $$ select cardinality(array_fill(1, array[200000000])) $$;`
const UNANSWERED_MILLIS = 60_000

export async function openStage(dataDir: string, emptyFixture: string): Promise<Stage> {
  const lately: string[] = []
  const ledger = (name: string): Ledger =>
    new Ledger(name, (line) => {
      lately.push(line)
      if (lately.length > KEPT_LINES) lately.shift()
    })
  const product = await startProduct({ dataDir })
  const group = await createGroup(product, 'soak', { sql: SQL, plan: 'scale' })
  const slugs = ledger('tenant')
  for (let place = 0; place < TENANTS; place += 1)
    await slugs.change(`soak${place}`, 'active', async () => {
      await provisionTenant(product, group, `soak${place}`)
      return 'done'
    })
  const stage: Stage = {
    dataDir,
    emptyFixture,
    product,
    group,
    tenants: [],
    all: [],
    rows: ledger('row'),
    objects: ledger('object'),
    users: ledger('user'),
    sessions: ledger('session'),
    slugs,
    lately,
    isGoingDown: false,
    counts: { operations: 0, unanswered: 0, refused: 0 },
  }
  await refreshTenants(stage)
  for (const tenant of stage.tenants) await makeBucket(stage, tenant)
  return stage
}

/** Reads the addresses and keys of the ten tenants again. */
export async function refreshTenants(stage: Stage): Promise<void> {
  stage.all = await tenantsOf(stage.product)
  stage.tenants = stage.all.filter(({ slug }) => /^soak\d$/.test(slug))
}

export interface Asked {
  readonly credential?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

export interface Reply extends Answer<Json> {
  readonly ending: Ending
}

/**
 * Sends one request. Never rejects while the product is being killed.
 * @throws {Error} when the product has ended by itself, does not answer, or reports an internal error
 */
export async function ask(
  stage: Stage,
  method: string,
  path: string,
  asked: Asked = {},
): Promise<Reply> {
  const { product, counts } = stage
  counts.operations += 1
  try {
    const answer = await withinTime(product.call<Json>(method, path, asked))
    if (isInternal(answer))
      throw new InternalError(`${method} ${path}: ${answer.status} ${answer.text}`)
    if (answer.status >= 500) counts.refused += 1
    return { ...answer, ending: endingOf(answer) }
  } catch (error) {
    if (error instanceof InternalError) throw error
    counts.unanswered += 1
    if (!stage.isGoingDown && stage.product === product) {
      requireRunning(product)
      throw new Error(
        `${method} ${path}: ${error instanceof Error ? (error.cause ?? error.message) : error}`,
      )
    }
    return { ending: 'unknown', status: 0, headers: new Headers(), text: '', body: undefined }
  }
}

class InternalError extends Error {}

function isInternal(answer: Answer<Json>): boolean {
  return answer.status === 500 && /"(code|error)":"internal"/.test(answer.text) && !isUndone(answer)
}

// Whether the answer says that a tenant could not be provisioned, and that no part of the tenant is left after the next start.
function isUndone({ text }: Answer<Json>): boolean {
  return /All steps were undone|Nothing was stored|Restart the emulator to erase/.test(text)
}

function endingOf(answer: Answer<Json>): Ending {
  if (answer.status < 300) return 'done'
  return answer.status < 500 || isUndone(answer) ? 'refused' : 'unknown'
}

async function withinTime<Result>(work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const started = performance.now()
  const late = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      if (isLate(started, UNANSWERED_MILLIS))
        reject(new Error(`no answer within ${Math.round(performance.now() - started)} ms`))
    }, 1_000)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearInterval(timer)
  }
}

/** Sends a request to the data plane with the tenant's service_role key. */
export function askData(
  stage: Stage,
  tenant: ReadyTenant,
  method: string,
  path: string,
  body?: unknown,
): Promise<Reply> {
  const headers = { ...serverHeaders(tenant), prefer: 'return=minimal' }
  return ask(stage, method, path, { headers, ...(body === undefined ? {} : { body }) })
}

/** Sends a request to the storage service with a newly exchanged token, so that a moved clock cannot have expired it. */
export async function askStorage(
  stage: Stage,
  tenant: ReadyTenant,
  method: string,
  path: string,
  asked: Asked = {},
): Promise<Reply> {
  const exchanged = await ask(stage, 'POST', '/st/v1/token', {
    credential: tenant.service_role_key,
  })
  if (exchanged.ending !== 'done') return { ...exchanged, ending: 'refused' }
  return ask(stage, method, `/storage/v1${path}`, { ...asked, credential: exchanged.body.token })
}

export function bucketOf({ schema_name: schema }: ReadyTenant): string {
  return `${schema}_files`
}

async function makeBucket(stage: Stage, tenant: ReadyTenant): Promise<void> {
  const made = await askStorage(stage, tenant, 'POST', '/bucket', {
    body: { name: bucketOf(tenant) },
  })
  if (made.ending !== 'done') throw new Error(made.text)
}

/** Copies all acknowledged changes. Returns a function that restores the copy. */
export function remember({ rows, objects, users, sessions, slugs }: Stage): () => void {
  const ways = [rows, objects, users, sessions, slugs].map((ledger) => ledger.copy())
  return () => {
    for (const goBack of ways) goBack()
  }
}

// A platform with tables, files and users, for tests that save and restore its state.
import type { EmulatorConfig } from '../../emulator/index.ts'
import { type StorageWorld, startStorageWorld } from './storage-world.ts'
import type { Json } from './test-emulator.ts'

export interface StateWorld extends StorageWorld {
  /** Runs SQL as the owner of a tenant. The default is the first tenant. */
  sql(sql: string, serviceKey?: string): Promise<Json>
  /** Returns the bodies of the notes, in order. */
  notes(): Promise<readonly string[]>
  /** Adds a note over REST. Returns the status. */
  note(body: string): Promise<number>
  /** Sends a request to the emulator's own API. */
  api(method: string, path: string, body?: unknown): Promise<Json>
  /** Signs up a user and returns the answer. */
  signUp(email: string): Promise<Json>
  users(): Promise<readonly string[]>
}

/**
 * Tables with triggers, foreign keys and a sequence. A faulty restore could fire the triggers, or lose the position of the
 * sequence.
 */
export const TABLES = `create table notes (id bigint generated always as identity primary key, body text not null unique);
create table tags (note_id bigint not null references notes on delete cascade, tag text not null);
create function stamp() returns trigger language plpgsql as $$ begin new.body := new.body || '.'; return new; end $$;
create trigger stamping before insert or update on notes for each row execute function stamp();
alter table notes enable always trigger stamping;
create view all_notes as select * from notes`

export async function startStateWorld(config?: EmulatorConfig): Promise<StateWorld> {
  const world = await startStorageWorld(config)
  const { at, tenant } = world
  const sql = async (text: string, serviceKey = tenant.serviceRoleKey): Promise<Json> => {
    const payload = Buffer.from(serviceKey.split('.')[1] ?? '', 'base64url').toString()
    const { platform } = await at.emulator.ready(at.url)
    const path = `/platform/v1/projects/${JSON.parse(payload).project_id}/db/exec`
    const answer = await at.call<Json>('POST', path, {
      credential: platform.session_token,
      body: { sql: text },
    })
    if (answer.status !== 200 || answer.body.error !== undefined) throw new Error(answer.text)
    return answer.body
  }
  const headers = { apikey: tenant.anonKey, 'accept-profile': tenant.schemaName }
  const credential = tenant.serviceRoleKey
  const api = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const answer = await at.call('POST' === method ? 'POST' : method, `/_emulator/v1${path}`, {
      ...(body === undefined ? {} : { body }),
    })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
    return answer.body
  }
  await sql(TABLES)
  return {
    ...world,
    sql,
    api,
    notes: async () => {
      const { body } = await at.call<Json>('GET', '/notes?select=body&order=id', {
        credential,
        headers,
      })
      return body.map((row: Json) => row.body)
    },
    note: async (body) =>
      (await at.call('POST', '/notes', { credential, headers, body: { body } })).status,
    signUp: async (email) => {
      const { status, text, body } = await at.call<Json>('POST', '/auth/v1/signup', {
        headers: { apikey: tenant.anonKey },
        body: { email, password: 'correct horse' },
      })
      if (status >= 300) throw new Error(text)
      return body
    },
    users: async () =>
      (await api('GET', `/projects/${tenant.slug}/users`)).users.map((user: Json) => user.email),
  }
}

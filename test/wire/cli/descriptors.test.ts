// Postgres has several files for each table of each tenant, and closes files that it has not used for long. A common limit of a
// process is 1,024 open files. Half of this limit must be enough for the whole emulator.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { spawnCliWithDescriptors, temporaryFolder } from '../../support/cli-process.ts'
import type { Json } from '../../support/test-emulator.ts'

const DESCRIPTORS = 512
const TENANTS = 4
const TABLES = Array.from({ length: 50 }, (_, number) => `t${number}`)
// Each table has four files: the table, its sequence and two indexes. All tenants together have 800 files.
const MAKE_TABLES = TABLES.map(
  (name) => `create table ${name} (id serial primary key, word text unique);`,
).join('\n')
const folder = temporaryFolder()
afterAll(() => folder.remove())

const isPosix = process.platform === 'linux'

describe('a process with 512 descriptors', () => {
  it.skipIf(!isPosix)(
    'serves tenants whose tables have more than 512 files',
    async () => {
      const dataDir = join(folder.path, 'many')
      const { child, ready, ended } = spawnCliWithDescriptors(DESCRIPTORS, [
        ...['start', '--data-dir', dataDir, '--port', '0', '--postgres-port', 'none'],
        ...['--fixture', 'none', '--json'],
      ])
      const { data_url, inspector_url, platform } = await ready
      const call = async (path: string, credential: string, body: object): Promise<Json> => {
        const answer = await fetch(new URL(path, inspector_url), {
          method: 'POST',
          headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
        const json = (await answer.json()) as Json
        expect(answer.status, JSON.stringify(json)).toBeLessThan(300)
        return json
      }
      const execute = async (project: string, sql: string) => {
        const { error } = await call(
          `/platform/v1/projects/${project}/db/exec`,
          platform.session_token,
          { sql },
        )
        expect(error).toBeUndefined()
      }
      const read = async (name: string, { anon_key, service_role_key }: Json) => {
        const { status } = await fetch(`${data_url}/${name}?select=id&word=eq.x`, {
          headers: { apikey: anon_key, authorization: `Bearer ${service_role_key}` },
        })
        expect(status).toBe(200)
      }
      const template = await call('/platform/v1/projects', platform.session_token, {
        name: 'Many tables',
        slug: 'many_tpl',
        plan: 'scale',
      })
      await execute(template.id, MAKE_TABLES)
      const group = await call('/platform/v1/groups', platform.session_token, {
        name: 'Many',
        template_project_id: 'proj_many_tpl',
      })
      const { key } = await call(`/platform/v1/groups/${group.id}/keys`, platform.session_token, {
        label: 'test',
      })
      const tenants: Json[] = []
      for (let number = 0; number < TENANTS; number++)
        tenants.push(await call(`/groups/v1/${group.id}/tenants`, key, { slug: `many_${number}` }))
      for (const tenant of tenants) await Promise.all(TABLES.map((name) => read(name, tenant)))
      expect(readdirSync(`/proc/${child.pid}/fd`).length).toBeLessThan(400)
      child.kill('SIGINT')
      expect(await ended).toMatchObject({ code: 0, stderr: '' })
    },
    180_000,
  )
})

// A tenant of the clinics demo, with requests of its application and its owner.
import type { ReadyLine } from '../../emulator/contract/addresses.ts'
import type { Answer, Json, TestEmulator } from './test-emulator.ts'

export interface DemoTenant {
  readonly slug: string
  readonly schemaName: string
  readonly anonKey: string
  readonly serviceRoleKey: string
  /** Sends a request to the data plane with the credential and the tenant's anon key. */
  get(target: string, credential: string): Promise<Answer<Json>>
  patch(target: string, credential: string, body: unknown): Promise<Answer<Json>>
  /** Mints any credential of the tenant. */
  mint(order: Readonly<Record<string, unknown>>): Promise<string>
  /** Runs SQL as the project's owner. @throws {Error} when a statement fails */
  execute(sql: string): Promise<void>
}

export async function demoTenant({ call }: TestEmulator, slug: string): Promise<DemoTenant> {
  const { body: info } = await call<ReadyLine>('GET', '/_emulator/v1/info')
  const tenant = info.groups.flatMap(({ tenants }) => tenants).find((one) => one.slug === slug)
  if (tenant === undefined) throw new Error(`The demo has no tenant ${slug}`)
  const ask = (method: string, target: string, credential: string, body?: unknown) =>
    call<Json>(method, target, {
      credential,
      headers: {
        apikey: tenant.anon_key,
        'accept-profile': tenant.schema_name,
        'content-profile': tenant.schema_name,
      },
      ...(body === undefined ? {} : { body }),
    })
  return {
    slug,
    schemaName: tenant.schema_name,
    anonKey: tenant.anon_key,
    serviceRoleKey: tenant.service_role_key,
    get: (target, credential) => ask('GET', target, credential),
    patch: (target, credential, body) => ask('PATCH', target, credential, body),
    mint: async (order) => {
      const minted = await call('POST', '/_emulator/v1/tokens/mint', {
        body: { project: slug, ...order },
      })
      if (minted.status !== 201) throw new Error(minted.text)
      return minted.body.token
    },
    execute: async (sql) => {
      const done = await call('POST', `/platform/v1/projects/${tenant.project_id}/db/exec`, {
        credential: tenant.management_key,
        body: { sql },
      })
      if (done.status !== 200 || done.body.error !== undefined) throw new Error(done.text)
    },
  }
}

// An application of a tenant of the clinics demo, with the unmodified client libraries. Tests run the application as a command of
// `tenantry record`, which sets the platform's address in the environment.
import { PostgrestClient } from '@supabase/postgrest-js'
import { RealtimeClient } from '@supabase/realtime-js'
import { StorageClient } from '@supabase/storage-js'

const env = (name: string): string => {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is not set`)
  return value
}
const url = env('TENANTRY_AUTH_URL')
const key = env('TENANTRY_ANON_KEY')
const schema = env('TENANTRY_SCHEMA')

async function post(path: string, body: unknown, bearer = key): Promise<Record<string, string>> {
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { apikey: key, authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await answer.json()) as Record<string, string>
}

function rowsAs(bearer: string) {
  const headers = { apikey: key, authorization: `Bearer ${bearer}` }
  return new PostgrestClient(env('TENANTRY_DATA_URL'), { headers, schema })
}

const anonymous = rowsAs(key)
await anonymous.from('treatments').select('name,price').order('name').limit(3)
await anonymous.from('nowhere').select()
await post('/auth/v1/signin', { email: 'ana@patients.test', password: 'not hers' })
const password = `${schema}-ana`.replace('proj_', '')
const session = await post('/auth/v1/signin', { email: 'ana@patients.test', password })
const renewed = await post('/auth/v1/token/refresh', { refresh_token: session['refresh_token'] })
const bearer = renewed['data_plane_token'] ?? ''
const ana = rowsAs(bearer)
await ana.from('appointments').select('*', { count: 'exact' }).order('id')
await ana.from('appointments').select('id,patients(name)').limit(1).single()

const { token: socketToken = '', url: socketUrl = '' } = await post('/rt/v1/token', {}, bearer)
const realtime = new RealtimeClient(socketUrl, { params: { apikey: socketToken } })
const changes: unknown[] = []
const channel = realtime.channel(`${schema}:desk`, {
  config: { private: true, broadcast: { self: true, ack: true } },
})
await new Promise<void>((resolve) => {
  channel
    .on('postgres_changes', { event: '*', schema, table: 'appointments' }, (change) =>
      changes.push(change),
    )
    .on('system', {}, ({ status }) => {
      if (status === 'ok') resolve()
    })
    .subscribe()
})
await new Promise<void>((resolve) => {
  channel.on('broadcast', { event: 'hello' }, () => resolve())
  void channel.send({ type: 'broadcast', event: 'hello', payload: { from: 'ana' } })
})
const service = rowsAs(env('TENANTRY_SERVICE_ROLE_KEY'))
const { data: mine } = await ana.from('appointments').select('id').order('id').limit(1)
await service
  .from('appointments')
  .update({ state: 'arrived' })
  .eq('id', mine?.[0]?.id ?? 0)
  .select()
for (let waits = 0; changes.length === 0 && waits < 1_000; waits += 1)
  await new Promise((resolve) => setTimeout(resolve, 10))

const { token: storageToken = '', url: storageUrl = '' } = await post('/st/v1/token', {}, bearer)
const storage = new StorageClient(storageUrl, { authorization: `Bearer ${storageToken}` })
const files = storage.from(`${schema}_documents`)
const note = new Blob(['first note'], { type: 'text/plain' })
await files.upload('notes/a.txt', note)
await files.upload('notes/a.txt', note)
await files.list('notes')
await files.download('notes/a.txt')
const signed = await files.createSignedUrl('notes/a.txt', 60)
await fetch(signed.data?.signedUrl ?? '').then((answer) => answer.text())
await files.remove(['notes/a.txt'])
await realtime.disconnect()
// Exits explicitly, because the client keeps timers of its messages for ten seconds.
process.stdout.write(`${changes.length} change\n`, () => process.exit())

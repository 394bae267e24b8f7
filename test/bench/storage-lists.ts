// Lists of a bucket with 10,000 objects. Measures pages of one flat folder: the first page, a page far inside, and a page ordered
// by date. Also measures the parent folder, and lists of the second version.
import { openConnection, requestText } from './http-client.ts'
import { closedLoop, type Loop } from './measure.ts'
import type { BenchServer } from './server.ts'

export interface ListCell {
  readonly title: string
  readonly connections: number
  readonly http: Loop
}

const OBJECTS = 10_000
const FILLERS = 16
const CELL_MILLIS = 2_000
const BUCKET = 'proj_storagebench_many'
const LISTS: readonly (readonly [title: string, path: string, body: object])[] = [
  ['list 100 of 10,000', 'list', { prefix: 'flat', limit: 100 }],
  ['list 100 of 10,000, offset 9,000', 'list', { prefix: 'flat', limit: 100, offset: 9_000 }],
  [
    'list 100 of 10,000 by date',
    'list',
    { prefix: 'flat', limit: 100, sortBy: { column: 'created_at', order: 'desc' } },
  ],
  ['list the folders above 10,000', 'list', { prefix: '' }],
  ['list-v2 1,000 of 10,000', 'list-v2', { prefix: 'flat/', limit: 1_000 }],
]

/** `headers` contain a storage token of the server side. */
export async function measureLists(
  server: BenchServer,
  headers: Readonly<Record<string, string>>,
): Promise<readonly ListCell[]> {
  const json = { ...headers, 'content-type': 'application/json' }
  const post = (path: string, body: object): string =>
    requestText('POST', `/storage/v1/${path}`, json, JSON.stringify(body))
  await fill(server, headers, post('bucket', { name: BUCKET }))
  const connection = await openConnection('127.0.0.1', server.port)
  const cells: ListCell[] = []
  for (const [title, path, body] of LISTS) {
    const request = post(`object/${path}/${BUCKET}`, body)
    const http = await closedLoop(1, CELL_MILLIS, async () => {
      const { status } = await connection.send(request)
      if (status !== 200) throw new Error(`${title} got ${status}`)
    })
    cells.push({ title, connections: 1, http })
  }
  connection.close()
  return cells
}

async function fill(
  server: BenchServer,
  headers: Readonly<Record<string, string>>,
  makeBucket: string,
): Promise<void> {
  const connections = await Promise.all(
    Array.from({ length: FILLERS }, () => openConnection('127.0.0.1', server.port)),
  )
  await connections[0]?.send(makeBucket)
  let next = 0
  const runs = connections.map(async (connection) => {
    while (next < OBJECTS) {
      const turn = next++
      const path = `/storage/v1/object/${BUCKET}/flat/file-${turn}.txt`
      const put = requestText('PUT', path, { ...headers, 'content-type': 'text/plain' }, 'x')
      const { status } = await connection.send(put)
      if (status !== 200) throw new Error(`filling the lists got ${status}`)
    }
    connection.close()
  })
  await Promise.all(runs)
}

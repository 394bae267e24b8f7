// The error of work whose connection the server ends.
import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { diskFailureOf } from '../../../../emulator/core/disk-failure.ts'
import { ServerConnection } from '../../../../emulator/database/postgres/connections/server-connection.ts'
import { FrontendMessages } from '../../../../emulator/database/wire-protocol/frontend-messages.ts'
import { PreparedStatements } from '../../../../emulator/database/wire-protocol/prepared-statements.ts'

it('says that the disk is full when the server reported this before it died', async () => {
  const stream = new PassThrough({ write: (_chunk, _encoding, done) => done() })
  const connection = new ServerConnection(
    { host: '', port: 0, user: '', password: '', database: '' },
    { stream, processId: 1, secretKey: 1 },
    new PreparedStatements('s'),
  )
  const lost = connection.exchange(new FrontendMessages().query('select 1').bytes())
  const fields = 'SPANIC\0VPANIC\0C53100\0Mcould not write to file "pg_wal/x"\0\0'
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeUInt32BE(4 + fields.length, 1)
  stream.push(Buffer.concat([head, Buffer.from(fields)]))
  setImmediate(() => stream.destroy())
  const error: unknown = await lost.catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: '57P02' })
  expect(diskFailureOf(error)).toMatchObject({ code: 'disk_full' })
})

import { expect, it } from 'vitest'
import { readPaste } from '../../../../renderer/shell/read-paste.ts'

const JWT = 'eyJhbGciOiJFUzI1NiJ9.eyJyb2xlIjoiYW5vbiJ9.c2lnbmF0dXJl'

it.each([
  ['403', [{ kind: 'status', status: '403' }]],
  ['42501', [{ kind: 'code', code: '42501' }]],
  ['PGRST116', [{ kind: 'code', code: 'PGRST116' }]],
  [JWT, [{ kind: 'credential', credential: JWT }]],
  [`Authorization: Bearer ${JWT}`, [{ kind: 'credential', credential: JWT }]],
  ['v4.public.eyJzdWIiOiJ4In0', [{ kind: 'credential', credential: 'v4.public.eyJzdWIiOiJ4In0' }]],
  [
    'http://localhost:7357/visits?select=id',
    [{ kind: 'request', method: undefined, path: '/visits' }],
  ],
  [
    `curl -X DELETE 'http://localhost:7357/visits?id=eq.1' -H 'apikey: ${JWT}'`,
    [
      { kind: 'request', method: 'DELETE', path: '/visits' },
      { kind: 'credential', credential: JWT },
    ],
  ],
  [
    `curl http://localhost:7357/auth/v1/otp/send -d '{}'`,
    [{ kind: 'request', method: 'POST', path: '/auth/v1/otp/send' }],
  ],
  [
    'http://localhost:7357/_emulator/t/acme/tables?as=anon',
    [{ kind: 'screen', path: '/t/acme/tables?as=anon' }],
  ],
  ['patients', []],
  ['https://', []],
])('readPaste reads %s', (text, meanings) => {
  expect(readPaste(text)).toEqual(meanings)
})

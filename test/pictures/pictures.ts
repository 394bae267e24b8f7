// The pictures of the inspector in the documentation: which screen each one shows, and what happens before.
import type { Page } from 'playwright-core'
import type { CallOptions } from '../support/test-emulator.ts'

/** The emulator that the pictures show. */
export interface Stage {
  readonly url: string
  /** Sends a request. Resolves when the whole answer has arrived. */
  call(method: string, path: string, options?: CallOptions): Promise<unknown>
  /** The anon key of the tenant aurora. */
  readonly anonKey: string
}

export interface Picture {
  /** `docs/images/<name>.png` is for the light theme, `<name>-dark.png` for the dark one. */
  readonly name: string
  /** The address below `/_emulator`. */
  readonly path: string
  /** Sends the requests that the screen shows. */
  prepare?(stage: Stage): Promise<void>
  /** Brings the open screen to what the picture shows. */
  show(page: Page): Promise<void>
}

const SILVA = encodeURIComponent('user:silva@aurora.test')

/** In the order in which they are made: later ones see the requests of earlier ones. */
export const PICTURES: readonly Picture[] = [
  {
    name: 'home',
    path: '/',
    prepare: requestsWithProblems,
    show: async (page) => {
      await page.getByRole('list', { name: 'injected' }).getByText('2 times').waitFor()
      await page
        .getByText(/Answered in/)
        .first()
        .waitFor()
      await page.getByText('All services healthy').waitFor()
    },
  },
  {
    name: 'inspector',
    path: `/t/aurora/policies/appointments?view=rows&as=${SILVA}`,
    show: async (page) => {
      await page.getByRole('row').filter({ hasText: 'hidden' }).first().click()
      await page.getByTestId('verdict').filter({ hasText: 'Hidden from' }).waitFor()
      await page.getByTestId('deciding-leaf').first().waitFor()
    },
  },
  {
    name: 'policy-editor',
    path: '/t/aurora/policies/patients',
    show: async (page) => {
      await page.getByRole('button', { name: 'Edit policy patients_see_themselves' }).click()
      const matrix = page.getByRole('table', { name: 'Rows and identities' })
      await matrix
        .getByRole('button', { name: /^new user: hidden/ })
        .first()
        .waitFor()
      await page.getByRole('textbox', { name: 'using', exact: true }).fill('true')
      const gained = matrix.getByRole('button', { name: /^new user: hidden now, visible with/ })
      await gained.first().click()
      await page.getByText(/hidden now: .*; visible with the draft/).waitFor()
    },
  },
  {
    name: 'schema-map',
    path: `/t/aurora/map?as=${SILVA}&table=appointments`,
    show: (page) =>
      page.getByRole('status', { name: 'What the identity reads' }).getByText(/some/).waitFor(),
  },
]

/** Three refused inserts, two that an injected fault fails, and a credential of another service. */
async function requestsWithProblems({ call, anonKey }: Stage): Promise<void> {
  const headers = { apikey: anonKey, 'accept-profile': 'proj_aurora' }
  const insert = () =>
    call('POST', '/rooms', { credential: anonKey, headers, body: { name: 'Room 4' } })
  for (let turn = 0; turn < 3; turn += 1) await insert()
  const claims = Buffer.from('{"sub":"user-7","project_schema":"proj_aurora"}')
  await call('GET', '/rooms', { credential: `e30.${claims.toString('base64url')}.AAAA`, headers })
  await call('POST', '/_emulator/v1/faults', {
    body: { effect: { kind: 'error', code: '57P03' }, scope: { service: 'data' }, count: 2 },
  })
  for (let turn = 0; turn < 2; turn += 1) await insert()
}

// The accessibility checker finds nothing in any sheet, dialog, menu or panel, in both themes, in a narrow and a wide window.
import { globSync, readFileSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { accessibilityFindings, CONTRAST } from '../../support/axe.ts'
import { demoTenant } from '../../support/demo-tenant.ts'
import { describeOwnInspector, type InspectorWorld } from '../../support/describe-inspector.ts'
import { loaded } from '../../support/inspector-page.ts'
import {
  ACCESS_PARTS,
  DATA_PARTS,
  FLEET_PARTS,
  type InspectorPart,
  SHELL_PARTS,
  STORAGE_PARTS,
  TRAFFIC_PARTS,
  WORLD_PARTS,
} from '../../support/inspector-parts.ts'
import { patiently } from '../../support/patience.ts'
import { storageToken } from '../../support/storage-world.ts'

const JOBS = {
  shell: SHELL_PARTS,
  data: DATA_PARTS,
  storage: STORAGE_PARTS,
  access: ACCESS_PARTS,
  traffic: TRAFFIC_PARTS,
  fleet: FLEET_PARTS,
  world: WORLD_PARTS,
} as const

/** Source files whose parts need more preparation than this test has. The comments name the test that checks each part. */
const ELSEWHERE = [
  'shell/shell.tsx', // shell.test.ts, with an admin token
  'features/compare/difference-sheet.tsx', // compare.test.ts, with a recording
]

describe('the list of parts', () => {
  it('contains each source file with a sheet, a dialog, a menu or a panel', () => {
    const sources = globSync('{features,parts,shell}/**/*.tsx', { cwd: 'renderer' }).filter(
      (file) =>
        /<(Sheet|Dialog|ConfirmDialog|Menu|Popover)\b/.test(
          readFileSync(`renderer/${file}`, 'utf8'),
        ),
    )
    const listed = Object.values(JOBS).flatMap((parts) => parts.flatMap((part) => part.of))
    expect([...listed, ...ELSEWHERE].toSorted()).toEqual(sources.toSorted())
  })
})

describeOwnInspector(
  'every opened part',
  (world) => {
    beforeAll(() => prepare(world))

    it.each(Object.entries(JOBS))(
      'is accessible in both themes and at both widths: %s',
      async (_, parts) => {
        const findings: string[] = []
        for (const part of parts) {
          const narrow = { width: 800, height: 700 }
          const { page } = await world.open(part.at, narrow)
          await show(page, part)
          const at = `${part.at} ${part.shows.join(' ')}`
          const note = (found: readonly string[], where: string) =>
            findings.push(...found.map((finding) => `${at}, ${where}: ${finding}`))
          note(await accessibilityFindings(page), '800 px, dark')
          await world.look({ ...(part.isNarrow === true && narrow), theme: 'light' })
          // Checks only the contrast of the part. Other findings do not depend on the theme, and shell.test.ts checks the screen
          // behind the part.
          const contrast = await accessibilityFindings(page, CONTRAST, partOf(page, part))
          note(contrast, 'light')
          await world.shoot(`part${`${part.at}-${part.shows[1]}`.replaceAll(/\W+/g, '-')}`)
          await hide(page, part)
        }
        expect(findings).toEqual([])
      },
      patiently(120_000),
    )
  },
  { history: true },
)

async function show(page: Page, { click = [], open, shows }: InspectorPart): Promise<void> {
  await loaded(page)
  await open?.(page)
  for (const [role, name] of click)
    await page.getByRole(role, { name, exact: true }).first().click()
  await partOf(page, { shows }).waitFor()
  await loaded(page)
}

/** Menus and lists of options have no names of their own. */
function partOf(page: Page, { shows: [role, name] }: Pick<InspectorPart, 'shows'>): Locator {
  return (
    role === 'menu' || role === 'listbox' ? page.getByRole(role) : page.getByRole(role, { name })
  ).first()
}

/** Closes the part, so that the next part can open. */
async function hide(page: Page, part: InspectorPart): Promise<void> {
  if (part.shows[0] === 'complementary') return
  await page.keyboard.press('Escape')
  await partOf(page, part).waitFor({ state: 'detached' })
  // The list or menu that opened a dialog may stay open below the dialog.
  if ((part.click ?? []).length > 1) await page.keyboard.press('Escape')
}

async function prepare({ at }: InspectorWorld): Promise<void> {
  const aurora = await demoTenant(at, 'aurora')
  const credential = await storageToken(at, aurora.serviceRoleKey)
  const headers = { apikey: aurora.anonKey }
  const answers = [
    await at.call('POST', '/storage/v1/object/proj_aurora_documents/note.txt', {
      credential,
      headers: { 'content-type': 'text/plain' },
      body: 'note',
    }),
    await at.call('POST', '/auth/v1/signin', {
      headers,
      body: { email: 'silva@aurora.test', password: 'aurora-silva' },
    }),
    await at.call('POST', '/auth/v1/otp/send', {
      headers,
      body: { email: 'ana@patients.test', channel: 'email' },
    }),
    await aurora.patch('/rooms?id=eq.1', aurora.anonKey, { name: 'x' }),
    await aurora.patch('/rooms?id=eq.1', aurora.serviceRoleKey, { floor: 3 }),
    await at.call('POST', '/_emulator/v1/snapshots', { body: { name: 'before' } }),
    await at.call('POST', '/_emulator/v1/faults', {
      body: { scope: { service: 'auth' }, effect: { kind: 'latency', ms: 20 }, count: 1 },
    }),
  ]
  for (const { status } of answers) expect([200, 201, 204, 401]).toContain(status)
}

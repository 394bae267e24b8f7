// All sheets, dialogs, menus and panels of the inspector, and how to open each. A test compares this list with the sources.
import type { Page } from 'playwright-core'

type Role =
  | 'button'
  | 'combobox'
  | 'complementary'
  | 'dialog'
  | 'gridcell'
  | 'listbox'
  | 'menu'
  | 'menuitem'

/** An element by its role and name. */
type Named = readonly [role: Role, name: string | RegExp]

export interface InspectorPart {
  /** Source files below `renderer/` with the sheets, dialogs, menus and panels that this part shows. */
  readonly of: readonly string[]
  /** Address of the screen with the part. */
  readonly at: string
  /** Elements to click, in order. */
  readonly click?: readonly Named[]
  /** Further actions that open the part. */
  readonly open?: (page: Page) => Promise<void>
  /** Whether the screen has the part only in a narrow window. */
  readonly isNarrow?: boolean
  /** Role and name of the opened part. */
  readonly shows: Named
}

const button = (name: string | RegExp): Named => ['button', name]
const item = (name: string | RegExp): Named => ['menuitem', name]
const sheet = (name: string | RegExp): Named => ['complementary', name]
const dialog = (name: string | RegExp): Named => ['dialog', name]
const MENU: Named = ['menu', /./]
const LIST: Named = ['listbox', /./]

const TENANT = '/t/aurora'
const PATIENTS = `${TENANT}/tables/patients`

export const SHELL_PARTS: readonly InspectorPart[] = [
  {
    of: ['shell/palette.tsx'],
    at: '/clock',
    open: (page) => page.keyboard.press('Control+k'),
    shows: dialog('Go to'),
  },
  {
    of: ['shell/connection-card.tsx'],
    at: `${TENANT}/tables`,
    click: [button('Connect')],
    shows: dialog('Connect'),
  },
  {
    of: ['shell/keys-sheet.tsx'],
    at: '/clock',
    click: [button('Keyboard shortcuts')],
    shows: dialog('Keyboard shortcuts'),
  },
  {
    of: [],
    at: `${TENANT}/tables`,
    click: [['combobox', 'Tenant']],
    shows: dialog('Tenant'),
  },
  {
    of: [],
    at: `${TENANT}/tables`,
    click: [['combobox', 'Act as']],
    shows: dialog('Act as'),
  },
  {
    of: ['parts/identity-picker.tsx'],
    at: `${TENANT}/tables`,
    click: [['combobox', 'Act as'], button('Custom claims…')],
    shows: dialog('Custom claims'),
  },
]

const sqlAt = (sql: string) => `${TENANT}/sql?sql=${encodeURIComponent(sql)}`

export const DATA_PARTS: readonly InspectorPart[] = [
  { of: [], at: `${TENANT}/map`, click: [['combobox', 'Show']], shows: LIST },
  { of: [], at: `${TENANT}/sql`, click: [['combobox', 'Show at most']], shows: LIST },
  {
    of: ['features/tables/insert-sheet.tsx'],
    at: PATIENTS,
    click: [button('Insert row')],
    shows: sheet('New row of patients'),
  },
  {
    of: ['features/tables/row-sheet.tsx'],
    at: `${PATIENTS}?row=id%3A1`,
    shows: sheet('Row of patients'),
  },
  { of: [], at: `${TENANT}/tables/rooms?row=id%3A1&show=history`, shows: sheet('Row of rooms') },
  {
    of: ['features/tables/structure/structure-sheet.tsx'],
    at: `${PATIENTS}?sheet=structure`,
    click: [button('Add column')],
    shows: sheet('Structure of patients'),
  },
  {
    of: ['features/tables/structure/new-table-sheet.tsx'],
    at: `${TENANT}/tables?sheet=new_table`,
    shows: sheet('New table'),
  },
  {
    of: ['features/tables/table-head.tsx'],
    at: PATIENTS,
    click: [button('More actions')],
    shows: MENU,
  },
  {
    of: ['features/tables/import-dialog.tsx'],
    at: PATIENTS,
    click: [button('More actions'), item('Import CSV or JSON…')],
    shows: dialog('Import into patients'),
  },
  {
    of: ['features/tables/rows-toolbar.tsx'],
    at: PATIENTS,
    click: [button('Add filter')],
    shows: dialog('Add filter'),
  },
  {
    of: ['features/tables/table-view.tsx'],
    at: PATIENTS,
    open: async (page) => {
      await page.getByRole('gridcell').getByRole('checkbox').first().click()
      await page.getByRole('button', { name: 'Delete 1 row' }).click()
    },
    shows: dialog('Delete 1 row?'),
  },
  {
    of: ['features/schema-map/table-sheet.tsx'],
    at: `${TENANT}/map?table=appointments`,
    shows: sheet('Table appointments'),
  },
  {
    of: ['features/schema-map/map-toolbar.tsx'],
    at: `${TENANT}/map`,
    click: [button('Export')],
    shows: MENU,
  },
  {
    of: ['features/sql/history-sheet.tsx'],
    at: `${TENANT}/sql`,
    click: [button('History')],
    shows: sheet('History'),
  },
  {
    of: ['features/sql/queries-sheet.tsx'],
    at: `${TENANT}/sql`,
    click: [button('Saved queries')],
    shows: sheet('Saved queries'),
  },
  {
    of: ['features/sql/result-view.tsx'],
    at: sqlAt("select 'Green' as name"),
    click: [button('Run'), ['gridcell', 'Green']],
    shows: sheet('Row 1'),
  },
  {
    of: [],
    at: sqlAt("select 'Green' as name"),
    click: [button('Run'), button('Export')],
    shows: MENU,
  },
  {
    of: ['features/sql/sql-page.tsx'],
    at: sqlAt('drop table rooms'),
    click: [button('Run')],
    shows: dialog('This cannot be undone'),
  },
  {
    of: ['parts/change/change-sheet.tsx', 'parts/change/change-area.tsx'],
    at: sqlAt('alter table rooms add column seats int'),
    click: [button('Apply as change…')],
    shows: dialog('Change'),
  },
]

const DOCUMENTS = `${TENANT}/storage/documents`
const bucketAction = (action: string): readonly Named[] => [
  button('Actions of documents'),
  item(action),
]

export const STORAGE_PARTS: readonly InspectorPart[] = [
  {
    of: ['features/storage/bucket-dialogs.tsx'],
    at: DOCUMENTS,
    click: [button('New bucket')],
    shows: dialog('New bucket'),
  },
  { of: [], at: DOCUMENTS, click: bucketAction('Settings…'), shows: dialog('Bucket documents') },
  { of: [], at: DOCUMENTS, click: bucketAction('Delete…'), shows: dialog('Delete documents') },
  {
    of: ['features/storage/bucket-rail.tsx'],
    at: DOCUMENTS,
    click: [button('Actions of documents')],
    shows: MENU,
  },
  {
    of: ['features/storage/folder-toolbar.tsx'],
    at: DOCUMENTS,
    click: [button('New folder')],
    shows: dialog('New folder'),
  },
  {
    of: ['features/storage/object-sheet.tsx'],
    at: `${DOCUMENTS}?object=note.txt`,
    click: [button('Sign URL')],
    shows: sheet('Object'),
  },
  {
    of: ['features/storage/entry-dialogs.tsx'],
    at: `${DOCUMENTS}?object=note.txt`,
    click: [button('Move or rename…')],
    shows: dialog('Move or rename'),
  },
  {
    of: [],
    at: `${DOCUMENTS}?object=note.txt`,
    click: [button('Delete object')],
    shows: dialog(/^Delete 1/),
  },
]

const USER = `${TENANT}/users?user=ana@patients.test`
const ROWS = `${TENANT}/policies/appointments?view=rows&as=anon`

export const ACCESS_PARTS: readonly InspectorPart[] = [
  {
    of: ['features/users/new-user-sheet.tsx'],
    at: `${TENANT}/users?user=new`,
    shows: sheet('New user'),
  },
  {
    of: ['features/users/user-sheet.tsx'],
    at: USER,
    click: [button('Sign in as this user')],
    shows: sheet('User'),
  },
  { of: [], at: `${USER}&part=sessions`, shows: sheet('User') },
  { of: [], at: `${USER}&part=messages`, shows: sheet('User') },
  { of: [], at: USER, click: [button('User actions')], shows: MENU },
  {
    of: [],
    at: USER,
    click: [button('User actions'), item('Delete user…')],
    shows: dialog('Delete user'),
  },
  {
    of: ['features/policies/x-ray-sheet.tsx'],
    at: `${ROWS}&row=id%3A1`,
    shows: sheet('X-ray'),
  },
  {
    of: ['features/policies/decide-toolbar.tsx'],
    at: `${ROWS}&command=update`,
    click: [button('Set columns…')],
    shows: dialog('Columns to update'),
  },
  {
    of: ['features/tokens/copy-token-request.tsx'],
    at: '/tokens',
    open: pasteKey,
    click: [button('Copy request')],
    shows: MENU,
  },
  {
    of: ['features/tokens/revoke-actions.tsx'],
    at: '/tokens',
    open: pasteKey,
    click: [button('Regenerate keys…')],
    shows: dialog('Regenerate the keys of aurora'),
  },
]

/** Pastes a key of the tenant. */
async function pasteKey(page: Page): Promise<void> {
  const key = await page.evaluate(async () => {
    const { groups } = await (await fetch('/_emulator/v1/info')).json()
    return groups[0].tenants.find((one: { slug: string }) => one.slug === 'aurora').anon_key
  })
  await page.getByLabel('Key or token, with or without Bearer').fill(key)
}

const firstRow = (grid: string) => (page: Page) =>
  page.getByRole('grid', { name: grid }).getByRole('row').nth(1).click()
const REQUEST_PARTS = ['exchange', 'credential', 'sql', 'changes', 'resend']
const firstRequest = firstRow('Requests')

export const TRAFFIC_PARTS: readonly InspectorPart[] = [
  {
    of: ['features/requests/request-sheet.tsx'],
    at: '/requests?refused=only',
    open: firstRequest,
    shows: sheet('Request'),
  },
  ...REQUEST_PARTS.map((part) => ({
    of: [],
    at: `/requests?refused=only&part=${part}`,
    open: firstRequest,
    shows: sheet('Request'),
  })),
  {
    of: ['features/requests/copy-request.tsx'],
    at: '/requests?refused=only',
    open: firstRequest,
    click: [button('Copy request')],
    shows: MENU,
  },
  {
    of: ['parts/bundle-dialog.tsx'],
    at: '/requests?refused=only',
    open: firstRequest,
    click: [button('Bundle this request')],
    shows: dialog('Create bundle'),
  },
  {
    of: ['features/requests/undo-request-dialog.tsx'],
    at: '/requests?method=PATCH&status=2xx',
    open: firstRequest,
    click: [button('Undo…')],
    shows: dialog('Undo request'),
  },
  {
    of: ['features/requests/facets.tsx'],
    at: '/requests',
    click: [button('Status')],
    isNarrow: true,
    shows: dialog('Status'),
  },
  {
    of: ['features/requests/saved-filters.tsx'],
    at: '/requests?refused=only',
    click: [button('Saved filters')],
    shows: dialog('Saved filters'),
  },
  {
    of: ['features/realtime/change-row/change-row-sheet.tsx'],
    at: `${TENANT}/realtime?sheet=row`,
    shows: sheet('Change a row'),
  },
  {
    of: [],
    at: `${TENANT}/realtime?sheet=row&rows=rooms`,
    click: [button('Edit row 1')],
    shows: sheet('Change a row'),
  },
  {
    of: ['features/mailbox/message-sheet.tsx'],
    at: '/mailbox',
    open: firstRow('Messages'),
    shows: sheet('Message'),
  },
  {
    of: ['features/mailbox/wait-snippet.tsx'],
    at: '/mailbox',
    click: [button('Wait in a test…')],
    shows: dialog('Wait for message'),
  },
]

export const FLEET_PARTS: readonly InspectorPart[] = [
  { of: [], at: '/tenants', click: [['combobox', 'Plan']], shows: LIST },
  { of: [], at: '/fleet', click: [['combobox', 'Group']], shows: LIST },
  {
    of: ['features/fleet/commands.tsx'],
    at: '/fleet',
    click: [button('Get steps')],
    shows: dialog('How to get steps'),
  },
  {
    of: ['features/fleet/tenant-sheet.tsx'],
    at: '/fleet?tenant=aurora',
    shows: sheet('Tenant'),
  },
  {
    of: ['features/fleet/steps-sheet.tsx'],
    at: '/fleet?sheet=rehearse',
    shows: sheet(/^Rehearse/),
  },
  { of: [], at: '/fleet?sheet=apply', shows: sheet(/^Apply/) },
  { of: ['features/fleet/publish-sheet.tsx'], at: '/fleet?sheet=publish', shows: sheet('Publish') },
  {
    of: ['features/tenants/group-keys-sheet.tsx'],
    at: '/tenants?sheet=keys',
    shows: sheet('Group API Keys'),
  },
  {
    of: ['features/tenants/provision-sheet.tsx'],
    at: '/tenants?sheet=provision',
    shows: sheet('New tenant'),
  },
  {
    of: ['features/tenants/project-sheet.tsx'],
    at: '/tenants?project=aurora',
    shows: sheet('Project'),
  },
  ...['auth', 'structure'].map((part) => ({
    of: [],
    at: `/tenants?project=aurora&part=${part}`,
    shows: sheet('Project'),
  })),
  {
    of: ['features/tenants/project-actions.tsx'],
    at: '/tenants?project=aurora',
    click: [button('Tenant actions')],
    shows: MENU,
  },
  {
    of: [],
    at: '/tenants?project=aurora',
    click: [button('Tenant actions'), item('Purge tenant…')],
    shows: dialog('Purge aurora'),
  },
  {
    of: ['features/tenants/group-strip.tsx'],
    at: '/tenants',
    click: [button('Group actions')],
    shows: MENU,
  },
  {
    of: [],
    at: '/tenants',
    click: [button('Group actions'), item('Rename group…')],
    shows: dialog('Rename group'),
  },
  {
    of: [],
    at: '/tenants',
    click: [button('Publish template')],
    shows: dialog('Publish template'),
  },
]

export const WORLD_PARTS: readonly InspectorPart[] = [
  { of: ['features/faults/arm-sheet.tsx'], at: '/faults?arm=any', shows: sheet('New fault') },
  {
    of: ['features/faults/fault-sheet.tsx'],
    at: '/faults',
    open: firstRow('Armed faults'),
    shows: sheet('Fault'),
  },
  {
    of: ['features/snapshots/snapshots-page.tsx'],
    at: '/snapshots',
    click: [button('Save snapshot')],
    shows: dialog('Save snapshot'),
  },
  {
    of: ['features/snapshots/snapshot-sheet.tsx'],
    at: '/snapshots?open=before',
    shows: sheet('Snapshot'),
  },
  {
    of: ['features/snapshots/snapshot-actions.tsx'],
    at: '/snapshots',
    click: [button('Reset platform…')],
    shows: dialog('Reset platform'),
  },
  {
    of: ['features/fixtures/fixtures-page.tsx'],
    at: '/fixtures',
    click: [button('Export fixture')],
    shows: MENU,
  },
  {
    of: ['features/fixtures/fixture-sheet.tsx'],
    at: '/fixtures',
    open: firstRow('Fixtures'),
    shows: sheet('Fixture'),
  },
]
